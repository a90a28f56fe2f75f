import { useSyncExternalStore } from 'react';

/** How long a row that was changed elsewhere is marked while somebody looks. */
const MARKED_MS = 4000;

let changed: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  changed = next;
  for (const listener of listeners) listener();
}

/** Marks the rows of entities that were changed elsewhere, for a moment; in a tab that is hidden, once it is looked at. */
export function markChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  set(new Set([...changed, ...ids]));
  const fade = () =>
    setTimeout(() => set(new Set([...changed].filter((id) => !ids.includes(id)))), MARKED_MS);
  if (!document.hidden) return void fade();
  document.addEventListener('visibilitychange', fade, { once: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the entity was changed elsewhere a moment ago. */
export function useIsChanged(id: string): boolean {
  return useSyncExternalStore(subscribe, () => changed.has(id));
}
