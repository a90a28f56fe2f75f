import type { App, AppInput, AppSummary, AppUpdate, ParsedStoreLink } from '@bidwell/contract/apps/schema';
import { appApiMessages } from '@bidwell/contract/apps/api-messages';
import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import { isAppleLink, parseStoreLink } from '@bidwell/contract/apps/store-link';
import { clickIdFault } from '@bidwell/contract/tracking-links/click-id';
import { type CreatedRange, createdBounds } from '@bidwell/contract/lib/wire';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json, anyOf } from '../../../platform/postgres/client.ts';
import {
  findOwned,
  insertOwned,
  updateOwned,
  presentTimes,
} from '../../../platform/postgres/stores/owned-store.ts';
import type { AppVersion, AppTable } from '../../../platform/postgres/schema.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { initialStatus, reviewAfter } from '../review.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { type LoggedFields, recordChange, recordSaved } from '../../changes/public.ts';
import type { ReadStorePage } from './app-store-listing.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { Selectable } from 'kysely';
import { notify } from '../../messaging/public.ts';

/** The company's apps, or those that were created in a range of days, newest first, without deleted ones. */
export async function listApps(ctx: Context, actor: Actor, range?: CreatedRange): Promise<App[]> {
  requirePermission(actor, 'app.read');
  return appsOfCompany(ctx, actor, range);
}

/** {@link listApps} within a call that checked its own permission. */
export async function appsOfCompany(
  ctx: Context,
  { companyId }: Owner,
  range?: CreatedRange,
): Promise<App[]> {
  return (await selectApps(ctx.db, companyId, range)).map(readApp);
}

/** Reads one app. Throws NotFound. */
export async function getApp(ctx: Context, actor: Actor, uuid: string): Promise<App> {
  requirePermission(actor, 'app.read');
  return findActive(ctx.db, actor.companyId, uuid);
}

/**
 * Creates an app and submits it for review. Throws Invalid if os and store link differ; Conflict if another app has
 * the store link, and at the company's limit.
 */
export async function createApp(ctx: Context, actor: Actor, input: AppInput): Promise<App> {
  requirePermission(actor, 'app.write');
  return transact(ctx.db, async (tx) => {
    await lockCompanyRow(tx.db, actor.companyId);
    const os = input.os ?? osOf(input.store_link);
    requireStoreOfOs({ ...input, os });
    await requireRoom(tx.db, actor.companyId, 'apps');
    await requireFreeStoreLink(tx.db, actor.companyId, input.store_link, null);
    const at = ctx.now();
    const row = await insertOwned(tx.db, 'apps', actor.companyId, {
      uuid: uuidv7(),
      ...input,
      os,
      status: initialStatus(ctx.config),
      rejection_reason: null,
      deleted_at: null,
      created_at: at,
      updated_at: at,
    });
    const app = readApp(row);
    await recordSaved(ctx, tx, actor, { entity: 'app', before: null, after: app, logged });
    return app;
  });
}

/**
 * Changes the given fields. A new name, os, icon, store link or bundle id needs review, while the approved version
 * keeps running. Throws NotFound; Invalid if os and store link differ; Conflict if another app has the store link.
 */
export async function updateApp(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AppUpdate & { uuid: string },
): Promise<App> {
  requirePermission(actor, 'app.write');
  return transact(ctx.db, async (tx) => {
    await lockCompanyRow(tx.db, actor.companyId);
    const before = await findActive(tx.db, actor.companyId, uuid);
    await requireExpected(() => before);
    const os = input.os ?? before.os;
    const merged = { ...before, ...input, os };
    requireStoreOfOs(merged);
    if (merged.store_link !== before.store_link) {
      await requireFreeStoreLink(tx.db, actor.companyId, merged.store_link, uuid);
    }
    const reviewed = { ...before, approved: before.approved_version };
    const review = reviewAfter(ctx.config, reviewed, versionOf(before), versionOf(merged));
    const row = await updateOwned(tx.db, 'apps', actor.companyId, uuid, {
      ...input,
      os,
      ...(review && { ...review, approved: review.approved && json(review.approved) }),
      updated_at: ctx.now(),
    });
    const after = readApp(row);
    await recordSaved(ctx, tx, actor, { entity: 'app', before, after, logged });
    return after;
  });
}

/**
 * Deletes all of the apps or none. Entities that refer to them stay readable. Throws NotFound for any unknown uuid;
 * Conflict naming Active campaigns that use one of them.
 */
export async function deleteApps(ctx: Context, actor: Actor, uuids: readonly string[]): Promise<void> {
  requirePermission(actor, 'app.write');
  await transact(ctx.db, async (tx) => {
    await lockCompanyRow(tx.db, actor.companyId);
    const requested = [...new Set(uuids)];
    const found = await findApps(tx.db, actor.companyId, requested);
    const active = found.filter((row) => row.deleted_at === null);
    if (active.length < requested.length) throw new NotFound('App');
    const campaigns = await activeCampaignNames(tx.db, actor.companyId, requested);
    if (campaigns.length > 0) throw new Conflict(appApiMessages.pauseCampaigns(campaigns));
    await markAppsDeleted(tx.db, actor.companyId, requested, ctx.now());
    for (const app of active.map(readApp)) {
      const { uuid, name } = app;
      await recordChange(ctx, tx, actor, {
        entity: 'app',
        uuid,
        name,
        before: app,
      });
    }
  });
}

/** Most apps per run, so that the first run after an update does not take too long. */
const BATCH_SIZE = 100;

/**
 * Notifies companies with a running campaign for an app without an advertiser domain, once for each app. Covers all
 * companies: for a background job only.
 */
export async function notifyMissingDomains(ctx: Context): Promise<void> {
  for (const { uuid, company_uuid: companyId, name } of await appsWithoutDomain(ctx.db, BATCH_SIZE)) {
    await transact(ctx.db, async (tx) => {
      if (!(await markDomainFetched(tx.db, companyId, uuid, ctx.now()))) return;
      await notify(ctx, tx, companyId, {
        kind: 'app',
        ...notificationMessages.domainMissing(name),
        entity: { type: 'app', uuid },
      });
    });
  }
}

/** Locks the company's apps and their settings until the transaction ends. */
export async function lockAppsOf({ db }: Pick<Tx, 'db'>, companyId: string): Promise<void> {
  await lockCompanyRow(db, companyId);
}

/** Marks an app as deleted. The caller holds its lock and has checked that it is not in use. */
export async function deleteAppRow(db: Db, companyId: string, uuid: string, at: Date): Promise<void> {
  await markAppsDeleted(db, companyId, [uuid], at);
}

/**
 * Reads an app's data from its store link and its page in the store. Throws Invalid on `link` if it is not a store
 * link. If the store cannot be read, only the data in the link is returned.
 */
export async function parseLink(
  { readPage }: { readPage: ReadStorePage },
  actor: Actor,
  { link }: { link: string },
): Promise<ParsedStoreLink> {
  requirePermission(actor, 'app.write');
  const parsed = parseStoreLink(link);
  if (!parsed) {
    throw new Invalid([{ field: 'link', message: appApiMessages.storeLink }]);
  }
  const page = await readPage(parsed);
  const known = {
    name: page?.name ?? parsed.name,
    description: page?.description ?? null,
    icon_link: page?.iconLink ?? null,
    iab_category: page?.category ?? null,
    rating: page?.rating ?? null,
    size_in_kb: page?.sizeKb ?? null,
    advertiser_domain: page?.advertiserDomain ?? null,
  };
  const missing = Object.entries(known).flatMap(([field, value]) => (value === null ? [field] : []));
  return {
    os: parsed.os,
    bundle_id: page?.bundleId ?? parsed.bundleId,
    store_link: parsed.canonical,
    ...known,
    missing: [...missing, 'mobile_measurement_partner'],
  };
}

/** Rows of an entity that belongs to an app. */
interface RowOfApp {
  app_uuid: string;
}

/**
 * Reads the apps of an entity's rows, deleted ones included, and returns the function that gives the app of a row as
 * the entity's response body shows it.
 */
export async function appsOf(
  db: Db,
  companyId: string,
  rows: readonly RowOfApp[],
): Promise<(row: RowOfApp) => AppSummary> {
  const found = await findApps(db, companyId, [...new Set(rows.map((row) => row.app_uuid))]);
  const apps = new Map(
    found.map(({ uuid, name, os, icon_link, store_link, bundle_id, mobile_measurement_partner }) => [
      uuid,
      { uuid, name, os, icon_link, store_link, bundle_id, mobile_measurement_partner },
    ]),
  );
  return ({ app_uuid: uuid }) => {
    const app = apps.get(uuid);
    if (!app) throw new Error(`The company has no app ${uuid}`);
    return app;
  };
}

/**
 * Finds the app named in `field` of a body. Throws Invalid on that field if the company has no such app, or if it is
 * archived, unless `mayBeArchived`.
 */
export async function requireApp(
  db: Db,
  companyId: string,
  uuid: string,
  field: string,
  { mayBeArchived = false } = {},
): Promise<App> {
  const row = await findOwned(db, 'apps', companyId, uuid);
  if (!row || row.deleted_at) throw new Invalid([{ field, message: apiMessages.notFound('App') }]);
  if (row.archived_at && !mayBeArchived)
    throw new Invalid([{ field, message: messages.archived('app', row.name) }]);
  return readApp(row);
}

/** Reasons why the app cannot be advertised now, as sentences; empty if it can. */
export async function appStartErrors(db: Db, companyId: string, uuid: string): Promise<string[]> {
  const row = await findOwned(db, 'apps', companyId, uuid);
  if (!row || row.deleted_at) return [startErrors.app];
  return [
    ...(row.status === 'Approved' || row.approved ? [] : [startErrors.app]),
    ...(row.archived_at ? [messages.archived('app', row.name)] : []),
    ...(row.advertiser_domain === null ? [startErrors.domain(row.name)] : []),
  ];
}

async function findActive(db: Db, companyId: string, uuid: string): Promise<App> {
  const row = await findOwned(db, 'apps', companyId, uuid);
  if (!row || row.deleted_at) throw new NotFound('App');
  return readApp(row);
}

function logged(app: App): LoggedFields {
  return app;
}

/** Fields of an app that are reviewed: the fields shown in its ads, and the destination of the ads. */
function versionOf({ name, os, store_link, bundle_id, icon_link }: AppVersion): AppVersion {
  return { name, os, store_link, bundle_id, icon_link };
}

function osOf(storeLink: string): App['os'] {
  return isAppleLink(storeLink) ? 'ios' : 'android';
}

function requireStoreOfOs({ os, store_link }: Pick<App, 'os' | 'store_link'>): void {
  const storeOs = osOf(store_link);
  if (os !== storeOs) {
    const message = appApiMessages.storeLinkOs(storeOs === 'ios' ? 'iOS' : 'Android');
    throw new Invalid([{ field: 'os', message }]);
  }
}

async function requireFreeStoreLink(
  db: Db,
  companyId: string,
  storeLink: string,
  except: string | null,
): Promise<void> {
  // Store links of one app differ by country and campaign parameters, so the app's id in them is compared.
  const plain = (link: string) => parseStoreLink(link)?.bundleId ?? link;
  const taken = (await allApps(db, companyId)).some(
    (app) => app.uuid !== except && plain(app.store_link) === plain(storeLink),
  );
  if (taken) {
    const message = appApiMessages.storeLinkTaken;
    throw new Conflict(message, [{ field: 'store_link', message }]);
  }
}

/** Throws Invalid for a click URL whose click id the app's measurement partner cannot return. */
export function requireClickId(
  { mobile_measurement_partner: mmp }: Pick<AppSummary, 'mobile_measurement_partner'>,
  clickUrl: string,
): void {
  const message = clickIdFault(clickUrl, mmp);
  if (message !== null) throw new Invalid([{ field: 'click_url', message }]);
}

type AppRow = Selectable<AppTable>;

/** Converts a row into the response body. */
function readApp(row: AppRow): App {
  const {
    company_uuid: _company,
    deleted_at: _deleted,
    domain_asked_at: _asked,
    store_item_id: _item,
    approved,
    ...app
  } = row;
  return {
    ...app,
    approved_version: approved,
    ...presentTimes(row),
  };
}

async function selectApps(db: Db, companyId: string, range?: CreatedRange): Promise<AppRow[]> {
  const bounds = range && createdBounds(range);
  return db
    .selectFrom('apps')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('deleted_at', 'is', null)
    .$if(bounds !== undefined, (query) =>
      query.where('created_at', '>=', bounds!.from).where('created_at', '<', bounds!.before),
    )
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
}

/** The company's apps among `uuids`, including deleted ones, to which other entities may refer. */
async function findApps(db: Db, companyId: string, uuids: readonly string[]): Promise<AppRow[]> {
  if (uuids.length === 0) return [];
  return db
    .selectFrom('apps')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', anyOf(uuids))
    .execute();
}

async function allApps(db: Db, companyId: string): Promise<Pick<AppRow, 'uuid' | 'store_link'>[]> {
  return db
    .selectFrom('apps')
    .select(['uuid', 'store_link'])
    .where('company_uuid', '=', companyId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Marks apps as deleted, and deletes the names and the revenue settings of their in-app events. */
async function markAppsDeleted(db: Db, companyId: string, uuids: readonly string[], at: Date): Promise<void> {
  await db
    .updateTable('apps')
    .set({ deleted_at: at, updated_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', uuids)
    .execute();
  for (const table of ['app_event_names', 'app_revenue_sources'] as const)
    await db
      .deleteFrom(table)
      .where('company_uuid', '=', companyId)
      .where('app_uuid', '=', anyOf(uuids))
      .execute();
}

/** Apps of all companies with an Active campaign, without an advertiser domain, and not notified of that yet. */
async function appsWithoutDomain(
  db: Db,
  limit: number,
): Promise<Pick<AppRow, 'uuid' | 'company_uuid' | 'name'>[]> {
  return db
    .selectFrom('apps')
    .select(['uuid', 'company_uuid', 'name'])
    .where('advertiser_domain', 'is', null)
    .where('domain_asked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('campaigns')
          .select('campaigns.uuid')
          .whereRef('campaigns.company_uuid', '=', 'apps.company_uuid')
          .whereRef('campaigns.app_uuid', '=', 'apps.uuid')
          .where('campaigns.status', '=', 'Active'),
      ),
    )
    .limit(limit)
    .execute();
}

/** Marks an app as notified of its missing domain. False if another process did so first. */
async function markDomainFetched(db: Db, companyId: string, uuid: string, at: Date): Promise<boolean> {
  const marked = await db
    .updateTable('apps')
    .set({ domain_asked_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('domain_asked_at', 'is', null)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Names of the Active campaigns of these apps. */
async function activeCampaignNames(
  db: Db,
  companyId: string,
  appUuids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('app_uuid', 'in', appUuids)
    .where('status', '=', 'Active')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
