import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  connectionState,
  pollingInterval,
  resetConnection,
  setConnected,
  setDisconnected,
} from './connection-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  resetConnection();
  vi.useRealTimers();
});

test('a connection that is away is lost after five seconds, not before', () => {
  setDisconnected();
  vi.advanceTimersByTime(400);
  setConnected();
  expect(connectionState()).toBe('live');
  setDisconnected();
  vi.advanceTimersByTime(4999);
  expect(connectionState()).toBe('waiting');
  vi.advanceTimersByTime(1);
  expect(connectionState()).toBe('lost');
  setDisconnected();
  vi.advanceTimersByTime(60_000);
  expect(connectionState()).toBe('lost');
  setConnected();
  expect(connectionState()).toBe('live');
});

test('attempts that fail one after the other do not restart the five seconds', () => {
  setConnected();
  for (let second = 0; second < 5; second += 1) {
    setDisconnected();
    vi.advanceTimersByTime(1000);
  }
  expect(connectionState()).toBe('lost');
});

test('a connection that never came about is blocked, and queries ask more often', () => {
  const interval = pollingInterval(5000);
  setDisconnected();
  vi.advanceTimersByTime(5000);
  expect([connectionState(), interval()]).toEqual(['blocked', 5000]);
  setConnected();
  expect(interval()).toBe(60_000);
});
