import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { abortAfter, inTime } from '../../platform/concurrency/time-limits.ts';
import { invariant } from '../../platform/invariant.ts';
import { PAIRS_MAX } from '../event-log/deduplication-window.ts';
import type { SpendBooking } from '../event-log/spend-booking.ts';
import { monthOf } from '../event-store/event-store.ts';
import type { DeliveryEvent } from '../model/event.ts';
import {
  type CountedStream,
  type StreamMessage,
  type EventStream,
  StreamReplaced,
  type SharedStream,
} from './event-stream.ts';
import { type CountedRow, type RecordBatch, decide, remember } from './decide.ts';
import { type EventTable, fillWindows } from './event-table.ts';
import { batchOf } from './message.ts';
import { OwnedPartition } from './owned-partition.ts';
import { FRESH_MS, Fenced, type PartitionState, type PartitionStore, type Round } from './ownership.ts';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import { span } from '../../platform/telemetry/tracing.ts';

/** Dependencies of a {@link Counter}. */
interface CounterDeps {
  stream: CountedStream;
  store: PartitionStore;
  table: EventTable;
  booking: Pick<SpendBooking, 'bookRound'>;
  log: Logger;
  now: () => Date;
  /** A clock that only measures durations, ms. */
  clockMs?: () => number;
  /** Called with the events of a round, once they are stored. */
  onCounted: (events: readonly DeliveryEvent[]) => void;
  /** Called when there is something to count. */
  onWaiting?: () => void;
}

/** Limits of a round. */
const ROUND_ROWS = 50_000;
const ROUND_BYTES = 32 * 1024 ** 2;
/**
 * How long ClickHouse may take for a look-up or an insert, so that a connection which was cut without notice is not waited
 * for. It is doubled after each failure, in case that ClickHouse is only slow.
 */
const RESPONSE_MS = 6000;
const RESPONSE_MS_MAX = 30_000;
/** Messages that are read ahead, in bytes: at most for all partitions, and at least for each. */
const BUFFER_BYTES = 64 * 1024 ** 2;
const BUFFER_BYTES_MIN = 1024 ** 2;

/** Messages of a round. */
interface Taken {
  owned: OwnedPartition;
  messages: { message: StreamMessage; records: readonly Buffer[] }[];
}

/** State of a counter, for metrics and readiness. */
interface CounterState {
  /** Whether PostgreSQL confirmed this counter recently. */
  isFresh: boolean;
  share: number;
  /** Partitions that no process counts. */
  unowned: number;
  owned: readonly {
    partition: number;
    /** Age of the oldest message that is read and not stored, ms. */
    lagMs: number;
    isBlocked: boolean;
  }[];
  pairs: number;
}

/**
 * Counts the events of the partitions that it owns. Each step may be repeated, and may fail at any point: before the
 * next round, the counter reads from the database and the event table how far the failed one came.
 */
export class Counter {
  readonly #deps: CounterDeps;
  readonly #clockMs: () => number;
  readonly #owned = new Map<number, OwnedPartition>();
  /** Partitions that go to another counter after the current round. */
  readonly #leaving = new Set<OwnedPartition>();
  #share = 0;
  #unowned = 0;
  #confirmedMs = -Infinity;
  /** Aborted when PostgreSQL has not confirmed this counter in time. */
  #fresh = new AbortController();
  #staleTimer: NodeJS.Timeout | undefined;
  /** Whether the result of the last round is unknown. */
  #isUnsure = false;
  #turn = 0;
  #responseMs = RESPONSE_MS;
  #filling: Promise<void> = Promise.resolve();

  constructor(deps: CounterDeps) {
    this.#deps = deps;
    this.#clockMs = deps.clockMs ?? (() => performance.now());
  }

  state(): CounterState {
    const nowMs = this.#deps.now().getTime();
    const owned = [...this.#owned.values()];
    return {
      isFresh: this.#isFresh(),
      share: this.#share,
      unowned: this.#unowned,
      owned: owned.map(({ partition, waiting, isBlocked }) => ({
        partition,
        lagMs: waiting.length > 0 ? Math.max(0, nowMs - waiting[0]!.atMs) : 0,
        isBlocked,
      })),
      pairs: owned.reduce((sum, { window }) => sum + window.size, 0),
    };
  }

  /** Whether messages wait that a round can take. */
  hasWaiting(): boolean {
    return [...this.#owned.values()].some(({ waiting, isBlocked }) => waiting.length > 0 && !isBlocked);
  }

  /**
   * Sends a heartbeat, and takes over partitions or marks them for release, up to the even share. To be called every
   * second.
   */
  async heartbeat(): Promise<void> {
    const sentMs = this.#clockMs();
    const { owned, share, unowned } = await this.#deps.store.sync();
    this.#confirm(sentMs);
    this.#share = share;
    this.#unowned = unowned;
    this.#adopt(owned);
    const surplus = this.#owned.size - share;
    for (const one of [...this.#owned.values()].slice(this.#owned.size - Math.max(0, surplus)))
      this.#leaving.add(one);
  }

  /**
   * Counts the messages that were read, with one transaction and one insert. Does nothing while its partitions may
   * belong to another.
   */
  async round(): Promise<{ events: number }> {
    if (!this.#isFresh()) return { events: 0 };
    if (this.#isUnsure) {
      const states = await this.#deps.store.owned();
      this.#adopt(states);
      for (const state of states) this.#owned.get(state.partition)!.correct(state);
      this.#isUnsure = false;
    }
    await this.#releaseLeaving();
    await this.#rewind();
    const taken = this.#take();
    let events = 0;
    if (taken.length > 0) {
      try {
        events = await this.#count(taken);
        this.#responseMs = RESPONSE_MS;
      } catch (error) {
        this.#isUnsure = true;
        this.#responseMs = Math.min(2 * this.#responseMs, RESPONSE_MS_MAX);
        throw error;
      }
    }
    if (!this.hasWaiting()) await this.#persist();
    return { events };
  }

  /**
   * Deletes stored messages from the stream, except for the last one, by which a reader recognises the stream. Nothing is
   * deleted from a stream that may have lost messages: it gives their numbers to others.
   */
  async purge(): Promise<void> {
    for (const owned of this.#owned.values()) {
      if (owned.purgedSeq === owned.persistedSeq || !owned.isSound()) continue;
      const { partition, persistedSeq } = owned;
      await this.#deps.stream.purge(partition, persistedSeq);
      owned.purgedSeq = persistedSeq;
    }
  }

  /** Stops reading and gives all partitions up; to be called after the last round. */
  async close(): Promise<void> {
    const owned = [...this.#owned.values()];
    for (const one of owned) this.#drop(one);
    clearTimeout(this.#staleTimer);
    await this.#filling;
    if (owned.length > 0) await this.#deps.store.release(owned.map((one) => one.position()));
    await this.#deps.store.leave();
  }

  #isFresh(): boolean {
    return this.#clockMs() - this.#confirmedMs < FRESH_MS;
  }

  #confirm(sentMs: number): void {
    this.#confirmedMs = sentMs;
    if (this.#fresh.signal.aborted) this.#fresh = new AbortController();
    clearTimeout(this.#staleTimer);
    this.#staleTimer = setTimeout(() => this.#fresh.abort(), sentMs + FRESH_MS - this.#clockMs());
    this.#staleTimer.unref();
  }

  /** Updates the owned partitions from the database. */
  #adopt(states: readonly PartitionState[]): void {
    const byPartition = new Map(states.map((state) => [state.partition, state]));
    for (const owned of this.#owned.values())
      if (byPartition.get(owned.partition)?.epoch !== owned.epoch) this.#drop(owned);
    const added: OwnedPartition[] = [];
    for (const state of states) {
      const owned = this.#owned.get(state.partition);
      // A transaction whose response was lost may have moved it.
      if (!owned) added.push(this.#add(state));
      else if (state.bookedSeq > owned.bookedSeq) {
        owned.bookedSeq = state.bookedSeq;
        owned.bookedAtMs = state.bookedAtMs;
      }
    }
    for (const { window } of this.#owned.values()) window.limit(Math.floor(PAIRS_MAX / this.#owned.size));
    if (added.length > 0) this.#fill(added);
  }

  #add(state: PartitionState): OwnedPartition {
    const { stream, log, now, onWaiting } = this.#deps;
    const owned = new OwnedPartition(state, {
      stream,
      log,
      nowMs: now().getTime(),
      bytesMax: () => Math.max(BUFFER_BYTES_MIN, BUFFER_BYTES / Math.max(1, this.#owned.size)),
      onWaiting: onWaiting ?? (() => {}),
    });
    this.#owned.set(state.partition, owned);
    return owned;
  }

  #drop(owned: OwnedPartition): void {
    owned.stop();
    this.#leaving.delete(owned);
    if (this.#owned.get(owned.partition) === owned) this.#owned.delete(owned.partition);
  }

  /** Reads the recent events of new partitions; until then they are looked up. */
  #fill(added: readonly OwnedPartition[]): void {
    const { table, stream, now, log } = this.#deps;
    const windows = new Map(added.map(({ partition, window }) => [partition, window]));
    this.#filling = this.#filling
      .then(() => fillWindows(table, windows, stream.partitions, now().getTime()))
      .catch((err: unknown) =>
        log.error({ err }, 'recent events could not be read; every event is looked up in ClickHouse'),
      );
  }

  async #releaseLeaving(): Promise<void> {
    // The stream no longer has the messages that were read from a rewound partition, so they are counted first.
    const leaving = [...this.#leaving].filter(({ isRewound }) => !isRewound);
    if (leaving.length === 0) return;
    for (const owned of leaving) this.#drop(owned);
    // After an error they are still this counter's, and adopted again with the next heartbeat.
    await this.#deps.store.release(leaving.map((one) => one.position()));
  }

  /** Begins partitions anew whose stream has lost messages, once all that is left of the booked ones is stored. */
  async #rewind(): Promise<void> {
    for (const owned of this.#owned.values()) {
      const position = owned.rewound();
      if (!position) continue;
      const { partition, storedSeq, bookedSeq, round } = owned;
      this.#deps.log.error(
        { partition, storedSeq, bookedSeq },
        'the event stream has lost messages of this partition, which is counted anew; what is stored is recognised',
      );
      // Its deduplication window is filled again after this, with all that the round will ever store.
      if (round) await this.#inTime(this.#deps.table.fence(round));
      await this.#deps.store.rewind(position);
      this.#drop(owned);
    }
  }

  /** The next messages of all partitions, which take turns in being the first. */
  #take(): Taken[] {
    const all = [...this.#owned.values()];
    this.#turn += 1;
    const taken: Taken[] = [];
    let rows = 0;
    let bytes = 0;
    for (let index = 0; index < all.length; index += 1) {
      const owned = all[(index + this.#turn) % all.length]!;
      const messages: Taken['messages'] = [];
      for (const message of owned.waiting) {
        if (rows >= ROUND_ROWS || bytes >= ROUND_BYTES || owned.isAfterLost(message)) break;
        const records = owned.recordsOf(message);
        if (!records) break;
        messages.push({ message, records });
        rows += records.length;
        bytes += message.data.length;
      }
      if (messages.length > 0) taken.push({ owned, messages });
    }
    return taken;
  }

  async #count(taken: readonly Taken[]): Promise<number> {
    const { table, booking, stream, store, log, now } = this.#deps;
    const nowMs = now().getTime();
    // During the look-ups a heartbeat may find that a transaction of an earlier round has moved it after all.
    const bookedBefore = new Map(taken.map(({ owned }) => [owned, owned.bookedSeq]));
    await this.#fenceFormer(taken);
    const batches: RecordBatch[] = [];
    const booked = new Set<string>();
    const inherited = new Set<string>();
    for (const { owned, messages } of taken) {
      owned.window.expire(nowMs);
      for (const { message, records } of messages) {
        const batch = batchOf(stream.key, owned.partition, message.seq);
        if (message.seq <= bookedBefore.get(owned)!) booked.add(batch);
        if (message.seq <= owned.inheritedSeq) inherited.add(batch);
        batches.push({ batch, records, doubtful: owned.isDoubtful(message), window: owned.window });
      }
    }
    const { rows, unreadable } = await this.#inTime(decide(table, batches));
    for (const [batch, records] of unreadable)
      log.error({ batch, records }, 'events of the event stream cannot be read and are not counted');
    const missing = rows.filter(({ isStored }) => !isStored);
    const months = new Set(missing.map(({ event }) => monthOf(event)));
    const round: Round = { id: uuidv4(), months: [...months] };
    // Stored events were booked before. If PostgreSQL has lost the booking, a comparison with the event table books
    // them again.
    const isBooked = ({ batch, isStored }: CountedRow) => isStored || booked.has(batch);
    const moved = new Map(taken.map(({ owned, messages }) => [owned, messages]));
    const due = new Set([
      ...moved.keys(),
      ...[...this.#owned.values()].filter(({ storedSeq, persistedSeq }) => storedSeq > persistedSeq),
    ]);
    const positions = [...due].map((owned) => {
      const fromSeq = bookedBefore.get(owned) ?? owned.bookedSeq;
      const messages = moved.get(owned) ?? [];
      return {
        ...owned.position(),
        fromSeq,
        bookedSeq: Math.max(fromSeq, messages.at(-1)?.message.seq ?? 0),
        bookedAtMs: latest(owned.bookedAtMs, messages),
        round: moved.has(owned) ? round : null,
      };
    });
    for (const { owned } of taken) owned.round = round;
    await booking.bookRound(
      rows.filter((row) => !isBooked(row)).map(({ event }) => event),
      rows.filter(isBooked).map(({ event }) => event),
      store.fence(positions),
    );
    for (const [index, owned] of [...due].entries()) {
      const { storedSeq, bookedSeq, bookedAtMs } = positions[index]!;
      invariant(bookedSeq >= owned.bookedSeq, 'the booked position of a partition went back', () => ({
        ...positions[index],
        before: owned.bookedSeq,
      }));
      owned.persistedSeq = storedSeq;
      owned.bookedSeq = bookedSeq;
      owned.bookedAtMs = bookedAtMs;
    }
    // No other process inserts these rows until it knows that this process is silent, and this process stops
    // before that.
    if (!this.#isFresh()) throw new Error('PostgreSQL has not confirmed this counter in time');
    await abortAfter(this.#responseMs, [this.#fresh.signal], async (signal) =>
      table.insert(missing, { round, signal }),
    );
    // A partition's next owner has fenced this round, whose insert then stored nothing.
    if (missing.length > 0) await this.#checkOwned(taken);
    remember(batches, rows);
    for (const { owned, messages } of taken) owned.stored(messages.length);
    // An earlier owner has announced the events that it stored.
    const counted = rows.filter(({ batch, isStored }) => !isStored || !inherited.has(batch));
    if (counted.length > 0) this.#deps.onCounted(counted.map(({ event }) => event));
    return missing.length;
  }

  /**
   * Ends earlier rounds whose inserts may still arrive: rounds of a former owner that was frozen, and rounds that
   * seemed to fail. Later look-ups see all rows that these rounds will ever store.
   */
  async #fenceFormer(taken: readonly Taken[]): Promise<void> {
    const doubtful = taken.filter(({ owned, messages }) => owned.isDoubtful(messages[0]!.message));
    const rounds = new Map(doubtful.flatMap(({ owned: { round } }) => (round ? [[round.id, round]] : [])));
    for (const round of rounds.values()) await this.#inTime(this.#deps.table.fence(round));
    for (const { owned } of doubtful) owned.round = null;
  }

  /** Rejects if ClickHouse takes too long. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    return inTime(work, this.#responseMs, `ClickHouse did not answer within ${this.#responseMs / 1000} s`);
  }

  /** Throws {@link Fenced} unless the partitions are still this counter's. */
  async #checkOwned(taken: readonly Taken[]): Promise<void> {
    const epochs = new Map(
      (await this.#deps.store.owned()).map(({ partition, epoch }) => [partition, epoch]),
    );
    if (taken.some(({ owned }) => epochs.get(owned.partition) !== owned.epoch)) throw new Fenced();
  }

  async #persist(): Promise<void> {
    const due = [...this.#owned.values()].filter(({ storedSeq, persistedSeq }) => storedSeq > persistedSeq);
    if (due.length === 0) return;
    const positions = due.map((one) => one.position());
    await this.#deps.store.persist(positions);
    for (const [index, owned] of due.entries()) owned.persistedSeq = positions[index]!.storedSeq;
  }
}

/** The latest time at which the stream received a booked message, including these messages. */
function latest(bookedAtMs: number | null, messages: Taken['messages']): number | null {
  return messages.reduce<number | null>(
    (atMs, { message }) => Math.max(atMs ?? message.atMs, message.atMs),
    bookedAtMs,
  );
}

/** Dependencies of {@link runCounter}. */
interface RunCounterDeps extends Omit<CounterDeps, 'stream' | 'store' | 'onWaiting'> {
  log: Logger;
  stream: SharedStream;
  /** Resolves once the event table is migrated. Until then counters of the release before may count on. */
  tableReady: Promise<void>;
  /** The positions of a stream, for a new counter of it; prepared for its present end. */
  storeOf(stream: EventStream): Promise<PartitionStore>;
  /** Called after each round that counted something, with its duration. */
  onRound: (round: { seconds: number; events: number }) => void;
}

/** State of the counter of this process. */
export interface RunningState extends CounterState {
  /** Bytes in the stream at the last query; null before that. */
  streamBytes: number | null;
  /** Whether the stream responds: it did in the last eight seconds, and has not refused since. */
  isStreamUp: boolean;
}

/** The counter of this process, while it has the role. */
export interface RunningCounter {
  /** Null while the event table is not migrated, or the stream or PostgreSQL has not been available since the start. */
  state(): RunningState | null;
  /** Finishes the running round and gives the partitions up. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 1000;
/**
 * Shortest time between the beginnings of two rounds: events that arrive meanwhile share one transaction and one
 * insert.
 */
const ROUND_EVERY_MS = 200;
/** How often positions are stored, and partitions released, without anything to count. */
const IDLE_MS = 1000;
const PURGE_EVERY_MS = 3000;
const RETRY_MS = 1000;
/** The stream is queried every three seconds; a response that is so late does not come. */
const STREAM_SILENT_MS = 8000;

/** Counts the partitions that fall to this process, until it is closed; begins anew with a stream that was replaced. */
export function runCounter(deps: RunCounterDeps): RunningCounter {
  const closing = new AbortController();
  let session: Session | null = null;
  const running = (async () => {
    await Promise.race([deps.tableReady, once(closing.signal, 'abort')]);
    while (!closing.signal.aborted) {
      try {
        const stream = await deps.stream.open();
        session = new Session(deps, stream, await deps.storeOf(stream));
        await session.run(closing.signal);
      } catch (err) {
        deps.log.error({ err }, 'the event stream cannot be counted; retrying');
      }
      deps.stream.lost();
      await pause(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  })();
  return {
    state: () => session?.state() ?? null,
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Counting of one stream. */
class Session {
  readonly #deps: RunCounterDeps;
  readonly #stream: EventStream;
  readonly #counter: Counter;
  readonly #ended = new AbortController();
  #streamBytes: number | null = null;
  /** By the monotonic clock; it has just been opened. */
  #streamUpMs = performance.now();
  #wake: (() => void) | undefined;

  constructor(deps: RunCounterDeps, stream: EventStream, store: PartitionStore) {
    this.#deps = deps;
    this.#stream = stream;
    this.#counter = new Counter({ ...deps, stream, store, onWaiting: () => this.#wake?.() });
  }

  state(): RunningState {
    return { ...this.#counter.state(), streamBytes: this.#streamBytes, isStreamUp: this.#isStreamUp() };
  }

  /** Resolves when the process stops or the stream was replaced, and the partitions are given up. */
  async run(closing: AbortSignal): Promise<void> {
    closing.addEventListener('abort', () => this.#end(), { once: true });
    if (closing.aborted) this.#end();
    const { log } = this.#deps;
    const counter = this.#counter;
    const jobs: RepeatingJob[] = [
      repeat(HEARTBEAT_MS, 'count events', log, async () => {
        await counter.heartbeat();
        this.#wake?.();
      }),
      repeat(PURGE_EVERY_MS, 'purge the event stream', log, () => this.#purge()),
    ];
    await counter.heartbeat().catch((err: unknown) => log.error({ err }, 'counting starts later'));
    await this.#rounds();
    await Promise.all(jobs.map((job) => job.stop()));
    await counter.close();
  }

  #isStreamUp(): boolean {
    return performance.now() - this.#streamUpMs < STREAM_SILENT_MS;
  }

  #end(): void {
    this.#ended.abort();
    this.#wake?.();
  }

  async #rounds(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      if (!this.#counter.hasWaiting()) await this.#idle();
      if (signal.aborted) return;
      const startedMs = performance.now();
      let restMs = ROUND_EVERY_MS;
      try {
        const { events } = await span('count events', {}, async () => this.#counter.round());
        const seconds = (performance.now() - startedMs) / 1000;
        if (events > 0) this.#deps.onRound({ seconds, events });
      } catch (err) {
        this.#deps.log.error({ err }, 'events could not be counted; they stay in the stream and are retried');
        restMs = RETRY_MS;
      }
      const leftMs = startedMs + restMs - performance.now();
      if (leftMs > 0) await pause(leftMs, undefined, { signal }).catch(() => {});
    }
  }

  async #idle(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, IDLE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async #purge(): Promise<void> {
    try {
      const { bytes } = await this.#stream.check();
      this.#streamBytes = bytes;
      this.#streamUpMs = performance.now();
      await this.#counter.purge();
    } catch (error) {
      if (!(error instanceof StreamReplaced)) {
        this.#streamUpMs = -Infinity;
        throw error;
      }
      this.#deps.log.error({ err: error }, 'the event stream was replaced; what it held is lost');
      this.#end();
    }
  }
}
