import type { EventColumn } from './manifest.ts';

/** Bytes of the types with a fixed length, in the format RowBinary. */
const FIXED_BYTES: Record<string, number> = {
  UUID: 16,
  UInt8: 1,
  UInt16: 2,
  UInt32: 4,
  Int64: 8,
  UInt64: 8,
  DateTime: 4,
  "DateTime64(3, 'UTC')": 8,
};
const TEXTS = new Set(['String', 'LowCardinality(String)']);

/** Bytes of a value of a type; null if values differ in length. Throws for types that no table has. */
export function fixedBytes(type: string): number | null {
  if (TEXTS.has(type)) return null;
  if (!Object.hasOwn(FIXED_BYTES, type)) throw new Error(`Backups do not know the column type ${type}.`);
  return FIXED_BYTES[type]!;
}

/** Columns in the order in which {@link rowReader} reads them: columns of a fixed length first. */
export function inReadingOrder(columns: readonly EventColumn[]): EventColumn[] {
  const isFixed = ({ type }: EventColumn) => fixedBytes(type) !== null;
  return [...columns.filter(isFixed), ...columns.filter((column) => !isFixed(column))];
}

/** Whole rows of a stream. */
export interface Rows {
  bytes: Buffer[];
  rows: number;
  /** Sum of the column `spend_micros`; 0 without it. */
  spendMicros: number;
}

/** The columns of a fixed length of one row. */
export type RowOf = (name: string) => Buffer;

/**
 * Finds the rows in a stream of RowBinary, whose columns are {@link inReadingOrder}. `isIncluded` leaves rows out; it must use
 * the row before it returns.
 */
export function rowReader(columns: readonly EventColumn[], isIncluded: ((row: RowOf) => boolean) | null) {
  const offsets = new Map<string, [from: number, to: number]>();
  let fixed = 0;
  let texts = 0;
  for (const { name, type } of columns) {
    const bytes = fixedBytes(type);
    if (bytes === null) texts += 1;
    else offsets.set(name, [fixed, (fixed += bytes)]);
  }
  const spendAt = offsets.get('spend_micros')?.[0] ?? null;
  let rest: Buffer = Buffer.alloc(0);

  /** The end of the row that starts at `from`; -1 where the rest of it is missing. */
  const endOfRow = (bytes: Buffer, from: number): number => {
    let at = from + fixed;
    for (let text = 0; text < texts; text += 1) {
      let length = 0;
      let byte = 0x80;
      for (let shift = 0; byte >= 0x80; shift += 7) {
        if (at >= bytes.length) return -1;
        byte = bytes[at]!;
        at += 1;
        length += (byte & 0x7f) * 2 ** shift;
      }
      at += length;
    }
    return at <= bytes.length ? at : -1;
  };

  return {
    /** The rows that are complete with this chunk. */
    push(chunk: Uint8Array): Rows {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk);
      const found: Rows = { bytes: [], rows: 0, spendMicros: 0 };
      let keptFrom = 0;
      let at = 0;
      const rowOf: RowOf = (name) => {
        const [from, to] = offsets.get(name)!;
        return bytes.subarray(at + from, at + to);
      };
      for (let end = endOfRow(bytes, at); end >= 0; end = endOfRow(bytes, at)) {
        if (!isIncluded || isIncluded(rowOf)) {
          found.rows += 1;
          if (spendAt !== null)
            found.spendMicros +=
              bytes.readUInt32LE(at + spendAt) + bytes.readInt32LE(at + spendAt + 4) * 2 ** 32;
        } else {
          if (at > keptFrom) found.bytes.push(bytes.subarray(keptFrom, at));
          keptFrom = end;
        }
        at = end;
      }
      if (at > keptFrom) found.bytes.push(bytes.subarray(keptFrom, at));
      rest = bytes.subarray(at);
      return found;
    },
    /** Whether the stream ended with a whole row. */
    isComplete: () => rest.length === 0,
  };
}

/** Unix ms of a UUIDv7 in RowBinary, which has the two halves of a UUID, each with its low byte first. */
export function msOfUuid(bytes: Buffer): number {
  return bytes.readUInt16LE(2) + bytes.readUInt32LE(4) * 2 ** 16;
}

/** Whether a UUID in RowBinary is a UUIDv7. */
export function isTimeUuid(bytes: Buffer): boolean {
  return bytes[1]! >> 4 === 7;
}

/** A UUID as text in the byte order of RowBinary, hexadecimal, for comparisons. */
export function rowBinaryHex(uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  const half = (from: number) =>
    Buffer.from(hex.slice(from, from + 16), 'hex')
      .reverse()
      .toString('hex');
  return half(0) + half(16);
}
