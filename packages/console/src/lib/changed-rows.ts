import { useSyncExternalStore } from 'react';

/** How long a row that was changed elsewhere is marked while somebody looks. */
const MARKED_MS = 4000;

/** What is marked, and by which of the marks: the newest decides how long. */
const marks = new Map<string, number>();
let newest = 0;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Marks the rows of entities that were changed elsewhere, for a moment; in a tab that is hidden, once it is looked at. */
export function markChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const mark = (newest += 1);
  for (const id of ids) marks.set(id, mark);
  tell();
  const fade = () =>
    setTimeout(() => {
      for (const id of ids) if (marks.get(id) === mark) marks.delete(id);
      tell();
    }, MARKED_MS);
  if (document.hidden) document.addEventListener('visibilitychange', fade, { once: true });
  else fade();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the entity was changed elsewhere a moment ago. */
export function useIsChanged(id: string): boolean {
  return useSyncExternalStore(subscribe, () => marks.has(id));
}
