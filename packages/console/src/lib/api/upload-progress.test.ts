import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HIDE_DELAY_MS, UploadProgress } from './upload-progress.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('shows the average of all uploads', () => {
  const uploads = new UploadProgress();
  expect(uploads.percent()).toBeNull();
  const [one, two] = [uploads.begin(), uploads.begin()];
  expect(uploads.percent()).toBe(0);
  one.progress(0.5);
  two.progress(0.25);
  expect(uploads.percent()).toBe(37);
});

test('hides a second after all are through, a refused one among them', () => {
  const uploads = new UploadProgress();
  const [one, two] = [uploads.begin(), uploads.begin()];
  one.progress(1);
  one.end();
  vi.advanceTimersByTime(HIDE_DELAY_MS * 3);
  expect(uploads.percent()).toBe(50);
  two.end();
  expect(uploads.percent()).toBe(100);
  vi.advanceTimersByTime(HIDE_DELAY_MS - 1);
  expect(uploads.percent()).toBe(100);
  vi.advanceTimersByTime(1);
  expect(uploads.percent()).toBeNull();
});

test('an upload that begins within that second keeps the bar', () => {
  const uploads = new UploadProgress();
  uploads.begin().end();
  const late = uploads.begin();
  vi.advanceTimersByTime(HIDE_DELAY_MS * 2);
  expect(uploads.percent()).toBe(50);
  late.end();
  vi.advanceTimersByTime(HIDE_DELAY_MS);
  expect(uploads.percent()).toBeNull();
});

test('notifies its subscribers', () => {
  const uploads = new UploadProgress();
  const listener = vi.fn();
  const stop = uploads.subscribe(listener);
  const upload = uploads.begin();
  upload.progress(0.5);
  stop();
  upload.end();
  expect(listener).toHaveBeenCalledTimes(2);
});
