import type { Micros } from '@bidwell/contract/lib/money';
import { NO_SLOT as NONE, SlotTable } from '../../platform/slot-table.ts';
import { RESERVATION_MS, RESERVATION_MS_MAX } from './leases.ts';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';

/** Money that a bid reserves until it is charged, lost or expired. */
export interface Reservation<Holder> {
  readonly holder: Holder;
  readonly micros: Micros;
  readonly exchange: string;
}

/** Bytes that a reservation takes: its columns, and its place in a table that is a quarter to half full. */
const RESERVATION_BYTES = 72;
/** Part of the memory of a process that reservations may take. */
const MEMORY_SHARE = 1 / 8;

/** How many reservations the memory of a process allows. */
export function reservationsMax(memoryMib: number): number {
  return Math.floor((memoryMib * 1024 ** 2 * MEMORY_SHARE) / RESERVATION_BYTES);
}

/** Slots of a block, which is allocated at once. */
const BLOCK_BITS = 14;
const BLOCK_SLOTS = 2 ** BLOCK_BITS;
/** Parts of the look-up by bid, so that growing one takes less than a millisecond. A power of two. */
const TABLES = 1024;

/** The columns of a block. A reservation is linked with the one before and the one after it of the same queue. */
interface Block {
  readonly micros: Float64Array;
  readonly expiresAtMs: Float64Array;
  readonly idHigh: Uint32Array;
  readonly idLow: Uint32Array;
  readonly holder: Uint32Array;
  readonly previous: Uint32Array;
  readonly next: Uint32Array;
  readonly queue: Uint16Array;
}

/** Oldest first, which is the order in which they expire. */
interface Queue {
  readonly exchange: string;
  readonly lengthMs: number;
  oldest: number;
  newest: number;
}

/** When the last charging notice of an exchange came, Unix ms; -Infinity before the first. */
type HeardMs = (exchange: string) => number;
const ALWAYS: HeardMs = () => Infinity;

/**
 * Reservations of bids that wait for their notice, each for the duration that its caller gives, and then until its exchange has sent a
 * later charging notice, or the longest duration is over: while no notices arrive, notices of won bids may be missing. There is a queue for
 * each exchange and distinct duration, so fewer durations are cheaper; at most 65,536. There may be millions, in columns outside of the
 * heap: as objects they took nine times the memory, and each garbage collection visited them. A bid is known by 64 bits of hash of its id;
 * among ten million ids two have the same with a probability of three in a million.
 */
export class Reservations<Holder> {
  readonly #blocks: Block[] = [];
  readonly #tables = Array.from({ length: TABLES }, () => new SlotTable());
  /** Slots that were used and are free again, linked by `next`. */
  #free = NONE;
  #used = 0;
  #size = 0;
  readonly #holders = new Holders<Holder>();
  readonly #queues: Queue[] = [];
  /** Positions of the queues by exchange, and by duration, ms. */
  readonly #positions = new Map<string, Map<number, number>>();

  get size(): number {
    return this.#size;
  }

  add(
    bidId: string,
    holder: Holder,
    micros: Micros,
    nowMs: number,
    reservationMs: number,
    exchange = '',
  ): void {
    const [high, low] = hashOf(bidId);
    const slot = this.#freeSlot();
    const block = this.#blocks[slot >>> BLOCK_BITS]!;
    const at = slot & (BLOCK_SLOTS - 1);
    const queueAt = this.#queueAt(exchange, reservationMs);
    const queue = this.#queues[queueAt]!;
    block.micros[at] = micros;
    block.expiresAtMs[at] = nowMs + reservationMs;
    block.idHigh[at] = high;
    block.idLow[at] = low;
    block.holder[at] = this.#holders.hold(holder);
    block.queue[at] = queueAt;
    block.previous[at] = queue.newest;
    block.next[at] = NONE;
    if (queue.newest === NONE) queue.oldest = slot;
    else this.#blocks[queue.newest >>> BLOCK_BITS]!.next[queue.newest & (BLOCK_SLOTS - 1)] = slot;
    queue.newest = slot;
    this.#tableOf(high).add(slot, low, this.#lowOf);
    this.#size += 1;
  }

  /** Removes and returns a reservation; undefined when there is none. */
  take(bidId: string): Reservation<Holder> | undefined {
    const [high, low] = hashOf(bidId);
    const slot = this.#tableOf(high).take(low, this.#lowOf, (candidate) => this.#highOf(candidate) === high);
    return slot === NONE ? undefined : this.#remove(slot);
  }

  /**
   * Removes up to `max` expired reservations, the oldest of each queue first, and passes each to `freed`. All notices that came
   * before `untilMs` are known.
   */
  expire(
    untilMs: number,
    max: number,
    freed: (reservation: Reservation<Holder>) => void,
    heardMs: HeardMs = ALWAYS,
  ): void {
    let left = max;
    for (const queue of this.#queues) {
      if (queue.oldest === NONE) continue;
      const endMs = endOf(queue, untilMs, heardMs);
      for (; left > 0 && queue.oldest !== NONE; left -= 1) {
        const slot = queue.oldest;
        const block = this.#blocks[slot >>> BLOCK_BITS]!;
        if (block.expiresAtMs[slot & (BLOCK_SLOTS - 1)]! > endMs) break;
        this.#tableOf(this.#highOf(slot)).take(this.#lowOf(slot), this.#lowOf, (other) => other === slot);
        freed(this.#remove(slot));
      }
    }
  }

  /** How long the oldest reservation has waited beyond its duration, ms; 0 if none has. */
  overdueMs(untilMs: number): number {
    let overdueMs = 0;
    for (const { oldest } of this.#queues) {
      if (oldest === NONE) continue;
      const expiresAtMs = this.#blocks[oldest >>> BLOCK_BITS]!.expiresAtMs[oldest & (BLOCK_SLOTS - 1)]!;
      overdueMs = Math.max(overdueMs, untilMs - expiresAtMs);
    }
    return overdueMs;
  }

  /** Frees a slot that is not in the look-up any more. */
  #remove(slot: number): Reservation<Holder> {
    const block = this.#blocks[slot >>> BLOCK_BITS]!;
    const at = slot & (BLOCK_SLOTS - 1);
    const [previous, next] = [block.previous[at]!, block.next[at]!];
    const queue = this.#queues[block.queue[at]!]!;
    if (previous === NONE) queue.oldest = next;
    else this.#blocks[previous >>> BLOCK_BITS]!.next[previous & (BLOCK_SLOTS - 1)] = next;
    if (next === NONE) queue.newest = previous;
    else this.#blocks[next >>> BLOCK_BITS]!.previous[next & (BLOCK_SLOTS - 1)] = previous;
    block.next[at] = this.#free;
    this.#free = slot;
    this.#size -= 1;
    return {
      holder: this.#holders.release(block.holder[at]!),
      micros: block.micros[at]!,
      exchange: queue.exchange,
    };
  }

  #freeSlot(): number {
    const slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.#blocks[slot >>> BLOCK_BITS]!.next[slot & (BLOCK_SLOTS - 1)]!;
      return slot;
    }
    if (this.#used === this.#blocks.length * BLOCK_SLOTS) this.#blocks.push(newBlock());
    this.#used += 1;
    return this.#used - 1;
  }

  #queueAt(exchange: string, lengthMs: number): number {
    let positions = this.#positions.get(exchange);
    if (!positions) this.#positions.set(exchange, (positions = new Map()));
    const known = positions.get(lengthMs);
    if (known !== undefined) return known;
    positions.set(lengthMs, this.#queues.length);
    return this.#queues.push({ exchange, lengthMs, oldest: NONE, newest: NONE }) - 1;
  }

  #tableOf(high: number): SlotTable {
    return this.#tables[high & (TABLES - 1)]!;
  }

  #highOf(slot: number): number {
    return this.#blocks[slot >>> BLOCK_BITS]!.idHigh[slot & (BLOCK_SLOTS - 1)]!;
  }

  readonly #lowOf = (slot: number): number =>
    this.#blocks[slot >>> BLOCK_BITS]!.idLow[slot & (BLOCK_SLOTS - 1)]!;
}

/** Reservations of a queue that expire until this instant are over. */
function endOf({ exchange, lengthMs }: Queue, untilMs: number, heardMs: HeardMs): number {
  const longestMs = untilMs - Math.max(RESERVATION_MS, lengthMs) + lengthMs;
  return longestMs >= untilMs ? untilMs : Math.max(longestMs, Math.min(untilMs, heardMs(exchange)));
}

/** Numbers for the holders of reservations, for as long as they hold any. */
class Holders<Holder> {
  readonly #numbers = new Map<Holder, number>();
  readonly #holders: (Holder | null)[] = [];
  readonly #counts: number[] = [];
  readonly #free: number[] = [];

  hold(holder: Holder): number {
    let number = this.#numbers.get(holder);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#holders.length;
      this.#numbers.set(holder, number);
      this.#holders[number] = holder;
      this.#counts[number] = 0;
    }
    this.#counts[number]! += 1;
    return number;
  }

  release(number: number): Holder {
    const holder = this.#holders[number]!;
    this.#counts[number]! -= 1;
    if (this.#counts[number] === 0) {
      this.#numbers.delete(holder);
      this.#holders[number] = null;
      this.#free.push(number);
    }
    return holder;
  }
}

function newBlock(): Block {
  const column = () => new Uint32Array(BLOCK_SLOTS);
  return {
    micros: new Float64Array(BLOCK_SLOTS),
    expiresAtMs: new Float64Array(BLOCK_SLOTS),
    idHigh: column(),
    idLow: column(),
    holder: column(),
    previous: column(),
    next: column(),
    queue: new Uint16Array(BLOCK_SLOTS),
  };
}

/** Two hashes of 32 bits: FNV-1a, and a multiplicative one, each with its bits mixed at the end. */
function hashOf(text: string): [high: number, low: number] {
  let high = 0x811c_9dc5;
  let low = 0x1234_5678;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x0100_0193);
    low = Math.imul(low, 31) + code;
  }
  return [mixed(high), mixed(low)];
}

/** The finalizer of MurmurHash3. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85eb_ca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Durations for which a reservation may be held, ms. Only a few, so that bids of one duration expire in the order in
 * which they were sent. They are also the buckets in which the delays of notices are counted.
 */
const LENGTHS_MS = [10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600].map(
  (seconds) => seconds * 1000,
);
/** Longer durations, of exchanges that cache ads: the same steps. */
const CACHED_LENGTHS_MS = [900, 1200, 1800, 2700, 3600, 5400, RESERVATION_MS_MAX / 1000].map(
  (seconds) => seconds * 1000,
);
/** Share of charging notices that should arrive before the reservation expires. */
const PERCENTILE = 0.99;
/** Notices of an exchange before their delays are used: three of them are beyond the percentile. */
const NOTICES_MIN = 300;
/** At this many notices all counts are halved, so that older ones weigh less. */
const NOTICES_MAX = 20_000;
/** Time that a notice may take to arrive after the impression. */
const TRANSPORT_MS = 15_000;
const EVICT_EVERY_MS = 1000;
/** Bids of one exchange that are followed at once: a sample, where more of them are open. */
const FOLLOWED_MAX = 20_000;

interface Exchange {
  /** Notices by delay: a bucket for each of {@link LENGTHS_MS}, and a last one for later notices. */
  counts: number[];
  total: number;
  /** 99th percentile of the delays; null while there are too few notices. */
  learnedMs: number | null;
  followed: number;
  /** When the last charging notice came, Unix ms. */
  heardMs: number;
}

/**
 * Learns how long after a bid each exchange sends the charging notice, and derives how long to hold a reservation.
 * Notices that arrive after their reservation expired are counted too, up to {@link RESERVATION_MS} after the bid.
 */
export class ReservationTimes {
  readonly #exchanges = new Map<string, Exchange>();
  /** The exchange of each followed bid, oldest bid first. */
  readonly #followed = new Map<string, Exchange>();
  #evictedAtMs = -Infinity;

  /**
   * How long to hold a bid's reservation, ms: the 99th percentile of the exchange's delays, or less where the exchange
   * says how many seconds may pass until the impression (OpenRTB 2.6, 3.2.4 `exp`). At most ten minutes, which also
   * applies while there are too few notices. An exchange that caches ads (`cachedSeconds`) may show each until its time is over, and
   * most of its notices come sooner: the delays are not used.
   */
  reservationMs(
    exchange: string,
    expiresAfterSeconds: number | null,
    cachedSeconds: number | null = null,
  ): number {
    const longestMs =
      cachedSeconds === null
        ? (this.#exchanges.get(exchange)?.learnedMs ?? RESERVATION_MS)
        : lengthOf(cachedSeconds * 1000);
    if (expiresAfterSeconds === null) return longestMs;
    return Math.min(longestMs, lengthOf(expiresAfterSeconds * 1000 + TRANSPORT_MS));
  }

  /** Starts to follow a bid that was sent, unless too many bids of its exchange are followed. */
  sent(bidId: string, exchange: string, nowMs: number): void {
    this.#evict(nowMs);
    let learning = this.#exchanges.get(exchange);
    if (!learning) {
      learning = {
        counts: [0, ...LENGTHS_MS.map(() => 0)],
        total: 0,
        learnedMs: null,
        followed: 0,
        heardMs: -Infinity,
      };
      this.#exchanges.set(exchange, learning);
    }
    if (learning.followed >= FOLLOWED_MAX) return;
    learning.followed += 1;
    this.#followed.set(bidId, learning);
  }

  /** When the last charging notice of an exchange came, Unix ms; -Infinity before the first. */
  heardMs(exchange: string): number {
    return this.#exchanges.get(exchange)?.heardMs ?? -Infinity;
  }

  /**
   * Records that a bid was charged or lost, by a notice that came at `heardMs` or later. `slug` is its exchange, null where
   * the caller does not know it.
   */
  ended(bidId: string, charged: boolean, nowMs: number, slug: string | null = null, heardMs = nowMs): void {
    const followed = this.#followed.get(bidId);
    if (followed) {
      this.#followed.delete(bidId);
      followed.followed -= 1;
    }
    if (!charged) return;
    // Without loss notices most bids are not followed, and their notices show all the same that notices arrive.
    const exchange = followed ?? (slug === null ? undefined : this.#exchanges.get(slug));
    if (exchange) exchange.heardMs = Math.max(exchange.heardMs, heardMs);
    if (followed) learn(followed, nowMs - uuidTimeMs(bidId));
  }

  /** Runs at most once a second, because iterating a map steps over the entries deleted at its front. */
  #evict(nowMs: number): void {
    if (Math.abs(nowMs - this.#evictedAtMs) < EVICT_EVERY_MS) return;
    this.#evictedAtMs = nowMs;
    for (const [bidId, exchange] of this.#followed) {
      if (nowMs - uuidTimeMs(bidId) < RESERVATION_MS) return;
      this.#followed.delete(bidId);
      exchange.followed -= 1;
    }
  }
}

function learn(exchange: Exchange, delayMs: number): void {
  const index = LENGTHS_MS.findIndex((lengthMs) => delayMs <= lengthMs);
  const { counts } = exchange;
  counts[index < 0 ? counts.length - 1 : index]! += 1;
  exchange.total += 1;
  if (exchange.total >= NOTICES_MAX) {
    for (let at = 0; at < counts.length; at += 1) counts[at]! /= 2;
    exchange.total /= 2;
  }
  if (exchange.total >= NOTICES_MIN) exchange.learnedMs = percentileMs(exchange);
}

function percentileMs({ counts, total }: Exchange): number {
  let sum = 0;
  for (const [index, lengthMs] of LENGTHS_MS.entries()) {
    sum += counts[index]!;
    if (sum >= total * PERCENTILE) return lengthMs;
  }
  return RESERVATION_MS;
}

/** The shortest duration of a reservation that is at least `ms`, or the longest. */
export function lengthOf(ms: number): number {
  return (
    LENGTHS_MS.find((lengthMs) => lengthMs >= ms) ??
    CACHED_LENGTHS_MS.find((lengthMs) => lengthMs >= ms) ??
    RESERVATION_MS_MAX
  );
}

/**
 * The longest duration for which bids reserved money. It is remembered for at least as long as it lasts, and for ten to twenty minutes where it
 * is shorter.
 */
export class LongestReservation {
  #ms = 0;
  #formerMs = 0;
  #beganAtMs = -Infinity;
  /** The duration that the last request stated. */
  #statedMs = RESERVATION_MS;

  /** Adds a bid that reserves money for `reservationMs`. */
  add(reservationMs: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#ms = Math.max(this.#ms, reservationMs);
  }

  /** Removes all bids and with them their reservations. */
  clear(): void {
    this.#ms = 0;
    this.#formerMs = 0;
  }

  /** The longest duration, ms; {@link RESERVATION_MS} where there is none. */
  at(nowMs: number): number {
    this.#turn(nowMs);
    return Math.max(this.#ms, this.#formerMs) || RESERVATION_MS;
  }

  /** Records that a request stated `ms`. */
  state(ms: number): void {
    this.#statedMs = ms;
  }

  /** Whether a bid since the last request may reserve money for longer than the request stated. */
  get isUnderstated(): boolean {
    return Math.max(this.#ms, this.#formerMs) > this.#statedMs;
  }

  #turn(nowMs: number): void {
    // Negative when the clock was set back.
    const passedMs = nowMs - this.#beganAtMs;
    if (passedMs >= 0 && passedMs < Math.max(RESERVATION_MS, this.#ms)) return;
    this.#formerMs = this.#ms;
    this.#ms = 0;
    this.#beganAtMs = nowMs;
  }
}
