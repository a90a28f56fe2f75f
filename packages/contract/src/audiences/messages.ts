import { numberText } from '../lib/number-text.ts';
import { truncate } from '../lib/truncate.ts';

/** Messages of audiences for users, some shared by server and console. */
export const audienceMessages = {
  inUse: (name: string, users: string) => `“${name}” is used by ${users}. Take it out there first.`,
  /** `error` is a sentence without a full stop; '' if it is not known. */
  importFailed: (name: string, error: string) =>
    `The import to “${name}” failed${error === '' ? '' : `: ${error}`}`,
  urlRequired: 'Enter the address of the file',
  containerIdMissing: 'Send the id that the create call returned, in container_id',
  nameMissing: 'Send the name of the audience, in name',
  ruleRequired: 'Enter a rule',
  appRequired: 'Choose an app',
  eventRequired: 'Enter the name of an event',
  fileEmpty: 'The file is empty',
  fileTooLong: 'The file has more than 2 GiB',
  contradiction: 'All audiences of a group that is included are excluded too: no bid can match',
  emptyGroup: 'A group has at least one audience: leave out groups without any',
  idsRequired: 'Send at least one id',
  tooManyIds: (max: number) => `At most ${numberText(max)} ids in one call: upload a file of more`,
  noId: (text: string) => `“${truncate(text, 40)}” is no advertising id, and no MD5, SHA-1 or SHA-256 of one`,
} as const;
