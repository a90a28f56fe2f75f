import { useEffect, useEffectEvent } from 'react';

/** What each key of the review does, by its lower-case letter. */
type ReviewKeys = Readonly<Record<string, (() => void) | undefined>>;

/** Calls the action of a key, except while typing, and in menus and dialogs. */
export function useReviewKeys(keys: ReviewKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = keys[event.key.toLowerCase()];
    if (!action || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"]') !==
      null
  );
}
