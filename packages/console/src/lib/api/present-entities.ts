import type { DataTag, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** The query of a list of entities. */
export interface EntityList<Item> {
  queryKey: DataTag<QueryKey, Item[], Error>;
}

/** The entities of a list by uuid as the server has them now, whatever is cached. Throws ApiError. */
export async function readPresent<Item extends { uuid: string }>(
  list: EntityList<Item>,
): Promise<ReadonlyMap<string, Item>> {
  // Under a key of its own: one that the screen uses may be loading since before the latest change, or be cancelled.
  const items = await queryClient.fetchQuery<Item[]>({
    ...list,
    queryKey: ['present', ...list.queryKey],
    staleTime: 0,
    gcTime: 0,
  });
  queryClient.setQueryData<Item[]>(list.queryKey, items);
  return new Map(items.map((item) => [item.uuid, item]));
}

/** Half of the smallest unit of money, in dollars. */
const HALF_MICRO = 5e-7;

/** Whether two amounts in dollars are the same; null and 0 are both no amount. Pure. */
export const isSameAmount = (one: number | null | undefined, other: number | null | undefined): boolean =>
  Math.abs((one ?? 0) - (other ?? 0)) < HALF_MICRO;
