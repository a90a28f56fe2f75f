import { useCallback, useEffect, useRef } from 'react';

const PREFIX = 'bidwell.draft.';
const OWNER = 'bidwell.draft-owner';
/** Typing is written once it pauses this long, and at once when the page goes away. */
const QUIET_MS = 300;

/** What reads a kept draft back: a zod schema of the form's values. */
interface DraftSchema<T> {
  safeParse: (raw: unknown) => { success: true; data: T } | { success: false };
}

/** The draft kept under `key`, or null when there is none that the schema takes. Cheap enough for a first render. */
export function readDraft<T>(key: string, schema: DraftSchema<T>): T | null {
  try {
    const read = schema.safeParse(JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null'));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/**
 * Keeps `value` in this browser under `key` while the form differs from what is saved; null says that it does not, and
 * removes the draft. Answers how to flush it: call that once the form is saved or discarded; what was typed until then is
 * gone and nothing more is kept. Values must survive JSON.
 */
export function useDraft(key: string, value: unknown): () => void {
  const latest = useRef(value);
  const flushed = useRef(false);
  useEffect(() => {
    latest.current = value;
    if (flushed.current) return undefined;
    const timer = setTimeout(() => write(key, value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [key, value]);
  useEffect(() => {
    const keep = () => {
      if (!flushed.current) write(key, latest.current);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [key]);
  return useCallback(() => {
    flushed.current = true;
    write(key, null);
  }, [key]);
}

/** Drafts belong to who typed them: another person who logs in here does not find them. */
export function claimDrafts(ownerUuid: string): void {
  if (localStorage.getItem(OWNER) !== ownerUuid) forgetDrafts();
  localStorage.setItem(OWNER, ownerUuid);
}

/** Removes every draft of this browser. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

function write(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs the draft, never the form.
  }
}
