import { type Creative, InternalCreativeUpdate } from '@bidwell/contract/creatives/schema';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { requireStorage } from '../storage/service.ts';
import { inspectFile } from './media/inspect.ts';
import { type StoredFile, withStoredFiles } from './stored-file.ts';
import { type UploadedFile, type UploadedForm, parseTexts } from './receive.ts';
import { replacedBytes, requireVideo, updateInternalCreative } from './service.ts';

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
  if (surplus) throw new Invalid([{ field: surplus.field, message: apiMessages.oneEndCard }]);
  if (endCard?.bytes === 0) throw new Invalid([{ field: 'banner', message: messages.bannerRequired }]);
  return endCard;
}
