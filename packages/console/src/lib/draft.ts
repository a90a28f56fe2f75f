import { useCallback, useEffect, useRef } from 'react';

const PREFIX = 'bidwell.draft.';
const OWNER = 'bidwell.draft-owner';
/** Debounce of writes while typing; leaving the page or unmounting the form writes at once. */
const DEBOUNCE_MS = 300;

/** Parses a stored draft: a zod schema of the form's values. */
interface DraftSchema<T> {
  safeParse: (raw: unknown) => { success: true; data: T } | { success: false };
}

/** The draft stored under `key`; null without one that the schema accepts. Cheap enough for a first render. */
export function readDraft<T>(key: string, schema: DraftSchema<T>): T | null {
  try {
    const read = schema.safeParse(JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null'));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/**
 * Stores `value` in this browser under `key` while the form differs from the saved values; null means that it does
 * not, and removes the draft. Returns a function that removes the draft and stops storing; call it once the form is saved
 * or discarded. Values must survive JSON.
 */
export function useDraft(key: string, value: unknown): () => void {
  const text = value === null ? null : JSON.stringify(value);
  const latest = useRef(text);
  const flushed = useRef(false);
  useEffect(() => {
    latest.current = text;
    if (flushed.current) return undefined;
    const timer = setTimeout(() => {
      // The form may have been saved meanwhile.
      if (!flushed.current) writeText(key, text);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key, text]);
  useEffect(() => {
    const flush = () => {
      if (!flushed.current) writeText(key, latest.current);
    };
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [key]);
  return useCallback(() => {
    flushed.current = true;
    write(key, null);
  }, [key]);
}

/** Stores a value under `key` at once; it must survive JSON. */
export function storeDraft(key: string, value: unknown): void {
  write(key, value);
}

/** Removes the draft under `key`. */
export function deleteDraft(key: string): void {
  write(key, null);
}

/** Deletes the drafts of another user: they belong to the user who typed them. */
export function claimDrafts(ownerUuid: string): void {
  if (localStorage.getItem(OWNER) !== ownerUuid) deleteDrafts();
  localStorage.setItem(OWNER, ownerUuid);
}

/** Deletes all drafts in this browser. */
export function deleteDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

const write = (key: string, value: unknown): void =>
  writeText(key, value === null ? null : JSON.stringify(value));

function writeText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
  } catch {
    // Full or forbidden storage loses the draft, but must not break the form.
  }
}
