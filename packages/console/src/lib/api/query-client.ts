import {
  type DataTag,
  type FetchQueryOptions,
  QueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { isAway } from './api-error.ts';
import { onCompanyDataDelete } from './company-data.ts';

const MINUTE_MS = 60_000;

/** How long fetched data counts as fresh, in milliseconds. */
export const staleTimes = { default: MINUTE_MS, hour: 60 * MINUTE_MS, ever: Infinity, never: 0 } as const;

/** The cache of server data. Only a request to an unavailable server is retried, at most twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: staleTimes.default,
      retry: (failures, error) => failures < 2 && isAway(error),
    },
  },
});
onCompanyDataDelete(() => queryClient.clear());

/** Puts a created entity into a cached list at once, for the form that selects it, and refetches the list. */
export function addToList<Item>(list: { queryKey: DataTag<QueryKey, Item[], Error> }, created: Item): void {
  queryClient.setQueryData<Item[]>(list.queryKey, (items) => items && [created, ...items]);
  void queryClient.invalidateQueries({ queryKey: list.queryKey });
}

/** Fetches what a query has, whatever is cached, and puts it into the cache. Throws ApiError. */
export const readAgain = <Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
): Promise<Data> =>
  queryClient.fetchQuery({ ...query, staleTime: staleTimes.never } as FetchQueryOptions<
    Data,
    Error,
    Data,
    Key
  >);
