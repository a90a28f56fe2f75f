/** Files that people send in place of a list of ids: each has a message that says what to send. */
export type OtherFormat =
  | 'excel'
  | 'zip'
  | 'archive'
  | 'utf16'
  | 'image'
  | 'pdf'
  | 'web_page'
  | 'parquet'
  | 'gzip_twice';

const SIGNATURES: readonly [format: OtherFormat, bytes: readonly number[]][] = [
  ['utf16', [0xff, 0xfe]],
  ['utf16', [0xfe, 0xff]],
  ['gzip_twice', [0x1f, 0x8b]],
  ['excel', [0xd0, 0xcf, 0x11, 0xe0]],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [...Buffer.from('GIF8')]],
  ['pdf', [...Buffer.from('%PDF')]],
  ['parquet', [...Buffer.from('PAR1')]],
  ['archive', [...Buffer.from('Rar!')]],
  ['archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['archive', [...Buffer.from('BZh')]],
  ['archive', [0xfd, 0x37, 0x7a, 0x58]],
  ['archive', [0x28, 0xb5, 0x2f, 0xfd]],
];
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const TAR_AT = 257;

/** What a file is by its first bytes, after it is unpacked; null for one that may be a list. */
export function otherFormatOf(start: Buffer): OtherFormat | null {
  if (start.subarray(0, ZIP.length).equals(ZIP)) return isWorkbook(start) ? 'excel' : 'zip';
  const known = SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (known) return known[0];
  if (start.toString('latin1', TAR_AT, TAR_AT + 5) === 'ustar') return 'archive';
  // Every second byte of ASCII in UTF-16 is 0.
  if ((start[0] === 0 && start[2] === 0) || (start[1] === 0 && start[3] === 0)) return 'utf16';
  // After a byte order mark, too: no list begins with a tag.
  return /^(?:\u00EF\u00BB\u00BF)?\s*<[!?a-z]/i.test(start.toString('latin1', 0, 200)) ? 'web_page' : null;
}

/** Whether a ZIP file is a workbook of Excel, whose parts have names of their own. */
function isWorkbook(start: Buffer): boolean {
  return start.includes('[Content_Types].xml') || start.includes('xl/');
}
