import { notificationMessages } from '@bidwell/contract/text/messages';
import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import type { CheckHost, HostState } from '../../../platform/outbound/check-host.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { hasNotification, notify, notifyOnce, takeBack } from '../../messaging/public.ts';
import {
  type TrackingHost,
  type LinksOfHost,
  companiesOfHosts,
  deleteTrackingHostsBefore,
  dueTrackingHosts,
  saveTrackingHost,
} from './tracking-host-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hosts of one run, and at once. */
const CHECKED = { limit: 200, atOnce: 8 };
/** Failures in a row, each at least an hour after the one before, after which companies are notified. */
const FAILURES_TO_NOTIFY = 2;
/** So many hosts do not fail together: it is the network of this server. */
const TOGETHER_MIN = 5;
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

/**
 * Checks the hosts of tracking links that run, each once a day for all companies, and every hour while it fails. Nothing is requested
 * there: following links would be clicks. After two failures in a row the companies are notified, and again once it works. Breaks off
 * and concludes nothing when `stopping` aborts.
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
    // They go behind the others: hosts that nobody can reach do not keep those of other companies from being checked.
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

/** What a check of a host found. */
interface Checked {
  host: TrackingHost;
  state: HostState;
}

/** Whether what a check found is notified: a failure after another one, or that what was notified is over. Pure. */
function isNotified({ host: { failures, failingSince }, state }: Checked): boolean {
  if (state === 'unknown') return false;
  if (state === 'reachable') return failingSince !== null && failures >= FAILURES_TO_NOTIFY;
  return failures + 1 >= FAILURES_TO_NOTIFY;
}

/** Notifies the companies first: what is not stored is checked, and would be notified, again. */
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
