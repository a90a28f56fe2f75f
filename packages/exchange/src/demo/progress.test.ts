import { afterEach, expect, test, vi } from 'vitest';
import { progressEachSecond } from './progress.ts';

afterEach(() => void vi.useRealTimers());

test('the progress of a phase is reported at its start and each second, until the end', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const progress = progressEachSecond((line) => void lines.push(line));
  progress.phase('Writing');
  progress.done(0.129);
  vi.advanceTimersByTime(1000);
  vi.advanceTimersByTime(1000);
  progress.phase('Reading');
  progress.stop();
  vi.advanceTimersByTime(5000);
  expect(lines).toEqual(['Writing: 0%', 'Writing: 12%', 'Writing: 12%', 'Reading: 0%']);
});
