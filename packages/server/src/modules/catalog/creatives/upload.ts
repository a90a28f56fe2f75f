import { type Creative, UploadFields, InternalCreativeUpdate } from '@bidwell/contract/creatives/schema';
import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { type FieldError, Invalid } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { insertOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { initialStatus } from '../review.ts';
import { requireApp } from '../apps/service.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { requireStorage, takeStorage } from '../storage/service.ts';
import { recordSaved } from '../../changes/public.ts';
import { fileFieldsOf, inspectFile } from './media/inspect.ts';
import type { FileField } from './media/inspected-file.ts';
import { type StoredFile, insertStoredFile, withStoredFiles } from './stored-file.ts';
import { storeCopies } from './media/derived-images.ts';
import { logged } from './presenter.ts';
import { type UploadedFile, type UploadedForm, parseTexts } from './receive.ts';
import {
  creativesOf,
  limitOf,
  requireShortDescription,
  replacedBytes,
  requireVideo,
  updateInternalCreative,
} from './service.ts';
import { countCreatives } from './store.ts';

/**
 * Handles POST /v2/internal_creative: creates an asset from the form's files, and its creative, atomically. Throws
 * Invalid on the invalid field, also at the app's limit for the type and where the files
 * do not fit into the company's storage; Conflict at the company's limit.
 */
export async function uploadCreative(
  ctx: Context,
  actor: Actor,
  { values, files, signal }: UploadedForm,
): Promise<Creative> {
  requirePermission(actor, 'creative.write');
  const fields = parseTexts(UploadFields, values);
  requireShortDescription(fields.type, fields.description);
  const storedFiles: StoredFile[] = [];
  const expected = filesOf(fields.type, files);
  const bytes = expected.reduce((sum, file) => sum + file.bytes, 0);
  await requireStorage(ctx, actor, { bytes, field: expected[0]!.field });
  const by = { companyId: actor.companyId, signal };
  for (const received of expected) {
    const inspected = await inspectFile(by, fields.type, received.field, received.path);
    storedFiles.push({ uuid: uuidv7(), received, inspected });
  }
  return withStoredFiles(ctx, storedFiles, async () => {
    if (fields.type === 'Native') await storeCopies(ctx, by, storedFiles[0]!);
    return createFrom(ctx, actor, fields, storedFiles);
  });
}

/** Files for a type of creative, in the order of `fileFieldsOf`. Throws Invalid for missing or surplus ones. */
function filesOf(type: UploadFields['type'], files: UploadedFile[]): (UploadedFile & { field: FileField })[] {
  const fields = fileFieldsOf[type];
  const expected = fields.map((field) => files.find((file) => file.field === field));
  const surplus = files.find((file) => !expected.includes(file));
  if (surplus) {
    const message =
      type === 'Video' ? creativeApiMessages.videoFiles : creativeApiMessages.oneFile(fields[0]!);
    throw new Invalid([{ field: surplus.field, message }]);
  }
  const errors: FieldError[] = fields
    .filter((_field, index) => !expected[index]?.bytes)
    .map((field) => ({ field, message: missing(type, field) }));
  if (errors.length > 0) throw new Invalid(errors);
  return expected.map((file, index) => ({ ...file!, field: fields[index]! }));
}

function missing(type: UploadFields['type'], field: FileField): string {
  if (type !== 'Video') return messages.required;
  return field === 'video' ? creativeMessages.videoRequired : creativeMessages.bannerRequired;
}

async function createFrom(
  ctx: Context,
  actor: Actor,
  fields: UploadFields,
  storedFiles: readonly StoredFile[],
): Promise<Creative> {
  const { companyId } = actor;
  const uuid = uuidv7();
  const assetUuid = uuidv7();
  const at = { created_at: ctx.now(), updated_at: ctx.now() };
  const uuidOf = (field: FileField) =>
    storedFiles.find(({ received }) => received.field === field)?.uuid ?? null;
  const { app_id, ...texts } = fields;
  const { width, height, durationMs, externalLoads, exits } = storedFiles[0]!.inspected;
  return transact(ctx.db, async (tx) => {
    await requireApp(tx.db, companyId, app_id, 'app_id');
    await requireRoom(tx.db, companyId, 'creatives');
    const { max, message } = limitOf(fields.type);
    if ((await countCreatives(tx.db, companyId, app_id, fields.type)) >= max)
      throw new Invalid([{ field: storedFiles[0]!.received.field, message }]);
    const bytes = storedFiles.reduce((sum, { received }) => sum + received.bytes, 0);
    await takeStorage(ctx, tx, actor, { bytes, field: storedFiles[0]!.received.field });
    for (const file of storedFiles) await insertStoredFile(tx.db, companyId, file, at.created_at);
    await insertOwned(tx.db, 'internal_creatives', companyId, {
      uuid: assetUuid,
      ...texts,
      width,
      height,
      duration_ms: durationMs,
      banner_file_uuid: uuidOf('banner'),
      video_file_uuid: uuidOf('video'),
      playable_file_uuid: uuidOf('playable'),
      external_loads: externalLoads && JSON.stringify(externalLoads),
      exits: exits && JSON.stringify(exits),
      ...at,
    });
    await insertOwned(tx.db, 'creatives', companyId, {
      uuid,
      app_uuid: app_id,
      internal_creative_uuid: assetUuid,
      click_url: null,
      view_url: null,
      status: initialStatus(ctx.config),
      rejection_reason: null,
      ...at,
    });
    const [creative] = await creativesOf(tx.db, companyId, [uuid]);
    await recordSaved(ctx, tx, actor, { entity: 'creative', before: null, after: creative!, logged });
    return creative!;
  });
}

/**
 * Handles PUT /internal_creative/{uuid} with a form: updates the texts, and replaces a video's end card with
 * `banner`. Throws NotFound; Invalid on the invalid field, and where the file does not fit into the
 * company's storage.
 */
export async function updateFromForm(
  ctx: Context,
  actor: Actor,
  assetUuid: string,
  { values, files, signal }: UploadedForm,
): Promise<Creative> {
  requirePermission(actor, 'creative.write');
  const texts = parseTexts(InternalCreativeUpdate, values);
  const received = endCardOf(files);
  if (!received) return updateInternalCreative(ctx, actor, assetUuid, texts);
  await requireVideo(ctx.db, actor.companyId, assetUuid);
  const replaced = await replacedBytes(ctx, actor, assetUuid);
  await requireStorage(ctx, actor, { bytes: received.bytes, replaced, field: received.field });
  const by = { companyId: actor.companyId, signal };
  const inspected = await inspectFile(by, 'Video', 'banner', received.path);
  const endCard: StoredFile = { uuid: uuidv7(), received, inspected };
  return withStoredFiles(ctx, [endCard], () => updateInternalCreative(ctx, actor, assetUuid, texts, endCard));
}

function endCardOf(files: readonly UploadedFile[]): UploadedFile | undefined {
  const endCard = files.find(({ field }) => field === 'banner');
  const surplus = files.find((file) => file !== endCard);
  if (surplus) throw new Invalid([{ field: surplus.field, message: creativeApiMessages.oneEndCard }]);
  if (endCard?.bytes === 0)
    throw new Invalid([{ field: 'banner', message: creativeMessages.bannerRequired }]);
  return endCard;
}
