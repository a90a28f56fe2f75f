import { useSyncExternalStore } from 'react';
import { onToastsLoaded, loadedToasts } from '../lib/toast.ts';

/** Container of the toasts; empty until the toast library is loaded. */
export function Toasts() {
  const library = useSyncExternalStore(onToastsLoaded, loadedToasts);
  return library && <library.Notifications position="top-right" aria-live="polite" />;
}
