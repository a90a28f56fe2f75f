import { expect, test } from 'vitest';
import { newSecret } from './new-secret.ts';

test('no secret begins with a hyphen, which a command line takes for an option', () => {
  const secrets = Array.from({ length: 2000 }, () => newSecret(24));
  expect(secrets.filter((secret) => !/^\w[\w-]{31}$/.test(secret))).toEqual([]);
  expect(new Set(secrets).size).toBe(2000);
});
