import { accountMessages } from '@bidwell/contract/accounts/messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
/** Validation error of one field of a request, shown beneath that field. */
export interface FieldError {
  /** Path of the field, dots between its parts: `name`, `bundle_bids.com.example`. */
  field: string;
  message: string;
}

/** Base class of errors that are shown to callers; `message` is one sentence for a person. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The request cannot be parsed. */
export class Malformed extends DomainError {}

/** No access token, or one that is expired or was not signed here. */
export class Unauthenticated extends DomainError {
  constructor(message: string = accountMessages.logInFirst) {
    super(message);
  }
}

/** The caller is authenticated but not allowed to do this. */
export class Forbidden extends DomainError {}

/** The entity does not exist, or belongs to another company; the caller cannot tell which. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super(apiMessages.notFound(what));
  }
}

/** The current state forbids the change: a login that is taken, an entity in use. */
export class Conflict extends DomainError {
  readonly fields: FieldError[];
  constructor(message: string, fields: FieldError[] = []) {
    super(message);
    this.fields = fields;
  }
}

/** The entity is not as the caller expects it: another caller changed it in the meantime. */
export class Outdated extends DomainError {
  constructor() {
    super(apiMessages.outdated);
  }
}

/** Another request is still doing this; a later try has its result. */
export class Underway extends Conflict {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The request can be parsed, but fields are invalid. The message defaults to the message of the first field. */
export class Invalid extends DomainError {
  readonly fields: FieldError[];
  constructor(fields: FieldError[], message?: string) {
    super(message ?? fields[0]?.message ?? apiMessages.someFields);
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

/** A database or the event log is unavailable, or a queue is full; a later try may succeed. */
export class Unavailable extends DomainError {
  readonly retryAfterSeconds: number;
  constructor(message: string = apiMessages.busy, retryAfterSeconds = 5) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
