import { reportMessages } from '@bidwell/contract/reports/messages';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { Invalid } from '../../platform/errors.ts';
import { type QuerySettings, QueryTooLarge } from '../../platform/clickhouse/client.ts';
import type { FairQueueLimits } from '../../platform/concurrency/fair-queue.ts';
import { smallMemory } from '../../platform/memory.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { eventRulesOf } from '../../delivery/public.ts';
import { type CountsRow, countEvents } from './query/counts-store.ts';
import type { CountsQuery } from './query/query-model.ts';
import { campaignsOfKind, reEngagementCampaigns } from './query/re-engagement-store.ts';

/** Most rows of one depth in a response; the remainder is summed as Other. */
export const ROWS_MAX = 10_000;
/** Most rows of all depths in a response; a larger report is rejected. */
export const RESPONSE_ROWS_MAX = 30_000;
/** Most lines of an export; a longer one breaks off. */
export const EXPORT_ROWS_MAX = 10_000_000;
const EXPORT_SECONDS_MAX = 600;
const MIB = 1024 ** 2;

/** How many reports run and wait at once in this process. */
export function reportQueueLimits({ clickhouseUrl }: Config): FairQueueLimits {
  // Embedded, queries run in this process: a company has at most half of the machine.
  const running = clickhouseUrl ? { running: 8, runningEach: 2 } : { running: 2, runningEach: 1 };
  return { ...running, waiting: 500, waitingEach: 60, waitMs: 60_000 };
}

/** How many exports run and wait at once. They last until the client has read them, so fewer wait. */
export function exportQueueLimits(config: Config): FairQueueLimits {
  return { ...reportQueueLimits(config), waiting: 100, waitingEach: 5 };
}

/** ClickHouse limits of one query of a report. */
export function reportSettings(config: Config): QuerySettings {
  return { ...resourceLimits(config), max_execution_time: 20, max_result_rows: 2 * ROWS_MAX };
}

/** ClickHouse limits of one export: more time than a report, and it spills to disk when it uses much memory. */
export function exportSettings(config: Config): QuerySettings {
  const share = resourceLimits(config);
  const spillBytes = Math.floor(share.max_memory_usage / 4);
  return {
    ...share,
    max_execution_time: EXPORT_SECONDS_MAX,
    max_bytes_before_external_group_by: spillBytes,
    max_bytes_before_external_sort: spillBytes,
  };
}

function resourceLimits({ clickhouseUrl, memoryMib }: Config): {
  max_threads: number;
  max_memory_usage: number;
} {
  if (clickhouseUrl) return { max_threads: 4, max_memory_usage: 4096 * MIB };
  const small = smallMemory(memoryMib);
  if (small) return { max_threads: 1, max_memory_usage: Math.floor(small.chdb / 2) * MIB };
  return {
    max_threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    max_memory_usage: Math.min(1024, Math.max(160, Math.floor(memoryMib / 8))) * MIB,
  };
}

/**
 * {@link countEvents} for a company's report, within its limits, with in-app events as the company's apps count them and re-engagement
 * campaigns counted apart. Throws Invalid when it exceeds them.
 */
export async function countForReport(
  ctx: Context,
  companyId: string,
  query: CountsQuery,
): Promise<CountsRow[]> {
  const ruled = await completeQuery(ctx, companyId, query);
  return withinReportLimits(ctx, (settings) => countEvents(ctx.clickhouse, companyId, ruled, settings));
}

/**
 * The query with the company's re-engagement campaigns, and with the rules of its in-app events, as far as it counts these, and with the
 * campaigns of its kind as a filter.
 */
export async function completeQuery(
  { db }: Pick<Context, 'db'>,
  companyId: string,
  asked: CountsQuery,
): Promise<CountsQuery> {
  const ofCompany = await reEngagementCampaigns(db, companyId);
  const query = await ofKind(db, companyId, asked, ofCompany);
  const only = query.filters.campaign && new Set(query.filters.campaign);
  const campaigns = only ? ofCompany.filter((uuid) => only.has(uuid)) : ofCompany;
  const counted = campaigns.length > 0 ? { ...query, reEngagement: campaigns } : query;
  if (!counted.eventNames && !counted.reEngagement) return counted;
  return { ...counted, rules: await eventRulesOf(db, companyId) };
}

/** No campaign has this id. */
const NO_CAMPAIGN = '00000000-0000-0000-0000-000000000000';

async function ofKind(
  db: Db,
  companyId: string,
  { campaignKind, ...query }: CountsQuery,
  ofReEngagement: readonly string[],
): Promise<CountsQuery> {
  if (!campaignKind) return query;
  const ofCompany =
    campaignKind === 're_engagement' ? ofReEngagement : await campaignsOfKind(db, companyId, campaignKind);
  const only = query.filters.campaign && new Set(query.filters.campaign);
  const campaign = only ? ofCompany.filter((uuid) => only.has(uuid)) : ofCompany;
  return {
    ...query,
    filters: { ...query.filters, campaign: campaign.length > 0 ? campaign : [NO_CAMPAIGN] },
  };
}

/** The result of a query with the limits of reports. Throws Invalid when it exceeds them. */
export async function withinReportLimits<T>(
  { config }: Pick<Context, 'config'>,
  read: (settings: QuerySettings) => Promise<T>,
): Promise<T> {
  try {
    return await read(reportSettings(config));
  } catch (error) {
    if (error instanceof QueryTooLarge) throw reportTooLarge();
    throw error;
  }
}

/** Error for a report that exceeds its limits. */
export function reportTooLarge(): Invalid {
  return new Invalid([], reportMessages.reportTooLarge);
}
