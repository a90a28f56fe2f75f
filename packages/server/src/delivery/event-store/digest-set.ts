import { randomFillSync } from 'node:crypto';

/** The four big-endian words of a UUID, as signed 32-bit numbers, which need no heap memory of their own. */
export type UuidWords = readonly [number, number, number, number];

/** A 64-bit digest as two signed words; never two zeros. */
export interface Digest {
  high: number;
  low: number;
}

/** Random for each start, so that an attacker cannot choose ids whose digests collide. */
const seeds = randomFillSync(new Int32Array(2));

/** Parses a UUID. */
export function wordsOf(uuid: string): UuidWords {
  return [
    Number.parseInt(uuid.slice(0, 8), 16) | 0,
    Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16) | 0,
    Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16) | 0,
    Number.parseInt(uuid.slice(28, 36), 16) | 0,
  ];
}

const digest: Digest = { high: 0, low: 0 };

/**
 * The digest of a UUID and a small number: two lanes of MurmurHash3 (x86, 32 bits). The returned object is overwritten by
 * the next call.
 */
export function digestOf(words: UuidWords, index: number): Readonly<Digest> {
  let high = seeds[0]!;
  let low = seeds[1]!;
  for (let at = 0; at < 5; at += 1) {
    const word = at < 4 ? words[at]! : index;
    let mixed = Math.imul(word, 0xcc9e_2d51);
    mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593);
    high ^= mixed;
    high = (Math.imul((high << 13) | (high >>> 19), 5) + 0xe654_6b64) | 0;
    mixed = Math.imul(word, 0x239b_961b);
    mixed = Math.imul((mixed << 16) | (mixed >>> 16), 0xab0e_9789);
    low ^= mixed;
    low = (Math.imul((low << 19) | (low >>> 13), 5) + 0x561c_cd1b) | 0;
  }
  low = finish(low ^ high);
  high = finish((high + low) | 0);
  digest.high = high;
  digest.low = high === 0 && low === 0 ? 1 : low;
  return digest;
}

function finish(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85eb_ca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}

const SHARDS = 64;
const CAPACITY_MIN = 12;
const LOAD_MAX = 0.85;
const GROWTH = 1.3;

/**
 * Set of 64-bit digests, about 10.5 bytes each. It grows one shard at a time, so that no insertion blocks the event loop
 * for long.
 */
export class DigestSet {
  readonly #shards: readonly Shard[];
  #size = 0;

  /** `expected` is the number of digests that it will hold, so that tables need not grow. */
  constructor(expected = 0) {
    const capacity = Math.max(CAPACITY_MIN, Math.ceil(expected / SHARDS / LOAD_MAX));
    this.#shards = Array.from({ length: SHARDS }, () => new Shard(capacity));
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes of its tables. */
  get bytes(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.bytes, 0);
  }

  has({ high, low }: Readonly<Digest>): boolean {
    return this.#shards[low & (SHARDS - 1)]!.has(high, low);
  }

  /** Adds a digest; false when it was present. */
  add({ high, low }: Readonly<Digest>): boolean {
    if (!this.#shards[low & (SHARDS - 1)]!.add(high, low)) return false;
    this.#size += 1;
    return true;
  }

  delete({ high, low }: Readonly<Digest>): void {
    if (this.#shards[low & (SHARDS - 1)]!.delete(high, low)) this.#size -= 1;
  }
}

/** Hash table with open addressing and linear probing; two zeros are an empty slot. */
class Shard {
  #capacity: number;
  #table: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#table = new Int32Array(capacity * 2);
  }

  get bytes(): number {
    return this.#table.byteLength;
  }

  has(high: number, low: number): boolean {
    return !this.#isEmpty(this.#slotOf(high, low));
  }

  add(high: number, low: number): boolean {
    let slot = this.#slotOf(high, low);
    if (!this.#isEmpty(slot)) return false;
    if (this.#size + 1 > this.#capacity * LOAD_MAX) {
      this.#grow();
      slot = this.#slotOf(high, low);
    }
    this.#put(slot, high, low);
    this.#size += 1;
    return true;
  }

  delete(high: number, low: number): boolean {
    let slot = this.#slotOf(high, low);
    if (this.#isEmpty(slot)) return false;
    this.#put(slot, 0, 0);
    this.#size -= 1;
    // Entries behind the hole are inserted again, since probing ends at an empty slot.
    for (slot = this.#after(slot); !this.#isEmpty(slot); slot = this.#after(slot)) {
      const movedHigh = this.#table[slot * 2]!;
      const movedLow = this.#table[slot * 2 + 1]!;
      this.#put(slot, 0, 0);
      this.#put(this.#slotOf(movedHigh, movedLow), movedHigh, movedLow);
    }
    return true;
  }

  /** The digest's slot, or the empty one where it belongs. */
  #slotOf(high: number, low: number): number {
    let slot = Math.floor(((high >>> 0) * this.#capacity) / 0x1_0000_0000);
    while (!this.#isEmpty(slot) && (this.#table[slot * 2] !== high || this.#table[slot * 2 + 1] !== low))
      slot = this.#after(slot);
    return slot;
  }

  #after(slot: number): number {
    return slot + 1 === this.#capacity ? 0 : slot + 1;
  }

  #isEmpty(slot: number): boolean {
    return this.#table[slot * 2] === 0 && this.#table[slot * 2 + 1] === 0;
  }

  #put(slot: number, high: number, low: number): void {
    this.#table[slot * 2] = high;
    this.#table[slot * 2 + 1] = low;
  }

  #grow(): void {
    const table = this.#table;
    this.#capacity = Math.ceil(this.#capacity * GROWTH);
    this.#table = new Int32Array(this.#capacity * 2);
    for (let at = 0; at < table.length; at += 2) {
      const high = table[at]!;
      const low = table[at + 1]!;
      if (high !== 0 || low !== 0) this.#put(this.#slotOf(high, low), high, low);
    }
  }
}
