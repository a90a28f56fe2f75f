import { numberText } from '../lib/number-text.ts';
import { truncate } from '../lib/truncate.ts';
import { type InvalidLine, lineFaultTexts } from './line-faults.ts';

/** Fields that a message names at most. */
const FIELDS_NAMED = 5;

/** What is wrong with the first line without an id: `. Line 3: no id`. */
const firstText = (first: InvalidLine | null): string =>
  first ? `. Line ${numberText(first.line)}: ${lineFaultTexts[first.fault]}` : '';

/** Messages of the server about audiences. */
export const audienceApiMessages = {
  ofServer:
    'This audience of the people who have the app is made automatically and cannot be deleted. An ad set that should reach these people has the choice “Leave out people who have the app” (exclude_installed): switch it off there.',
  deleted: (name: string) => `The audience “${name}” was deleted`,
  https: 'Enter an address that starts with https://',
  noPassword: 'Enter an address without a user name and a password, such as a signed one',
  installedContradiction:
    'All audiences of a group that is included are of people who have the app, and these are left out: no bid can match. Include them, or choose other audiences',
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
  headAlone: 'The file has a first line with the names of columns and no ids after it',
  cutOff:
    'The file ends within a line, and its server did not say how long it is: it was cut off, or its last line has no id',
  otherFormats: {
    excel: 'The file is a workbook of Excel: save it as CSV, and send that',
    zip: 'The file is a ZIP archive: send the list in it as CSV or text, or packed by gzip',
    archive: 'The file is an archive: send the list in it as CSV or text, or packed by gzip',
    utf16: 'The file is text in UTF-16: save it as UTF-8, which Excel calls “CSV UTF-8”, and send that',
    image: 'The file is a picture: send a list of advertising ids as CSV or text',
    pdf: 'The file is a PDF document: send a list of advertising ids as CSV or text',
    web_page: 'The file is a web page, as servers send in place of a file: send a list as CSV or text',
    parquet: 'The file is in the Parquet format: send the ids as CSV or text',
    gzip_twice: 'The file is packed by gzip twice: pack it once',
  },
  daysKept: (days: number) =>
    `At most ${numberText(days)} days: postbacks are stored for so long, and nothing older counts`,
  fileUnreadable: 'The file could not be read to its end',
  gzipDamaged: 'The gzip file is damaged or was cut off',
  mostlyInvalid: (lines: number, invalid: number, first: InvalidLine | null) =>
    `${numberText(invalid)} of the ${numberText(lines)} lines have no id that can be read: a file that replaces an audience needs ids in half of its lines${firstText(first)}`,
  noValidIds: (lines: number, first: InvalidLine | null) =>
    `None of the ${numberText(lines)} lines has an id that can be read${firstText(first)}`,
  tooManyIds: (max: number) => `The audience would have more than ${numberText(max)} ids`,
  tooLongFile: (max: number) => `The file has more than ${numberText(max)} bytes, after it is unpacked`,
  unpacksTooFar:
    'The gzip file unpacks to more than 50 times its size, as no list of ids does: send the list without what repeats in it',
  tooSlow: (ms: number) =>
    `The import took more than ${Math.round(ms / 60_000)} minutes: send the list in several files, the first to replace and the others to add`,
  otherKind: (stored: string, given: string) =>
    `The audience has ${stored} ids and the file ${given} ids: replace the audience, or send the same kind`,
  addressPrivate: 'The address leads to a private network',
  addressFailed: (status: number | null) =>
    status === null
      ? 'The server of the address does not respond'
      : `The server of the address responds with ${status}`,
  addressTooSlow: 'The server of the address sends the file too slowly: less than 64 KiB a second',
  interrupted: 'The import was interrupted too often',
  superseded: 'A newer file of the partner came before this one was imported',
  pullKeyMissing:
    'AppsFlyer’s file needs a key that this installation lacks: ask its operator to set APPSFLYER_PULL_KEY',
  noDeviceFile: (others: readonly string[]) =>
    `${
      others.length === 0
        ? ''
        : `${others
            .slice(0, FIELDS_NAMED)
            .map((field) => truncate(field, 50))
            .join(', ')}: this network reads no such files. `
    }Send the address of a file of advertising ids, such as url_adid or url_adid_sha256`,
  addressTooLong: (max: number) => `An address has at most ${numberText(max)} characters`,
  keyUnknown:
    'The API key in api_key is not known: it was revoked, or not copied whole. Create one with the scope Audience sync in the profile.',
} as const;
