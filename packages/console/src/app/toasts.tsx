import { useSyncExternalStore } from 'react';
import { onToastsPrepared, preparedToasts } from '../lib/toast.ts';

/** Where toasts appear. */
export function Toasts() {
  const library = useSyncExternalStore(onToastsPrepared, preparedToasts);
  return library && <library.Notifications position="top-right" aria-live="polite" />;
}
