import type {
  Creative,
  CreativeInput,
  CreativeType,
  CreativeUpdate,
  InternalCreativeUpdate,
} from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import type { Actor, Engines } from '../../engines.ts';
import { Conflict, Invalid, NotFound } from '../../platform/errors.ts';
import type { Db, Tx } from '../../platform/postgres/transaction.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import type { KeptFile } from './kept-files.ts';
import { insertKept } from './kept-files.ts';
import { logged, readAllCreatives, readCreatives } from './read-form.ts';
import type { CreativeRow } from './store.ts';
import {
  countCreatives,
  deleteCreativeRow,
  deleteFile,
  findCreatives,
  lockCreative,
  updateAssetRow,
  updateCreativeRow,
} from './store.ts';

/** The company's creatives, newest first (§7 GET /internal_creative). */
export async function listCreatives(engines: Engines, { companyId }: Actor): Promise<Creative[]> {
  return readAllCreatives(engines.db, companyId);
}

/** One creative, by its own uuid. Throws NotFound. */
export async function getCreative(engines: Engines, { companyId }: Actor, uuid: string): Promise<Creative> {
  const [creative] = await creativesOf(engines.db, companyId, [uuid]);
  if (!creative) throw new NotFound('Creative');
  return creative;
}

/** The creatives among `uuids` that are the company's. */
export async function creativesOf(db: Db, companyId: string, uuids: readonly string[]): Promise<Creative[]> {
  return readCreatives(db, companyId, await findCreatives(db, companyId, uuids));
}

/** Gives an uploaded asset the addresses it leads to. Throws Invalid for an asset that is not there. */
export async function addressCreative(
  engines: Engines,
  actor: Actor,
  input: CreativeInput,
): Promise<Creative> {
  return transact(engines.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { assetUuid: input.internal_creative_uuid });
    if (!row) throw new Invalid([{ field: 'internal_creative_uuid', message: 'Creative not found' }]);
    return change(engines, tx, actor, row, input);
  });
}

/** Changes a creative's addresses or texts. Throws NotFound. */
export async function updateCreative(
  engines: Engines,
  actor: Actor,
  uuid: string,
  input: CreativeUpdate,
): Promise<Creative> {
  return transact(engines.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { uuid });
    if (!row) throw new NotFound('Creative');
    return change(engines, tx, actor, row, input);
  });
}

/**
 * Changes the texts of an asset, by the asset's uuid, and the end card of a video. Throws NotFound; Invalid for the end
 * card of what is no video.
 */
export async function updateInternalCreative(
  engines: Engines,
  actor: Actor,
  assetUuid: string,
  input: InternalCreativeUpdate,
  endCard?: KeptFile,
): Promise<Creative> {
  return transact(engines.db, async (tx) => {
    const row = await lockCreative(tx.db, actor.companyId, { assetUuid });
    if (!row) throw new NotFound('Creative');
    if (endCard) assertVideo(row);
    return change(engines, tx, actor, row, input, endCard);
  });
}

/** Throws NotFound for an asset that is not there, and Invalid for one that has no end card. */
export async function requireVideo(db: Db, companyId: string, assetUuid: string): Promise<void> {
  const row = await lockCreative(db, companyId, { assetUuid });
  if (!row) throw new NotFound('Creative');
  assertVideo(row);
}

function assertVideo({ type }: CreativeRow): void {
  if (type !== 'Video')
    throw new Invalid([{ field: 'banner', message: 'Only the end card of a video can be replaced' }]);
}

/** Throws Conflict where the app of an archived creative has as many of its type as it may. */
export async function requireRoomFor(db: Db, companyId: string, uuid: string): Promise<void> {
  const [row] = await findCreatives(db, companyId, [uuid]);
  if (!row) return;
  const { max, message } = limitOf(row.type);
  if ((await countCreatives(db, companyId, row.app_uuid, row.type)) >= max) throw new Conflict(message);
}

/** How many creatives of a type an app may have, without those that are archived. */
export function limitOf(type: CreativeType): { max: number; message: string } {
  return type === 'Video'
    ? { max: limits.videosPerType, message: messages.videoLimit }
    : { max: limits.bannersPerType, message: messages.bannerLimit };
}

/** Deletes a creative, its asset and their files. The caller has locked it and knows that nothing uses it. */
export async function deleteUnusedCreative(
  engines: Engines,
  tx: Tx,
  companyId: string,
  uuid: string,
): Promise<void> {
  const [row] = await findCreatives(tx.db, companyId, [uuid]);
  if (!row) return;
  await deleteCreativeRow(tx.db, companyId, row);
  for (const file of [row.banner_file_uuid, row.video_file_uuid, row.playable_file_uuid])
    if (file) await dropFile(engines, tx, companyId, file);
}

type Changes = CreativeUpdate & InternalCreativeUpdate;

/** Writes what was named. What was reviewed and is now different goes back to Moderation (decisions, section 4). */
async function change(
  engines: Engines,
  tx: Tx,
  actor: Actor,
  row: CreativeRow,
  input: Changes,
  endCard?: KeptFile,
): Promise<Creative> {
  const { companyId } = actor;
  const [before] = await readCreatives(tx.db, companyId, [row]);
  const at = engines.now();
  const texts = pick(input, ['name', 'description', 'sponsor', 'title']);
  const addresses = pick(input, ['click_url', 'view_url']);
  // An address that is set for the first time was not part of the review.
  const reviewed =
    endCard !== undefined ||
    Object.entries(texts).some(
      ([field, value]) => field !== 'description' && value !== row[field as 'name'],
    ) ||
    Object.entries(addresses).some(
      ([field, value]) => row[field as 'click_url'] !== null && value !== row[field as 'click_url'],
    );
  const status = engines.config.moderation === 'auto' ? 'Approved' : 'Moderation';
  if (endCard) await insertKept(tx.db, companyId, endCard, at);
  await updateAssetRow(tx.db, companyId, row.internal_creative_uuid, {
    ...texts,
    ...(endCard && { banner_file_uuid: endCard.uuid }),
    updated_at: at,
  });
  if (endCard && row.banner_file_uuid) await dropFile(engines, tx, companyId, row.banner_file_uuid);
  await updateCreativeRow(tx.db, companyId, row.uuid, {
    ...addresses,
    ...(reviewed && { status, rejection_reason: null }),
    updated_at: at,
  });
  const [after] = await creativesOf(tx.db, companyId, [row.uuid]);
  await recordChange(engines, tx, actor, {
    entity: 'creative',
    uuid: row.uuid,
    name: after!.internal_creative.name,
    action: 'update',
    before: logged(before!),
    after: logged(after!),
  });
  return after!;
}

/** Removes a file that nothing refers to any more; from the file store only once that is certain. */
async function dropFile(engines: Engines, tx: Tx, companyId: string, uuid: string): Promise<void> {
  await deleteFile(tx.db, companyId, uuid);
  tx.afterCommit(() => {
    engines.files
      .remove(uuid)
      .catch((error: unknown) =>
        engines.log.warn({ err: error, uuid }, 'a replaced file could not be removed'),
      );
  });
}

function pick<Name extends keyof Changes>(
  input: Changes,
  names: readonly Name[],
): Partial<Pick<Required<Changes>, Name>> {
  return Object.fromEntries(
    names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  ) as Partial<Pick<Required<Changes>, Name>>;
}
