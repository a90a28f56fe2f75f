import { numberText } from '../lib/number-text.ts';

/** Messages of the server about audiences. */
export const audienceApiMessages = {
  notAList: 'Ids can be added to audiences of the kind list only',
  otherOffset: (received: number) =>
    `The server has ${numberText(received)} bytes of the upload: send the part that begins there`,
  tooLong: (max: number) => `An upload has at most ${numberText(max)} bytes`,
  partMissing: 'Send one file in the field part',
  partTooLong: (max: number) => `A part has at most ${numberText(max)} bytes`,
  pending: (uploads: number, bytes: number) =>
    `A company has at most ${numberText(uploads)} unfinished uploads, and ${numberText(bytes)} bytes in these and in files that wait to be imported: finish them, or try again when an import is done`,
  notOpen: 'The upload is finished or was given up',
  incomplete: (received: number, bytes: number) =>
    `The server has ${numberText(received)} of ${numberText(bytes)} bytes`,
  empty: 'The upload has no bytes',
  waiting: (max: number) => `The audience has ${max} imports that wait: try again when one is done`,
  liveRefresh: 'Only audiences with an address or a rule can be refreshed',
  fileEmpty: 'The file has no ids',
  fileUnreadable: 'The file could not be read to its end',
  gzipDamaged: 'The gzip file is damaged or was cut off',
  mostlyInvalid: (lines: number, invalid: number) =>
    `${numberText(invalid)} of the ${numberText(lines)} lines have no id that can be read: a file that replaces an audience needs ids in half of its lines`,
  noValidIds: (lines: number) => `None of the ${numberText(lines)} lines has an id that can be read`,
  tooManyIds: (max: number) => `The audience would have more than ${numberText(max)} ids`,
  tooLongFile: (max: number) => `The file has more than ${numberText(max)} bytes`,
  otherKind: (stored: string, given: string) =>
    `The audience has ${stored} ids and the file ${given} ids: replace the audience, or send the same kind`,
  addressPrivate: 'The address leads to a private network',
  addressFailed: (status: number | null) =>
    status === null
      ? 'The server of the address does not respond'
      : `The server of the address responds with ${status}`,
  interrupted: 'The import was interrupted too often',
  superseded: 'A newer file of the partner came before this one was imported',
  pullKeyMissing:
    'AppsFlyer’s file needs a key that this installation lacks: ask its operator to set APPSFLYER_PULL_KEY',
  noDeviceFile: 'Send the address of a file of advertising ids, such as url_adid or url_adid_sha256',
} as const;
