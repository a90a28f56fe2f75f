import { expect, test } from 'vitest';
import { combinedFigures, figuresOf } from './figures.ts';

const result = {
  data: undefined as number | undefined,
  error: null as Error | null,
  errorUpdateCount: 0,
  isEnabled: true,
  isFetching: true,
  isPlaceholderData: false,
  refetch: () => {},
};
const failure = new Error('Away');

test('figures are of the selection, of the one before, or unknown', () => {
  const known = { ...result, data: 7 };
  expect([
    figuresOf(result).state,
    figuresOf(known).state,
    figuresOf({ ...known, isPlaceholderData: true }).state,
    figuresOf({ ...known, error: failure, errorUpdateCount: 1 }).state,
    figuresOf({ ...result, error: failure, errorUpdateCount: 1 }).state,
  ]).toEqual(['loading', 'current', 'stale', 'outdated', 'failed']);
});

test('while a failed request is repeated, the figures of the selection before do not come back', () => {
  const repeated = { ...result, data: 7, isPlaceholderData: true, errorUpdateCount: 1 };
  expect(figuresOf(repeated)).toMatchObject({ state: 'failed', data: undefined, isFetching: true });
});

test('of several figures the worst state counts, and a retry repeats what failed', () => {
  const repeated: string[] = [];
  const part = (name: string, error: Error | null) =>
    figuresOf({
      ...result,
      ...(error ? { error, errorUpdateCount: 1 } : { data: 1 }),
      refetch: () => repeated.push(name),
    });
  const figures = combinedFigures(part('list', null), part('report', failure));
  expect(figures).toMatchObject({ state: 'failed', error: failure });
  figures.retry();
  expect(repeated).toEqual(['report']);
  expect(combinedFigures(part('list', null), figuresOf(result)).state).toBe('loading');
});
