import type {
  BidFilters,
  BidPage,
  BidsExportQuery,
  BidsQuery,
  LoggedBid,
} from '@bidwell/contract/bid-log/schema';
import { lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import { type LossProfiles, lossProfileOf, lossProfilesOf } from '../loss-profiles.ts';
import { toDollars } from '@bidwell/contract/lib/money';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { eventRulesOf } from '../../../delivery/public.ts';
import { campaignOf } from '../../campaigns/public.ts';
import {
  type BidNames,
  FILE_EVENTS_MAX,
  NAMED_KINDS,
  type NamedKind,
  endOfFile,
  namedInBids,
  streamBids,
  type AppEventsOfBid,
  type BidRow,
  appEventsOfBids,
  reengagedEventsOfBids,
  bidsById,
  newestBids,
  type BidSelection,
  bidMsOf,
  bidNumber,
  boundsOf,
} from './queries.ts';
import {
  type Export,
  exportSettings,
  namesOf,
  periodOf,
  rangeOf,
  startExport,
  withinExportLimits,
  withinReportLimits,
  reEngagementCampaigns,
} from '../../reporting/public.ts';
import { firstIdAt } from '../../../platform/clickhouse/bid-ids.ts';

const HOUR_MS = 3_600_000;
/** A page is first looked for among the bids of the last hour and day before its end. */
const SPANS_MS = [HOUR_MS, 24 * HOUR_MS];
const AFTER_LAST_ID = 2n ** 128n - 1n;

/**
 * A page of a company's bids, newest first, with their events of a range of days. With an outcome a page may have fewer bids
 * than requested. Throws NotFound for a campaign of another company; Invalid for dates that are not supported, and for a
 * query that exceeds its limits.
 */
export async function listBids(ctx: Context, actor: Actor, query: BidsQuery): Promise<BidPage> {
  requirePermission(actor, 'bid_log.read');
  const { clickhouse } = ctx;
  const { limit } = query;
  const selection = await selectionOf(ctx, actor, query);
  const before = cursorOf(query) ?? AFTER_LAST_ID;
  const page = { ...selection, beforeId: before };
  const endMs = Math.min(selection.beforeMs, ctx.now().getTime(), bidMsOf(before));
  const rows = await withinReportLimits(ctx, async (settings) => {
    let ids: readonly string[] = [];
    for (const spanMs of [...SPANS_MS, null]) {
      const bounds = spanMs === null ? {} : boundsOf(selection, firstIdAt(endMs - spanMs));
      ids = await newestBids(clickhouse, { ...page, ...bounds }, limit + 1, settings);
      if (ids.length > limit) break;
    }
    const bids = await bidsById(clickhouse, page, ids.slice(0, limit), settings);
    const returning = new Set(await reEngagementCampaigns(ctx.db, actor.companyId));
    const reengaged = bids.filter((bid) => returning.has(bid.campaign_uuid)).map((bid) => bid.bid_id);
    const appEvents = [
      ...(await appEventsOfBids(clickhouse, selection, ids.slice(0, limit), settings)),
      ...(await reengagedEventsOfBids(clickhouse, selection, reengaged, settings)),
    ];
    return { bids, appEvents, next: ids.length > limit ? cursorAt(bidNumber(ids[limit - 1]!)) : null };
  });
  const names = await bidNames(ctx, actor.companyId, {
    campaign: rows.bids.map((row) => row.campaign_uuid),
    adset: rows.bids.map((row) => row.adset_uuid),
    creative: rows.bids.map((row) => row.creative_uuid),
    exchange: rows.bids.map((row) => row.exchange),
  });
  const profiles = await lossProfilesOf(ctx.db);
  const appEvents = new Map<string, AppEventsOfBid[]>();
  for (const event of rows.appEvents)
    appEvents.set(event.bidId, [...(appEvents.get(event.bidId) ?? []), event]);
  return {
    bids: rows.bids.map((row) => presented(row, { names, profiles }, appEvents.get(row.bid_id) ?? [])),
    next: rows.next,
  };
}

/** A file of bids. */
export interface BidsFile {
  parts: Export<Uint8Array>;
  /** The cursor of the next file; null where this one has the last bids. */
  next: string | null;
}

/**
 * Exports bids, oldest first, with their events of a range of days: bids with a million events at most, and then `next`.
 * Throws NotFound for a campaign of another company; Invalid as {@link listBids} does.
 */
export async function exportBids(
  ctx: Context,
  actor: Actor,
  { format, ...query }: BidsExportQuery,
  eventsMax = FILE_EVENTS_MAX,
): Promise<BidsFile> {
  requirePermission(actor, 'bid_log.read');
  const { clickhouse } = ctx;
  const selection = await selectionOf(ctx, actor, query);
  const after = cursorOf(query);
  const limits = exportSettings(ctx.config);
  const rest = after === null ? selection : { ...selection, ...boundsOf(selection, after + 1n) };
  const end = await withinExportLimits(() => endOfFile(clickhouse, rest, eventsMax, limits));
  const file = end === null ? rest : { ...rest, beforeId: end };
  const named = await withinExportLimits(() => namedInBids(clickhouse, file, limits));
  const names = await bidNames(ctx, actor.companyId, named);
  const parts = await startExport(
    streamBids(clickhouse, file, { names, profiles: await lossProfilesOf(ctx.db), format }, limits),
  );
  return { parts, next: end === null ? null : cursorAt(end - 1n) };
}

/** The bids of a query, without its cursor. */
async function selectionOf(ctx: Context, actor: Actor, query: BidFilters): Promise<BidSelection> {
  if (query.campaign_uuid !== undefined) await campaignOf(ctx, actor, query.campaign_uuid);
  return {
    companyId: actor.companyId,
    ...periodOf(await rangeOf(ctx, actor, query)),
    afterId: 0n,
    beforeId: AFTER_LAST_ID,
    outcome: query.outcome,
    campaign: query.campaign_uuid,
    adset: query.adset_uuid,
    creative: query.creative_uuid,
    exchange: query.exchange,
    country: query.country,
    bundle: query.bundle,
    rules: await eventRulesOf(ctx.db, actor.companyId),
  };
}

const cursorOf = ({ cursor }: BidFilters): bigint | null => (cursor ? BigInt(`0x${cursor}`) : null);
const cursorAt = (id: bigint): string => id.toString(16).padStart(32, '0');

async function bidNames(
  ctx: Context,
  companyId: string,
  named: Readonly<Record<NamedKind, readonly string[]>>,
): Promise<BidNames> {
  const selection = new Map(NAMED_KINDS.map((kind) => [kind, new Set(named[kind])] as const));
  const known = await namesOf(ctx.db, companyId, selection);
  const ofKind = (kind: NamedKind) => known.get(kind) ?? new Map<string, string>();
  return {
    campaign: ofKind('campaign'),
    adset: ofKind('adset'),
    creative: ofKind('creative'),
    exchange: ofKind('exchange'),
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** A bid as it is read through the API. */
function presented(
  row: BidRow,
  { names, profiles }: { names: BidNames; profiles: LossProfiles },
  appEvents: readonly AppEventsOfBid[],
): LoggedBid {
  const {
    bidMs,
    eventMs,
    bidCpmMicros,
    chargeMicros,
    lossCode,
    minToWinMicros,
    impressionMs,
    test,
    ...same
  } = row;
  return {
    ...same,
    bid_at: timeOf(bidMs),
    event_at: timeOf(eventMs),
    campaign: names.campaign.get(row.campaign_uuid) ?? '',
    adset: names.adset.get(row.adset_uuid) ?? '',
    creative: names.creative.get(row.creative_uuid) ?? '',
    exchange_name: names.exchange.get(row.exchange) ?? '',
    bid_cpm: bidCpmMicros > 0 ? toDollars(bidCpmMicros) : null,
    charge: toDollars(chargeMicros),
    loss_code: lossCode,
    loss_reason:
      lossCode === null ? null : lossReason(lossCode, lossProfileOf(profiles, row.exchange, lossCode)),
    min_to_win_cpm: minToWinMicros === null ? null : toDollars(minToWinMicros),
    impression_at: impressionMs === null ? null : timeOf(impressionMs),
    app_events: appEvents.map(({ name, count, revenueMicros, knownRevenues }) => ({
      name,
      count,
      revenue: knownRevenues > 0 ? toDollars(revenueMicros) : null,
    })),
    test: test === 1,
  };
}
