import * as endpoints from '@bidwell/contract/operator/endpoints';
import type {
  DecisionResults,
  Decisions,
  ModerationFile,
  ModerationKind,
  ModerationQueue,
} from '@bidwell/contract/moderation/schema';
import { queryOptions } from '@tanstack/react-query';
import { callOperator } from '../../lib/api/operator-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** Items read at once: the oldest. */
const REVIEW_ITEMS = 100;
const REFETCH_MS = 30_000;
/** Half of the hour for which a file's URL is valid. */
const URL_KEPT_MS = 30 * 60_000;
const QUEUE = ['operator', 'review'] as const;

/** The filter of the queue; undefined shows everything. */
export interface ReviewFilter {
  kind: ModerationKind | undefined;
  company: string | undefined;
}

/** The oldest items that wait for review, with what helps to decide. */
export const reviewQueueQuery = ({ kind, company }: ReviewFilter) =>
  queryOptions({
    queryKey: [...QUEUE, kind ?? '', company ?? ''],
    queryFn: async () =>
      withStableUrls(
        await callOperator(endpoints.listModeration, {
          query: { limit: REVIEW_ITEMS, ...(kind && { kind }), ...(company && { company_uuid: company }) },
        }),
      ),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  });

let urls = new Map<string, { url: string; atMs: number }>();

/** Every response has newly signed URLs of the files; the first one is cached for a while, so that previews do not load again. */
function withStableUrls(queue: ModerationQueue): ModerationQueue {
  const nowMs = Date.now();
  const shown = new Map<string, { url: string; atMs: number }>();
  const stable = (file: ModerationFile): ModerationFile => {
    const known = urls.get(file.uuid);
    const kept = known && nowMs - known.atMs < URL_KEPT_MS ? known : { url: file.url, atMs: nowMs };
    shown.set(file.uuid, kept);
    return { ...file, url: kept.url };
  };
  const items = queue.items.map((item) => ({ ...item, files: item.files.map(stable) }));
  urls = shown;
  return { ...queue, items };
}

/** Sends one decision on several items. */
export const sendDecisions = (body: Decisions): Promise<DecisionResults> =>
  callOperator(endpoints.decideOnMany, { body });

/** Takes decided items out of the cached queues. */
export function removeDecided(uuids: ReadonlySet<string>): void {
  queryClient.setQueriesData<ModerationQueue>({ queryKey: QUEUE }, (queue) => {
    if (!queue) return queue;
    const decided = queue.items.filter(({ uuid }) => uuids.has(uuid));
    const kinds = { ...queue.kinds };
    for (const { kind } of decided) kinds[kind] -= 1;
    return {
      ...queue,
      kinds,
      waiting: queue.waiting - decided.length,
      items: queue.items.filter(({ uuid }) => !uuids.has(uuid)),
    };
  });
}

/** Reads the queue again. */
export const refetchReviewQueue = (): Promise<void> => queryClient.invalidateQueries({ queryKey: QUEUE });
