import type { BannerResolutions, CreativeType, Resolution } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { messages } from '@bidwell/contract/text/messages';
import { truncate } from '@bidwell/contract/lib/truncate';
import { failureText } from '../../../lib/api/api-error.ts';
import { randomId } from '../../../lib/random-id.ts';
import { addressCreative, uploadCreative } from '../../../entities/creatives/queries.ts';
import { fileError } from './file-rules.ts';
import { measureImage, measureVideo } from './measure-file.ts';

/** A selected file with its size and validation result. */
export interface LocalFile {
  file: File;
  /** A blob URL. */
  src: string;
  size: Resolution | null;
  /** Why it cannot be uploaded; null when it can. */
  error: string | null;
}

/** A creative to be uploaded. */
export interface UploadItem {
  key: string;
  type: CreativeType;
  name: string;
  main: LocalFile;
  /** End card of a video, which is not uploaded without one. */
  endCard: LocalFile | null;
  /** The share sent, from 0 to 1; null before and after the upload. */
  progress: number | null;
  /** The error of the last attempt. */
  error: string | null;
  /** The creative once it is uploaded, so that a retry does not upload it again. */
  uploaded: UploadedCreative | null;
  done: boolean;
}

/** A creative that the server has accepted. */
export interface UploadedCreative {
  uuid: string;
  assetUuid: string;
  type: CreativeType;
}

/** Measures and validates a selected file. */
export async function readFile(
  file: File,
  type: CreativeType | 'EndCard',
  resolutions: BannerResolutions,
): Promise<LocalFile> {
  const src = URL.createObjectURL(file);
  const size = type === 'Playable' ? null : await (type === 'Video' ? measureVideo(src) : measureImage(file));
  const error = fileError(type, { name: file.name, sizeBytes: file.size, size }, resolutions);
  return { file, src, size, error };
}

/** A new item for a selected file, titled by its file name without the extension. */
export function itemOf(main: LocalFile, type: CreativeType): UploadItem {
  return {
    key: randomId(),
    type,
    name: truncate(main.file.name.replace(/\.[^.]+$/, ''), limits.titleMax),
    main,
    endCard: null,
    progress: null,
    error: null,
    uploaded: null,
    done: false,
  };
}

/** Revokes the blob URLs of an item. */
export function revokeUrls({ main, endCard }: UploadItem): void {
  URL.revokeObjectURL(main.src);
  if (endCard) URL.revokeObjectURL(endCard.src);
}

/** Details shared by all creatives of an upload. */
export interface UploadDetails {
  app_id: string;
  description: string;
  /** Text of natives; empty for other types. */
  title: string;
  sponsor: string;
  /** Empty for none. */
  click_url: string;
  view_url: string;
}

/** Name, type and files of one creative to send. */
export interface UploadFiles {
  name: string;
  type: CreativeType;
  main: File;
  endCard: File | null;
}

/** The multipart form of POST /v2/internal_creative. */
export function uploadForm(files: UploadFiles, details: UploadDetails): FormData {
  const form = new FormData();
  form.append('name', files.name);
  form.append('type', files.type);
  for (const field of ['app_id', 'description', 'title', 'sponsor'] as const) {
    if (details[field] !== '') form.append(field, details[field]);
  }
  const mainField = { Banner: 'banner', Native: 'banner', Playable: 'playable', Video: 'video' } as const;
  form.append(mainField[files.type], files.main);
  if (files.endCard) form.append('banner', files.endCard);
  return form;
}

/**
 * Uploads one creative, then sets its URLs if it has any; reports progress to `change`. Never throws; null when it
 * failed.
 */
export async function sendItem(
  item: UploadItem,
  details: UploadDetails,
  change: (changes: Partial<UploadItem>) => void,
): Promise<UploadedCreative | null> {
  try {
    change({ error: null, progress: 0 });
    let { uploaded } = item;
    if (!uploaded) {
      const files = { name: item.name.trim(), type: item.type, main: item.main.file };
      const form = uploadForm({ ...files, endCard: item.endCard?.file ?? null }, details);
      const creative = await uploadCreative(form, (progress) => change({ progress }));
      uploaded = { uuid: creative.uuid, assetUuid: creative.internal_creative.uuid, type: item.type };
      change({ uploaded });
    }
    const { click_url, view_url } = details;
    if (click_url !== '' || view_url !== '')
      await addressCreative(uploaded.assetUuid, { click_url, view_url });
    change({ done: true, progress: null });
    return uploaded;
  } catch (error) {
    change({ error: uploadFailure(error), progress: null });
    return null;
  }
}

/** Why a file was not taken or read, as a sentence. */
export const uploadFailure = (error: unknown): string => failureText(error, messages.unexpected);
