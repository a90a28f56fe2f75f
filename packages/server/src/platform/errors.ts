/** A fault in one field of what was sent: shown beneath that field. */
export interface FieldFault {
  /** Path of the field, dots between its parts: `name`, `bundle_bids.com.example`. */
  field: string;
  message: string;
}

/** Base of the errors that a caller may see; `message` is one sentence for a person. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** What was sent cannot be read at all. */
export class Malformed extends DomainError {}

/** No access token, or one that is expired or not ours. */
export class Unauthenticated extends DomainError {
  constructor(message = 'Please log in.') {
    super(message);
  }
}

/** Known who asks, and they may not. */
export class Forbidden extends DomainError {}

/** The thing does not exist, or belongs to another company: the caller cannot tell which. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super(`${what} not found`);
  }
}

/** The state of things forbids it: a login that is taken, an entity in use. */
export class Conflict extends DomainError {
  readonly fields: FieldFault[];
  constructor(message: string, fields: FieldFault[] = []) {
    super(message);
    this.fields = fields;
  }
}

/** Readable, but fields break the rules. Without a message of its own, the first fault speaks for all. */
export class Invalid extends DomainError {
  readonly fields: FieldFault[];
  constructor(fields: FieldFault[], message?: string) {
    super(message ?? fields[0]?.message ?? 'Some fields are not valid.');
    this.fields = fields;
  }
}

export class TooLarge extends DomainError {}

export class UnsupportedType extends DomainError {}

export class RateLimited extends DomainError {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An engine (database, event log) is away for the moment; trying again later may help. */
export class Unavailable extends DomainError {
  readonly retryAfterSeconds: number;
  constructor(message = 'The service is busy. Please try again in a moment.', retryAfterSeconds = 5) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
