import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';

/** Plural of a noun that messages use with a count. */
function plural(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Messages of no single subject for users, some shared by server and console. */
export const messages = {
  required: 'Required',
  notACursor: 'This is not a cursor of a response',
  notAnId: 'This is not an ID: IDs are UUIDs',
  emailInvalid: 'Email is not valid!',
  roleForbids: 'Your role in this company does not allow this. Ask one of its owners.',
  invalidFileType: 'Invalid file type',
  nameHidden: 'A name must not contain invisible characters, or characters that change the direction of text',
  titleTooLong: `Title cannot exceed ${limits.titleMax} characters`,
  descriptionTooLong: `Description cannot exceed ${limits.descriptionMax} characters`,
  tryAgain: 'Please try again.',
  unexpected: 'Unexpected error',
  unreachable: 'The server cannot be reached. Please check your connection.',
  offline: 'You are offline.',
  serverError: 'Something went wrong on our side. Please try again.',
  pageFault: 'This page had an error. Please reload it.',
  noEnvelope: 'The server did not answer as it should. Please try again.',
  notFoundPage: 'Oops! Page not found',
  backToHome: 'Back to home',
  routeError: "Oh no! Something went wrong. Don't worry, we will fix it!",
  goHome: 'Go home!',
  emptyTable: 'There`s nothing here yet. Upload your files above',
  httpUrl: 'Enter a URL that starts with https://',
  moderation:
    'Your app is being reviewed. Once review is complete, it will be eligible to participate in advertising campaigns.',
  listText: `Choose fewer: at most ${numberText(limits.listTextMax)} characters in total`,
  notValid: 'This value is not valid',
  notInList: (value: string, noun: string) => `“${value}” is not in the list of ${plural(noun)}`,
  twiceInList: 'An entry is there twice',
  belowCent: `Enter at least ${limits.amountMinDollars}`,
  entityLimit: (max: number, noun: string) =>
    `A company can have at most ${max} ${plural(noun)}, archived ones included. Delete some that nothing uses.`,
  archived: (kind: string, name: string) => `The ${kind} “${name}” is archived: restore it first`,
  deletedMeanwhile: 'Something that this refers to has been deleted. Reload the page and try again.',
  inUse: (name: string, users: string) =>
    `“${name}” cannot be deleted because it is used by ${users}. Archive it instead.`,
  hasSpent: (name: string) =>
    `“${name}” cannot be deleted because it has spent money, which reports and the ledger show. Archive it instead.`,
} as const;
