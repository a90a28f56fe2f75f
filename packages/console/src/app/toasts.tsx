import { useSyncExternalStore } from 'react';
import { onToastsPrepared, preparedToasts } from '../lib/toast.ts';

/** Container of the toasts; empty until the toast library is loaded. */
export function Toasts() {
  const library = useSyncExternalStore(onToastsPrepared, preparedToasts);
  return library && <library.Notifications position="top-right" aria-live="polite" />;
}
