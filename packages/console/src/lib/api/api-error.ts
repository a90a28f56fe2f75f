import { messages } from '@bidwell/contract/text/messages';

/** A failed API call: one sentence, and a message for each invalid field. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** True when the sentence came from the server; false without a response, or with one that is no envelope. */
  readonly isServerText: boolean;

  constructor(
    status: number,
    message: string,
    fields: Record<string, string> = {},
    { isServerText = true }: { isServerText?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.isServerText = isServerText;
  }
}

/** An error without a sentence of the server; `message` is the console's own. */
export function withoutServerText(status: number, message: string): ApiError {
  return new ApiError(status, message, {}, { isServerText: false });
}

/** The sentence shown for a failed call: the server's own, else `fallback`, else the message of the error. */
export function failureText(error: unknown, fallback?: string): string {
  const known = error instanceof Error ? error.message : '';
  const isServerText = !(error instanceof ApiError) || error.isServerText;
  if (known && (isServerText || fallback === undefined)) return known;
  return fallback ?? messages.tryAgain;
}

/**
 * Why something could not be loaded, in words: offline, the server's fault, the person's role, or else the sentence of the
 * error.
 */
export function causeText(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.pageFault;
  const { status, message, isServerText } = error;
  if (status === 0) return navigator.onLine ? message : messages.offline;
  // While it is overloaded or its database is away the server says so.
  if (status === 503 && isServerText) return message;
  if (status >= 500) return messages.serverError;
  return status === 403 && !isServerText ? messages.roleForbids : message;
}

/** Whether the server was unavailable and did not reject the call: a retry may succeed. */
export function isAway(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** Whether the server says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}
