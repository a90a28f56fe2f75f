import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';

/**
 * What a screen knows of the figures that it requested. `loading`: nothing yet. `failed`: they could not be loaded.
 * `stale`: those at hand belong to the selection before, as to another range or page. `outdated`: those at hand belong
 * to the selection, but could not be refreshed.
 */
type FigureState = 'loading' | 'failed' | 'stale' | 'outdated' | 'current';

/** Figures and what is known of them. */
export interface Figures<Data = unknown> {
  state: FigureState;
  /** Undefined while they load and after a failure. */
  data: Data | undefined;
  /** Why the last request failed; null while another one is under way. */
  error: Error | null;
  isFetching: boolean;
  /** Requests again what failed. */
  retry: () => void;
}

/** Marks queries whose failure is shown in the table or tile itself, so that the notice above the page leaves them out. */
export const shownInPlace = { isFailureShownInPlace: true } as const;

/** The result of a query, as far as its figures depend on it. */
interface QueryResult<Data> {
  data: Data | undefined;
  error: Error | null;
  errorUpdateCount: number;
  isEnabled: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

/** What a query's result says of its figures. Pure. */
export function figuresOf<Data>(result: QueryResult<Data>): Figures<Data> {
  const state = stateOf(result);
  return {
    state,
    data: state === 'failed' ? undefined : result.data,
    error: result.error,
    isFetching: result.isFetching,
    retry: () => void result.refetch(),
  };
}

function stateOf(result: QueryResult<unknown>): FigureState {
  const { data, error, errorUpdateCount, isEnabled, isPlaceholderData } = result;
  // A query that is turned off keeps what it had.
  if (!isEnabled) return data === undefined ? 'loading' : 'current';
  if (data === undefined || isPlaceholderData) {
    // While a failed query is repeated, React Query takes its error back and offers the selection before once more.
    if (errorUpdateCount > 0) return 'failed';
    return data === undefined ? 'loading' : 'stale';
  }
  return error ? 'outdated' : 'current';
}

/** Fetches figures; the screen shows their failure where they would be, with {@link Figures.retry}. */
export function useFigures<Loaded, Data, Key extends QueryKey>(
  options: UseQueryOptions<Loaded, Error, Data, Key>,
): Figures<Data> {
  return figuresOf(useQuery({ ...options, meta: shownInPlace }));
}

const worstFirst: readonly FigureState[] = ['failed', 'loading', 'stale', 'outdated', 'current'];

/** Several figures of one table or tile: the worst state counts, and a retry repeats all that failed. Pure. */
export function combinedFigures(...parts: readonly Figures[]): Figures<undefined> {
  const failed = parts.filter(({ state }) => state === 'failed' || state === 'outdated');
  return {
    state: worstFirst.find((state) => parts.some((part) => part.state === state)) ?? 'current',
    data: undefined,
    error: failed.find(({ error }) => error)?.error ?? null,
    isFetching: (failed.length > 0 ? failed : parts).some(({ isFetching }) => isFetching),
    retry: () => failed.forEach(({ retry }) => retry()),
  };
}

/** Figures whose request has not begun. */
export const loadingFigures: Figures<undefined> = {
  state: 'loading',
  data: undefined,
  error: null,
  isFetching: true,
  retry: () => undefined,
};

/** A figure that is not known, and why: never shown as zero. */
export type Unknown = 'loading' | 'failed';

/** Why figures without data are not known. Pure. */
export const unknownOf = ({ state }: Figures): Unknown => (state === 'failed' ? 'failed' : 'loading');

/** Whether a figure is not known. Pure. */
export const isUnknown = (value: unknown): value is Unknown => value === 'loading' || value === 'failed';
