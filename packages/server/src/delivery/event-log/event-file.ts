import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { BidRef } from '../model/event.ts';
import { chargeCpmMicros } from '../model/price-rules.ts';
import { type EventRow, chargedMinToWin } from '../event-store/event-store.ts';
import { NIL } from 'uuid';

type Write = (bytes: BinaryRows, row: EventRow) => void;
type Type = 'UUID' | 'Int64' | 'UInt64' | 'UInt32' | 'UInt16' | 'UInt8' | 'String' | "DateTime64(3, 'UTC')";

const uuid = (read: (row: EventRow) => string): Write => {
  return (bytes, row) => bytes.uuid(read(row));
};
const text = (read: (row: EventRow) => string): Write => {
  return (bytes, row) => bytes.text(read(row));
};
const number = (size: 1 | 2 | 4 | 8, read: (row: EventRow) => number): Write => {
  return (bytes, row) => bytes.number(size, read(row));
};

type Column = readonly [name: string, type: Type, write: Write];

/** The columns of a bid, which are the same for all of its events. */
const ofBid: readonly Column[] = [
  ['bid_id', 'UUID', (bytes, { event }) => bytes.newUuid(event.ref.bidId)],
  ['company_id', 'UUID', uuid(({ event }) => event.ref.companyId)],
  ['app_id', 'UUID', uuid(({ event }) => event.ref.appId)],
  ['campaign_id', 'UUID', uuid(({ event }) => event.ref.campaignId)],
  ['adset_id', 'UUID', uuid(({ event }) => event.ref.adsetId)],
  ['creative_id', 'UUID', uuid(({ event }) => event.ref.creativeId)],
  ['creative_group_id', 'UUID', uuid(({ event }) => event.ref.creativeGroupId)],
  ['creative_type', 'String', text(({ event }) => event.ref.creativeType)],
  ['creative_width', 'UInt16', number(2, ({ event }) => event.ref.width)],
  ['creative_height', 'UInt16', number(2, ({ event }) => event.ref.height)],
  ['creative_duration_ms', 'UInt32', number(4, ({ event }) => event.ref.durationMs)],
  ['exchange', 'String', text(({ event }) => event.ref.exchange)],
  ['bundle', 'String', text(({ event }) => event.ref.bundle)],
  ['os', 'String', text(({ event }) => event.ref.os)],
  ['country', 'String', text(({ event }) => event.ref.country)],
  ['language', 'String', text(({ event }) => event.ref.language)],
  ['bid_cpm_micros', 'Int64', number(8, ({ event }) => event.ref.bidCpmMicros)],
  ['value_cpm_micros', 'Int64', number(8, ({ event }) => event.ref.valueCpmMicros ?? 0)],
  [
    'charged_cpm_micros',
    'Int64',
    number(8, ({ event: { ref } }) => chargeCpmMicros(ref.bidCpmMicros, ref.marginBasisPoints)),
  ],
  ['test', 'UInt8', number(1, ({ event }) => (event.ref.test ? 1 : 0))],
  ['person_key', 'UInt64', (bytes, { event }) => bytes.key(event.ref.personKey)],
];

/** The other columns. */
const ofEvent: readonly Column[] = [
  ['time', "DateTime64(3, 'UTC')", number(8, ({ event }) => event.atMs)],
  ['kind', 'String', text(({ event }) => event.kind)],
  ['spend_micros', 'Int64', number(8, ({ event }) => event.spendMicros)],
  ['margin_micros', 'Int64', number(8, ({ event }) => event.marginMicros ?? 0)],
  ['loss_reason', 'UInt16', number(2, ({ event }) => event.lossReason)],
  ['min_to_win_cpm_micros', 'Int64', number(8, ({ event }) => chargedMinToWin(event))],
  ['named_cpm_micros', 'Int64', number(8, ({ event }) => event.namedCpmMicros ?? 0)],
  ['top_up', 'UInt8', number(1, ({ event }) => (event.isTopUp ? 1 : 0))],
  ['price_fault', 'String', text(({ event }) => event.priceFault ?? '')],
  ['price_text', 'String', text(({ event }) => event.priceText ?? '')],
  ['mark', 'String', text(({ event }) => event.mark)],
  ['untrained', 'String', text(({ event }) => event.untrained ?? '')],
  ['event_name', 'String', text(({ event }) => event.app?.name ?? '')],
  ['revenue_micros', 'Int64', number(8, ({ event }) => event.app?.revenueMicros ?? 0)],
  ['revenue_known', 'UInt8', number(1, ({ event }) => (event.app?.revenueMicros === undefined ? 0 : 1))],
  ['revenue_amount', 'String', text(({ event }) => event.app?.amount ?? '')],
  ['revenue_currency', 'String', text(({ event }) => event.app?.currency ?? '')],
  ['is_ad_revenue', 'UInt8', number(1, ({ event }) => (event.app?.isAdRevenue ? 1 : 0))],
  ['event_at', "DateTime64(3, 'UTC')", number(8, ({ event }) => event.app?.eventAtMs ?? 0)],
  ['install_at', "DateTime64(3, 'UTC')", number(8, ({ event }) => event.app?.installAtMs ?? 0)],
  ['click_bid_id', 'UUID', uuid(({ event }) => event.app?.clickBidId ?? NIL)],
  ['batch', 'UUID', uuid(({ batch }) => batch)],
  ['seq', 'UInt32', number(4, ({ seq }) => seq)],
  ['has_stored_at', 'UInt8', number(1, () => 1)],
];

/** The columns of `events` with the values that the insert of single events gives them (event-store.ts). */
const columns: readonly Column[] = [...ofBid, ...ofEvent];

/**
 * Many events that are inserted at once from a temporary file, as a restore does: several times as fast as the insert of
 * single events. The rows are the same. Events are encoded as they are added, and not kept.
 */
export class EventFile {
  readonly #bytes = new BinaryRows();
  #size = 0;
  /** The bid of the event that was added last, and where its columns are. */
  #bid: { ref: BidRef; from: number; until: number } | null = null;

  /** Number of events that were added. */
  get size(): number {
    return this.#size;
  }

  add(row: EventRow): void {
    const { ref } = row.event;
    if (this.#bid?.ref === ref) this.#bytes.repeat(this.#bid.from, this.#bid.until);
    else {
      const from = this.#bytes.length;
      for (const [, , write] of ofBid) write(this.#bytes, row);
      this.#bid = { ref, from, until: this.#bytes.length };
    }
    for (const [, , write] of ofEvent) write(this.#bytes, row);
    this.#size += 1;
  }

  /** Inserts the events, once, by way of a file in `folder`. */
  async insert(clickhouse: ClickHouse, folder: string): Promise<void> {
    if (this.#size === 0) return;
    const path = join(folder, `events-${randomUUID()}.gz`);
    try {
      // Deleted in a moment: compression would take longer than it saves.
      await writeFile(path, gzipSync(this.#bytes.take(), { level: 0 }));
      await clickhouse.insertFile(
        'events',
        columns.map(([name, type]) => ({ name, type })),
        path,
      );
    } finally {
      this.#bytes.release();
      await rm(path, { force: true });
    }
  }
}

/** Values that are encoded once, of each kind. */
const KNOWN_MAX = 10_000;
const DASH = '-'.charCodeAt(0);
/** Values of the hexadecimal digits by their character codes. */
const hexDigits = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) hexDigits[value.toString(16).charCodeAt(0)] = value;

/** Buffers of files that were inserted. Fresh memory of their size takes longer to touch than the rows to encode. */
const spare: Buffer[] = [];
const SPARE_MAX = 2;

/** Rows in the format RowBinary of ClickHouse. */
class BinaryRows {
  #bytes = spare.pop() ?? Buffer.allocUnsafe(1024 * 1024);
  #length = 0;
  readonly #texts = new Map<string, Buffer>();
  readonly #uuids = new Map<string, Buffer>();

  take(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Gives the buffer back, once the rows are no longer needed. */
  release(): void {
    if (spare.length < SPARE_MAX) spare.push(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  /** Repeats bytes that were written before. */
  repeat(from: number, until: number): void {
    this.#reserve(until - from);
    this.#bytes.copyWithin(this.#length, from, until);
    this.#length += until - from;
  }

  /** An integer, a negative one only of eight bytes; the low byte first. */
  number(size: 1 | 2 | 4 | 8, value: number): void {
    this.#reserve(size);
    const high = Math.floor(value / 2 ** 32);
    let rest = value - high * 2 ** 32;
    for (let byte = 0; byte < Math.min(size, 4); byte += 1) {
      this.#bytes[this.#length + byte] = rest;
      rest >>>= 8;
    }
    if (size === 8) this.#bytes.writeUInt32LE(high >>> 0, this.#length + 4);
    this.#length += size;
  }

  /** A key of sixteen hexadecimal digits; 0 for none. */
  key(digits: string | undefined): void {
    this.#reserve(8);
    this.#bytes.writeBigUInt64LE(digits === undefined ? 0n : BigInt(`0x${digits}`), this.#length);
    this.#length += 8;
  }

  /** A UUID that does not recur. */
  newUuid(id: string): void {
    this.#reserve(16);
    let digit = 0;
    for (let half = 0; half < 16; half += 8)
      for (let byte = 7; byte >= 0; byte -= 1) {
        if (id.charCodeAt(digit) === DASH) digit += 1;
        this.#bytes[this.#length + half + byte] =
          hexDigits[id.charCodeAt(digit)]! * 16 + hexDigits[id.charCodeAt(digit + 1)]!;
        digit += 2;
      }
    this.#length += 16;
  }

  /** A UUID that recurs. */
  uuid(id: string): void {
    let bytes = this.#uuids.get(id);
    if (!bytes) {
      bytes = halvesOf(id);
      if (this.#uuids.size >= KNOWN_MAX) this.#uuids.clear();
      this.#uuids.set(id, bytes);
    }
    this.#append(bytes);
  }

  /** A text after its length in bytes. */
  text(value: string): void {
    let bytes = this.#texts.get(value);
    if (!bytes) {
      bytes = lengthAndText(value);
      if (this.#texts.size < KNOWN_MAX) this.#texts.set(value, bytes);
    }
    this.#append(bytes);
  }

  #append(bytes: Buffer): void {
    const { length } = bytes;
    this.#reserve(length);
    // A few bytes are copied faster one by one.
    for (let index = 0; index < length; index += 1) this.#bytes[this.#length + index] = bytes[index]!;
    this.#length += length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#bytes.length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** A UUID as two halves of eight bytes, each with the low byte first. */
function halvesOf(id: string): Buffer {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  bytes.subarray(0, 8).reverse();
  bytes.subarray(8).reverse();
  return bytes;
}

function lengthAndText(value: string): Buffer {
  const encoded = Buffer.from(value);
  const length: number[] = [];
  let rest = encoded.length;
  for (; rest >= 0x80; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...length, rest]), encoded]);
}
