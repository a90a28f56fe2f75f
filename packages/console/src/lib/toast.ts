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
