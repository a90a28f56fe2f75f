import type {
  PostbackCounts,
  PostbackKey,
  PostbackProblem,
  PostbackReport,
} from '@bidwell/contract/skadnetwork/report';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Which postbacks of a company are counted: those that arrived from `from` on and before `before`. */
export interface PostbackFilter {
  from: Date;
  before: Date;
  timeZone: string;
  appId: string | undefined;
}

/** What each key is in SQL, as text or null. `value` is read with what explains it beside it, see {@link countPostbacks}. */
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

/** The first day of the version of an app's conversion values that explains a postback; a key like the others. */
export const RULES_FROM = 'rules_from';
/** What postbacks are counted by. */
export type CountedKey = PostbackKey | typeof RULES_FROM;

/** Counts of one combination of keys. */
export interface PostbackCountsRow extends PostbackCounts {
  /** The values of the keys, in their order. */
  keys: (string | null)[];
}

/** Counts a company's postbacks by keys; at most `limit` rows, those with the most postbacks. */
export async function countPostbacks(
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

/** Counts by the keys that a postback has, with {@link RULES_FROM} beside them: few versions explain many days. */
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
 * UTC. Where several companies advertise an app, nobody knows whose the rejected ones are, and each sees them.
 */
export async function findProblems(db: Db, companyId: string, filter: PostbackFilter): Promise<ProblemRow[]> {
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
export async function deleteInstallPostbacksBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from install_postbacks where ctid = any(array(
      select ctid from install_postbacks where received_at < ${before} limit ${rowsMax}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes counts of rejected postbacks of days before an instant, of all companies; returns their number, at most `rowsMax`. */
export async function deleteRejectedBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rejected_install_postbacks where ctid = any(array(
      select ctid from rejected_install_postbacks where day < ${dayOf(before)} limit ${rowsMax}))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** How many apps of the App Store a company has, and for how many of them signing is switched on; of all, or whether it is so of one. */
export async function countIosApps(
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
export async function adsetsWithSourceIdentifier(db: Db, companyId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('source_identifiers')
    .select('adset_uuid')
    .distinct()
    .where('company_uuid', '=', companyId)
    .execute();
  return rows.map(({ adset_uuid }) => adset_uuid);
}
