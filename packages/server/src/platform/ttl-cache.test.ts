import { expect, test } from 'vitest';
import { TtlCache } from './ttl-cache.ts';

const away = async (): Promise<number> => {
  throw new Error('the database is away');
};

test('an expired value stays in use while it cannot be looked up, if the caller chose that', async () => {
  const lasting = new TtlCache<number>(1, 10, { staleOnError: true });
  const plain = new TtlCache<number>(1, 10);
  for (const cache of [lasting, plain]) expect(await cache.get('a', async () => 1)).toBe(1);
  const expired = async () => plain.get('a', away).catch((error: Error) => error.message);
  await expect.poll(expired, { interval: 1 }).toBe('the database is away');
  for (let times = 0; times < 3; times += 1) expect(await lasting.get('a', away)).toBe(1);
  await expect(lasting.get('b', away)).rejects.toThrow('away');
  expect(await lasting.get('a', async () => 2)).toBe(2);
});
