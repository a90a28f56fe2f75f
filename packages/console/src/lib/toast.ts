import { notifications } from '@mantine/notifications';

/** Says that something went well. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4000 });
}

/** Says what went wrong: the server's own sentence, or `fallback`. */
export function toastError(error: unknown, fallback = 'Please try again.'): void {
  const message = error instanceof Error && error.message ? error.message : fallback;
  notifications.show({ message, color: 'red', autoClose: 8000 });
}
