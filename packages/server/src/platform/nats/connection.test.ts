import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { openNats } from './connection.ts';

test('a connection that is lost before it is used is closed, so that it does not come back in addition to the next one', async () => {
  const close = vi.fn(async () => {});
  vi.doMock('@nats-io/transport-node', () => ({
    connect: async () => ({
      isClosed: () => false,
      subscribe: () => {},
      flush: async () => Promise.reject(new Error('CONNECTION_CLOSED')),
      close,
    }),
  }));
  onTestFinished(() => vi.doUnmock('@nats-io/transport-node'));
  const nats = openNats('nats://127.0.0.1:4222', pino({ level: 'silent' }));
  await eventually(() => expect(close).toHaveBeenCalled());
  expect(nats.isUp()).toBe(false);
  await nats.close();
});
