/** The server's refusal: one sentence, and a message for each field at fault. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came at all. */
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

/** Whether an error says that the server is away, rather than that it refuses: the same may go well a moment later. */
export function isAway(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
