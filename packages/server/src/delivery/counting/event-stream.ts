import type * as JetStream from '@nats-io/jetstream';
import type { ConsumerMessages, JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Nats } from '../../platform/nats/connection.ts';
import { streamKey } from './message.ts';

/** The part of the process's connection to NATS that the stream uses. */
export type StreamConnection = Pick<Nats, 'current' | 'onUp'>;

/** Settings of the stream; undefined leaves an existing stream as it is. */
export interface EventStreamSettings {
  name?: string;
  /** Partitions of a new stream; an existing one keeps its own. */
  partitions?: number;
  /** Servers that hold each message. */
  replicas?: number | undefined;
  bytesMax?: number | undefined;
}

/** The stream of all events between trackers and counters, in JetStream. */
export interface EventStream extends CountedStream {
  /** Resolves to the message's number once the stream holds it. Throws when the stream is full or unavailable. */
  publish(partition: number, data: Buffer): Promise<number>;
  /** The last message of each partition that has any. */
  lastSeqs(): Promise<ReadonlyMap<number, number>>;
  /** Bytes in the stream, and its last number. Throws {@link StreamReplaced}. */
  check(): Promise<{ bytes: number; lastSeq: number }>;
}

const NAME = 'BIDWELL_EVENTS';
const SUBJECTS = 'bidwell.events';
const PARTITIONS = 32;
const REPLICAS = 1;
const BYTES_MAX = 4 * 1024 ** 3;
/** Messages of one request; each has at most 256 kB. */
const MESSAGES_AT_ONCE = 16;
const REQUEST_MS = 10_000;
/** A request whose consumer is gone ends after two heartbeats without a sign. */
const HEARTBEAT_MS = 1500;
const RETRY_MS = 500;
const PUBLISH_MS = 5000;
/** The NATS server deletes the consumer of a reader that is gone after this time. */
const CONSUMER_SECONDS = 60;

/** NATS does not respond at present. */
class StreamUnavailable extends Error {}

/** The stream was deleted, or deleted and created again. */
export class StreamReplaced extends Error {}

/** Error code of JetStream. */
const STREAM_NOT_FOUND = 10_059;

/** JetStream of the open connection. Throws {@link StreamUnavailable}. */
async function jetStreamOf(
  connection: StreamConnection,
): Promise<{ module: typeof JetStream; client: JetStreamClient; manager: JetStreamManager }> {
  const open = connection.current();
  if (!open) throw new StreamUnavailable('NATS is unavailable');
  const module = await import('@nats-io/jetstream');
  return {
    module,
    client: module.jetstream(open, { timeout: PUBLISH_MS }),
    manager: await module.jetstreamManager(open, { checkAPI: false }),
  };
}

/**
 * Opens the stream, and creates it where there is none. It has one partition per subject; their number is fixed when
 * the stream is created. Throws while NATS is unavailable, or runs without JetStream.
 */
export async function openEventStream(
  connection: StreamConnection,
  log: Logger,
  settings: EventStreamSettings = {},
): Promise<EventStream> {
  const name = settings.name ?? NAME;
  const subjectOf = (partition: number): string => `${SUBJECTS}.${partition}`;
  const info = await ensure(connection, name, subjectOf, settings);
  const key = streamKey({ name, created: info.created });
  let readers: Set<Reader> | undefined;
  // Trackers open the stream again after each failure, and read nothing.
  const openReaders = (): Set<Reader> => {
    const opened = new Set<Reader>();
    connection.onUp(() => {
      for (const reader of opened) reader.restart();
    });
    return opened;
  };
  return {
    key,
    partitions: info.config.subjects.length,
    async publish(partition, data) {
      const { client } = await jetStreamOf(connection);
      const { seq } = await client.publish(subjectOf(partition), data, { expect: { streamName: name } });
      return seq;
    },
    read(partition, from, buffer) {
      const source = { connection, log, stream: name, subject: subjectOf(partition) };
      const reader = new Reader(source, from, buffer);
      const own = (readers ??= openReaders());
      own.add(reader);
      return {
        isSound: () => reader.isSound(),
        wake: () => reader.wake(),
        stop() {
          own.delete(reader);
          reader.stop();
        },
      };
    },
    async purge(partition, beforeSeq) {
      const { manager } = await jetStreamOf(connection);
      await manager.streams.purge(name, { filter: subjectOf(partition), seq: beforeSeq });
    },
    async lastSeqs() {
      const { manager } = await jetStreamOf(connection);
      const seqs = new Map<number, number>();
      await Promise.all(
        info.config.subjects.map(async (_subject, partition) => {
          const last = await manager.streams.getMessage(name, { last_by_subj: subjectOf(partition) });
          if (last) seqs.set(partition, last.seq);
        }),
      );
      return seqs;
    },
    async check() {
      const found = await find(connection, name);
      if (!found || streamKey({ name, created: found.created }) !== key)
        throw new StreamReplaced(`the stream ${name} was deleted`);
      return { bytes: found.state.bytes, lastSeq: found.state.last_seq };
    },
  };
}

async function find(connection: StreamConnection, name: string): Promise<StreamInfo | null> {
  const { module, manager } = await jetStreamOf(connection);
  return manager.streams.info(name).catch((error: unknown) => {
    if (error instanceof module.JetStreamApiError && error.code === STREAM_NOT_FOUND) return null;
    throw error;
  });
}

async function ensure(
  connection: StreamConnection,
  name: string,
  subjectOf: (partition: number) => string,
  { partitions = PARTITIONS, replicas, bytesMax }: EventStreamSettings,
): Promise<StreamInfo> {
  const found = await find(connection, name);
  const { module, manager } = await jetStreamOf(connection);
  if (!found) {
    const subjects = Array.from({ length: partitions }, (_, partition) => subjectOf(partition));
    return manager.streams.add({
      name,
      subjects,
      storage: module.StorageType.File,
      retention: module.RetentionPolicy.Limits,
      // A full stream rejects messages: they wait in the logs of the trackers.
      discard: module.DiscardPolicy.New,
      num_replicas: replicas ?? REPLICAS,
      max_bytes: bytesMax ?? BYTES_MAX,
    });
  }
  const { max_bytes, num_replicas } = found.config;
  if ((bytesMax ?? max_bytes) === max_bytes && (replicas ?? num_replicas) === num_replicas) return found;
  return manager.streams.update(name, {
    max_bytes: bytesMax ?? max_bytes,
    num_replicas: replicas ?? num_replicas,
  });
}

interface Source {
  connection: StreamConnection;
  log: Logger;
  stream: string;
  subject: string;
}

/**
 * Reads a subject of the stream by requests of some messages, so that no more is read than the buffer takes. The
 * server's consumer is only a cursor: it is created anew, after the last message read, whenever a message is missing or
 * the connection was lost.
 */
class Reader implements PartitionReader {
  readonly #source: Source;
  readonly #buffer: MessageBuffer;
  readonly #stopping = new AbortController();
  readonly #booked: ReadMessage;
  /** The last message that was read. */
  #last: ReadMessage;
  #request: ConsumerMessages | undefined;
  #roomFound: (() => void) | undefined;
  /** Set when the consumer may have lost messages. */
  #isStale = false;
  /** Whether the stream had the last message since the connection was made. */
  #isRecognised = false;

  constructor(source: Source, { after, booked }: ReadFrom, buffer: MessageBuffer) {
    this.#source = source;
    this.#last = after;
    this.#booked = booked;
    this.#buffer = buffer;
    void this.#run();
  }

  isSound(): boolean {
    return this.#isRecognised && this.#source.connection.current() !== null;
  }

  wake(): void {
    if (this.#buffer.hasRoom()) this.#roomFound?.();
  }

  stop(): void {
    this.#stopping.abort();
    this.restart();
  }

  /** Creates the consumer anew: messages may have been lost. */
  restart(): void {
    this.#isStale = true;
    this.#isRecognised = false;
    this.#request?.stop();
    this.#roomFound?.();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let isLogged = false;
    while (!signal.aborted) {
      try {
        this.#isStale = false;
        if (!(await this.#hasLast())) return this.#buffer.messagesLost();
        const lost = await this.#bookedLost();
        if (this.#isStale) continue;
        if (lost) this.#buffer.bookedLost(lost.endSeq);
        this.#isRecognised = true;
        await this.#readFromConsumer();
        isLogged = false;
      } catch (err) {
        const { log, subject } = this.#source;
        if (!isLogged && !signal.aborted)
          log.warn({ err, subject }, 'the event stream cannot be read; retrying');
        isLogged = true;
        await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  /** Whether the stream still has the last message that was read. */
  async #hasLast(): Promise<boolean> {
    const { seq, atMs } = this.#last;
    if (seq === 0 || atMs === null) return true;
    const { connection, stream, subject } = this.#source;
    const { manager } = await jetStreamOf(connection);
    const found = await manager.streams.getMessage(stream, { seq });
    // The client rounds the time of a message that it receives in another way.
    return found !== null && found.subject === subject && Math.abs(found.time.getTime() - atMs) <= 1;
  }

  /** The last message of the subject, where the stream has lost the last booked one; null where it still has that. */
  async #bookedLost(): Promise<{ endSeq: number } | null> {
    const { seq, atMs } = this.#booked;
    if (seq <= this.#last.seq) return null;
    const { connection, stream, subject } = this.#source;
    const { manager } = await jetStreamOf(connection);
    const found = await manager.streams.getMessage(stream, { seq });
    // Another one with its number came later.
    if (found?.subject === subject && (atMs === null || found.time.getTime() <= atMs + 1)) return null;
    const last = await manager.streams.getMessage(stream, { last_by_subj: subject });
    return { endSeq: last?.seq ?? 0 };
  }

  async #readFromConsumer(): Promise<void> {
    const { connection, stream, subject } = this.#source;
    const { module, client, manager } = await jetStreamOf(connection);
    const { name } = await manager.consumers.add(stream, {
      ack_policy: module.AckPolicy.None,
      deliver_policy: module.DeliverPolicy.StartSequence,
      opt_start_seq: this.#last.seq + 1,
      filter_subject: subject,
      inactive_threshold: CONSUMER_SECONDS * 1e9,
      mem_storage: true,
      num_replicas: 1,
    });
    const consumer = await client.consumers.get(stream, name);
    let delivered = 0;
    while (!this.#isStale) {
      await this.#room();
      if (this.#isStale) break;
      this.#request = await consumer.fetch({
        max_messages: MESSAGES_AT_ONCE,
        expires: REQUEST_MS,
        idle_heartbeat: HEARTBEAT_MS,
      });
      for await (const message of this.#request) {
        delivered += 1;
        if (this.#isStale || message.info.deliverySequence !== delivered) {
          this.#isStale = true;
          break;
        }
        const { seq } = message;
        const atMs = message.time.getTime();
        this.#last = { seq, atMs };
        // A copy: the client's own is part of a larger buffer.
        this.#buffer.push({ seq, atMs, data: Buffer.from(message.data) });
      }
    }
    await manager.consumers.delete(stream, name).catch(() => {});
  }

  async #room(): Promise<void> {
    while (!this.#buffer.hasRoom() && !this.#isStale)
      await new Promise<void>((resolve) => (this.#roomFound = resolve));
  }
}

/** A message of the event stream. */
export interface StreamMessage {
  /** Its number in the stream. */
  seq: number;
  /** When the stream received it, Unix ms. */
  atMs: number;
  /** A segment of the event log's format. */
  data: Buffer;
}

/** Where a reader of the stream puts messages. */
export interface MessageBuffer {
  /** Whether another message may be read. */
  hasRoom(): boolean;
  push(message: StreamMessage): void;
  /** The stream has lost the last message that was read, and maybe earlier ones. Nothing more is read. */
  messagesLost(): void;
  /**
   * The stream has lost the last message that was booked. The stream begins with the booked messages that are left, if any,
   * and ends at present with the message `endSeq`, 0 for none. Called before they are read.
   */
  bookedLost(endSeq: number): void;
}

/** A message by which its reader recognises the stream; its number is 0 before the first one. */
export interface ReadMessage {
  seq: number;
  /** When the stream received it, Unix ms; null where that is not known. */
  atMs: number | null;
}

/** Where a partition is read from. */
export interface ReadFrom {
  /** The message before the first one that is read. */
  after: ReadMessage;
  /** The last message that was booked, with the latest time of the messages until then. */
  booked: ReadMessage;
}

/**
 * Reads one partition in order, without gaps. At first and whenever the connection was lost, it looks whether the stream
 * still has the last message that was read, and the last one that was booked.
 */
export interface PartitionReader {
  /** Whether the stream that is connected has everything that was read. */
  isSound(): boolean;
  /** Reads on, once its buffer has room again. */
  wake(): void;
  stop(): void;
}

/** The event stream as counters use it. */
export interface CountedStream {
  /** Key of the stream: its name and the time of its creation. */
  key: string;
  partitions: number;
  /** Reads the messages of a partition after one. */
  read(partition: number, from: ReadFrom, buffer: MessageBuffer): PartitionReader;
  /** Deletes the messages of a partition before a number. */
  purge(partition: number, beforeSeq: number): Promise<void>;
}

/** The event stream, as the parts of a process share it. */
export interface SharedStream {
  /** The open stream; opens it if necessary. */
  open(): Promise<EventStream>;
  /** Makes the next `open` look again whether it is still the same stream. */
  lost(): void;
}

export function sharedStream(open: () => Promise<EventStream>): SharedStream {
  let opened: Promise<EventStream> | null = null;
  return {
    open() {
      const opening = (opened ??= open());
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
      return opening;
    },
    lost: () => void (opened = null),
  };
}
