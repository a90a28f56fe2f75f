import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { inTime } from './time-limits.ts';

test('work that ends in time settles as it does, and leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    await expect(inTime(Promise.resolve('done'), 1000, 'late')).resolves.toBe('done');
    await expect(inTime(Promise.reject(new Error('failed')), 1000, 'late')).rejects.toThrow('failed');
    await expect(inTime(Promise.resolve('done'), Infinity, 'late')).resolves.toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a result that arrived while the process was paused is not late', async () => {
  const { port1, port2 } = new MessageChannel();
  const result = inTime(once(port1, 'message'), 1, 'late');
  port2.postMessage('here');
  const beganMs = performance.now();
  while (performance.now() - beganMs < 20); // Without a turn of the event loop.
  await expect(result).resolves.toEqual(['here']);
  port1.close();
});

test('work that takes longer is rejected with the message', async () => {
  await expect(inTime(new Promise(() => {}), 1, 'no answer within 1 ms')).rejects.toThrow(
    'no answer within 1 ms',
  );
});
