import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { clientAddress } from '../auth/client.ts';

test('an IPv6 client is limited by the first half of its address, and one that has disconnected has none', () => {
  const half = clientAddress({ ip: '2001:db8:1:2:3:4:5:6' });
  expect(clientAddress({ ip: '2001:db8:1:2::9' })).toBe(half);
  expect(clientAddress({ ip: '2001:db8:1:3::9' })).not.toBe(half);
  expect(clientAddress({ ip: '192.0.2.7' })).toBe('192.0.2.7');
  // So it is once the connection is closed, whatever the type says.
  expect(clientAddress({ ip: undefined } as unknown as FastifyRequest)).toBe('');
});
