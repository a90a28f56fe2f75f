import type { Creative, InternalCreative } from '@bidwell/contract/creatives/schema';
import { api } from '../../../lib/api/api-client.ts';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import {
  type UploadDetails,
  type UploadItem,
  itemOf,
  sendItem,
  uploadFailure,
} from '../upload/upload-list.ts';
import { countError } from '../upload/file-rules.ts';

/** Progress of copying one creative. */
export type ImportState = Pick<UploadItem, 'progress' | 'error' | 'uploaded' | 'done'>;

export const notStarted: ImportState = { progress: null, error: null, uploaded: null, done: false };

/** Target app and URLs of the copies; the URLs of the source app would attribute installs to it. */
export type ImportTarget = Pick<UploadDetails, 'app_id' | 'click_url' | 'view_url'>;

/**
 * Copies a creative to another app: downloads its files and uploads them as a new creative. Reports progress to
 * `change`. Never throws; true when it is done.
 */
export async function importCreative(
  { internal_creative: asset }: Creative,
  state: ImportState,
  target: ImportTarget,
  change: (changes: Partial<ImportState>) => void,
): Promise<boolean> {
  try {
    change({ error: null, progress: 0 });
    const main = await fileOf(asset, mainRef(asset));
    const endCard = asset.type === 'Video' ? await fileOf(asset, asset.banner) : null;
    const local = (file: File) => ({ file, src: '', size: null, error: null });
    const item: UploadItem = {
      ...itemOf(local(main), asset.type),
      ...state,
      name: asset.name,
      endCard: endCard && local(endCard),
    };
    const { description, title, sponsor } = asset;
    return (await sendItem(item, { ...target, description, title, sponsor }, change)) !== null;
  } catch (error) {
    change({ error: uploadFailure(error), progress: null });
    return false;
  }
}

function mainRef(asset: InternalCreative): { url: string } | null {
  if (asset.type === 'Video') return asset.video;
  return asset.type === 'Playable' ? asset.playable : asset.banner;
}

async function fileOf(asset: InternalCreative, ref: { url: string } | null): Promise<File> {
  if (!ref) throw new Error(creativeMessages.fileNotFound);
  const content = await api.file(ref.url);
  const extension = /\.[a-z0-9]+$/i.exec(ref.url)?.[0] ?? '';
  return new File([content], asset.name + extension, { type: content.type });
}

/** The message when the app `to` has too many creatives to take all selected ones; null when it can. Pure. */
export function importLimitError(
  selected: readonly Creative[],
  all: readonly Creative[],
  to: string,
): string | null {
  const typeOf = ({ internal_creative: asset }: Creative) => asset.type;
  for (const type of new Set(selected.map(typeOf))) {
    const present = all.filter((creative) => creative.app.uuid === to && typeOf(creative) === type).length;
    const added = selected.filter((creative) => typeOf(creative) === type).length;
    const error = countError(type, present + added - 1);
    if (!error) continue;
    return countError(type, present)
      ? error
      : `${error.split(' Current')[0]} There are ${present} in this app now.`;
  }
  return null;
}
