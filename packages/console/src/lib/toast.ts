import type * as mantineNotifications from '@mantine/notifications';
import { failureText } from './api-error.ts';

type Library = typeof mantineNotifications;

let library: Library | null = null;
const waiting = new Set<() => void>();

/**
 * Fetches what toasts are made of: a visitor who only logs in may never see one. Called early where one may have to say
 * that the server is away.
 */
export async function prepareToasts(): Promise<Library> {
  if (library) return library;
  library = await import('@mantine/notifications');
  for (const tell of waiting) tell();
  return library;
}

/** What toasts are made of, once it is here. */
export const preparedToasts = () => library;

/** Calls `listener` when toasts can be drawn; answers how to stop that. */
export function onToastsPrepared(listener: () => void): () => void {
  waiting.add(listener);
  return () => waiting.delete(listener);
}

function draw(change: (toasts: Library['notifications']) => void): void {
  // Without the server there is nothing to draw a toast with, and nobody to tell but the console.
  prepareToasts().then(({ notifications }) => change(notifications), console.error);
}

/** Says that something went well. */
export function toastSuccess(message: string): void {
  draw((toasts) => toasts.show({ message, color: 'green', autoClose: 4000 }));
}

/** Shows what went wrong: the server's own sentence, or `fallback` where it gave none. */
export function toastError(error: unknown, fallback?: string): void {
  const message = failureText(error, fallback);
  // The message is the id: ten calls that fail alike say so once.
  draw((toasts) => toasts.show({ id: message, message, color: 'red', autoClose: 8000 }));
}

const NEWS = 'news';
let newsShown = 0;

/** Tells of something that happened meanwhile. What comes while it is still shown is counted, not piled up. */
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
