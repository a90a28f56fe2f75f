import { sql } from 'kysely';
import { groupBy } from '../../../platform/group-by.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** An origin of tracking links, such as `https://click.example.com`, and what is known of it from earlier checks. */
export interface TrackingHost {
  origin: string;
  /** Checks in a row that failed. */
  failures: number;
  failingSince: Date | null;
}

/** Longer ones are no names of hosts. */
const ORIGIN_CHARS_MAX = 300;

/**
 * The origins of the tracking links of ad sets that run, as they run: by company and link. Addresses with a user or with macros in the name of
 * the host have none.
 */
const liveOrigins = sql`
  select distinct a.company_uuid, l.uuid as link_uuid, l.name as link_name, host.origin
  from adsets a
    join campaigns c on c.uuid = a.campaign_uuid
    join companies on companies.uuid = a.company_uuid
    join tracking_links l on l.uuid = a.tracking_link_uuid
    cross join lateral (values
      (case when l.status = 'Approved' then l.click_url else l.approved ->> 'click_url' end),
      (l.view_url)
    ) as link (url)
    cross join lateral (select substring(lower(link.url) from '^(https?://[^/?#@{}[:space:]]+)(?:[/?#]|$)')) as host (origin)
  where a.status = 'Active' and a.archived_at is null and c.status = 'Active' and c.archived_at is null
    and companies.suspended_at is null and length(host.origin) <= ${sql.lit(ORIGIN_CHARS_MAX)}`;

/**
 * The origins that are due, those first that were never checked: where the last check failed, those of before `failedBefore`, else those of
 * before `before`. Crosses companies: each is checked once for all.
 */
export async function dueTrackingHosts(
  db: Db,
  { before, failedBefore, limit }: { before: Date; failedBefore: Date; limit: number },
): Promise<TrackingHost[]> {
  const { rows } = await sql<TrackingHost>`
    select origin, coalesce(failures, 0) as failures, failing_since as "failingSince"
    from (select distinct origin from (${liveOrigins}) as live) as origins left join tracking_hosts using (origin)
    where checked_at is null or checked_at <= ${before} or (failures > 0 and checked_at <= ${failedBefore})
    order by checked_at nulls first, origin limit ${limit}`.execute(db);
  return rows;
}

/** Stores what a check found. Crosses companies. */
export async function saveTrackingHost(db: Db, host: TrackingHost, checkedAt: Date): Promise<void> {
  const values = { checked_at: checkedAt, failures: host.failures, failing_since: host.failingSince };
  await db
    .insertInto('tracking_hosts')
    .values({ origin: host.origin, ...values })
    .onConflict((conflict) => conflict.column('origin').doUpdateSet(values))
    .execute();
}

/** Forgets origins that no link that runs has had since. Crosses companies. */
export async function deleteTrackingHostsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('tracking_hosts').where('checked_at', '<', before).execute();
}

/** What a company has on an origin: its links there that run, and the first of them by name. */
export interface LinksOfHost {
  companyId: string;
  linkId: string;
  name: string;
  count: number;
}

/** The companies whose links that run go to the origins, by origin. */
export async function companiesOfHosts(
  db: Db,
  origins: readonly string[],
): Promise<ReadonlyMap<string, LinksOfHost[]>> {
  if (origins.length === 0) return new Map();
  const { rows } = await sql<LinksOfHost & { origin: string }>`
    select origin, company_uuid as "companyId", (array_agg(link_uuid order by link_name, link_uuid))[1] as "linkId",
      (array_agg(link_name order by link_name, link_uuid))[1] as name, count(distinct link_uuid)::int as count
    from (${liveOrigins}) as live where origin = any(${origins}::text[])
    group by origin, company_uuid order by company_uuid`.execute(db);
  return groupBy(rows, ({ origin }) => origin);
}
