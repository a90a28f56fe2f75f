import type * as mantineNotifications from '@mantine/notifications';
import { failureText } from './api/api-error.ts';

type Library = typeof mantineNotifications;

let library: Library | null = null;
const listeners = new Set<() => void>();

/**
 * Loads the toast library, which most visitors to the login page never need. Called early where a toast may have to
 * report that the server is unavailable.
 */
export async function loadToasts(): Promise<Library> {
  if (library) return library;
  library = await import('@mantine/notifications');
  for (const listener of listeners) listener();
  return library;
}

/** The toast library; null until it is loaded. */
export const loadedToasts = () => library;

/** Calls `listener` when the library is loaded; returns a function that unsubscribes. */
export function onToastsLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function withToasts(change: (toasts: Library['notifications']) => void): void {
  // If the library cannot be loaded, the error can only be logged.
  loadToasts().then(({ notifications }) => change(notifications), console.error);
}

/** Shows a success message. */
export function toastSuccess(message: string): void {
  withToasts((toasts) => toasts.show({ message, color: 'green', autoClose: 4000 }));
}

/** Shows something that the person should know, once however often it is said. */
export function toastInfo(message: string): void {
  withToasts((toasts) => toasts.show({ id: message, message, autoClose: 8000 }));
}

/** Shows an error: the server's sentence, or `fallback` without one. */
export function toastError(error: unknown, fallback?: string): void {
  const message = failureText(error, fallback);
  // The message is the id, so that identical errors are shown once.
  withToasts((toasts) => toasts.show({ id: message, message, color: 'red', autoClose: 8000 }));
}

const NOTIFICATION = 'notification';
let shownCount = 0;

/** Shows a notification. Those that arrive while one is shown are counted, not stacked. */
export function toastNotification(title: string, text: string): void {
  shownCount += 1;
  const toast = {
    id: NOTIFICATION,
    title: shownCount === 1 ? title : `${shownCount} new notifications`,
    message: shownCount === 1 ? text : `Latest: ${title}`,
    onClose: () => {
      shownCount = 0;
    },
  };
  const isFirst = shownCount === 1;
  withToasts((toasts) => (isFirst ? toasts.show(toast) : toasts.update(toast)));
}
