import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import type { CheckHost, HostState } from '../../../platform/outbound/check-host.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { hasNotification, notify, notifyOnce, takeBack } from '../../messaging/public.ts';
import { sql } from 'kysely';
import { groupBy } from '../../../platform/group-by.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hosts of one run, and at once. */
const CHECKED = { limit: 200, atOnce: 8 };
/** Failures in a row, each at least an hour after the one before, after which companies are notified. */
const FAILURES_TO_NOTIFY = 2;
/** If this many hosts fail together, the cause is the network of this server. */
const TOGETHER_MIN = 5;
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

/**
 * Checks the hosts of tracking links that run, each once a day for all companies, and every hour while it fails. The check requests
 * no links, which would be clicks. After two failures in a row the companies are notified, and again once it works. Breaks off and
 * concludes nothing when `stopping` aborts.
 */
export async function checkTrackingHosts(
  ctx: Context,
  check: CheckHost,
  stopping?: AbortSignal,
): Promise<void> {
  const nowMs = ctx.now().getTime();
  const due = await dueTrackingHosts(ctx.db, {
    before: new Date(nowMs - DAY_MS),
    failedBefore: new Date(nowMs - HOUR_MS),
    limit: CHECKED.limit,
  });
  const inTurn = pLimit(CHECKED.atOnce);
  const checked = await Promise.all(
    due.map((host) => inTurn(async () => ({ host, state: await check(host.origin, stopping) }))),
  );
  if (stopping?.aborted) return;
  if (checked.length >= TOGETHER_MIN && checked.every(({ state }) => state !== 'reachable')) {
    ctx.log.warn(
      { hosts: checked.length },
      'no host of tracking links could be reached: nothing is concluded',
    );
    // They move to the end of the queue: unreachable hosts must not keep the hosts of other companies from being
    // checked.
    for (const { host } of checked)
      await saveTrackingHost(ctx.db, host, new Date(host.failures > 0 ? nowMs : nowMs - DAY_MS + HOUR_MS));
    return;
  }
  // One query for all: each reads the links of all companies.
  const origins = checked.filter(isNotified).map(({ host }) => host.origin);
  const companies = await companiesOfHosts(ctx.db, origins);
  for (const { host, state } of checked) {
    try {
      await settle(ctx, { host, state }, companies.get(host.origin) ?? []);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error(
        { err, origin: host.origin },
        'the check of a host of tracking links could not be stored',
      );
    }
  }
  await deleteTrackingHostsBefore(ctx.db, new Date(nowMs - FORGOTTEN_AFTER_MS));
}

/** The result of a check of a host. */
interface Checked {
  host: TrackingHost;
  state: HostState;
}

/** Whether the result of a check is notified: a failure after another one, or the end of a notified problem. Pure. */
function isNotified({ host: { failures, failingSince }, state }: Checked): boolean {
  if (state === 'unknown') return false;
  if (state === 'reachable') return failingSince !== null && failures >= FAILURES_TO_NOTIFY;
  return failures + 1 >= FAILURES_TO_NOTIFY;
}

/** Notifies the companies first: a check that is not stored is repeated, and would notify them again. */
async function settle(
  ctx: Context,
  { host, state }: Checked,
  companies: readonly LinksOfHost[],
): Promise<void> {
  const now = ctx.now();
  const { origin } = host;
  if (state === 'unknown') return saveTrackingHost(ctx.db, host, now);
  if (state === 'reachable') {
    if (host.failingSince && isNotified({ host, state }))
      await notifyWorking(ctx, { origin, failingSince: host.failingSince }, companies);
    return saveTrackingHost(ctx.db, { origin, failures: 0, failingSince: null }, now);
  }
  const failingSince = host.failingSince ?? now;
  const failures = host.failures + 1;
  if (isNotified({ host, state }))
    for (const { companyId, linkId, name, count } of companies)
      await notifyOnce(ctx, companyId, {
        kind: 'tracking_host',
        ...notificationMessages.trackingHostDown({ host: hostOf(origin), name, count, fault: state }),
        entity: { type: 'tracking_link', uuid: linkId },
        onceKey: onceKeyOf(origin, failingSince),
      });
  return saveTrackingHost(ctx.db, { origin, failures, failingSince }, now);
}

/** Notifies those who were notified of the failure. */
async function notifyWorking(
  ctx: Context,
  { origin, failingSince }: { origin: string; failingSince: Date },
  companies: readonly LinksOfHost[],
): Promise<void> {
  const onceKey = onceKeyOf(origin, failingSince);
  for (const { companyId, linkId } of companies)
    if (await hasNotification(ctx, companyId, onceKey))
      await transact(ctx.db, async (tx) => {
        await takeBack(ctx, tx, companyId, { kind: 'tracking_host', onceKey });
        await notify(ctx, tx, companyId, {
          kind: 'tracking_host',
          ...notificationMessages.trackingHostWorks(hostOf(origin)),
          entity: { type: 'tracking_link', uuid: linkId },
          onceKey: `${onceKey}:over`,
        });
      });
}

const hostOf = (origin: string): string => origin.split('//')[1]!;
const onceKeyOf = (origin: string, failingSince: Date): string =>
  `tracking-host:${origin}:${failingSince.getTime()}`;

/** An origin of tracking links, such as `https://click.example.com`, and its state from earlier checks. */
interface TrackingHost {
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
 * The origins that are due, never checked ones first: origins whose last check failed before `failedBefore`, and others whose last check
 * was before `before`. Crosses companies: each is checked once for all.
 */
async function dueTrackingHosts(
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

/** Stores the result of a check. Crosses companies. */
async function saveTrackingHost(db: Db, host: TrackingHost, checkedAt: Date): Promise<void> {
  const values = { checked_at: checkedAt, failures: host.failures, failing_since: host.failingSince };
  await db
    .insertInto('tracking_hosts')
    .values({ origin: host.origin, ...values })
    .onConflict((conflict) => conflict.column('origin').doUpdateSet(values))
    .execute();
}

/** Deletes the origins that no running link has had since. Covers all companies. */
async function deleteTrackingHostsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('tracking_hosts').where('checked_at', '<', before).execute();
}

/** The links of a company on an origin: its running links there, and the first of them by name. */
interface LinksOfHost {
  companyId: string;
  linkId: string;
  name: string;
  count: number;
}

/** The companies whose links that run go to the origins, by origin. */
async function companiesOfHosts(
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
