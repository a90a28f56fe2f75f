import { expect, test } from 'vitest';
import { combined, dataOrUnknown, isKnown, loadableOf, mapped } from './loadable.ts';

const result = {
  data: undefined as number | undefined,
  error: null as Error | null,
  errorUpdateCount: 0,
  isEnabled: true,
  isFetching: true,
  isPaused: false,
  isPlaceholderData: false,
  refetch: () => {},
};
const failure = new Error('Away');

test('figures are of the selection, of the one before, or unknown', () => {
  const known = { ...result, data: 7 };
  expect([
    loadableOf(result).state,
    loadableOf(known).state,
    loadableOf({ ...known, isPlaceholderData: true }).state,
    loadableOf({ ...known, error: failure, errorUpdateCount: 1 }).state,
    loadableOf({ ...result, error: failure, errorUpdateCount: 1 }).state,
  ]).toEqual(['loading', 'current', 'stale', 'outdated', 'failed']);
});

test('while a failed request is repeated, the figures of the selection before do not come back', () => {
  const repeated = { ...result, data: 7, isPlaceholderData: true, errorUpdateCount: 1 };
  expect(loadableOf(repeated)).toMatchObject({ state: 'failed', isFetching: true });
  expect(isKnown(loadableOf(repeated))).toBe(false);
});

test('an unknown list has no data that could be mistaken for none', () => {
  const list = loadableOf<readonly string[]>({ ...result, data: undefined });
  // @ts-expect-error: only known data can be read.
  expect(list.data ?? []).toEqual([]);
  expect(dataOrUnknown(mapped(list, ({ length }) => length))).toBe('loading');
});

test('a request that waits for the connection failed, and goes on with what it had', () => {
  const offline = { ...result, isFetching: false, isPaused: true };
  expect(loadableOf(offline)).toMatchObject({ state: 'failed', error: { status: 0 } });
  expect(loadableOf({ ...offline, data: 7 })).toMatchObject({ state: 'current', data: 7 });
});

test('of several figures the worst state counts, and a retry repeats what failed', () => {
  const repeated: string[] = [];
  const part = (name: string, error: Error | null) =>
    loadableOf({
      ...result,
      ...(error ? { error, errorUpdateCount: 1 } : { data: 1 }),
      refetch: () => repeated.push(name),
    });
  const figures = combined(part('list', null), part('report', failure));
  expect(figures).toMatchObject({ state: 'failed', error: failure });
  figures.retry();
  expect(repeated).toEqual(['report']);
  expect(combined(part('list', null), loadableOf(result)).state).toBe('loading');
});
