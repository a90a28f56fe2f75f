import type * as mantineNotifications from '@mantine/notifications';
import { failureText } from './api-error.ts';

type Library = typeof mantineNotifications;

let library: Library | null = null;
const waiting = new Set<() => void>();

/**
 * Loads the toast library, which most visitors to the login page never need. Called early where a toast may have to
 * report that the server is unavailable.
 */
export async function prepareToasts(): Promise<Library> {
  if (library) return library;
  library = await import('@mantine/notifications');
  for (const tell of waiting) tell();
  return library;
}

/** The toast library; null until it is loaded. */
export const preparedToasts = () => library;

/** Calls `listener` when the library is loaded; returns a function that unsubscribes. */
export function onToastsPrepared(listener: () => void): () => void {
  waiting.add(listener);
  return () => waiting.delete(listener);
}

function draw(change: (toasts: Library['notifications']) => void): void {
  // If the library cannot be loaded, the error can only be logged.
  prepareToasts().then(({ notifications }) => change(notifications), console.error);
}

/** Shows a success message. */
export function toastSuccess(message: string): void {
  draw((toasts) => toasts.show({ message, color: 'green', autoClose: 4000 }));
}

/** Shows an error: the server's sentence, or `fallback` without one. */
export function toastError(error: unknown, fallback?: string): void {
  const message = failureText(error, fallback);
  // The message is the id, so that identical errors are shown once.
  draw((toasts) => toasts.show({ id: message, message, color: 'red', autoClose: 8000 }));
}

const NEWS = 'news';
let newsShown = 0;

/** Shows a notification. Those that arrive while one is shown are counted, not stacked. */
export function toastNews(title: string, text: string): void {
  newsShown += 1;
  const toast = {
    id: NEWS,
    title: newsShown === 1 ? title : `${newsShown} new notifications`,
    message: newsShown === 1 ? text : `The latest: ${title}`,
    onClose: () => {
      newsShown = 0;
    },
  };
  const isFirst = newsShown === 1;
  draw((toasts) => (isFirst ? toasts.show(toast) : toasts.update(toast)));
}
