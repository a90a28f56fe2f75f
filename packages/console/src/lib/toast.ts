import { notifications } from '@mantine/notifications';

/** Says that something went well. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4000 });
}

/** Says what went wrong: the server's own sentence, or `fallback`. */
export function toastError(error: unknown, fallback = 'Please try again.'): void {
  const message = error instanceof Error && error.message ? error.message : fallback;
  // The message is the id: ten calls that fail alike say so once.
  notifications.show({ id: message, message, color: 'red', autoClose: 8000 });
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
  if (newsShown === 1) notifications.show(toast);
  else notifications.update(toast);
}
