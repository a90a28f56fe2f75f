import { numberText } from '../lib/number-text.ts';

/** Messages of audiences for users, some shared by server and console. */
export const audienceMessages = {
  deleted: (name: string) => `The audience “${name}” was deleted`,
  urlRequired: 'Enter the address of the file',
  https: 'The address has to start with https:// or http://',
  ruleRequired: 'Enter a rule',
  appRequired: 'Choose an app',
  eventRequired: 'Enter the name of an event',
  fileTooLong: 'The file has more than 2 GiB',
  contradiction: 'All audiences of a group that is included are excluded too: no bid can match',
  tooManyIds: (max: number) => `At most ${numberText(max)} ids in one call`,
} as const;
