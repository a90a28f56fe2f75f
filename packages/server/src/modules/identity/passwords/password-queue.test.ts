import { expect, test, vi } from 'vitest';
import { CPU_QUEUE_LIMITS, passwordQueue } from '../../../platform/concurrency/cpu-queues.ts';
import { eventually } from '@bidwell/testing/eventually';
import { holdQueue } from '@bidwell/testing/held-queue';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const limits = CPU_QUEUE_LIMITS.passwords;

/** An unknown login, with its own counter of attempts. */
const stranger = (number: number) =>
  `stranger.${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;

const logIn = async (login: string, remoteAddress: string) =>
  app.http.inject({
    method: 'POST',
    url: '/api/internal/login',
    payload: { login, password: 'nonsense' },
    remoteAddress,
  });

test('one address may fill its part of the queue of passwords, and another is served before the rest', async () => {
  const free = await holdQueue(passwordQueue, limits);
  const finished: string[] = [];
  const greedy = Array.from({ length: limits.waitingEach }, async (_, index) => {
    const response = await logIn(stranger(index), '10.3.0.1');
    finished.push('greedy');
    return response.statusCode;
  });
  await eventually(() => expect(passwordQueue.waiting).toBe(limits.waitingEach));

  const rejected = await logIn(stranger(900), '10.3.0.1');
  expect(rejected.statusCode).toBe(429);
  expect(rejected.json()).toEqual({
    data: 'You have too many password checks waiting. Please wait a moment.',
  });
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);

  const modest = logIn(stranger(901), '10.3.0.2').finally(() => finished.push('modest'));
  await eventually(() => expect(passwordQueue.waiting).toBe(limits.waitingEach + 1));
  free();
  expect((await modest).statusCode).toBe(422);
  expect(await Promise.all(greedy)).toEqual(greedy.map(() => 422));
  // The other address waits for the work that has begun, not for waiting work.
  expect(finished.indexOf('modest')).toBeLessThanOrEqual(2 * limits.running);
});

test('a person whose turn for a new password comes too late gets a response that says to try again', async () => {
  const company = await app.freshCompany();
  const free = await holdQueue(passwordQueue, limits);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const changing = company.call('PUT', `/users/${company.userId}`, {
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      contact: '@ada',
      password: 'analytical engine',
      password_confirmation: 'analytical engine',
    });
    while (passwordQueue.waiting === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(limits.waitMs);
    const { status, data, headers } = await changing;
    expect([status, data]).toEqual([
      503,
      'The password checks before this one took too long. Please try again.',
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    vi.useRealTimers();
    free();
  }
});
