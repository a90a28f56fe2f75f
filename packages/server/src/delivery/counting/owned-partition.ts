import type { Logger } from 'pino';
import { DeduplicationWindow } from '../events/deduplication-window.ts';
import { UnknownSegmentVersion, readSegment } from '../events/segment-format.ts';
import type { CountedStream, PartitionReader, StreamMessage } from './counted-stream.ts';
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

/** A partition of the stream that this process counts: what is read of it, and how far it is counted. */
export class OwnedPartition {
  readonly partition: number;
  readonly epoch: number;
  bookedSeq: number;
  storedSeq: number;
  storedAtMs: number | null;
  /** Null once it is known to store nothing any more. */
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

  /** Takes a partition over, and starts to read it. */
  constructor(state: PartitionState, { stream, log, nowMs, bytesMax, onWaiting }: OwnedPartitionDeps) {
    const { partition, epoch, bookedSeq, storedSeq, storedAtMs, round } = state;
    this.partition = partition;
    this.epoch = epoch;
    this.bookedSeq = bookedSeq;
    this.storedSeq = storedSeq;
    this.storedAtMs = storedAtMs;
    this.round = round;
    this.persistedSeq = storedSeq;
    this.inheritedSeq = bookedSeq;
    this.window = new DeduplicationWindow(nowMs);
    this.#log = log;
    this.#reader = stream.read(
      partition,
      { seq: storedSeq, atMs: storedAtMs },
      {
        hasRoom: () => this.#waitingBytes < bytesMax(),
        push: (message) => {
          this.waiting.push(message);
          this.#waitingBytes += message.data.length;
          onWaiting();
        },
        messagesLost: () => void (this.#isRewound = true),
      },
    );
  }

  /** Whether a message of a later release is next. */
  get isBlocked(): boolean {
    return this.#blockedAt !== null;
  }

  /** Whether the stream has lost messages that were read. What was read is counted before the partition is counted anew. */
  get isRewound(): boolean {
    return this.#isRewound;
  }

  /** Whether the stream still has what was read, so that its messages may be deleted by their numbers. */
  isSound(): boolean {
    return this.#reader.isSound();
  }

  /** Whether an earlier round may have stored some of a message. */
  isDoubtful({ seq }: StreamMessage): boolean {
    return seq <= Math.max(this.bookedSeq, this.#lostSeq);
  }

  /** Its positions, for the database. */
  position(): PartitionState {
    const { partition, epoch, bookedSeq, storedSeq, storedAtMs, round } = this;
    return { partition, epoch, bookedSeq, storedSeq, storedAtMs, round };
  }

  /** Takes over what the database knows: a transaction whose answer was lost has recorded its position and its round. */
  correct({ partition, bookedSeq, round }: PartitionState): void {
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
