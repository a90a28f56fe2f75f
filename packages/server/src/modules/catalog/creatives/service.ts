import { hasAtMost } from '@bidwell/contract/lib/characters';
import type {
  Creative,
  CreativeInput,
  CreativeType,
  CreativeUpdate,
  InternalCreativeUpdate,
} from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { json } from '../../../platform/postgres/client.ts';
import { deleteOwned, updateOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { CreativeVersion } from '../../../platform/postgres/schema.ts';
import { discardFile } from '../../../platform/files/unused-files.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { reviewAfter } from '../review.ts';
import { requireClickId } from '../apps/service.ts';
import { recordSaved } from '../../changes/public.ts';
import { requireNoSecret } from '../postbacks/service.ts';
import { requireStorage, takeStorage } from '../storage/service.ts';
import { type StoredFile, insertStoredFile } from './stored-file.ts';
import { previewAddress } from './files.ts';
import { logged, presentAllCreatives, presentCreatives } from './presenter.ts';
import { type CreativeRow, countCreatives, findCreatives, findFiles, lockCreative } from './store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** The company's creatives, newest first. */
export async function listCreatives(ctx: Context, actor: Actor): Promise<Creative[]> {
  requirePermission(actor, 'creative.read');
  return creativesOfCompany(ctx, actor);
}

/** {@link listCreatives} within a call that checked its own permission. */
export async function creativesOfCompany(ctx: Context, { companyId }: Owner): Promise<Creative[]> {
  return presentAllCreatives(ctx.db, companyId);
}

/** Reads one creative by its own uuid. Throws NotFound. */
export async function getCreative(ctx: Context, actor: Actor, uuid: string): Promise<Creative> {
  requirePermission(actor, 'creative.read');
  const { companyId } = actor;
  const [creative] = await creativesOf(ctx.db, companyId, [uuid]);
  if (!creative) throw new NotFound('Creative');
  return creative;
}

/** The company's creatives among `uuids`. */
export async function creativesOf(db: Db, companyId: string, uuids: readonly string[]): Promise<Creative[]> {
  return presentCreatives(db, companyId, await findCreatives(db, companyId, uuids));
}

/** Sets the click and view addresses of an uploaded asset. Throws Invalid if the asset does not exist, or one contains a secret. */
export async function addressCreative(ctx: Context, actor: Actor, input: CreativeInput): Promise<Creative> {
  requirePermission(actor, 'creative.write');
  return transact(ctx.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { assetUuid: input.internal_creative_uuid });
    if (!row)
      throw new Invalid([{ field: 'internal_creative_uuid', message: apiMessages.notFound('Creative') }]);
    return change(ctx, tx, actor, row, input);
  });
}

/** Changes a creative's addresses or texts. Throws NotFound. */
export async function updateCreative(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: CreativeUpdate & { uuid: string },
): Promise<Creative> {
  requirePermission(actor, 'creative.write');
  return transact(ctx.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { uuid });
    if (!row) throw new NotFound('Creative');
    return change(ctx, tx, actor, row, input);
  });
}

/**
 * Changes the texts of an asset, named by the asset's uuid, and a video's end card. Throws NotFound; Invalid for an
 * end card of anything but a video.
 */
export async function updateInternalCreative(
  ctx: Context,
  actor: Actor,
  assetUuid: string,
  input: InternalCreativeUpdate,
  endCard?: StoredFile,
): Promise<Creative> {
  requirePermission(actor, 'creative.write');
  return transact(ctx.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { assetUuid });
    if (!row) throw new NotFound('Creative');
    if (endCard) {
      assertVideo(row);
      const replaced = await replacedBytes({ config: ctx.config, db: tx.db }, actor, assetUuid);
      const { bytes, field } = endCard.received;
      await takeStorage(ctx, tx, actor, { bytes, replaced, field });
    }
    return change(ctx, tx, actor, row, input, endCard);
  });
}

/**
 * Throws Invalid where an upload of at least `bytes` does not fit into the company's storage, before it is received; the exact
 * size is known only with the files. `replaces` is the asset whose end card it may replace.
 */
export async function requireUploadRoom(
  ctx: Context,
  actor: Actor,
  { bytes, replaces }: { bytes: number; replaces?: string },
): Promise<void> {
  requirePermission(actor, 'creative.write');
  const replaced = replaces === undefined ? 0 : await replacedBytes(ctx, actor, replaces);
  await requireStorage(ctx, actor, { bytes, replaced });
}

/** Throws NotFound if the asset does not exist; Invalid if it is not a video and so has no end card. */
export async function requireVideo(db: Db, companyId: string, assetUuid: string): Promise<void> {
  const row = await lockCreative(db, companyId, { assetUuid });
  if (!row) throw new NotFound('Creative');
  assertVideo(row);
}

/**
 * Bytes of the end card that a new one replaces at once; 0 where the old one runs until the new one is approved, and for
 * an asset that is no video of the company.
 */
export async function replacedBytes(
  { db, config }: Pick<Context, 'config'> & { db: Db },
  { companyId }: Owner,
  assetUuid: string,
): Promise<number> {
  const row = await lockCreative(db, companyId, { assetUuid });
  if (row?.type !== 'Video' || row.banner_file_uuid === null) return 0;
  const from = versionOf(row);
  const kept = reviewAfter(config, row, from, { ...from, banner_file_uuid: null })?.approved
    ?.banner_file_uuid;
  if (kept === row.banner_file_uuid) return 0;
  const [file] = await findFiles(db, companyId, [row.banner_file_uuid]);
  return file?.size_bytes ?? 0;
}

function assertVideo({ type }: CreativeRow): void {
  if (type !== 'Video') throw new Invalid([{ field: 'banner', message: creativeApiMessages.endCardOnly }]);
}

/** Throws Conflict if the creative's app already has the maximum number of creatives of its type; for unarchiving. */
export async function requireRoomFor(db: Db, companyId: string, uuid: string): Promise<void> {
  const [row] = await findCreatives(db, companyId, [uuid]);
  if (!row) return;
  const { max, message } = limitOf(row.type);
  if ((await countCreatives(db, companyId, row.app_uuid, row.type)) >= max) throw new Conflict(message);
}

/** Checks the description of a native creative, which is shown in the ad. Throws Invalid if it is too long. */
export function requireShortDescription(type: CreativeType, description: string): void {
  if (type !== 'Native' || hasAtMost(description, limits.nativeDescriptionMax)) return;
  const message = apiMessages.lengthMax(limits.nativeDescriptionMax);
  throw new Invalid([{ field: 'description', message }]);
}

/** Maximum number of creatives of a type in an app, archived ones not counted. */
export function limitOf(type: CreativeType): { max: number; message: string } {
  return type === 'Video'
    ? { max: limits.videosPerType, message: creativeMessages.videoLimit }
    : { max: limits.bannersPerType, message: creativeMessages.bannerLimit };
}

/** Deletes a creative, its asset and their files. The caller holds its lock and has checked that it is not in use. */
export async function deleteUnusedCreative(
  ctx: Context,
  tx: Tx,
  companyId: string,
  uuid: string,
): Promise<void> {
  const [row] = await findCreatives(tx.db, companyId, [uuid]);
  if (!row) return;
  await deleteOwned(tx.db, 'creatives', companyId, row.uuid);
  await deleteOwned(tx.db, 'internal_creatives', companyId, row.internal_creative_uuid);
  const { banner_file_uuid, video_file_uuid, playable_file_uuid, approved } = row;
  const files = [banner_file_uuid, video_file_uuid, playable_file_uuid, approved?.banner_file_uuid];
  for (const file of new Set(files)) if (file) await dropFile(ctx, tx, companyId, file);
}

type Changes = CreativeUpdate & InternalCreativeUpdate;

/**
 * Updates the given fields. A change to the visible parts of the ad needs review, while the approved version keeps
 * running. The audience does not see the name, so renaming needs no review.
 */
async function change(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  row: CreativeRow,
  input: Changes,
  endCard?: StoredFile,
): Promise<Creative> {
  const { companyId } = actor;
  const [before] = await presentCreatives(tx.db, companyId, [row]);
  await requireExpected(() => before!);
  const at = ctx.now();
  const texts = pick(input, ['name', 'description', 'sponsor', 'title']);
  const addresses = pick(input, ['click_url', 'view_url']);
  await requireNoSecret(tx.db, companyId, {
    click_url: addresses.click_url ?? undefined,
    view_url: addresses.view_url ?? undefined,
  });
  if (addresses.click_url && addresses.click_url !== row.click_url)
    requireClickId(before!.app, addresses.click_url);
  const labels = pick(input, ['labels']);
  const file = endCard && { banner_file_uuid: endCard.uuid };
  if (texts.description !== undefined && texts.description !== row.description)
    requireShortDescription(row.type, texts.description);
  const from = versionOf(row);
  const review = reviewAfter(ctx.config, row, from, versionOf({ ...row, ...texts, ...addresses, ...file }));
  if (endCard) await insertStoredFile(tx.db, companyId, endCard, at);
  await updateOwned(tx.db, 'internal_creatives', companyId, row.internal_creative_uuid, {
    ...texts,
    ...file,
    updated_at: at,
  });
  await updateOwned(tx.db, 'creatives', companyId, row.uuid, {
    ...addresses,
    ...labels,
    ...(review && { ...review, approved: review.approved && json(review.approved) }),
    updated_at: at,
  });
  const shown = [endCard?.uuid ?? row.banner_file_uuid, (review ?? row).approved?.banner_file_uuid];
  for (const uuid of new Set([row.banner_file_uuid, row.approved?.banner_file_uuid]))
    if (uuid && !shown.includes(uuid)) await dropFile(ctx, tx, companyId, uuid);
  const [after] = await creativesOf(tx.db, companyId, [row.uuid]);
  await recordSaved(ctx, tx, actor, { entity: 'creative', before: before!, after: after!, logged });
  return after!;
}

/** Fields that are reviewed: the visible parts of the ad, and its destination. */
function versionOf(row: Omit<CreativeVersion, 'description'> & { type: CreativeType; description: string }) {
  const { type, title, sponsor, description, click_url, view_url, banner_file_uuid } = row;
  const seen = type === 'Native' ? description : null;
  return { title, sponsor, description: seen, click_url, view_url, banner_file_uuid };
}

/**
 * Absolute address of a file for viewing before approval. Only a path if neither an asset origin nor a public URL is
 * set.
 */
export function previewOf(ctx: Context, file: { uuid: string; extension: string }): string {
  const url = previewOnPage(ctx, file);
  return url.startsWith('/') ? `${ctx.config.publicUrl ?? ''}${url}` : url;
}

/** Address of a file for viewing before approval in a page of this server: a path, unless files have an own origin. */
export function previewOnPage({ config, now }: Context, file: { uuid: string; extension: string }): string {
  return previewAddress(config, file, now()).url;
}

/** Deletes the end card of a version that no longer runs, unless it is the current one. */
export async function dropApprovedFile(
  ctx: Context,
  tx: Tx,
  companyId: string,
  creativeUuid: string,
  approved: CreativeVersion | null,
): Promise<void> {
  const [row] = await findCreatives(tx.db, companyId, [creativeUuid]);
  const uuid = approved?.banner_file_uuid;
  if (row && uuid && uuid !== row.banner_file_uuid) await dropFile(ctx, tx, companyId, uuid);
}

/** Deletes a file's row, and after commit the stored file. Nothing may refer to it. */
async function dropFile(ctx: Context, tx: Tx, companyId: string, uuid: string): Promise<void> {
  await deleteOwned(tx.db, 'files', companyId, uuid);
  tx.afterCommit(() => void discardFile(ctx, uuid));
}

function pick<Name extends keyof Changes>(
  input: Changes,
  names: readonly Name[],
): Partial<Pick<Required<Changes>, Name>> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  ) as Partial<Pick<Required<Changes>, Name>>;
}
