import {
  type Comparison,
  type ComparisonQuery,
  type ComparisonRow,
  POSTBACK_ROWS_MAX,
  type PostbackReport,
  type PostbackReportQuery,
  type PostbackCounts,
  type PostbackKey,
  type PostbackRow,
  type PostbackProblem,
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
import { type ConversionRule, ruleFor } from '@bidwell/contract/skadnetwork/conversion-values';
import { COARSE_VALUES } from '@bidwell/contract/skadnetwork/postbacks';
import { conversionWindowTexts } from '@bidwell/contract/text/skadnetwork-text';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';

/** The first day of the version of an app's conversion values that explains a postback; a key like the others. */
const RULES_FROM = 'rules_from';

/** The keys that explain a conversion value, and most rows with them, which are fewer where names are alike. */
const OF_VALUES = ['window', 'app', RULES_FROM] as const;
const EXPLAINED_ROWS_MAX = 2 * POSTBACK_ROWS_MAX;

/** The keys by which postbacks are counted. */
type CountedKey = PostbackKey | typeof RULES_FROM;

/**
 * Counts a company's postbacks of SKAdNetwork and AdAttributionKit by their keys, and the reasons for uncounted ones. Never added to the
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
  const explainedApps = keys.includes('value') ? [...apps] : [];
  const [rulesOf, eventOf] = await Promise.all([
    rulesByDay(ctx, owner, explainedApps),
    eventsAsShown(ctx, owner, explainedApps),
  ]);
  return {
    apps: names.get('app') ?? new Map(),
    adsets: names.get('adset') ?? new Map(),
    rulesOf,
    eventOf,
  };
}

/**
 * Compares the installs by postbacks with the installs of measurement partners, by ad set and day of arrival, for ad sets with a source
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

/** The source of the names of groups. */
interface GroupNames {
  apps: ReadonlyMap<string, string>;
  adsets: ReadonlyMap<string, string>;
  rulesOf: (appId: string, day: string) => readonly ConversionRule[];
  /** The label of an app's in-app event. */
  eventOf: (appId: string, name: string) => string;
}

type Group = PostbackRow['groups'][number];

/** Names of values that say nothing by themselves. */
const NAMES: Partial<Record<PostbackKey, Readonly<Record<string, string>>>> = {
  framework: { skadnetwork: 'SKAdNetwork', adattributionkit: 'AdAttributionKit' },
  fidelity: { 0: 'View-through', 1: 'StoreKit-rendered or click' },
  window: Object.fromEntries(conversionWindowTexts.entries()),
  result: { won: 'Won', lost: 'Lost' },
  conversion_type: { download: 'Download', redownload: 'Redownload', 're-engagement': 'Re-engagement' },
};

/** Names for values that a postback does not have. */
const MISSING: Partial<Record<PostbackKey, string>> = {
  adset: 'Unknown source identifier',
  app: 'Unknown app',
  value: 'No value',
};

/** The group of a key's value; a conversion value is grouped by its window, app and day too. Pure. */
function groupOf(
  key: PostbackKey,
  value: string | null,
  names: GroupNames,
  context: { window: string | null; appId: string | null; day: string | null } | null,
): Group {
  if (value === null) return { key: null, name: MISSING[key] ?? 'Not stated' };
  if (key === 'app') return { key: value, name: names.apps.get(value) ?? value };
  if (key === 'adset') return { key: value, name: names.adsets.get(value) ?? value };
  if (key === 'value' && context) return valueGroup(value, names, context);
  return { key: value, name: NAMES[key]?.[value] ?? value };
}

function valueGroup(
  value: string,
  { rulesOf, eventOf }: GroupNames,
  { window, appId, day }: { window: string | null; appId: string | null; day: string | null },
): Group {
  const coarse = COARSE_VALUES.find((one) => one === value) ?? null;
  const fine = coarse === null ? Number(value) : null;
  const rules = appId !== null && day !== null ? rulesOf(appId, day) : [];
  const rule = ruleFor(rules, { window: Number(window), fine, coarse });
  const meaning = rule && appId !== null ? meaningOf(rule, (event) => eventOf(appId, event)) : '';
  const name = coarse === null ? value : `${value[0]!.toUpperCase()}${value.slice(1)}`;
  return { key: value, name: meaning === '' ? name : `${name}: ${meaning}` };
}

function meaningOf(
  { event, revenue_from: low, revenue_to: high }: ConversionRule,
  shownAs: (event: string) => string,
): string {
  return [
    ...(event ? [shownAs(event)] : []),
    ...(low === null || high === null ? [] : [revenueText(low, high)]),
  ].join(', ');
}

/** A range of dollars: whole ones as they are, others with cents, and fractions of a cent in full. */
function revenueText(low: number, high: number): string {
  const isWhole = Number.isInteger(low) && Number.isInteger(high);
  const dollars = (amount: number) =>
    isWhole || Number(amount.toFixed(2)) !== amount ? `${amount}` : amount.toFixed(2);
  return low === high ? `$${dollars(low)}` : `$${dollars(low)}–${dollars(high)}`;
}

/** Rows whose groups are alike, as one row; in the order of the first of each. Pure. */
function mergeRows(rows: readonly PostbackRow[]): PostbackRow[] {
  const merged = new Map<string, PostbackRow>();
  for (const row of rows) {
    const key = JSON.stringify(row.groups);
    const known = merged.get(key);
    merged.set(key, known ? { groups: row.groups, ...sumOf([known, row]) } : row);
  }
  return [...merged.values()];
}

/** The sum of counts. Pure. */
function sumOf(counts: readonly PostbackCounts[]): PostbackCounts {
  const sum = (field: keyof PostbackCounts) => counts.reduce((total, each) => total + each[field], 0);
  return {
    postbacks: sum('postbacks'),
    won: sum('won'),
    lost: sum('lost'),
    downloads: sum('downloads'),
    redownloads: sum('redownloads'),
    re_engagements: sum('re_engagements'),
  };
}

/** Which postbacks of a company are counted: those that arrived from `from` on and before `before`. */
interface PostbackFilter {
  from: Date;
  before: Date;
  timeZone: string;
  appId: string | undefined;
}

/** Counts of one combination of keys. */
interface PostbackCountsRow extends PostbackCounts {
  /** The values of the keys, in their order. */
  keys: (string | null)[];
}

/** Counts a company's postbacks by keys; at most `limit` rows, those with the most postbacks. */
async function countPostbacks(
  db: Db,
  companyId: string,
  filter: PostbackFilter,
  { by, limit }: { by: readonly CountedKey[]; limit: number },
): Promise<PostbackCountsRow[]> {
  const names = by.map((_, index) => sql.ref(`k${index}`));
  const values = names.length > 0 ? sql`json_build_array(${sql.join(names)})` : sql`'[]'::json`;
  const grouped = names.length > 0 ? sql`group by ${sql.join(names)}` : sql``;
  const ordered = names.length > 0 ? sql`order by postbacks desc, ${sql.join(names)}` : sql``;
  const { rows } = await sql<PostbackCountsRow>`
    select ${values} as keys, sum(postbacks)::int as postbacks, sum(won)::int as won,
      (sum(postbacks) - sum(won))::int as lost, sum(downloads)::int as downloads,
      sum(redownloads)::int as redownloads, sum(re_engagements)::int as re_engagements
    from (${explained(companyId, filter, by)}) as counted ${grouped} ${ordered} limit ${limit}`.execute(db);
  return rows;
}

/** The SQL of each key, as text or null. `value` is read together with the columns that explain it, see {@link countPostbacks}. */
const EXPRESSIONS: Readonly<Record<PostbackKey, (timeZone: string) => RawBuilder<string | null>>> = {
  day: (timeZone) => sql`to_char(received_at at time zone ${timeZone}, 'YYYY-MM-DD')`,
  app: () => sql`app_uuid::text`,
  adset: () => sql`adset_uuid::text`,
  source_identifier: () => sql`source_identifier`,
  framework: () => sql`framework`,
  version: () => sql`nullif(version, '')`,
  fidelity: () => sql`fidelity::text`,
  window: () => sql`sequence_index::text`,
  result: () => sql`case when did_win then 'won' else 'lost' end`,
  conversion_type: () => sql`conversion_type`,
  value: () => sql`coalesce(fine_value::text, coarse_value)`,
  country: () => sql`country`,
  source_app: () => sql`coalesce(source_app_id, source_domain)`,
};

/** Counts by the keys that a postback has, and by {@link RULES_FROM}: few versions explain many days. */
function explained(
  companyId: string,
  filter: PostbackFilter,
  by: readonly CountedKey[],
): RawBuilder<unknown> {
  const position = by.indexOf(RULES_FROM);
  if (position < 0) return countedByOwn(companyId, filter, by, []);
  const { timeZone } = filter;
  const extra = [sql`app_uuid as rules_app`, sql`${EXPRESSIONS.day(timeZone)} as rules_day`];
  return sql`
    select own.*, (
      select max(valid_from) from conversion_value_versions
      where company_uuid = ${companyId} and app_uuid = own.rules_app and valid_from <= own.rules_day
    ) as ${sql.ref(`k${position}`)}
    from (${countedByOwn(companyId, filter, by, extra)}) as own`;
}

function countedByOwn(
  companyId: string,
  filter: PostbackFilter,
  by: readonly CountedKey[],
  extra: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const keys = by.flatMap((key, index) =>
    key === RULES_FROM ? [] : sql`${EXPRESSIONS[key](filter.timeZone)} as ${sql.ref(`k${index}`)}`,
  );
  const columns = [...keys, ...extra];
  const selected = columns.length > 0 ? sql`${sql.join(columns)},` : sql``;
  // By position: a parameter in an expression of `group by` would be another one than in the list.
  const positions = columns.map((_, index) => sql.lit(index + 1));
  const grouped = columns.length > 0 ? sql`group by ${sql.join(positions)}` : sql``;
  const installs = (type: string) =>
    sql`count(*) filter (where did_win and sequence_index = 0 and conversion_type = ${sql.lit(type)})`;
  return sql`
    select ${selected} count(*) as postbacks, count(*) filter (where did_win) as won,
      ${installs('download')} as downloads, ${installs('redownload')} as redownloads,
      ${installs('re-engagement')} as re_engagements
    from install_postbacks where ${conditionOf(companyId, filter)} ${grouped}`;
}

function conditionOf(companyId: string, { from, before, appId }: PostbackFilter): RawBuilder<boolean> {
  const ofApp = appId === undefined ? sql`` : sql`and app_uuid = ${appId}`;
  return sql`company_uuid = ${companyId} and received_at >= ${from} and received_at < ${before} ${ofApp}`;
}

/** Postbacks that need a look, of one reason. */
interface ProblemRow {
  reason: PostbackProblem['reason'];
  count: number;
  lastAt: Date;
}

/**
 * Postbacks that are not counted and name an app with signed bids of the company, and those without an ad set; the rejected ones by days of
 * UTC. Where several companies advertise an app, the rejected ones cannot be assigned to one of them, and each company sees them.
 */
async function findProblems(db: Db, companyId: string, filter: PostbackFilter): Promise<ProblemRow[]> {
  const { from, before, appId } = filter;
  const ofApp = appId === undefined ? sql`` : sql`and app_uuid = ${appId}`;
  const { rows } = await sql<ProblemRow>`
    select reason, sum(count)::bigint as count, max(last_at) as "lastAt" from (
      select reason, count, last_at from rejected_install_postbacks
      where day >= ${dayOf(from)} and day <= ${dayOf(new Date(before.getTime() - 1))} and item_id <> ''
        and item_id in (
          select item_id::text from skadnetwork_apps
          where company_uuid = ${companyId} ${ofApp}
          union
          select source_identifiers.item_id::text from source_identifiers
          join adsets on adsets.uuid = source_identifiers.adset_uuid
          join campaigns on campaigns.uuid = adsets.campaign_uuid
          where source_identifiers.company_uuid = ${companyId} ${ofApp})
      union all
      select 'unknown_source', 1, received_at
      from install_postbacks
      where ${conditionOf(companyId, filter)} and adset_uuid is null
    ) as problems
    group by reason order by count desc, reason`.execute(db);
  return rows;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Deletes install postbacks that arrived before an instant, of all companies; returns their number, at most `rowsMax`. */
async function deleteInstallPostbacksBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from install_postbacks where ctid = any(array(
      select ctid from install_postbacks where received_at < ${before} limit ${rowsMax}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes counts of rejected postbacks of days before an instant, of all companies; returns their number, at most `rowsMax`. */
async function deleteRejectedBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rejected_install_postbacks where ctid = any(array(
      select ctid from rejected_install_postbacks where day < ${dayOf(before)} limit ${rowsMax}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** How many apps of the App Store a company has, and for how many of them signing is switched on; for all apps, or for one of them. */
async function countIosApps(
  db: Db,
  companyId: string,
  appId: string | undefined,
): Promise<PostbackReport['apps']> {
  const ofApp = appId === undefined ? sql`` : sql`and apps.uuid = ${appId}`;
  const { rows } = await sql<PostbackReport['apps']>`
    select count(*)::int as ios, count(skadnetwork_apps.app_uuid)::int as signed
    from apps left join skadnetwork_apps on skadnetwork_apps.app_uuid = apps.uuid
      and skadnetwork_apps.item_id = store_item_of('ios', coalesce(apps.approved ->> 'store_link', apps.store_link))
    where apps.company_uuid = ${companyId} and apps.os = 'ios' and apps.deleted_at is null ${ofApp}`.execute(
    db,
  );
  return rows[0]!;
}

/** The ad sets of a company that have or had a source identifier of an app. */
async function adsetsWithSourceIdentifier(db: Db, companyId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('source_identifiers')
    .select('adset_uuid')
    .distinct()
    .where('company_uuid', '=', companyId)
    .execute();
  return rows.map(({ adset_uuid }) => adset_uuid);
}

/** Deletes install postbacks by the retention of events, and counts of rejected ones by the retention of postbacks. */
export async function deleteExpiredInstallPostbacks(ctx: Context): Promise<void> {
  const { events, postbacks } = ctx.config.retentionDays;
  if (events !== null) await deleteOlderThan(ctx, events, deleteInstallPostbacksBefore);
  await deleteOlderThan(ctx, postbacks, deleteRejectedBefore);
}
