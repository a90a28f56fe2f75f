import { messages } from '@bidwell/contract/text/messages';
import { type QueryClient, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { withoutServerText } from './api/api-error.ts';

/** Load state of any loaded data. */
interface Loading {
  isFetching: boolean;
  /** Requests again what failed. */
  retry: () => void;
}

/** Nothing is known yet, or it could not be loaded: there is no data that a screen could mistake for none. */
interface NotLoaded extends Loading {
  state: 'loading' | 'failed';
  /** Why the last request failed; null while another one is under way. */
  error: Error | null;
}

/**
 * `stale`: the data belongs to the selection before, as to another range or page. `outdated`: it belongs to the
 * selection, but could not be refreshed.
 */
interface Known<Data> extends Loading {
  state: 'stale' | 'outdated' | 'current';
  data: Data;
  error: Error | null;
}

/**
 * A list, a figure or an entity that a screen requested, with its load state. It has data only once that is known:
 * check {@link isKnown}, or show it in a frame or a picker that takes it whole. Unknown data is never none or 0.
 */
export type Loadable<Data = unknown> = NotLoaded | Known<Data>;

/** The data of a loadable. */
type DataOf<Of> = Of extends Known<infer Data> ? Data : never;

/** Marks queries whose failure is shown in the table or tile itself, so that the notice above the page leaves them out. */
export const shownInPlace = { isFailureShownInPlace: true } as const;

/** The parts of a query's result that the load state depends on. */
interface QueryResult<Data> {
  data: Data | undefined;
  error: Error | null;
  errorUpdateCount: number;
  isEnabled: boolean;
  isFetching: boolean;
  /** Whether the request waits for the connection. */
  isPaused: boolean;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

/** The load state of a query's data. Pure. */
export function loadableOf<Data>(result: QueryResult<Data>): Loadable<Data> {
  const { data, isFetching, refetch } = result;
  const state = stateOf(result);
  const rest = { isFetching, retry: () => void refetch(), error: errorOf(result) };
  return state === 'loading' || state === 'failed' ? { state, ...rest } : { state, data: data!, ...rest };
}

function stateOf(result: QueryResult<unknown>): Loadable['state'] {
  const { data, error, errorUpdateCount, isEnabled, isPaused, isPlaceholderData } = result;
  // A query that is turned off keeps what it had.
  if (!isEnabled) return data === undefined ? 'loading' : 'current';
  if (data === undefined || isPlaceholderData) {
    // While a failed query is repeated, React Query takes its error back and offers the selection before once more.
    if (errorUpdateCount > 0 || isPaused) return 'failed';
    return data === undefined ? 'loading' : 'stale';
  }
  return error ? 'outdated' : 'current';
}

/** Offline, React Query keeps a request until the connection is back, and reports no error. */
function errorOf({ error, isPaused }: QueryResult<unknown>): Error | null {
  return error ?? (isPaused ? withoutServerText(0, messages.offline) : null);
}

/** Loads a list, a figure or an entity; the screen shows its failure where it would be, with a button that tries again. */
export function useLoadable<Loaded, Data = Loaded, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Loaded, Error, Data, Key>,
): Loadable<Data> {
  return loadableOf(useQuery({ ...options, meta: shownInPlace }));
}

/**
 * Loads what a form begins with: known once it was requested after the form was opened, since a form that began with an old
 * copy would save it back.
 */
export function useFresh<Loaded, Data = Loaded, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Loaded, Error, Data, Key>,
): Loadable<Data> {
  const result = useQuery({ ...options, staleTime: 0, meta: shownInPlace });
  return loadableOf(result.isFetchedAfterMount ? result : { ...result, data: undefined });
}

/**
 * The data of a query that a screen can do without until it is known, such as the name of the person who is logged in: undefined
 * until then. Its failure is named in the notice above the page. Never give it a default: that claims that there is none.
 */
export function useKnown<Loaded, Data = Loaded, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Loaded, Error, Data, Key>,
  client?: QueryClient,
): Data | undefined {
  return useQuery(options, client).data;
}

/** Whether the data is known, of this selection or the one before. Pure. */
export const isKnown = <Data>(loadable: Loadable<Data>): loadable is Known<Data> => 'data' in loadable;

/** The data, or undefined while it is not known, for code that distinguishes the two. Never give it a default. Pure. */
export const knownData = <Data>(loadable: Loadable<Data>): Data | undefined =>
  isKnown(loadable) ? loadable.data : undefined;

/** Something made of the data, known as that is. Pure where `make` is. */
export function mapped<Data, Made>(loadable: Loadable<Data>, make: (data: Data) => Made): Loadable<Made> {
  return isKnown(loadable) ? { ...loadable, data: make(loadable.data) } : loadable;
}

const worstFirst: readonly Loadable['state'][] = ['failed', 'loading', 'stale', 'outdated', 'current'];

/**
 * The data that one table, form or tile needs together: known when each part is, the worst state counts, and a retry repeats all
 * that failed. Pure.
 */
export function combined<const Parts extends readonly Loadable[]>(
  ...parts: Parts
): Loadable<{ -readonly [Part in keyof Parts]: DataOf<Parts[Part]> }> {
  const failed = parts.filter(({ state }) => state === 'failed' || state === 'outdated');
  const state = worstFirst.find((each) => parts.some((part) => part.state === each)) ?? 'current';
  const rest = {
    error: failed.find(({ error }) => error)?.error ?? null,
    isFetching: (failed.length > 0 ? failed : parts).some(({ isFetching }) => isFetching),
    retry: () => failed.forEach(({ retry }) => retry()),
  };
  if (state === 'loading' || state === 'failed') return { state, ...rest };
  const data = parts.map((part) => (part as Known<unknown>).data);
  return { state, ...rest, data: data as { -readonly [Part in keyof Parts]: DataOf<Parts[Part]> } };
}

/** Data that needs no request. Pure. */
export const knownAs = <Data>(data: Data): Loadable<Data> => ({
  state: 'current',
  data,
  error: null,
  isFetching: false,
  retry: () => undefined,
});

/** A request that has not begun. */
export const notLoaded: Loadable<never> = {
  state: 'loading',
  error: null,
  isFetching: true,
  retry: () => undefined,
};

/** A figure that is not known, and why: never shown as zero. */
export type Unknown = 'loading' | 'failed';

/** Why data is not known. Pure. */
export const unknownOf = ({ state }: Loadable): Unknown => (state === 'failed' ? 'failed' : 'loading');

/** Whether a figure is not known. Pure. */
export const isUnknown = (value: unknown): value is Unknown => value === 'loading' || value === 'failed';

/** The data, or why it is not known. Pure. */
export const dataOrUnknown = <Data>(loadable: Loadable<Data>): Data | Unknown =>
  isKnown(loadable) ? loadable.data : unknownOf(loadable);
