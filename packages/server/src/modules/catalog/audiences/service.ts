import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { knownSize } from '@bidwell/contract/audiences/choice';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { namedUsersText } from '@bidwell/contract/audiences/users-text';
import type {
  Audience,
  AudienceImport,
  AudienceInput,
  AudienceUpdate,
} from '@bidwell/contract/audiences/schema';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, type FieldError, Invalid, NotFound } from '../../../platform/errors.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json } from '../../../platform/postgres/client.ts';
import {
  findOwned,
  insertOwned,
  lockOwned,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange, recordSaved } from '../../changes/public.ts';
import { requireApp } from '../apps/service.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { fileAddressFault } from './file-address.ts';
import { queueImport } from './import-queue.ts';
import { logged, presentAudience, presentImport } from './presenter.ts';
import { findAudiences, importsOf, latestImports, usersOfAudiences } from './store.ts';

const IMPORTS_SHOWN = 50;

/** The company's audiences, by name. */
export async function listAudiences(ctx: Context, actor: Actor): Promise<Audience[]> {
  requirePermission(actor, 'audience.read');
  return loadAudiences(ctx.db, actor.companyId);
}

/** Reads one audience. Throws NotFound. */
export async function getAudience(ctx: Context, actor: Actor, uuid: string): Promise<Audience> {
  requirePermission(actor, 'audience.read');
  return loadAudience(ctx.db, actor.companyId, uuid);
}

/** The latest imports of an audience, newest first. Throws NotFound. */
export async function listAudienceImports(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<AudienceImport[]> {
  requirePermission(actor, 'audience.read');
  if (!(await findOwned(ctx.db, 'audiences', actor.companyId, uuid))) throw new NotFound('Audience');
  return (await importsOf(ctx.db, actor.companyId, uuid, IMPORTS_SHOWN)).map(presentImport);
}

/** Creates an audience without ids. Throws Invalid for what its kind lacks; Conflict at the company's limit. */
export async function createAudience(ctx: Context, actor: Actor, input: AudienceInput): Promise<Audience> {
  requirePermission(actor, 'audience.write');
  const { app_id: appId, rule, kind, source_url: sourceUrl, ...texts } = input;
  requireParts(input);
  if (kind === 'url') requireFileAddress(ctx, sourceUrl, null);
  if (kind === 'live') requireKeptDays(ctx, rule, null);
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    if (kind === 'live') await requireApp(tx.db, companyId, appId!, 'app_id');
    await requireRoom(tx.db, companyId, 'audiences');
    const uuid = uuidv7();
    const at = ctx.now();
    await insertOwned(tx.db, 'audiences', companyId, {
      uuid,
      ...texts,
      kind,
      app_uuid: kind === 'live' ? appId : null,
      rule: kind === 'live' ? json(rule) : null,
      source_url: kind === 'url' ? sourceUrl : null,
      refresh_after: kind === 'url' || kind === 'live' ? at : null,
      refreshed_at: null,
      id_hash: null,
      file_uuid: null,
      created_at: at,
      updated_at: at,
    });
    return saved(ctx, tx, actor, { before: null, uuid });
  });
}

/** Changes the given fields. A new address or rule is read soon. Throws NotFound; Invalid for what its kind lacks. */
export async function updateAudience(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AudienceUpdate & { uuid: string },
): Promise<Audience> {
  requirePermission(actor, 'audience.write');
  return transact(ctx.db, async (tx) => {
    const { companyId } = actor;
    const row = await lockOwned(tx.db, 'audiences', companyId, uuid);
    if (!row) throw new NotFound('Audience');
    const before = await loadAudience(tx.db, companyId, uuid);
    const { kind } = row;
    requireParts({ kind, app_id: row.app_uuid, rule: row.rule, source_url: row.source_url, ...input });
    const { rule: newRule, source_url: sourceUrl, ...texts } = input;
    if (kind === 'url') requireFileAddress(ctx, sourceUrl, row.source_url);
    const rule = row.is_installed ? undefined : newRule;
    if (kind === 'live') requireKeptDays(ctx, rule, row.rule);
    const isOtherSource =
      (kind === 'url' && sourceUrl !== undefined && sourceUrl !== row.source_url) ||
      (kind === 'live' && rule !== undefined && JSON.stringify(rule) !== JSON.stringify(row.rule));
    await updateOwned(tx.db, 'audiences', companyId, uuid, {
      ...texts,
      ...(kind === 'live' && rule && { rule: json(rule) }),
      ...(kind === 'url' && sourceUrl && { source_url: sourceUrl }),
      ...(isOtherSource && { refresh_after: ctx.now() }),
      updated_at: ctx.now(),
    });
    return saved(ctx, tx, actor, { before, uuid });
  });
}

/** Deletes an audience that nothing uses, with its ids. Throws NotFound; Conflict naming what uses it. */
export async function deleteAudience(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<{ uuid: string }> {
  requirePermission(actor, 'audience.write');
  const { companyId } = actor;
  const files = await transact(ctx.db, async (tx) => {
    const row = await lockOwned(tx.db, 'audiences', companyId, uuid);
    if (!row) throw new NotFound('Audience');
    if (row.is_installed) throw new Conflict(audienceApiMessages.ofServer);
    const users = (await usersOfAudiences(tx.db, companyId, uuid)).get(uuid) ?? [];
    if (users.length > 0) throw new Conflict(audienceMessages.inUse(row.name, namedUsersText(users)));
    const unused = await filesOf(tx.db, companyId, uuid);
    await noteUnusedFiles(tx.db, unused);
    await deleteAudienceRow(tx.db, companyId, uuid);
    await recordChange(ctx, tx, actor, {
      entity: 'audience',
      uuid,
      name: row.name,
      before: { name: row.name },
    });
    return unused;
  });
  for (const file of files) await discardFile(ctx, file);
  return { uuid };
}

/** Reads the address or the rule of an audience soon. Throws NotFound; Conflict for an audience that has neither. */
export async function refreshAudience(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<Audience> {
  requirePermission(actor, 'audience.write');
  return transact(ctx.db, async (tx) => {
    const row = await lockOwned(tx.db, 'audiences', actor.companyId, uuid);
    if (!row) throw new NotFound('Audience');
    if (row.kind !== 'url' && row.kind !== 'live') throw new Conflict(audienceApiMessages.liveRefresh);
    const mode = row.is_installed ? 'add' : 'replace';
    const source = row.kind === 'url' ? 'url' : 'rule';
    await queueImport(ctx, tx, row, { mode, source, author: actor });
    return loadAudience(tx.db, actor.companyId, uuid);
  });
}

function requireParts({
  kind,
  app_id: appId,
  rule,
  source_url: sourceUrl,
}: Pick<Audience, 'kind'> & Pick<AudienceInput, 'app_id' | 'rule' | 'source_url'>): void {
  const errors: FieldError[] = [];
  if (kind === 'live' && appId === null)
    errors.push({ field: 'app_id', message: audienceMessages.appRequired });
  if (kind === 'live' && rule === null)
    errors.push({ field: 'rule', message: audienceMessages.ruleRequired });
  if (kind === 'url' && sourceUrl === null)
    errors.push({ field: 'source_url', message: audienceMessages.urlRequired });
  if (errors.length > 0) throw new Invalid(errors);
}

/**
 * Throws Invalid for a rule of more days than postbacks are stored: it would count fewer days than it says. One that was stored before does not
 * stop other changes.
 */
function requireKeptDays(
  { config }: Context,
  rule: Audience['rule'] | undefined,
  before: Audience['rule'],
): void {
  const max = config.retentionDays.postbacks;
  if (!rule || rule.days === null || rule.days <= max || rule.days === before?.days) return;
  throw new Invalid([{ field: 'rule.days', message: audienceApiMessages.daysKept(max) }]);
}

/** Throws Invalid for a new address from which no file may be fetched. */
function requireFileAddress(ctx: Context, address: string | null | undefined, before: string | null): void {
  if (!address || address === before) return;
  const message = fileAddressFault(ctx, address);
  if (message !== null) throw new Invalid([{ field: 'source_url', message }]);
}

/** Records a saved audience in the transaction that saved it, and returns it. */
export async function saved(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { before, uuid }: { before: Audience | null; uuid: string },
): Promise<Audience> {
  const after = await loadAudience(tx.db, actor.companyId, uuid);
  await recordSaved(ctx, tx, actor, { entity: 'audience', before, after, logged });
  return after;
}

/** Reads an audience within a call that checked its permission. Throws NotFound. */
async function loadAudience(db: Db, companyId: string, uuid: string): Promise<Audience> {
  const [audience] = await loadAudiences(db, companyId, uuid);
  if (!audience) throw new NotFound('Audience');
  return audience;
}

/** What other parts of the server need to know of an audience. */
export interface AudienceInBrief {
  name: string;
  /** Number of its ids; null while it is not known. */
  size: number | null;
  /** The app of which the audience has the people who have it; null for another audience. */
  installedApp: string | null;
}

/** The audiences of a company, by id, within a call that checked its own permission. */
export async function audiencesInBrief(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
): Promise<ReadonlyMap<string, AudienceInBrief>> {
  const imports = await latestImports(db, companyId);
  const rows = await findAudiences(db, companyId);
  return new Map(
    rows.map((row) => {
      const {
        uuid,
        name,
        app,
        is_installed: isInstalled,
        ...audience
      } = presentAudience(row, imports.get(row.uuid), []);
      const size = knownSize(audience);
      return [uuid, { name, size, installedApp: isInstalled ? (app?.uuid ?? null) : null }];
    }),
  );
}

async function loadAudiences(db: Db, companyId: string, uuid?: string): Promise<Audience[]> {
  // Before the audiences: an import that is done is then shown with its ids.
  const imports = await latestImports(db, companyId, uuid);
  const rows = await findAudiences(db, companyId, uuid);
  const users = await usersOfAudiences(db, companyId, uuid);
  return rows.map((row) => presentAudience(row, imports.get(row.uuid), users.get(row.uuid) ?? []));
}

/** The files of an audience: its ids, and the parts of uploads and imports under way. */
async function filesOf(db: Db, companyId: string, uuid: string): Promise<string[]> {
  const row = await findOwned(db, 'audiences', companyId, uuid);
  const uploads = await db
    .selectFrom('audience_uploads')
    .select('parts')
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', uuid)
    .execute();
  const imports = await db
    .selectFrom('audience_imports')
    .select('parts')
    .where('company_uuid', '=', companyId)
    .where('audience_uuid', '=', uuid)
    .execute();
  const parts = [...uploads, ...imports].flatMap((one) => one.parts.map((part) => part.uuid));
  return [...new Set([...(row?.file_uuid ? [row.file_uuid] : []), ...parts])];
}

async function deleteAudienceRow(db: Db, companyId: string, uuid: string): Promise<void> {
  const deleted = await db
    .deleteFrom('audiences')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .returning('file_uuid')
    .executeTakeFirst();
  if (deleted?.file_uuid)
    await db
      .deleteFrom('files')
      .where('company_uuid', '=', companyId)
      .where('uuid', '=', deleted.file_uuid)
      .execute();
}
