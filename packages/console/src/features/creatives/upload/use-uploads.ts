import { hasAtMost } from '@bidwell/contract/lib/characters';
import { CREATIVE_TYPES, type Creative, type CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { messages } from '@bidwell/contract/text/messages';
import { useEffect, useRef, useState } from 'react';
import { forEachConcurrent } from '../../../lib/concurrent.ts';
import { useBannerResolutions } from '../../../entities/creatives/queries.ts';
import type { SizedCreative } from '../../../entities/creatives/size-coverage.ts';
import { countError } from './file-rules.ts';
import {
  type UploadDetails,
  type UploadItem,
  type UploadedCreative,
  itemOf,
  readFile,
  revokeUrls,
  sendItem,
} from './upload-list.ts';

const CONCURRENCY = 3;

/** The creatives of every type that are selected and not uploaded yet. */
export function useUploads() {
  const resolutions = useBannerResolutions();
  const [items, setItems] = useState<UploadItem[]>([]);
  const latest = useRef(items);
  useEffect(() => {
    latest.current = items;
  }, [items]);
  useEffect(() => () => latest.current.forEach(revokeUrls), []);

  const change = (key: string, changes: Partial<UploadItem>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)));

  return {
    items,
    change,
    /** Adds selected files; a native's file replaces the previous one. Resolves to the added items. */
    add: async (files: readonly File[], type: CreativeType): Promise<UploadItem[]> => {
      const added = await Promise.all(
        files.map(async (file) => itemOf(await readFile(file, type, resolutions), type)),
      );
      setItems((before) => {
        const others = type === 'Native' ? before.filter((item) => item.type !== type) : before;
        before.filter((item) => !others.includes(item)).forEach(revokeUrls);
        return [...others, ...added];
      });
      return added;
    },
    /** Adds the end card of a video; resolves to the video if it can be uploaded now, else to null. */
    addEndCard: async (item: UploadItem, file: File): Promise<UploadItem | null> => {
      const endCard = await readFile(file, 'EndCard', resolutions);
      if (item.endCard) URL.revokeObjectURL(item.endCard.src);
      change(item.key, { endCard, error: null });
      return endCard.error || item.main.error ? null : { ...item, endCard, error: null };
    },
    remove: (item: UploadItem) => {
      revokeUrls(item);
      setItems((before) => before.filter(({ key }) => key !== item.key));
    },
    /**
     * Uploads items, three at a time, and removes finished ones; resolves to the creatives made of them and the number of
     * items left.
     */
    send: async (
      selected: readonly UploadItem[],
      details: UploadDetails,
    ): Promise<{ done: UploadedCreative[]; left: number }> => {
      const done = new Map<string, UploadedCreative>();
      await forEachConcurrent(selected, CONCURRENCY, async (item) => {
        const uploaded = await sendItem(item, details, (changes) => change(item.key, changes));
        if (uploaded) done.set(item.key, uploaded);
      });
      selected.filter(({ key }) => done.has(key)).forEach(revokeUrls);
      setItems((before) => before.filter(({ key }) => !done.has(key)));
      return { done: [...done.values()], left: latest.current.filter(({ key }) => !done.has(key)).length };
    },
  };
}

/**
 * The first reason why an item cannot be sent now; null when it can. `before` counts the creatives of its type ahead
 * of it.
 */
export function itemError(
  { type, name, main, endCard, uploaded }: UploadItem,
  before: number,
): string | null {
  if (uploaded) return null;
  if (main.error) return main.error;
  const count = countError(type, before);
  if (count) return count;
  if (name.trim() === '') return `Title: ${messages.required}`;
  if (!hasAtMost(name.trim(), limits.titleMax)) return messages.titleTooLong;
  return endCard?.error ?? null;
}

/**
 * The items of a type with their validation result, given the creatives that the app has already: until these are known, the
 * server alone counts them.
 */
export function withErrors(
  items: readonly UploadItem[],
  type: CreativeType,
  existing: readonly Creative[] | undefined,
): { item: UploadItem; error: string | null }[] {
  let before = existing
    ? existing.filter(({ internal_creative: asset }) => asset.type === type).length
    : -Infinity;
  return items
    .filter((item) => item.type === type)
    .map((item) => {
      const error = itemError(item, before);
      if (error === null) before += 1;
      return { item, error };
    });
}

/**
 * The sizes of the files of all types that can be uploaded: one with a fault, or above the number that an app may have, will
 * never serve. Pure.
 */
export function uploadableSizes(
  items: readonly UploadItem[],
  existing: readonly Creative[],
): SizedCreative[] {
  return CREATIVE_TYPES.flatMap((type) => withErrors(items, type, existing))
    .filter(({ error }) => error === null)
    .map(({ item: { type, main } }) => ({
      type,
      width: main.size?.width ?? null,
      height: main.size?.height ?? null,
    }));
}
