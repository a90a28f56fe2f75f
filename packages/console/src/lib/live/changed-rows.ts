import { useSyncExternalStore } from 'react';

/** How long a row changed elsewhere stays highlighted while the page is visible. */
const MARKED_MS = 4000;

/** Highlighted ids, each with the number of its newest mark, which alone removes the highlight. */
const marks = new Map<string, number>();
let newest = 0;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Highlights the rows of entities changed elsewhere for {@link MARKED_MS}; in a hidden tab, once it is visible. */
export function markChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const mark = (newest += 1);
  for (const id of ids) marks.set(id, mark);
  notify();
  const fade = () =>
    setTimeout(() => {
      for (const id of ids) if (marks.get(id) === mark) marks.delete(id);
      notify();
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
