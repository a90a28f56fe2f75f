import {
  type Comparison,
  type ComparisonQuery,
  type ComparisonRow,
  POSTBACK_ROWS_MAX,
  type PostbackReport,
  type PostbackReportQuery,
} from '@bidwell/contract/skadnetwork/report';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import {
  ROWS_MAX,
  bucketsIn,
  countForReport,
  namesOf,
  periodOf,
  rangeOf,
  reportTooLarge,
} from '../../reporting/public.ts';
import { eventsAsShown, rulesByDay } from './conversion-values.ts';
import { type GroupNames, groupOf, mergeRows, sumOf } from './postback-groups.ts';
import {
  type CountedKey,
  type PostbackCountsRow,
  type PostbackFilter,
  RULES_FROM,
  adsetsWithSourceIdentifier,
  countIosApps,
  countPostbacks,
  findProblems,
} from './postback-report-store.ts';

/** The keys that explain a conversion value, and most rows with them, which are fewer where names are alike. */
const OF_VALUES = ['window', 'app', RULES_FROM] as const;
const EXPLAINED_ROWS_MAX = 2 * POSTBACK_ROWS_MAX;

/**
 * Counts a company's postbacks of SKAdNetwork and AdAttributionKit by their keys, and what became of the others. Never added to the
 * installs of measurement partners. Throws Invalid for dates that are not supported, and for a report of too many rows.
 */
export async function postbackReport(
  ctx: Context,
  actor: Actor,
  query: PostbackReportQuery,
): Promise<PostbackReport> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const filter = await filterOf(ctx, actor, query);
  const { by } = query;
  const read = by.includes('value') ? [...new Set<CountedKey>([...by, ...OF_VALUES])] : by;
  const [counted, problems, apps] = await Promise.all([
    countPostbacks(ctx.db, companyId, filter, { by: read, limit: EXPLAINED_ROWS_MAX + 1 }),
    findProblems(ctx.db, companyId, filter),
    countIosApps(ctx.db, companyId, query.app_uuid),
  ]);
  if (counted.length > EXPLAINED_ROWS_MAX) throw reportTooLarge();
  const names = await groupNames(ctx, actor, read, counted);
  const rows = mergeRows(
    counted.map(({ keys, ...counts }) => {
      const valueOf = (key: CountedKey) => keys[read.indexOf(key)] ?? null;
      const context = by.includes('value')
        ? { window: valueOf('window'), appId: valueOf('app'), day: valueOf(RULES_FROM) }
        : null;
      return { groups: by.map((key) => groupOf(key, valueOf(key), names, context)), ...counts };
    }),
  );
  if (by.length > 0 && rows.length > POSTBACK_ROWS_MAX) throw reportTooLarge();
  const sorted =
    by[0] === 'day'
      ? rows.toSorted((a, b) => (a.groups[0]!.name < b.groups[0]!.name ? -1 : 1))
      : rows.toSorted((a, b) => b.postbacks - a.postbacks);
  return {
    rows: by.length === 0 ? [] : sorted,
    total: sumOf(rows),
    apps,
    problems: problems.map(({ reason, count, lastAt }) => ({ reason, count, last_at: lastAt.toISOString() })),
  };
}

async function filterOf(
  ctx: Context,
  owner: Owner,
  { app_uuid: appId, ...dates }: ComparisonQuery,
): Promise<PostbackFilter> {
  const range = await rangeOf(ctx, owner, dates);
  const { fromMs, beforeMs } = periodOf(range);
  return { from: new Date(fromMs), before: new Date(beforeMs), timeZone: range.timeZone, appId };
}

async function groupNames(
  ctx: Context,
  owner: Owner,
  keys: readonly CountedKey[],
  rows: readonly PostbackCountsRow[],
): Promise<GroupNames> {
  const idsOf = (key: CountedKey) =>
    new Set(keys.includes(key) ? rows.flatMap((row) => row.keys[keys.indexOf(key)] ?? []) : []);
  const apps = idsOf('app');
  const names = await namesOf(
    ctx.db,
    owner.companyId,
    new Map([
      ['app', apps],
      ['adset', idsOf('adset')],
    ]),
  );
  const explained = keys.includes('value') ? [...apps] : [];
  const [rulesOf, eventOf] = await Promise.all([
    rulesByDay(ctx, owner, explained),
    eventsAsShown(ctx, owner, explained),
  ]);
  return {
    apps: names.get('app') ?? new Map(),
    adsets: names.get('adset') ?? new Map(),
    rulesOf,
    eventOf,
  };
}

/**
 * The installs by postbacks beside those of measurement partners, by ad set and day of arrival, of ad sets that have a source
 * identifier. Throws as {@link postbackReport}.
 */
export async function postbackComparison(
  ctx: Context,
  actor: Actor,
  query: ComparisonQuery,
): Promise<Comparison> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const range = await rangeOf(ctx, actor, query);
  const filter = await filterOf(ctx, actor, query);
  const buckets = bucketsIn(range, 'day');
  if (!buckets) throw reportTooLarge();
  const [adsets, postbacks] = await Promise.all([
    adsetsWithSourceIdentifier(ctx.db, companyId),
    countPostbacks(ctx.db, companyId, filter, { by: ['day', 'adset'], limit: POSTBACK_ROWS_MAX + 1 }),
  ]);
  if (postbacks.length > POSTBACK_ROWS_MAX) throw reportTooLarge();
  const partner =
    adsets.length === 0
      ? []
      : await countForReport(ctx, companyId, {
          period: periodOf(range),
          by: [buckets, 'adset'],
          filters: { adset: adsets, ...(query.app_uuid !== undefined && { app: [query.app_uuid] }) },
          limit: ROWS_MAX,
        });
  const rows = new Map<string, { day: string; adsetId: string | null; partner: number; postbacks: number }>();
  const rowOf = (day: string, adsetId: string | null) => {
    const key = `${day} ${adsetId}`;
    const row = rows.get(key) ?? { day, adsetId, partner: 0, postbacks: 0 };
    rows.set(key, row);
    return row;
  };
  for (const { keys, downloads, redownloads } of postbacks)
    rowOf(keys[0]!, keys[1] ?? null).postbacks += downloads + redownloads;
  for (const { values, installs } of partner)
    if (installs > 0) rowOf(values[0]!, values[1]!).partner += installs;
  return presentComparison(ctx, companyId, [...rows.values()]);
}

async function presentComparison(
  ctx: Context,
  companyId: string,
  rows: readonly { day: string; adsetId: string | null; partner: number; postbacks: number }[],
): Promise<Comparison> {
  const ids = new Set(rows.flatMap(({ adsetId }) => adsetId ?? []));
  const names = (await namesOf(ctx.db, companyId, new Map([['adset', ids]]))).get('adset');
  const presented = rows
    .filter(({ partner, postbacks }) => partner + postbacks > 0)
    .map(({ day, adsetId, partner, postbacks }): ComparisonRow => ({
      day,
      adset: adsetId === null ? null : { uuid: adsetId, name: names?.get(adsetId) ?? adsetId },
      partner_installs: adsetId === null ? null : partner,
      postback_installs: postbacks,
    }))
    .toSorted(
      (a, b) => b.day.localeCompare(a.day) || (a.adset?.name ?? '').localeCompare(b.adset?.name ?? ''),
    );
  if (presented.length > POSTBACK_ROWS_MAX) throw reportTooLarge();
  return {
    rows: presented,
    total: {
      partner_installs: presented.reduce((sum, row) => sum + (row.partner_installs ?? 0), 0),
      postback_installs: presented.reduce((sum, row) => sum + row.postback_installs, 0),
    },
  };
}
