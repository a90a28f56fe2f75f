import type { Logger } from 'pino';
import { invariant } from '../../platform/invariant.ts';
import { DeduplicationWindow } from '../event-log/deduplication-window.ts';
import { UnknownSegmentVersion, readSegment } from '../event-log/segment-format.ts';
import type { CountedStream, PartitionReader, StreamMessage } from './event-stream.ts';
import type { PartitionState, Round } from './ownership.ts';

/** Dependencies of an {@link OwnedPartition}. */
export interface OwnedPartitionDeps {
  stream: Pick<CountedStream, 'read'>;
  log: Logger;
  nowMs: number;
  /** Most bytes that it may read ahead. */
  bytesMax: () => number;
  /** Called when there is something to count. */
  onWaiting: () => void;
}

/** A partition of the stream that this process counts: its read messages, and how far they are counted. */
export class OwnedPartition {
  readonly partition: number;
  readonly epoch: number;
  bookedSeq: number;
  bookedAtMs: number | null;
  storedSeq: number;
  storedAtMs: number | null;
  /** Null once it is known that the round stores nothing more. */
  round: Round | null;
  /** Its stored position as the database has it. */
  persistedSeq: number;
  purgedSeq = 0;
  /** Messages that are not stored yet, in order. */
  readonly waiting: StreamMessage[] = [];
  readonly window: DeduplicationWindow;
  /** The last message that an earlier owner booked. */
  readonly inheritedSeq: number;
  readonly #log: Logger;
  readonly #reader: PartitionReader;
  #waitingBytes = 0;
  /** The last message that was booked and may be stored, although PostgreSQL has lost its booking; 0 for none. */
  #lostSeq = 0;
  /** Number of a message that a later release wrote; it waits for a process of that release. */
  #blockedAt: number | null = null;
  #isRewound = false;
  /** The last message that the stream had when it was found to have lost booked ones; null where it has not. */
  #cutAtSeq: number | null = null;

  /** Takes a partition over, and starts to read it. */
  constructor(state: PartitionState, { stream, log, nowMs, bytesMax, onWaiting }: OwnedPartitionDeps) {
    const { partition, epoch, bookedSeq, bookedAtMs, storedSeq, storedAtMs, round } = state;
    this.partition = partition;
    this.epoch = epoch;
    this.bookedSeq = bookedSeq;
    this.bookedAtMs = bookedAtMs;
    this.storedSeq = storedSeq;
    this.storedAtMs = storedAtMs;
    this.round = round;
    this.persistedSeq = storedSeq;
    this.inheritedSeq = bookedSeq;
    this.window = new DeduplicationWindow(nowMs);
    this.#log = log;
    this.#reader = stream.read(
      partition,
      { after: { seq: storedSeq, atMs: storedAtMs }, booked: { seq: bookedSeq, atMs: bookedAtMs } },
      {
        hasRoom: () => this.#waitingBytes < bytesMax(),
        push: (message) => {
          this.waiting.push(message);
          this.#waitingBytes += message.data.length;
          onWaiting();
        },
        messagesLost: () => void (this.#isRewound = true),
        bookedLost: (endSeq) => void (this.#cutAtSeq = endSeq),
      },
    );
  }

  /** Whether a message of a later release is next. */
  get isBlocked(): boolean {
    return this.#blockedAt !== null;
  }

  /**
   * Whether the stream has lost messages that were read. The messages that were read are counted before the partition is
   * counted anew.
   */
  get isRewound(): boolean {
    return this.#isRewound;
  }

  /**
   * The positions from which the partition is to be counted anew after the stream has lost messages; null where it has not, or
   * where the remaining booked messages are not all stored yet. Booked messages are not booked again.
   */
  rewound(): PartitionState | null {
    const [next] = this.waiting;
    if (this.#isRewound) {
      // Without the time of the last booked message, new messages with the same numbers cannot be distinguished; the
      // remaining booked ones are stored.
      const bookedSeq = this.bookedAtMs === null ? 0 : this.bookedSeq;
      return next ? null : { ...this.position(), bookedSeq, storedSeq: 0, storedAtMs: null };
    }
    if (this.#cutAtSeq === null) return null;
    const isAllStored = next ? this.isAfterLost(next) : this.storedSeq >= this.#cutAtSeq;
    return isAllStored ? { ...this.position(), bookedSeq: this.storedSeq } : null;
  }

  /** Whether a message came after booked ones that the stream has lost: it may have the number of one of them. */
  isAfterLost({ seq, atMs }: StreamMessage): boolean {
    if (this.#cutAtSeq === null || this.#isRewound) return false;
    const isBooked = seq <= this.bookedSeq && (this.bookedAtMs === null || atMs <= this.bookedAtMs);
    return !isBooked || seq > this.#cutAtSeq;
  }

  /** Whether the stream still has the messages that were read, so that they may be deleted by their numbers. */
  isSound(): boolean {
    return this.#reader.isSound();
  }

  /** Whether an earlier round may have stored some of a message. */
  isDoubtful({ seq }: StreamMessage): boolean {
    return seq <= Math.max(this.bookedSeq, this.#lostSeq);
  }

  /** Its positions, for the database. */
  position(): PartitionState {
    const { partition, epoch, bookedSeq, bookedAtMs, storedSeq, storedAtMs, round } = this;
    return { partition, epoch, bookedSeq, bookedAtMs, storedSeq, storedAtMs, round };
  }

  /**
   * Takes over the state in the database: a transaction whose response was lost has recorded its position and its round.
   */
  correct({ partition, bookedSeq, bookedAtMs, round }: PartitionState): void {
    if (bookedSeq >= this.bookedSeq) {
      this.round = round;
      return;
    }
    this.#log.error(
      { partition, bookedSeq, before: this.bookedSeq },
      'PostgreSQL has lost bookings of this partition, as after a failover to a standby that was behind; they are booked anew within the hour',
    );
    this.#lostSeq = Math.max(this.#lostSeq, this.bookedSeq);
    this.bookedSeq = bookedSeq;
    this.bookedAtMs = bookedAtMs;
    this.round ??= round;
  }

  /** Records of a message; null where a later release wrote it. */
  recordsOf({ seq, data }: StreamMessage): readonly Buffer[] | null {
    const { partition } = this;
    if (this.#blockedAt === seq) return null;
    try {
      const { records, damagedBytes } = readSegment(data);
      if (damagedBytes > 0)
        this.#log.error({ partition, seq, damagedBytes }, 'a message of the event stream is damaged');
      return records;
    } catch (error) {
      if (!(error instanceof UnknownSegmentVersion)) throw error;
      this.#blockedAt = seq;
      this.#log.error(
        { err: error, partition, seq },
        'a later release wrote this message of the event stream; it stays there until that release counts it',
      );
      return null;
    }
  }

  /** Drops the first messages, which are stored, and reads on. */
  stored(messages: number): void {
    const done = this.waiting.splice(0, messages);
    for (const { data } of done) this.#waitingBytes -= data.length;
    const { seq, atMs } = done.at(-1)!;
    invariant(seq <= this.bookedSeq, 'events of a partition are stored that are not booked', () => ({
      ...this.position(),
      seq,
    }));
    this.storedSeq = seq;
    this.storedAtMs = atMs;
    this.round = null;
    this.#reader.wake();
  }

  /** Stops reading. */
  stop(): void {
    this.#reader.stop();
  }
}
