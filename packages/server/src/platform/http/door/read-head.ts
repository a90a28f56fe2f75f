/** The longest request line with all headers, bytes. As node:http has it. */
export const HEAD_BYTES_MAX = 16_384;
/** In place of the length of a body in chunks. */
export const CHUNKED = -1;
const HEADERS_MAX = 100;
/** Digits of a length: more than any body that is read has. */
const LENGTH_DIGITS_MAX = 10;

/** Headers that are passed on, each by its length, because names are compared byte by byte. */
const KEPT = [
  'traceparent',
  'tracestate',
  'accept-encoding',
  'content-encoding',
  'x-openrtb-version',
  'purpose',
  'sec-purpose',
  'x-moz',
  'x-purpose',
] as const;
type KeptHeader = (typeof KEPT)[number];

/** The first line and the headers of a request. */
export interface Head {
  /** The target of the request as it was sent. */
  readonly url: string;
  /** Position after the head. */
  readonly end: number;
  /** Length of the body in bytes; {@link CHUNKED} where it comes in chunks. */
  readonly bodyBytes: number;
  /** Minor version of HTTP/1. */
  readonly minor: 0 | 1;
  /** Whether the client keeps the connection for further requests. */
  readonly keepsAlive: boolean;
  /** Whether the client waits for 100 before it sends the body. */
  readonly expectsContinue: boolean;
  /** Values of the headers that are passed on, by name in lower case. Several with one name are joined. */
  readonly headers: Partial<Record<string, string>>;
}

/** The status with which a request is refused that is not of the form described at {@link readHead}. */
export type Refusal = 400 | 411 | 417 | 431 | 505;

const SPACE = 0x20;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;
const COLON = 0x3a;
const HASH = 0x23;
const P = 0x50;

const TOKEN = table((code) => /[\w!#$%&'*+.^`|~-]/.test(String.fromCharCode(code)) && code < 0x80);
const VALUE = table((code) => code === TAB || (code >= SPACE && code !== 0x7f));
const TARGET = table((code) => code > SPACE && code < 0x7f && code !== HASH);

function table(isIn: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
}

/** What is known of a head while its headers are read. */
interface Draft {
  length: number | null;
  isChunked: boolean;
  hasHost: boolean;
  isClosed: boolean;
  isKept: boolean;
  expectsContinue: boolean;
  headers: Partial<Record<string, string>>;
}

/**
 * Reads the head of a request that begins at `at`. The bytes up to `targetAt` are known to be its method, and those up to `prefixEnd` the
 * beginning of its target. Null while it is incomplete. Only what every reader of HTTP reads in one way is accepted (RFC 9112): CRLF at each end of a line, names of
 * headers next to their colon, no folded lines, one length of the body in digits or `chunked` alone, which a POST has, one host. Anything else is a
 * {@link Refusal}, so that a proxy in front and this server cannot see two different requests in the same bytes.
 */
export function readHead(
  bytes: Buffer,
  at: number,
  targetAt: number,
  prefixEnd: number,
): Head | Refusal | null {
  const end = Math.min(bytes.length, at + HEAD_BYTES_MAX);
  const incomplete = end - at === HEAD_BYTES_MAX ? 431 : null;
  let position = prefixEnd;
  while (position < end && TARGET[bytes[position]!] === 1) position += 1;
  if (position === end) return incomplete;
  if (bytes[position] !== SPACE) return 400;
  const targetEnd = position;
  const minor = readVersion(bytes, targetEnd + 1, end);
  if (minor === null) return incomplete;
  if (minor === 400 || minor === 505) return minor;
  const draft: Draft = {
    length: null,
    isChunked: false,
    hasHost: false,
    isClosed: false,
    isKept: false,
    expectsContinue: false,
    headers: {},
  };
  position = targetEnd + 1 + VERSION.length + 3;
  for (let count = 0; ; count += 1) {
    if (position >= end) return incomplete;
    if (bytes[position] === CR) {
      if (position + 1 === end) return incomplete;
      if (bytes[position + 1] !== LF) return 400;
      const isPost = bytes[at] === P;
      return headOf(draft, bytes.toString('latin1', targetAt, targetEnd), minor, isPost, position + 2);
    }
    if (count === HEADERS_MAX) return 431;
    const nameAt = position;
    while (position < end && TOKEN[bytes[position]!] === 1) position += 1;
    if (position === end) return incomplete;
    const nameEnd = position;
    if (nameEnd === nameAt || bytes[nameEnd] !== COLON) return 400;
    position += 1;
    while (position < end && (bytes[position] === SPACE || bytes[position] === TAB)) position += 1;
    const valueAt = position;
    while (position < end && VALUE[bytes[position]!] === 1) position += 1;
    if (position + 1 >= end) return position < end && bytes[position] !== CR ? 400 : incomplete;
    if (bytes[position] !== CR || bytes[position + 1] !== LF) return 400;
    let valueEnd = position;
    while (valueEnd > valueAt && bytes[valueEnd - 1] === SPACE) valueEnd -= 1;
    // Readers of HTTP differ in whether such a value is a number.
    if (valueEnd > valueAt && bytes[valueEnd - 1] === TAB) return 400;
    const refusal = readHeader(draft, bytes, nameAt, nameEnd, valueAt, valueEnd);
    if (refusal !== null) return refusal;
    position += 2;
  }
}

const VERSION = Buffer.from('HTTP/1.');

/** The minor version of HTTP/1 at a position, which CRLF has to follow; null while the line is incomplete. */
function readVersion(bytes: Buffer, at: number, end: number): 0 | 1 | 400 | 505 | null {
  for (let index = 0; index < VERSION.length; index += 1) {
    if (at + index >= end) return null;
    if (bytes[at + index] !== VERSION[index]) return index < 5 ? 400 : 505;
  }
  const rest = at + VERSION.length;
  if (rest >= end) return null;
  const minor = bytes[rest]! - 0x30;
  if (minor !== 0 && minor !== 1) return 505;
  if (rest + 1 >= end) return null;
  if (bytes[rest + 1] !== CR) return 400;
  if (rest + 2 >= end) return null;
  return bytes[rest + 2] === LF ? minor : 400;
}

/** Takes a header into the draft. Its name is compared with the few that matter, which are told apart by their length first. */
function readHeader(
  draft: Draft,
  bytes: Buffer,
  nameAt: number,
  nameEnd: number,
  valueAt: number,
  valueEnd: number,
): Refusal | null {
  switch (nameEnd - nameAt) {
    case 4:
      if (!isNamed(bytes, nameAt, 'host')) return null;
      if (draft.hasHost) return 400;
      draft.hasHost = true;
      return null;
    case 5:
      return keep(draft, 'x-moz', bytes, nameAt, valueAt, valueEnd);
    case 6:
      if (!isNamed(bytes, nameAt, 'expect')) return null;
      if (bytes.toString('latin1', valueAt, valueEnd).toLowerCase() !== '100-continue') return 417;
      draft.expectsContinue = true;
      return null;
    case 7:
      if (isNamed(bytes, nameAt, 'upgrade') || isNamed(bytes, nameAt, 'trailer')) return 400;
      return keep(draft, 'purpose', bytes, nameAt, valueAt, valueEnd);
    case 9:
      return keep(draft, 'x-purpose', bytes, nameAt, valueAt, valueEnd);
    case 10:
      if (isNamed(bytes, nameAt, 'connection')) return readConnection(draft, bytes, valueAt, valueEnd);
      return keep(draft, 'tracestate', bytes, nameAt, valueAt, valueEnd);
    case 11:
      if (isNamed(bytes, nameAt, 'sec-purpose'))
        return keep(draft, 'sec-purpose', bytes, nameAt, valueAt, valueEnd);
      return keep(draft, 'traceparent', bytes, nameAt, valueAt, valueEnd);
    case 14:
      if (!isNamed(bytes, nameAt, 'content-length')) return null;
      return readLength(draft, bytes, valueAt, valueEnd);
    case 15:
      return keep(draft, 'accept-encoding', bytes, nameAt, valueAt, valueEnd);
    case 16:
      if (isNamed(bytes, nameAt, 'proxy-connection')) return 400;
      return keep(draft, 'content-encoding', bytes, nameAt, valueAt, valueEnd);
    case 17:
      if (!isNamed(bytes, nameAt, 'transfer-encoding'))
        return keep(draft, 'x-openrtb-version', bytes, nameAt, valueAt, valueEnd);
      if (draft.isChunked || bytes.toString('latin1', valueAt, valueEnd).toLowerCase() !== 'chunked')
        return 400;
      draft.isChunked = true;
      return null;
    default:
      return null;
  }
}

function keep(
  draft: Draft,
  name: KeptHeader,
  bytes: Buffer,
  nameAt: number,
  valueAt: number,
  valueEnd: number,
): null {
  if (!isNamed(bytes, nameAt, name)) return null;
  const value = bytes.toString('latin1', valueAt, valueEnd);
  const before = draft.headers[name];
  draft.headers[name] = before === undefined ? value : `${before}, ${value}`;
  return null;
}

/** Whether the bytes are a name of the same length, in letters of any case. */
function isNamed(bytes: Buffer, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = name.charCodeAt(index);
    const byte = bytes[at + index]!;
    // Of a letter in upper case, and of nothing else in a name, the bit is not set.
    if (byte !== code && (byte | 0x20) !== code) return false;
  }
  return true;
}

function readLength(draft: Draft, bytes: Buffer, valueAt: number, valueEnd: number): Refusal | null {
  if (draft.length !== null || valueEnd === valueAt || valueEnd - valueAt > LENGTH_DIGITS_MAX) return 400;
  let length = 0;
  for (let position = valueAt; position < valueEnd; position += 1) {
    const digit = bytes[position]! - 0x30;
    if (digit < 0 || digit > 9) return 400;
    length = length * 10 + digit;
  }
  draft.length = length;
  return null;
}

function readConnection(draft: Draft, bytes: Buffer, valueAt: number, valueEnd: number): Refusal | null {
  for (const option of bytes.toString('latin1', valueAt, valueEnd).toLowerCase().split(',')) {
    const name = option.trim();
    if (name === 'close') draft.isClosed = true;
    else if (name === 'keep-alive') draft.isKept = true;
    // An option may name any header as one for the next hop alone: none of these is known to matter here, but an upgrade is.
    else if (name === 'upgrade') return 400;
  }
  return null;
}

function headOf(draft: Draft, url: string, minor: 0 | 1, isPost: boolean, end: number): Head | Refusal {
  if (draft.isChunked && (draft.length !== null || minor === 0)) return 400;
  if (minor === 1 && !draft.hasHost) return 400;
  // A body that follows would be read as the next request.
  if (isPost && !draft.isChunked && draft.length === null) return 411;
  return {
    url,
    end,
    minor,
    bodyBytes: draft.isChunked ? CHUNKED : (draft.length ?? 0),
    keepsAlive: !draft.isClosed && (minor === 1 || draft.isKept),
    expectsContinue: draft.expectsContinue && minor === 1,
    headers: draft.headers,
  };
}
