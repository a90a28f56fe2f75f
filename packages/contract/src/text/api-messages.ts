import { truncate } from '../lib/truncate.ts';
import { messages } from './messages.ts';

/** Messages of no single subject that only the server writes, in responses of the API. */
export const apiMessages = {
  busy: 'The service is busy. Please try again in a moment.',
  filesUnavailable: 'Files cannot be stored or read at the moment. Please try again in a minute.',
  someFields: 'Some fields are not valid.',
  notFound: (what: string) => `${what} not found`,
  noAddress: 'There is nothing at this address.',
  unreadable: 'The request cannot be read.',
  noBody: 'The request has no body.',
  notJson: 'The body of the request is not valid JSON.',
  noField: (name: string, meant: string) =>
    `There is no field “${truncate(name, 50)}”. Did you mean “${meant}”?`,
  forbiddenField: 'A field must not be named “__proto__” or “constructor”.',
  addressTooLong: 'The address of the request is too long.',
  tooLarge: 'The request is too large.',
  contentType: (accepted: readonly string[]) =>
    `The content type of the body is not accepted here: send ${accepted.join(' or ')} in the header Content-Type.`,
  tooMany: 'Too many requests. Please wait a moment.',
  failed: messages.serverError,
  notUtf8: 'The request is not UTF-8.',
  nulCharacter: 'The request holds a NUL character, which cannot be stored.',
  halfCharacter: 'The request holds half of a character, which cannot be stored.',
  otherSite: 'The request comes from another site.',
  outdated: 'Someone changed this since you read it. Read it again before you change it.',
  ifMatchFormat: 'If-Match is * or ETags in quotes, such as "0123456789abcdef".',
  ifNoneMatchFormat: 'If-None-Match is * where something is to be created only.',
  ifMatchNotTaken: 'This call takes no If-Match.',
  keyFormat: 'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  keyNotTaken:
    'This call takes no Idempotency-Key: its response has a secret, which is not stored to be sent again. If the response is lost, look whether the call was carried out.',
  keyReused: 'This Idempotency-Key was used with another request.',
  keyTakenOver: 'This took so long that another request with this Idempotency-Key was begun.',
  keyUnderway: 'A request with this Idempotency-Key is still running. Please try again in a moment.',
  keyRunning: 'A request with this Idempotency-Key was begun and has not answered. Look for its result.',
  queueFullForCompany: (what: string) => `Your company has too many ${what} waiting. Please wait a moment.`,
  queueFullForCaller: (what: string) => `You have too many ${what} waiting. Please wait a moment.`,
  queueFull: (what: string) => `Too many ${what} are waiting. Please try again in a moment.`,
  queueSlow: (what: string) => `The ${what} before this one took too long. Please try again.`,
  writeRate: (max: number) => `At most ${max} changes a minute. Please wait a moment.`,
  responsesFull: 'Too many long responses are under way. Please try again in a moment.',
  clientGone: 'The client has disconnected.',
  lengthMax: (max: number) => `At most ${max} characters`,
} as const;
