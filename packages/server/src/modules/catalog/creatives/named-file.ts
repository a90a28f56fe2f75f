import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { previewAddress } from './preview-address.ts';
import { type FileRow, findAvatar } from './store.ts';

/** A file of the company, or the person's own picture, by its name: `{uuid}`, or `{uuid}.{extension}`. Throws NotFound. */
export async function ownFile(ctx: Context, actor: Actor, name: string): Promise<FileRow> {
  requirePermission(actor, 'file.read');
  const uuid = name.slice(0, 36);
  const row =
    (await findOwned(ctx.db, 'files', actor.companyId, uuid)) ?? (await ownPicture(ctx, actor, uuid));
  return asNamed(row, name.slice(37).toLowerCase());
}

async function ownPicture(
  { db }: Context,
  { role, userId }: Pick<Actor, 'role' | 'userId'>,
  uuid: string,
): Promise<FileRow | undefined> {
  return role === 'person' && userId !== null ? findAvatar(db, userId, uuid) : undefined;
}

/** An address of the same file for frames and players, which send no access token. Throws NotFound. */
export async function ownPreview(
  ctx: Context,
  actor: Actor,
  name: string,
): Promise<{ url: string; expires_at: string }> {
  requirePermission(actor, 'file.read');
  const { url, expiresAt } = previewAddress(ctx.config, await ownFile(ctx, actor, name), ctx.now());
  return { url, expires_at: expiresAt.toISOString() };
}

/** Returns the file if the extension, when given, is the file's. Throws NotFound. */
export function asNamed(row: FileRow | undefined, extension = ''): FileRow {
  if (!row || (extension !== '' && extension !== row.extension)) throw new NotFound('File');
  return row;
}
