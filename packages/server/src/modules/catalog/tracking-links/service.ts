import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { Mmp } from '@bidwell/contract/apps/fields';
import type {
  TrackingLink,
  TrackingLinkInput,
  TrackingLinkUpdate,
} from '@bidwell/contract/tracking-links/schema';
import type { CreatedRange } from '@bidwell/contract/lib/wire';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json, anyOf } from '../../../platform/postgres/client.ts';
import {
  findOwned,
  insertOwned,
  listOwned,
  lockOwned,
  presentTimes,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { requireUnusedByAdsets } from '../used-by-adsets.ts';
import { appsOf, requireApp, requireClickId } from '../apps/service.ts';
import { initialStatus, reviewAfter } from '../review.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { type LoggedFields, recordSaved } from '../../changes/public.ts';
import { requireNoSecret } from '../postbacks/service.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { Selectable } from 'kysely';
import type { TrackingLinkTable } from '../../../platform/postgres/schema.ts';

/** The company's tracking links, or those that were created in a range of days, newest first. */
export async function listTrackingLinks(
  ctx: Context,
  actor: Actor,
  range?: CreatedRange,
): Promise<TrackingLink[]> {
  requirePermission(actor, 'tracking_link.read');
  return linksOfCompany(ctx, actor, range);
}

/** {@link listTrackingLinks} within a call that checked its own permission. */
export async function linksOfCompany(
  ctx: Context,
  { companyId }: Owner,
  range?: CreatedRange,
): Promise<TrackingLink[]> {
  const rows = await listOwned(ctx.db, 'tracking_links', companyId, range);
  const appOf = await appsOf(ctx.db, companyId, rows);
  return rows.map((row) => presentTrackingLink(row, appOf(row)));
}

/** Reads one tracking link. Throws NotFound. */
export async function getTrackingLink(ctx: Context, actor: Actor, uuid: string): Promise<TrackingLink> {
  requirePermission(actor, 'tracking_link.read');
  return linkOf(ctx, actor, uuid);
}

/** {@link getTrackingLink} within a call that checked its own permission. */
export async function linkOf(ctx: Context, { companyId }: Owner, uuid: string): Promise<TrackingLink> {
  const row = await findOwned(ctx.db, 'tracking_links', companyId, uuid);
  if (!row) throw new NotFound('Tracking link');
  return loadTrackingLink(ctx.db, companyId, row);
}

/** Some tracking links of the company with their apps, by uuid; unknown ones are absent. */
export async function linksWithApps(
  { db }: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, LinkWithApp>> {
  const links = await findLinksWithApps(db, companyId, uuids);
  return new Map(links.map((link) => [link.uuid, link]));
}

/**
 * Creates a tracking link. The first one of an app is approved at once, since the app itself is reviewed; others need
 * review unless their click host is approved for the app. Throws Invalid for an unknown app, for an address that contains
 * the postback secret, and for a click URL whose click id does not come back; Conflict at the company's limit.
 */
export async function createTrackingLink(
  ctx: Context,
  actor: Actor,
  input: TrackingLinkInput,
): Promise<TrackingLink> {
  requirePermission(actor, 'tracking_link.write');
  const { app_id, ...fields } = input;
  return transact(ctx.db, async (tx) => {
    requireClickId(await requireApp(tx.db, actor.companyId, app_id, 'app_id'), fields.click_url);
    await requireRoom(tx.db, actor.companyId, 'tracking_links');
    await requireNoSecret(tx.db, actor.companyId, urlsOf(fields));
    const at = ctx.now();
    const row = await insertOwned(tx.db, 'tracking_links', actor.companyId, {
      uuid: uuidv7(),
      app_uuid: app_id,
      ...fields,
      status: await statusOfNew(ctx, tx.db, actor.companyId, input),
      created_at: at,
      updated_at: at,
    });
    const link = await loadTrackingLink(tx.db, actor.companyId, row);
    await recordSaved(ctx, tx, actor, { entity: 'tracking_link', before: null, after: link, logged });
    return link;
  });
}

/**
 * Changes the given fields. A new click address needs review. Throws NotFound; Invalid like {@link
 * createTrackingLink}; Conflict naming the ad sets that use the link if its app would change.
 */
export async function updateTrackingLink(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: TrackingLinkUpdate & { uuid: string },
): Promise<TrackingLink> {
  requirePermission(actor, 'tracking_link.write');
  const { app_id, ...fields } = input;
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const row = await lockOwned(tx.db, 'tracking_links', companyId, uuid);
    if (!row) throw new NotFound('Tracking link');
    const before = await loadTrackingLink(tx.db, companyId, row);
    await requireExpected(() => before);
    const isMoved = app_id !== undefined && app_id !== row.app_uuid;
    const app = isMoved ? await requireApp(tx.db, companyId, app_id, 'app_id') : before.app;
    if (isMoved) await requireUnusedByAdsets(tx.db, companyId, 'tracking link', uuid);
    if (isMoved || fields.click_url !== undefined) requireClickId(app, fields.click_url ?? row.click_url);
    await requireNoSecret(tx.db, companyId, urlsOf(fields));
    const to = { click_url: fields.click_url ?? row.click_url };
    const review = reviewAfter(ctx.config, row, { click_url: row.click_url }, to);
    const written = await updateOwned(tx.db, 'tracking_links', companyId, uuid, {
      app_uuid: app_id,
      ...fields,
      ...(review && { ...review, approved: review.approved && json(review.approved) }),
      updated_at: ctx.now(),
    });
    const after = await loadTrackingLink(tx.db, companyId, written);
    await recordSaved(ctx, tx, actor, { entity: 'tracking_link', before, after, logged });
    return after;
  });
}

function urlsOf({ click_url, view_url }: Pick<TrackingLinkUpdate, 'click_url' | 'view_url'>) {
  return { click_url, view_url };
}

async function statusOfNew(
  { config }: Context,
  db: Db,
  companyId: string,
  { app_id, click_url }: TrackingLinkInput,
): Promise<TrackingLink['status']> {
  const others = await linksOfApp(db, companyId, app_id);
  const hosts = others.flatMap(({ status, click_url: url, approved }) =>
    status === 'Approved' ? [hostOf(url)] : approved ? [hostOf(approved.click_url)] : [],
  );
  return others.length === 0 || hosts.includes(hostOf(click_url)) ? 'Approved' : initialStatus(config);
}

/** Host of an address that may contain macros in braces, in lower case. */
function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';
}

async function loadTrackingLink(db: Db, companyId: string, row: TrackingLinkRow): Promise<TrackingLink> {
  const appOf = await appsOf(db, companyId, [row]);
  return presentTrackingLink(row, appOf(row));
}

function presentTrackingLink(row: TrackingLinkRow, app: AppSummary): TrackingLink {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    app,
    app_id: app.uuid,
    click_url: row.click_url,
    view_url: row.view_url,
    status: row.status,
    rejection_reason: row.rejection_reason,
    approved_version: row.approved,
    ...presentTimes(row),
  };
}

function logged({ app, app_id: _app, ...link }: TrackingLink): LoggedFields {
  return { ...link, app: { uuid: app.uuid, name: app.name } };
}

type TrackingLinkRow = Selectable<TrackingLinkTable>;

/** A tracking link with its app. */
interface LinkWithApp {
  uuid: string;
  name: string;
  app: { uuid: string; name: string; mobile_measurement_partner: Mmp };
}

/** Some tracking links of a company with their apps. */
async function findLinksWithApps(
  db: Db,
  companyId: string,
  uuids: readonly string[],
): Promise<LinkWithApp[]> {
  const rows = await db
    .selectFrom('tracking_links')
    .innerJoin('apps', 'apps.uuid', 'tracking_links.app_uuid')
    .select([
      'tracking_links.uuid',
      'tracking_links.name',
      'apps.uuid as appUuid',
      'apps.name as appName',
      'apps.mobile_measurement_partner as mmp',
    ])
    .where('tracking_links.company_uuid', '=', companyId)
    .where('tracking_links.uuid', '=', anyOf(uuids))
    .execute();
  return rows.map(({ uuid, name, appUuid, appName, mmp }) => ({
    uuid,
    name,
    app: { uuid: appUuid, name: appName, mobile_measurement_partner: mmp },
  }));
}

/** Tracking links of an app. */
async function linksOfApp(
  db: Db,
  companyId: string,
  appUuid: string,
): Promise<Pick<TrackingLinkRow, 'status' | 'click_url' | 'approved'>[]> {
  return db
    .selectFrom('tracking_links')
    .select(['status', 'click_url', 'approved'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appUuid)
    .execute();
}
