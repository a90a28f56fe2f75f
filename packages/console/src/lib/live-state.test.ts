import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  connectionIsAway,
  connectionStands,
  forgetConnection,
  liveState,
  pollingEvery,
} from './live-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  forgetConnection();
  vi.useRealTimers();
});

test('a connection that is away is lost after five seconds, not before', () => {
  connectionIsAway();
  vi.advanceTimersByTime(400);
  connectionStands();
  expect(liveState()).toBe('live');
  connectionIsAway();
  vi.advanceTimersByTime(4999);
  expect(liveState()).toBe('waiting');
  vi.advanceTimersByTime(1);
  expect(liveState()).toBe('lost');
  connectionIsAway();
  vi.advanceTimersByTime(60_000);
  expect(liveState()).toBe('lost');
  connectionStands();
  expect(liveState()).toBe('live');
});

test('attempts that fail one after the other do not begin the five seconds anew', () => {
  connectionStands();
  for (let second = 0; second < 5; second += 1) {
    connectionIsAway();
    vi.advanceTimersByTime(1000);
  }
  expect(liveState()).toBe('lost');
});

test('a connection that never came about is blocked, and queries ask more often', () => {
  const interval = pollingEvery(5000);
  connectionIsAway();
  vi.advanceTimersByTime(5000);
  expect([liveState(), interval()]).toEqual(['blocked', 5000]);
  connectionStands();
  expect(interval()).toBe(60_000);
});
