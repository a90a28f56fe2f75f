import { numberText } from '../lib/number-text.ts';
import { truncate } from '../lib/truncate.ts';

/** Messages of audiences for users, some shared by server and console. */
export const audienceMessages = {
  inUse: (name: string, users: string) => `“${name}” is used by ${users}. Take it out there first.`,
  ofServer:
    'This audience of the people who have the app is made automatically and cannot be deleted. An ad set that should reach these people has the choice “Leave out people who have the app” (exclude_installed): switch it off there.',
  /** `error` is a sentence without a full stop; '' if it is not known. */
  importFailed: (name: string, error: string) =>
    `The import to “${name}” failed${error === '' ? '' : `: ${error}`}`,
  deleted: (name: string) => `The audience “${name}” was deleted`,
  urlRequired: 'Enter the address of the file',
  https: 'Enter an address that starts with https://',
  noPassword: 'Enter an address without a user name and a password, such as a signed one',
  containerIdMissing: 'Send the id that the create call returned, in container_id',
  nameMissing: 'Send the name of the audience, in name',
  ruleRequired: 'Enter a rule',
  appRequired: 'Choose an app',
  eventRequired: 'Enter the name of an event',
  fileEmpty: 'The file is empty',
  fileTooLong: 'The file has more than 2 GiB',
  contradiction: 'All audiences of a group that is included are excluded too: no bid can match',
  emptyGroup: 'A group has at least one audience: leave out groups without any',
  installedContradiction:
    'All audiences of a group that is included are of people who have the app, and these are left out: no bid can match. Include them, or choose other audiences',
  idsRequired: 'Send at least one id',
  tooManyIds: (max: number) => `At most ${numberText(max)} ids in one call: upload a file of more`,
  noId: (text: string) => `“${truncate(text, 40)}” is no advertising id, and no MD5, SHA-1 or SHA-256 of one`,
} as const;
