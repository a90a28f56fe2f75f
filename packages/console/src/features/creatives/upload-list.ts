import { bannerResolutions, isBannerSize } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { addressCreative, uploadCreative } from '../../lib/queries/creatives.ts';

/** The types that can be uploaded, and the form field that takes their file. */
export const uploadTypes = { Banner: 'banner', Native: 'banner', Playable: 'playable' } as const;
export type UploadType = keyof typeof uploadTypes;

/** A file on its way. */
export interface UploadItem {
  key: string;
  file: File;
  name: string;
  /** For images: measured in the browser before anything is sent. */
  size: { width: number; height: number } | null;
  preview: string | null;
  /** From 0 to 1. */
  progress: number;
  error: string | null;
  /** The asset's uuid once it is uploaded: a second try does not send it again. */
  uploaded: string | null;
  done: boolean;
}

/** Looks at a chosen file: its size in pixels, and what speaks against it. */
export async function readItem(file: File, type: UploadType): Promise<UploadItem> {
  const item: UploadItem = {
    key: crypto.randomUUID(),
    file,
    name: file.name.replace(/\.[^.]+$/, '').slice(0, limits.titleMax),
    size: null,
    preview: null,
    progress: 0,
    error: null,
    uploaded: null,
    done: false,
  };
  if (type === 'Playable')
    return { ...item, error: /\.html?$/i.test(file.name) ? null : messages.invalidFileType };
  try {
    const bitmap = await createImageBitmap(file);
    const size = { width: bitmap.width, height: bitmap.height };
    bitmap.close();
    const error = fits(size, type) ? null : messages.wrongBannerSize(size.width, size.height);
    return { ...item, size, preview: URL.createObjectURL(file), error };
  } catch {
    return { ...item, error: messages.invalidFileType };
  }
}

function fits({ width, height }: { width: number; height: number }, type: UploadType): boolean {
  if (type === 'Banner') return isBannerSize(width, height);
  return bannerResolutions.native_banners.some((size) => size.width === width && size.height === height);
}

interface Destination {
  type: UploadType;
  appUuid: string;
  clickUrl: string;
  viewUrl: string;
}

/** Sends one file and gives it its addresses; `change` is told how it goes. Never throws. True when it is done. */
export async function sendItem(
  item: UploadItem,
  { type, appUuid, clickUrl, viewUrl }: Destination,
  change: (changes: Partial<UploadItem>) => void,
): Promise<boolean> {
  try {
    change({ error: null });
    let { uploaded } = item;
    if (!uploaded) {
      const form = new FormData();
      form.append('name', item.name);
      form.append('type', type);
      form.append('app_id', appUuid);
      form.append(uploadTypes[type], item.file);
      const creative = await uploadCreative(form, (progress) => change({ progress }));
      uploaded = creative.internal_creative.uuid;
      change({ uploaded, progress: 1 });
    }
    await addressCreative(uploaded, { click_url: clickUrl, view_url: viewUrl });
    change({ done: true });
    return true;
  } catch (error) {
    change({
      error: error instanceof Error && error.message ? error.message : messages.unexpected,
      progress: 0,
    });
    return false;
  }
}
