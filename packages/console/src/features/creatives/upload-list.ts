import type { BannerResolutions, CreativeType, Resolution } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { randomId } from '../../lib/random-id.ts';
import { addressCreative, uploadCreative } from '../../lib/queries/creatives.ts';
import { faultOfFile } from './file-rules.ts';
import { measureImage, measureVideo } from './measure-file.ts';

/** A file with what the browser could see of it. */
export interface LocalFile {
  file: File;
  /** A blob address of this page. */
  src: string;
  size: Resolution | null;
  /** What speaks against it before it is sent. */
  fault: string | null;
}

/** A creative on its way. */
export interface UploadItem {
  key: string;
  type: CreativeType;
  name: string;
  main: LocalFile;
  /** Of a video, which is held here until it has one. */
  endCard: LocalFile | null;
  /** The share that is sent, from 0 to 1; null before and after. */
  progress: number | null;
  /** Why it was not accepted. */
  error: string | null;
  /** The asset's uuid once it is uploaded: a second try does not send it again. */
  uploaded: string | null;
  done: boolean;
}

/** Looks at a chosen file: its size in pixels, and what speaks against it. */
export async function readFile(
  file: File,
  type: CreativeType | 'EndCard',
  resolutions: BannerResolutions,
): Promise<LocalFile> {
  const src = URL.createObjectURL(file);
  const size = type === 'Playable' ? null : await (type === 'Video' ? measureVideo(src) : measureImage(file));
  const fault = faultOfFile(type, { name: file.name, sizeBytes: file.size, size }, resolutions);
  return { file, src, size, fault };
}

/** A chosen file as a creative that is still to be sent, called after the file. */
export function itemOf(main: LocalFile, type: CreativeType): UploadItem {
  return {
    key: randomId(),
    type,
    name: main.file.name.replace(/\.[^.]+$/, '').slice(0, limits.titleMax),
    main,
    endCard: null,
    progress: null,
    error: null,
    uploaded: null,
    done: false,
  };
}

/** Gives back what a creative holds in memory. */
export function forget({ main, endCard }: UploadItem): void {
  URL.revokeObjectURL(main.src);
  if (endCard) URL.revokeObjectURL(endCard.src);
}

/** What all creatives of one upload share. */
export interface UploadDetails {
  app_id: string;
  description: string;
  /** Texts of natives; empty for the others. */
  title: string;
  sponsor: string;
  /** Empty for none. */
  click_url: string;
  view_url: string;
}

/** What is sent: the fields of the form, beside the files. */
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
 * Sends one creative, then its addresses where it has any; `change` is told how it goes. Never throws. True when it is done.
 */
export async function sendItem(
  item: UploadItem,
  details: UploadDetails,
  change: (changes: Partial<UploadItem>) => void,
): Promise<boolean> {
  try {
    change({ error: null, progress: 0 });
    let { uploaded } = item;
    if (!uploaded) {
      const files = { name: item.name.trim(), type: item.type, main: item.main.file };
      const form = uploadForm({ ...files, endCard: item.endCard?.file ?? null }, details);
      const creative = await uploadCreative(form, (progress) => change({ progress }));
      uploaded = creative.internal_creative.uuid;
      change({ uploaded });
    }
    const { click_url, view_url } = details;
    if (click_url !== '' || view_url !== '') await addressCreative(uploaded, { click_url, view_url });
    change({ done: true, progress: null });
    return true;
  } catch (error) {
    change({ error: messageOf(error), progress: null });
    return false;
  }
}

/** The server's sentence, or what stands in its place (specification, section 8). */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : messages.unexpected;
}

/** Runs `work` on every item, at most `width` at once, in their order. */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
