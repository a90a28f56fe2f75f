import { crc32 } from 'node:zlib';

/**
 * Format of a segment of the event log. Version 2: `BWLOG`, two zeros, the version; then frames of a marker, the record's
 * length, its CRC-32, the CRC-32 of these twelve bytes, and the record. Version 1, which is still read, has no header,
 * and frames of length, CRC-32 and record. All numbers are big-endian.
 */
const VERSION = 2;
const MAGIC = Buffer.from('BWLOG\0\0', 'latin1');
/** Starts with a byte that does not occur in UTF-8, and so not in a JSON record. */
const MARKER = Buffer.from([0xf7, 0xa3, 0x1c, 0x9e]);
const FRAME_HEAD_BYTES = 16;
const OLD_FRAME_HEAD_BYTES = 8;
/** Longest record; a greater length is damage. */
export const RECORD_BYTES_MAX = 1024 * 1024;

/** Header of a segment. */
export const SEGMENT_HEAD = Buffer.concat([MAGIC, Buffer.from([VERSION])]);

/** Encodes a record as a frame. One buffer is faster than one for the head and another for both. */
export function frame(record: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEAD_BYTES + record.length);
  MARKER.copy(bytes);
  bytes.writeUInt32BE(record.length, 4);
  bytes.writeUInt32BE(crc32(record), 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 12)), 12);
  record.copy(bytes, FRAME_HEAD_BYTES);
  return bytes;
}

/** Contents of a segment. */
export interface SegmentContent {
  /** All intact records, in order, before and after damage. */
  records: Buffer[];
  /** Bytes outside of intact records. A truncated last record, and zeros at the end, are not damage. */
  damagedBytes: number;
}

/** The segment was written by a later release. */
export class UnknownSegmentVersion extends Error {}

/** Reads a segment, and continues after damage. Throws {@link UnknownSegmentVersion}. */
export function readSegment(bytes: Buffer): SegmentContent {
  if (bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    const version = bytes[MAGIC.length];
    if (version !== undefined && version > VERSION)
      throw new UnknownSegmentVersion(`The segment has version ${version}; this release reads ${VERSION}.`);
    return readFrames(bytes, Math.min(SEGMENT_HEAD.length, bytes.length), newFormat);
  }
  // The header itself may be damaged.
  const isNew = newFormat.next(bytes, 0) !== -1;
  return readFrames(bytes, 0, isNew ? newFormat : oldFormat);
}

interface FrameFormat {
  /** End of the intact frame at an offset; -1 where there is none. */
  endOf(bytes: Buffer, at: number): number;
  /** Start of the next intact frame at or after an offset; -1 when there is none. */
  next(bytes: Buffer, from: number): number;
  /** Whether the rest looks like a frame that was not completely written. */
  isCutOff(rest: Buffer): boolean;
  headBytes: number;
}

function readFrames(bytes: Buffer, start: number, format: FrameFormat): SegmentContent {
  const records: Buffer[] = [];
  let damagedBytes = 0;
  for (let at = start; at < bytes.length;) {
    const end = format.endOf(bytes, at);
    if (end !== -1) {
      records.push(bytes.subarray(at + format.headBytes, end));
      at = end;
      continue;
    }
    const next = format.next(bytes, at + 1);
    const rest = bytes.subarray(at);
    if (next === -1) {
      if (!isZeros(rest) && !format.isCutOff(rest)) damagedBytes += rest.length;
      break;
    }
    damagedBytes += next - at;
    at = next;
  }
  return { records, damagedBytes };
}

const newFormat: FrameFormat = {
  headBytes: FRAME_HEAD_BYTES,
  endOf(bytes, at) {
    const recordAt = at + FRAME_HEAD_BYTES;
    if (recordAt > bytes.length || !hasHead(bytes, at)) return -1;
    const end = recordAt + bytes.readUInt32BE(at + 4);
    if (end > bytes.length) return -1;
    return crc32(bytes.subarray(recordAt, end)) === bytes.readUInt32BE(at + 8) ? end : -1;
  },
  next(bytes, from) {
    for (let at = bytes.indexOf(MARKER, from); at !== -1; at = bytes.indexOf(MARKER, at + 1))
      if (newFormat.endOf(bytes, at) !== -1) return at;
    return -1;
  },
  isCutOff(rest) {
    if (rest.length < FRAME_HEAD_BYTES)
      return rest.subarray(0, MARKER.length).equals(MARKER.subarray(0, Math.min(rest.length, MARKER.length)));
    return hasHead(rest, 0) && FRAME_HEAD_BYTES + rest.readUInt32BE(4) > rest.length;
  },
};

function hasHead(bytes: Buffer, at: number): boolean {
  return (
    bytes.subarray(at, at + MARKER.length).equals(MARKER) &&
    bytes.readUInt32BE(at + 4) <= RECORD_BYTES_MAX &&
    crc32(bytes.subarray(at, at + 12)) === bytes.readUInt32BE(at + 12)
  );
}

const oldFormat: FrameFormat = {
  headBytes: OLD_FRAME_HEAD_BYTES,
  endOf(bytes, at) {
    const recordAt = at + OLD_FRAME_HEAD_BYTES;
    if (recordAt > bytes.length) return -1;
    const length = bytes.readUInt32BE(at);
    const end = recordAt + length;
    if (length === 0 || length > RECORD_BYTES_MAX || end > bytes.length) return -1;
    return crc32(bytes.subarray(recordAt, end)) === bytes.readUInt32BE(at + 4) ? end : -1;
  },
  next(bytes, from) {
    for (let at = from; at + OLD_FRAME_HEAD_BYTES < bytes.length; at += 1)
      if (oldFormat.endOf(bytes, at) !== -1) return at;
    return -1;
  },
  isCutOff(rest) {
    if (rest.length < OLD_FRAME_HEAD_BYTES) return true;
    const length = rest.readUInt32BE(0);
    return length > 0 && length <= RECORD_BYTES_MAX && OLD_FRAME_HEAD_BYTES + length > rest.length;
  },
};

function isZeros(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
