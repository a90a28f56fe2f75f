/** A field of a request that is not valid. */
export interface FieldError {
  /** Path of the field, dots between its parts. */
  field: string;
  message: string;
}

/** Why a call failed; `message` is the server's sentence for a person. */
export class BidwellError extends Error {
  override readonly name = 'BidwellError';
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Invalid fields, of a 422 and some 409. */
  readonly fields: readonly FieldError[];
  /** Seconds after which to try again, where the server says so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    {
      status,
      fields = [],
      retryAfterSeconds = null,
      cause,
    }: {
      status: number;
      fields?: readonly FieldError[];
      retryAfterSeconds?: number | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.status = status;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
