import { apiMessages } from '@bidwell/contract/text/messages';
import { Unavailable } from '../errors.ts';

/** The store of files does not respond, or rejects a call; `cause` says which. */
export class FilesUnavailable extends Unavailable {
  constructor(cause: unknown) {
    super(apiMessages.filesUnavailable, 30);
    this.cause = cause;
  }
}
