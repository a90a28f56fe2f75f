import type { Creative, InternalCreative } from '@bidwell/contract/creative';
import { api } from '../../lib/api-client.ts';
import { messages } from '@bidwell/contract/messages';
import type { UploadDetails, UploadItem } from './upload-list.ts';
import { itemOf, messageOf, sendItem } from './upload-list.ts';

/** How the copy of one creative goes. */
export type ImportState = Pick<UploadItem, 'progress' | 'error' | 'uploaded' | 'done'>;

export const notStarted: ImportState = { progress: null, error: null, uploaded: null, done: false };

/** Where copies go, and where they lead: the addresses of the first app would count for that one. */
export type ImportTarget = Pick<UploadDetails, 'app_id' | 'click_url' | 'view_url'>;

/**
 * Copies a creative to another app: its files are fetched and uploaded again, as creatives of their own. `change` is told
 * how it goes. Never throws. True when it is done.
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
    const local = (file: File) => ({ file, src: '', size: null, fault: null });
    const item: UploadItem = {
      ...itemOf(local(main), asset.type),
      ...state,
      name: asset.name,
      endCard: endCard && local(endCard),
    };
    const { description, title, sponsor } = asset;
    return await sendItem(item, { ...target, description, title, sponsor }, change);
  } catch (error) {
    change({ error: messageOf(error), progress: null });
    return false;
  }
}

function mainRef(asset: InternalCreative): { url: string } | null {
  if (asset.type === 'Video') return asset.video;
  return asset.type === 'Playable' ? asset.playable : asset.banner;
}

async function fileOf(asset: InternalCreative, ref: { url: string } | null): Promise<File> {
  if (!ref) throw new Error(messages.fileNotFound);
  const content = await api.file(ref.url);
  const extension = /\.[a-z0-9]+$/i.exec(ref.url)?.[0] ?? '';
  return new File([content], asset.name + extension, { type: content.type });
}
