import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import type {
  AudienceImport,
  AudienceUpload,
  IdsInput,
  UploadInput,
} from '@bidwell/contract/audiences/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json } from '../../../platform/postgres/client.ts';
import {
  findOwned,
  insertOwned,
  lockOwned,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { queueImport } from './import-queue.ts';
import { presentImport, presentUpload } from './presenter.ts';
import { pendingUploads } from './store.ts';

/** Parts of an upload are deleted after a day, like all files without a row. */
const UPLOAD_MS = 20 * 3_600_000;

interface UploadParams {
  uuid: string;
  upload: string;
}

/** Begins an upload of a list. Throws NotFound; Conflict for another kind of audience, and where too much is unfinished. */
export async function beginUpload(
  ctx: Context,
  actor: Actor,
  { uuid, mode, bytes }: UploadInput & { uuid: string },
): Promise<AudienceUpload> {
  requirePermission(actor, 'audience.write');
  const { companyId } = actor;
  await requireList(ctx.db, companyId, uuid);
  return transact(ctx.db, async ({ db }) => {
    // One after another, so that calls at once do not share the same room.
    await lockCompanyRow(db, companyId);
    await requireRoom(db, companyId, { bytes, isUpload: true });
    const at = ctx.now();
    const row = await insertOwned(db, 'audience_uploads', companyId, {
      uuid: uuidv7(),
      audience_uuid: uuid,
      mode,
      bytes,
      created_at: at,
      expires_at: new Date(at.getTime() + UPLOAD_MS),
    });
    return presentUpload(row, undefined);
  });
}

/** Reads how far an upload is. Throws NotFound. */
export async function readUpload(ctx: Context, actor: Actor, params: UploadParams): Promise<AudienceUpload> {
  requirePermission(actor, 'audience.read');
  const row = await findOwned(ctx.db, 'audience_uploads', actor.companyId, params.upload);
  if (row?.audience_uuid !== params.uuid) throw new NotFound('Upload');
  const imported = await ctx.db
    .selectFrom('audience_imports')
    .selectAll()
    .where('company_uuid', '=', actor.companyId)
    .where('upload_uuid', '=', row.uuid)
    .executeTakeFirst();
  return presentUpload(row, imported);
}

/** A part of a file, on disk. */
export interface ReceivedPart {
  path: string;
  bytes: number;
}

/**
 * Stores the part of an upload that begins at an offset. A part that is stored already is ignored. Throws NotFound; Conflict for another
 * offset, a finished upload, and more bytes than the upload was begun with.
 */
export async function sendPart(
  ctx: Context,
  actor: Actor,
  { uuid, upload, offset, part }: UploadParams & { offset: number; part: ReceivedPart },
): Promise<AudienceUpload> {
  requirePermission(actor, 'audience.write');
  const { companyId } = actor;
  const row = await findOwned(ctx.db, 'audience_uploads', companyId, upload);
  if (row?.audience_uuid !== uuid) throw new NotFound('Upload');
  if (!row.is_open || row.expires_at <= ctx.now()) throw new Conflict(audienceApiMessages.notOpen);
  if (offset + part.bytes <= row.received) return presentUpload(row, undefined);
  if (offset !== row.received) throw new Conflict(audienceApiMessages.otherOffset(row.received));
  if (offset + part.bytes > row.bytes) throw new Conflict(audienceApiMessages.tooLong(row.bytes));
  const fileUuid = uuidv7();
  await noteUnusedFiles(ctx.db, [fileUuid]);
  try {
    await ctx.files.write(fileUuid, createReadStream(part.path));
    return await transact(ctx.db, async (tx) => {
      const locked = await lockOwned(tx.db, 'audience_uploads', companyId, upload);
      if (!locked?.is_open) throw new Conflict(audienceApiMessages.notOpen);
      if (locked.received !== offset) throw new Conflict(audienceApiMessages.otherOffset(locked.received));
      const after = await updateOwned(tx.db, 'audience_uploads', companyId, upload, {
        received: offset + part.bytes,
        parts: json([...locked.parts, { uuid: fileUuid, bytes: part.bytes }]),
      });
      return presentUpload(after, undefined);
    });
  } catch (error) {
    await discardFile(ctx, fileUuid);
    throw error;
  }
}

/** Finishes an upload, and queues its import. A finished one stays as it is. Throws NotFound; Conflict where bytes are missing. */
export async function finishUpload(
  ctx: Context,
  actor: Actor,
  { uuid, upload }: UploadParams,
): Promise<AudienceUpload> {
  requirePermission(actor, 'audience.write');
  const { companyId } = actor;
  const isFinished = await transact(ctx.db, async (tx) => {
    const audience = await lockOwned(tx.db, 'audiences', companyId, uuid);
    const row = await lockOwned(tx.db, 'audience_uploads', companyId, upload);
    if (!audience || row?.audience_uuid !== uuid) throw new NotFound('Upload');
    if (!row.is_open) return true;
    if (row.expires_at <= ctx.now()) throw new Conflict(audienceApiMessages.notOpen);
    if (row.received < row.bytes) throw new Conflict(audienceApiMessages.incomplete(row.received, row.bytes));
    await updateOwned(tx.db, 'audience_uploads', companyId, upload, { is_open: false });
    const { parts, mode } = row;
    await queueImport(ctx, tx, audience, {
      mode,
      source: 'upload',
      uploadUuid: upload,
      parts,
      author: actor,
    });
    return false;
  });
  const finished = await readUpload(ctx, actor, { uuid, upload });
  if (isFinished && !finished.import) throw new Conflict(audienceApiMessages.notOpen);
  return finished;
}

/** Queues an import of ids from a call. Throws NotFound; Conflict for another kind of audience, and where too many imports wait. */
export async function changeIds(
  ctx: Context,
  actor: Actor,
  { uuid, mode, ids }: IdsInput & { uuid: string },
): Promise<AudienceImport> {
  requirePermission(actor, 'audience.write');
  const { companyId } = actor;
  await requireList(ctx.db, companyId, uuid);
  const content = Buffer.from(ids.map((id) => id.replaceAll(/[\r\n]/g, ' ')).join('\n'));
  await requireRoom(ctx.db, companyId, { bytes: content.length, isUpload: false });
  const fileUuid = uuidv7();
  await noteUnusedFiles(ctx.db, [fileUuid]);
  try {
    await ctx.files.write(fileUuid, Readable.from([content]));
    return await transact(ctx.db, async (tx) => {
      const audience = await lockOwned(tx.db, 'audiences', companyId, uuid);
      if (!audience) throw new NotFound('Audience');
      const parts = [{ uuid: fileUuid, bytes: content.length }];
      const given = { mode, source: 'api', parts, author: actor } as const;
      return presentImport(await queueImport(ctx, tx, audience, given));
    });
  } catch (error) {
    await discardFile(ctx, fileUuid);
    throw error;
  }
}

/** Throws Conflict where more bytes would be above what a company may have that is not imported yet. */
async function requireRoom(
  db: Db,
  companyId: string,
  { bytes, isUpload }: { bytes: number; isUpload: boolean },
): Promise<void> {
  const { audienceUploadsMax: uploadsMax, audiencePendingBytesMax: bytesMax } = limits;
  const pending = await pendingUploads(db, companyId);
  if (pending.bytes + bytes <= bytesMax && !(isUpload && pending.uploads >= uploadsMax)) return;
  throw new Conflict(audienceApiMessages.pending(uploadsMax, bytesMax));
}

async function requireList(db: Db, companyId: string, uuid: string): Promise<void> {
  const row = await findOwned(db, 'audiences', companyId, uuid);
  if (!row) throw new NotFound('Audience');
  if (row.kind !== 'list') throw new Conflict(audienceApiMessages.notAList);
}
