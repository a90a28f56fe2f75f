import { parse as parseUuid } from 'uuid';

const DAY_MS = 86_400_000;
const WORDS = 4;

/** Unix ms at which a UUIDv7 was made (RFC 9562, section 5.7). */
export function uuidTimeMs(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/**
 * Remembers which (bid, kind) pairs were seen, for bids up to `days` old. A bid's id holds its day, so whole days are
 * forgotten at once and nothing grows for ever. Exact: no pair is ever taken for another.
 */
export class SeenWindow {
  readonly #days: number;
  readonly #sets = new Map<number, IdSet>();

  constructor(days: number) {
    this.#days = days;
  }

  /** False when the pair was seen before. `kindIndex` is 0 to 63. */
  add(bidId: string, kindIndex: number): boolean {
    const day = Math.floor(uuidTimeMs(bidId) / DAY_MS);
    let set = this.#sets.get(day);
    if (!set) this.#sets.set(day, (set = new IdSet()));
    return set.add(keyOf(bidId, kindIndex));
  }

  /** Takes a pair back, so that it may come again. */
  remove(bidId: string, kindIndex: number): void {
    this.#sets.get(Math.floor(uuidTimeMs(bidId) / DAY_MS))?.remove(keyOf(bidId, kindIndex));
  }

  /** Whether a bid is too old to be remembered (or claims to be of the future). */
  expired(bidId: string, nowMs: number): boolean {
    const ageMs = nowMs - uuidTimeMs(bidId);
    return ageMs > this.#days * DAY_MS || ageMs < -DAY_MS;
  }

  /** Drops the days that have passed. */
  forget(nowMs: number): void {
    const first = Math.floor(nowMs / DAY_MS) - this.#days - 1;
    for (const day of this.#sets.keys()) if (day < first) this.#sets.delete(day);
  }
}

/** The uuid as four words. Its version and variant say nothing (they are always the same): the kind takes their place. */
function keyOf(bidId: string, kindIndex: number): Uint32Array {
  const bytes = parseUuid(bidId);
  bytes[6] = (bytes[6]! & 0x0f) | ((kindIndex & 0x0f) << 4);
  bytes[8] = (bytes[8]! & 0x3f) | ((kindIndex >> 4) << 6);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: WORDS }, (_, word) => view.getUint32(word * 4));
}

/** A set of 128-bit keys in one flat table: 16 bytes a key at most two thirds full. Open addressing, linear probing. */
class IdSet {
  #capacity = 1024;
  #table = new Uint32Array(this.#capacity * WORDS);
  #used = new Uint8Array(this.#capacity);
  #size = 0;

  add(key: Uint32Array): boolean {
    if ((this.#size + 1) * 3 > this.#capacity * 2) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#used[slot]) return false;
    this.#table.set(key, slot * WORDS);
    this.#used[slot] = 1;
    this.#size += 1;
    return true;
  }

  remove(key: Uint32Array): void {
    let slot = this.#slotOf(key);
    if (!this.#used[slot]) return;
    this.#used[slot] = 0;
    this.#size -= 1;
    // The keys behind the hole move up, or probing would miss them.
    for (
      slot = (slot + 1) & (this.#capacity - 1);
      this.#used[slot];
      slot = (slot + 1) & (this.#capacity - 1)
    ) {
      const moved = this.#table.slice(slot * WORDS, (slot + 1) * WORDS);
      this.#used[slot] = 0;
      const home = this.#slotOf(moved);
      this.#table.set(moved, home * WORDS);
      this.#used[home] = 1;
    }
  }

  /** The key's slot, or the free one where it belongs. */
  #slotOf(key: Uint32Array): number {
    // A UUIDv7 is random behind its time, but a bidder's bids share their last word; the kind is stirred in.
    const mixed = key[3]! ^ Math.imul(key[2]!, 0x85eb_ca6b) ^ Math.imul(key[1]!, 0x9e37_79b1);
    let slot = (mixed ^ (mixed >>> 15)) & (this.#capacity - 1);
    while (this.#used[slot] && !this.#holds(slot, key)) slot = (slot + 1) & (this.#capacity - 1);
    return slot;
  }

  #holds(slot: number, key: Uint32Array): boolean {
    const at = slot * WORDS;
    for (let word = 0; word < WORDS; word += 1) if (this.#table[at + word] !== key[word]) return false;
    return true;
  }

  #grow(): void {
    const table = this.#table;
    const used = this.#used;
    this.#capacity *= 2;
    this.#table = new Uint32Array(this.#capacity * WORDS);
    this.#used = new Uint8Array(this.#capacity);
    for (let old = 0; old < used.length; old += 1) {
      if (!used[old]) continue;
      const key = table.subarray(old * WORDS, (old + 1) * WORDS);
      const slot = this.#slotOf(key);
      this.#table.set(key, slot * WORDS);
      this.#used[slot] = 1;
    }
  }
}
