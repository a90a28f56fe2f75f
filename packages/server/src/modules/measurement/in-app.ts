import { commonLabel } from '@bidwell/contract/apps/event-label';
import { toDollars } from '@bidwell/contract/lib/money';
import { IN_APP_NAMES_MAX, type InAppEvents } from '@bidwell/contract/measurement/schema';
import type { Context } from '../../context.ts';
import { adsetsWithLink, linkHistory, eventRulesOf, type EventRules } from '../../delivery/public.ts';
import { type Period, ROWS_MAX, withinReportLimits, eventRulesSql } from '../reporting/public.ts';
import { shownEvents } from './app-event-store.ts';
import type { PostbackFilter } from './store.ts';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import {
  PERSON_EVENTS_HOUR,
  type PersonField,
  personEventsSql,
  personFlags,
  rejectedPeopleSql,
} from '../../platform/clickhouse/person-events.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { NIL } from 'uuid';

/** Events in the app count until this long after their bid, by which they belong to a tracking link. */
const EVENTS_OF_BID_MS = 180 * 86_400_000;
/** Name of events whose names are not listed. */
const OTHER = '(other)';

/** Events in the app by name and tracking link, with how their app shows them. */
export interface InAppOfLink extends InAppOfPart {
  /** Null where the ad set does not exist any more. */
  linkId: string | null;
  label: string | null;
  offered: boolean;
}

/** Reads the events in the app of a period: at most {@link ROWS_MAX} groups by ad set and name, the most frequent. */
export async function readInApp(
  ctx: Context,
  companyId: string,
  period: Period,
  { campaignId, trackingLinkId }: PostbackFilter,
): Promise<readonly InAppOfLink[]> {
  const { db, clickhouse } = ctx;
  if (period.fromMs >= period.beforeMs) return [];
  const sinceMs = period.fromMs - EVENTS_OF_BID_MS;
  const requested =
    trackingLinkId === undefined ? undefined : await adsetsWithLink(db, companyId, trackingLinkId, sinceMs);
  if (requested?.length === 0) return [];
  const adsetIds = await withinReportLimits(ctx, (settings) =>
    adsetsWithInApp(
      clickhouse,
      companyId,
      period,
      { campaignId, adsetIds: requested },
      { rows: ROWS_MAX, settings },
    ),
  );
  if (adsetIds.length === 0) return [];
  const rules = await eventRulesOf(db, companyId);
  const history = await linkHistory(db, [companyId], adsetIds, sinceMs);
  const filter = { campaignId, adsetIds: requested, changes: history.changes, rules };
  const parts = await withinReportLimits(ctx, (settings) =>
    inAppBetween(clickhouse, companyId, period, filter, { rows: ROWS_MAX, settings }),
  );
  const shownAs = await shownEvents(db, companyId, parts);
  return parts
    .map((part) => ({
      ...part,
      ...shownAs(part),
      linkId: history.linkAt(part.adsetId, part.bidAtMs) ?? null,
    }))
    .filter(({ linkId }) => trackingLinkId === undefined || linkId === trackingLinkId);
}

/** Sums of the events of one name, and the labels that apps have for it. */
interface NameSum extends InAppOfPart {
  labels: (string | null)[];
  offered: boolean;
}

/** Events in the app by name, the most frequent first; those beyond the names that are listed together. Pure. */
export function presentInApp(parts: readonly InAppOfLink[]): InAppEvents[] {
  const sums = new Map<string, NameSum>();
  for (const part of parts) {
    const { label, offered } = part;
    const sum = sums.get(part.name);
    sums.set(part.name, {
      ...addParts(sum, part),
      labels: [...(sum?.labels ?? []), label],
      offered: (sum?.offered ?? false) || offered,
    });
  }
  const sorted = [...sums.values()].toSorted((a, b) => b.count - a.count);
  const listed = sorted.filter(({ name }) => name !== OTHER).slice(0, IN_APP_NAMES_MAX);
  const names = new Set(listed.map(({ name }) => name));
  const rest = sorted
    .filter(({ name }) => !names.has(name))
    .reduce<InAppOfPart | undefined>(addParts, undefined);
  return [
    ...listed.map((sum) => ({
      ...presentPart(sum),
      label: commonLabel(sum.labels),
      offered: sum.offered,
    })),
    ...(rest ? [{ ...presentPart(rest), name: OTHER, people: null }] : []),
  ];
}

function addParts(sum: InAppOfPart | undefined, part: InAppOfPart): InAppOfPart {
  if (!sum) return part;
  return {
    ...sum,
    count: sum.count + part.count,
    // A bid is of one ad set.
    people: sum.people + part.people,
    revenueMicros: sum.revenueMicros + part.revenueMicros,
    priced: sum.priced + part.priced,
    unknown: sum.unknown + part.unknown,
  };
}

function presentPart({ name, count, people, revenueMicros, priced, unknown }: InAppOfPart): InAppEvents {
  // The sum of the known amounts, as in reports; `unknown_amounts` counts the others.
  const revenue = priced > unknown ? toDollars(revenueMicros) : null;
  return { name, label: null, offered: false, count, people, revenue, unknown_amounts: unknown };
}

/** Events in the app of one name, of an ad set between two changes of its tracking link. */
interface InAppOfPart {
  adsetId: string;
  appId: string;
  /** A bid of theirs, Unix ms. */
  bidAtMs: number;
  name: string;
  count: number;
  people: number;
  /** Sum of the known amounts. */
  revenueMicros: number;
  /** Events with an amount that counts as revenue of their app, and those whose amount in dollars is not known. */
  priced: number;
  unknown: number;
}

/** Which events in the app are read. */
interface InAppFilter {
  /** Undefined for all campaigns. */
  campaignId?: string | undefined;
  /** Undefined for all ad sets. */
  adsetIds?: readonly string[] | undefined;
}

const { appEvent, takenBack, invalid, adRevenue, knownRevenue, unknownRevenue } = personFlags;

/**
 * SQL of a company's events in the app in a period as reports count them: without test and invalid traffic, and without people whose
 * install the partner rejected.
 */
function inAppSql(
  companyId: string,
  { fromMs, beforeMs }: Period,
  { campaignId = NIL, adsetIds }: InAppFilter,
): { sql: (columns: readonly PersonField[]) => string; params: Record<string, unknown> } {
  const params: Record<string, unknown> = {
    company: companyId,
    campaign: campaignId,
    nil: NIL,
    all: adsetIds ? 0 : 1,
    adsets: adsetIds ?? [],
    fromHour: clickhouseTime(fromMs).slice(0, 19),
    beforeHour: clickhouseTime(beforeMs).slice(0, 19),
    fromMs,
    beforeMs,
  };
  const rejected = rejectedPeopleSql({ fromMs, beforeMs }, params);
  const sql = (columns: readonly PersonField[]) => {
    const events = personEventsSql({
      fields: [...new Set<PersonField>(['person', 'atMs', 'flags', 'campaign_id', 'adset_id', ...columns])],
      where: [
        'company_id = {company:UUID}',
        'test = 0',
        `${PERSON_EVENTS_HOUR} >= toStartOfHour({fromHour:DateTime('UTC')})`,
        `${PERSON_EVENTS_HOUR} <= {beforeHour:DateTime('UTC')}`,
      ],
    });
    return `select person, flags, adset_id${columns.map((column) => `, ${column}`).join('')} from (${events})
      where bitAnd(flags, ${appEvent + invalid}) = ${appEvent} and atMs >= {fromMs:Int64} and atMs < {beforeMs:Int64}
        and ({campaign:UUID} = {nil:UUID} or campaign_id = {campaign:UUID})
        and ({all:UInt8} or has({adsets:Array(UUID)}, adset_id))
        and person global not in (${rejected})`;
  };
  return { sql, params };
}

/** The sign of an event in counts: an event that the partner revokes is subtracted on its own day, as in reports. */
const SIGN = `if(bitAnd(flags, ${takenBack}) = 0, 1, -1)`;

/** The ad sets with the most events in the app. */
async function adsetsWithInApp(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  filter: InAppFilter,
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly string[]> {
  const { sql, params } = inAppSql(companyId, period, filter);
  const found = await clickhouse.query<{ adsetId: string }>(
    `select toString(adset_id) as adsetId from (${sql([])})
     group by adset_id having sum(${SIGN}) > 0 order by sum(${SIGN}) desc, adset_id limit {rows:UInt32}`,
    { ...params, rows },
    'JSON',
    settings,
  );
  return found.map(({ adsetId }) => adsetId);
}

/** SQL of the Unix ms of the bid that an event in the app is attributed to. */
const BID_MS = 'toInt64(bitShiftRight(person, 80))';

/** Events in the app by name and ad set, apart by the times at which its tracking link changed; the most frequent first. */
async function inAppBetween(
  clickhouse: ClickHouse,
  companyId: string,
  period: Period,
  {
    changes,
    rules,
    ...filter
  }: InAppFilter & { changes: readonly { adsetId: string; atMs: number }[]; rules: EventRules },
  { rows, settings }: { rows: number; settings: QuerySettings },
): Promise<readonly InAppOfPart[]> {
  const { sql, params } = inAppSql(companyId, period, filter);
  const rule = eventRulesSql(rules);
  const isRevenue = rule.isRevenue(`(bitAnd(flags, ${adRevenue}) > 0)`);
  const having = (flags: number) => `sumIf(${SIGN}, bitAnd(flags, ${flags}) > 0 and ${isRevenue})`;
  return clickhouse.query<InAppOfPart>(
    `select toString(adset_id) as adsetId, toString(any(app)) as appId, min(bidMs) as bidAtMs, toString(event_name) as name,
       sum(events) as count, countIf(events > 0) as people, sum(revenue) as revenueMicros, sum(amounts) as priced,
       sum(unknowns) as unknown
     from (
       select adset_id, event_name, ${BID_MS} as bidMs, any(app_id) as app, sum(${SIGN}) as events,
         sumIf(${SIGN} * revenue_micros, ${isRevenue}) as revenue, ${having(knownRevenue + unknownRevenue)} as amounts,
         ${having(unknownRevenue)} as unknowns
       from (${sql(['event_name', 'app_id', 'revenue_micros'])})
       group by adset_id, event_name, person
     )
     group by adset_id, event_name,
       arrayCount((adset, at) -> adset = adset_id and at <= bidMs, {changed:Array(UUID)}, {times:Array(Int64)})
     having count > 0
     order by count desc, name, adsetId limit {rows:UInt32}`,
    {
      ...params,
      ...rule.params,
      changed: changes.map(({ adsetId }) => adsetId),
      times: changes.map(({ atMs }) => atMs),
      rows,
    },
    'JSON',
    settings,
  );
}
