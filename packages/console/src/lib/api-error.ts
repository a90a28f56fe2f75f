import { messages } from '@bidwell/contract/messages';

/** The server's refusal: one sentence, and a message for each field at fault. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came at all. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  /** True where the sentence is the server's; false where no answer came, or one that is no envelope. */
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

/** A failure that the server gave no sentence for: `message` is the console's own. */
export function withoutServerText(status: number, message: string): ApiError {
  return new ApiError(status, message, {}, { isServerText: false });
}

/**
 * The sentence that a person reads of a failed call: the server's own where it gave one, else `fallback`, else what the
 * console knows of the failure.
 */
export function failureText(error: unknown, fallback?: string): string {
  const known = error instanceof Error ? error.message : '';
  const isServerText = !(error instanceof ApiError) || error.isServerText;
  if (known && (isServerText || fallback === undefined)) return known;
  return fallback ?? messages.tryAgain;
}

/** Whether an error says that the server is away, rather than that it refuses: the same may go well a moment later. */
export function isAway(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
