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

/**
 * Why something could not be loaded or saved, as a sentence: offline, the server's fault, the person's role, or else the
 * sentence of the error. `fallback` is said instead where the server was reached or not, and gave no sentence.
 */
export function failureText(error: unknown, fallback?: string): string {
  if (!(error instanceof ApiError)) return sentenceOf(error) ?? fallback ?? messages.pageFault;
  const { status, message, isServerText } = error;
  if (status === 0 && !navigator.onLine) return messages.offline;
  if (!isServerText && fallback !== undefined) return fallback;
  // While it is overloaded or its database is away the server says so.
  if (status >= 500 && !(status === 503 && isServerText)) return messages.serverError;
  return status === 403 && !isServerText ? messages.roleForbids : message;
}

/** The sentence of an error that the console made; none of one that the browser threw at a fault of the page. */
function sentenceOf(error: unknown): string | undefined {
  const isFault = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return error instanceof Error && !isFault && error.message !== '' ? error.message : undefined;
}

/** Whether the server was unavailable and did not reject the call: a retry may succeed. */
export function isAway(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}

/** Whether the server says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 410);
}
