import type {
  CountedStream,
  MessageBuffer,
  PartitionReader,
  ReadFrom,
  ReadMessage,
  StreamMessage,
} from '@bidwell/server/delivery/counting/event-stream';
import type { EventTable } from '@bidwell/server/delivery/counting/event-table';
import { bidIdIn, messagesOf } from '@bidwell/server/delivery/counting/message';
import {
  Fenced,
  type PartitionMove,
  type PartitionState,
  type PartitionStore,
  type Round,
  SILENCE_MS,
} from '@bidwell/server/delivery/counting/ownership';
import { wordsOf } from '@bidwell/server/delivery/event-store/digest-set';
import { encodeEvent } from '@bidwell/server/delivery/event-log/event-record';
import {
  type EventRow,
  type StoredOfBid,
  storedOfBid,
  partitionOf,
} from '@bidwell/server/delivery/event-store/event-store';
import type { SpendBooking } from '@bidwell/server/delivery/event-log/spend-booking';
import { uuidTimeMs } from '@bidwell/server/delivery/event-log/deduplication-window';
import {
  CHARGE_INDEX,
  type DeliveryEvent,
  NAMED_PRICE_INDEX,
  kindIndexOf,
} from '@bidwell/server/delivery/model/event';
import { addToSum } from '@bidwell/server/platform/group-by';

/** An event stream in memory. */
export class MemoryStream implements CountedStream {
  readonly key: string = 'EVENTS 2026-01-01T00:00:00Z';
  readonly partitions: number;
  #messages: (StreamMessage & { partition: number })[] = [];
  #lastSeq = 0;
  #added = 0;
  /** Readers, and whether each still finds the last message that it has read. */
  readonly #readers = new Map<() => void, () => boolean>();

  constructor(partitions: number) {
    this.partitions = partitions;
  }

  /** Publishes events as one group of a tracker's log. */
  publish(events: readonly DeliveryEvent[]): void {
    const records = events.map((event) => ({ record: encodeEvent(event), bidId: event.ref.bidId }));
    for (const { partition, messages } of messagesOf(records, this.partitions))
      for (const data of messages) this.add(partition, data);
  }

  add(partition: number, data: Buffer): void {
    this.#lastSeq += 1;
    this.#added += 1;
    this.#messages.push({ partition, seq: this.#lastSeq, atMs: this.#added, data });
    for (const read of this.#readers.keys()) read();
  }

  /** Loses its last messages, as NATS may with its power; returns them. Their numbers are given to others. */
  lose(count: number): Buffer[] {
    const lost = this.#messages.splice(Math.max(0, this.#messages.length - count));
    this.#lastSeq = lost.length > 0 ? lost[0]!.seq - 1 : this.#lastSeq;
    for (const [read, isSound] of this.#readers) if (!isSound()) this.#readers.delete(read);
    return lost.map(({ data }) => data);
  }

  /** Bids of the messages that it holds. */
  bids(): string[] {
    return this.#messages.map(({ data }) => bidIdIn(data) ?? '');
  }

  read(partition: number, { after, booked }: ReadFrom, buffer: MessageBuffer): PartitionReader {
    let last: ReadMessage = after;
    const read = (): void => {
      for (const { seq, atMs, data, partition: its } of this.#messages) {
        if (its !== partition || seq <= last.seq) continue;
        if (!buffer.hasRoom()) return;
        last = { seq, atMs };
        buffer.push({ seq, atMs, data });
      }
    };
    const isSound = (): boolean => {
      const isThere =
        last.seq === 0 ||
        this.#messages.some(
          (message) =>
            message.partition === partition && message.seq === last.seq && message.atMs === last.atMs,
        );
      if (!isThere) buffer.messagesLost();
      return isThere;
    };
    const checkBooked = (): void => {
      const own = this.#messages.filter((message) => message.partition === partition);
      const isThere = own.some(
        ({ seq, atMs }) => seq === booked.seq && (booked.atMs === null || atMs <= booked.atMs),
      );
      if (booked.seq > after.seq && !isThere) buffer.bookedLost(own.at(-1)?.seq ?? 0);
    };
    this.#readers.set(read, isSound);
    // Not before the caller has the reader.
    queueMicrotask(() => {
      if (!this.#readers.has(read)) return;
      if (!isSound()) return void this.#readers.delete(read);
      checkBooked();
      read();
    });
    return {
      isSound: () => this.#readers.has(read),
      wake: () => this.#readers.has(read) && read(),
      stop: () => void this.#readers.delete(read),
    };
  }

  async purge(partition: number, beforeSeq: number): Promise<void> {
    this.#messages = this.#messages.filter(
      (message) => message.partition !== partition || message.seq >= beforeSeq,
    );
  }
}

/** Where a step of the memory engines fails; null for nowhere. */
export type Seam =
  | 'look-up'
  | 'before commit'
  | 'after commit'
  | 'before insert'
  | 'within insert'
  | 'after insert';

/** Thrown at a seam. */
export class SeamFailure extends Error {}

/** PostgreSQL's and ClickHouse's part of counting in memory, for all counters of a test. */
export class MemoryEngines {
  /** The clock of the database. */
  nowMs = 0;
  /** Where the next step that comes there fails. */
  seam: Seam | null = null;
  readonly rows: EventRow[] = [];
  /** Booked spend by ad set. */
  readonly booked = new Map<string, number>();
  /** Each amount that was booked, also where {@link standby} has lost it. */
  readonly bookings: number[] = [];
  readonly #partitions: (PartitionState & { owner: string | null })[];
  readonly #seenMs = new Map<string, number>();
  readonly #tokens = new Set<string>();
  #arrival: Promise<void> | null = null;

  constructor(partitions: number) {
    this.#partitions = Array.from({ length: partitions }, (_, partition) => ({
      partition,
      epoch: 0,
      bookedSeq: 0,
      bookedAtMs: null,
      storedSeq: 0,
      storedAtMs: null,
      round: null,
      owner: null,
    }));
  }

  /** Remembers the state of PostgreSQL; the returned function puts it back, as a failover to a standby does that was behind. */
  standby(): () => void {
    const partitions = structuredClone(this.#partitions);
    const booked = new Map(this.booked);
    return () => {
      this.#partitions.splice(0, Infinity, ...partitions);
      this.booked.clear();
      for (const [adsetId, micros] of booked) this.booked.set(adsetId, micros);
    };
  }

  /** Holds the next insert back before it arrives, until the returned function is called. */
  holdInsert(): () => void {
    let arrive = () => {};
    this.#arrival = new Promise((resolve) => (arrive = resolve));
    return () => arrive();
  }

  /** Lets the next insert arrive, if none has come since {@link holdInsert}. */
  holdNone(): void {
    this.#arrival = null;
  }

  /** Whether no one has used the round's token before. */
  #useToken({ id }: Round): boolean {
    const isFirst = !this.#tokens.has(id);
    this.#tokens.add(id);
    return isFirst;
  }

  #fail(seam: Seam): void {
    if (this.seam !== seam) return;
    this.seam = null;
    throw new SeamFailure(seam);
  }

  readonly table: EventTable = {
    insert: async (rows, options) => {
      options?.signal?.throwIfAborted();
      if (rows.length === 0) return;
      const { round } = options!;
      this.#fail('before insert');
      const isCut = this.seam === 'within insert';
      const arrival = this.#arrival;
      this.#arrival = null;
      await arrival;
      if (this.#useToken(round))
        this.rows.push(...(isCut ? rows.filter((_, index) => index % 2 === 1) : rows));
      this.#fail('within insert');
      this.#fail('after insert');
    },
    fence: async (round) => void this.#useToken(round),
    storedByBid: async (bidIds) => {
      this.#fail('look-up');
      const stored = new Map<string, StoredOfBid>();
      for (const bidId of bidIds) {
        const own = this.rows.filter(({ event }) => event.ref.bidId === bidId);
        const rows = own.map(({ event, batch }) => ({
          kind: event.kind,
          batch,
          spendMicros: event.spendMicros,
          marginMicros: event.marginMicros ?? 0,
          isTopUp: event.isTopUp ?? false,
          namedCpmMicros: event.namedCpmMicros ?? 0,
        }));
        if (own.length > 0) stored.set(bidId, storedOfBid(rows));
      }
      return stored;
    },
    countSince: async () => this.rows.length,
    readPairs: async ({ fromMs, beforeMs, count, partitions }, add) => {
      this.#fail('look-up');
      for (const { event } of this.rows) {
        const { bidId } = event.ref;
        const atMs = uuidTimeMs(bidId);
        if (atMs < fromMs || atMs >= beforeMs || !partitions.includes(partitionOf(bidId, count))) continue;
        add(wordsOf(bidId), kindIndexOf(event.kind));
        if (event.spendMicros > 0 && !event.isTopUp) add(wordsOf(bidId), CHARGE_INDEX);
        if (event.namedCpmMicros) add(wordsOf(bidId), NAMED_PRICE_INDEX);
      }
    },
  };

  /** Spend is added only when the whole step succeeds. */
  readonly booking: Pick<SpendBooking, 'bookRound'> = {
    bookRound: async (events, _repeated, fence) => {
      this.#fail('before commit');
      await fence(undefined as never);
      for (const { ref, spendMicros } of events) {
        addToSum(this.booked, ref.adsetId, spendMicros);
        if (spendMicros > 0) this.bookings.push(spendMicros);
      }
      this.#fail('after commit');
    },
  };

  /** The last stored message of each partition. */
  storedPositions(): Map<number, number> {
    return new Map(this.#partitions.map(({ partition, storedSeq }) => [partition, storedSeq]));
  }

  store(counterId: string): PartitionStore {
    const owned = () =>
      this.#partitions.filter(({ owner }) => owner === counterId).map(({ owner: _owner, ...state }) => state);
    const ownOf = ({ partition, epoch }: PartitionState) => {
      const own = this.#partitions[partition]!;
      return own.owner === counterId && own.epoch === epoch ? own : null;
    };
    const move = (positions: readonly PartitionState[], change: { owner: null } | object = {}): void => {
      for (const position of positions) {
        const { storedSeq, storedAtMs, round } = position;
        const own = ownOf(position);
        if (own)
          Object.assign(own, {
            storedSeq: Math.max(own.storedSeq, storedSeq),
            storedAtMs: storedSeq > own.storedSeq ? storedAtMs : own.storedAtMs,
            round: round ?? own.round,
            ...change,
          });
      }
    };
    const isLive = (id: string | null) =>
      id !== null && this.nowMs - (this.#seenMs.get(id) ?? -Infinity) < SILENCE_MS;
    return {
      sync: async () => {
        this.#seenMs.set(counterId, this.nowMs);
        const counters = [...this.#seenMs.keys()].filter(isLive).length;
        const share = Math.ceil(this.#partitions.length / counters);
        for (const partition of this.#partitions) {
          if (owned().length >= share) break;
          if (isLive(partition.owner)) continue;
          partition.owner = counterId;
          partition.epoch += 1;
        }
        const unowned = this.#partitions.filter(({ owner }) => !isLive(owner)).length;
        return { owned: owned(), share, unowned };
      },
      owned: async () => owned(),
      fence: (moves: readonly PartitionMove[]) => async () => {
        if (moves.some((one) => ownOf(one)?.bookedSeq !== one.fromSeq)) throw new Fenced();
        move(moves);
        for (const { partition, bookedSeq, bookedAtMs } of moves)
          Object.assign(this.#partitions[partition]!, { bookedSeq, bookedAtMs });
      },
      persist: async (positions) => move(positions),
      release: async (positions) => move(positions, { owner: null }),
      rewind: async (position) => {
        const own = ownOf(position);
        const { bookedSeq, bookedAtMs, storedSeq, storedAtMs } = position;
        const positions = { bookedSeq, bookedAtMs, storedSeq, storedAtMs };
        if (own) Object.assign(own, { ...positions, epoch: own.epoch + 1, owner: null });
      },
      leave: async () => void this.#seenMs.delete(counterId),
    };
  }
}
