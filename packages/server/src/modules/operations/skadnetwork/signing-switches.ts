import type {
  NetworkApp,
  NetworkAppList,
  NetworkExchange,
  SkadnetworkSettings,
} from '@bidwell/contract/skadnetwork/schema';
import type { Context } from '../../../context.ts';
import { outcomesSince } from '../../../delivery/public.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import {
  allocateNumbers,
  findSigningApps,
  listNetworkRows,
  listSigningExchanges,
  switchAppRow,
  switchExchangeRow,
} from './skadnetwork-store.ts';
import { presentNetwork } from './networks.ts';
import { receivedPostbacks } from './received-postbacks.ts';

/** Days, with today, whose requests and postbacks are counted. */
const COUNTED_DAYS = 7;
const APPS_MAX = 100;

/** The ad networks, the exchanges with the outcomes of their requests of iOS apps, and the outcomes of the postbacks of devices. */
export async function readSkadnetwork(ctx: Context, operator: Operator): Promise<SkadnetworkSettings> {
  requireOperatorPermission(operator, 'exchange.read');
  return {
    networks: (await listNetworkRows(ctx.db)).map(presentNetwork),
    exchanges: await exchangesOf(ctx),
    postbacks: await receivedPostbacks(ctx, operator, firstDay(ctx)),
  };
}

/** Switches the signing of bids with an exchange on or off; bidders apply it within seconds. Throws NotFound. */
export async function switchNetworkExchange(
  ctx: Context,
  operator: Operator,
  { slug, enabled }: { slug: string; enabled: boolean },
): Promise<NetworkExchange> {
  requireOperatorPermission(operator, 'exchange.write');
  await transact(ctx.db, async (tx) => {
    const before = (await listSigningExchanges(tx.db)).find((one) => one.slug === slug);
    if (!before) throw new NotFound('Exchange');
    if (before.enabled === enabled) return;
    await switchExchangeRow(tx.db, slug, enabled);
    await recordAuditEntry(ctx, tx, operator, {
      ...switched(before.enabled, enabled),
      entity: 'exchange',
      entityId: slug,
      name: before.name,
    });
  });
  ctx.onInstallationChanged();
  return (await exchangesOf(ctx)).find((one) => one.slug === slug)!;
}

/** iOS apps of all companies, those with signed bids first. */
export async function listNetworkApps(
  ctx: Context,
  operator: Operator,
  { q = '' }: { q?: string | undefined },
): Promise<NetworkAppList> {
  requireOperatorPermission(operator, 'company.read');
  const { rows: apps, total } = await findSigningApps(ctx.db, { q }, APPS_MAX);
  return { apps, total };
}

/**
 * Switches the signing of bids for an app with its present number in the store on or off. Its running ad sets get their numbers within seconds; ad sets that have
 * one keep it, since postbacks still arrive. Throws NotFound; Invalid where the store link has no number.
 */
export async function switchNetworkApp(
  ctx: Context,
  operator: Operator,
  { uuid, enabled }: { uuid: string; enabled: boolean },
): Promise<NetworkApp> {
  requireOperatorPermission(operator, 'exchange.write');
  const app = await transact(ctx.db, async (tx) => {
    const before = (await findSigningApps(tx.db, { uuid }, 1)).rows[0];
    if (!before) throw new NotFound('iOS app');
    if (before.enabled && enabled) return before;
    if (enabled && before.item_id === null)
      throw new Invalid([
        { field: 'enabled', message: 'The store link of this app has no number of the App Store' },
      ]);
    await switchAppRow(tx.db, before.company_uuid, uuid, enabled ? before.item_id : null);
    tx.changes(before.company_uuid);
    // It was on for an earlier number in the store only.
    if (before.enabled === enabled) return before;
    await recordAuditEntry(ctx, tx, operator, {
      ...switched(before.enabled, enabled),
      entity: 'app',
      entityId: uuid,
      name: before.name,
      companyId: before.company_uuid,
    });
    return { ...before, enabled };
  });
  ctx.onInstallationChanged();
  if (enabled) await allocateNumbers(ctx);
  return app;
}

const switched = (before: boolean, after: boolean) => ({
  action: 'Changed',
  before: { signed_bids: before },
  after: { signed_bids: after },
});

const firstDay = ({ now }: Pick<Context, 'now'>): string =>
  daysBefore(now(), COUNTED_DAYS - 1)
    .toISOString()
    .slice(0, 10);

async function exchangesOf({ db, now }: Context): Promise<NetworkExchange[]> {
  const counts = await outcomesSince(db, firstDay({ now }));
  return (await listSigningExchanges(db)).map((exchange) => {
    const own = counts.filter(({ slug }) => slug === exchange.slug);
    return {
      ...exchange,
      requests: own.reduce((sum, { requests }) => sum + requests, 0),
      outcomes: own.map(({ outcome, requests }) => ({ outcome, requests })),
    };
  });
}
