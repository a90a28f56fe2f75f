import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { Unavailable } from '../../platform/errors.ts';
import { SEGMENT_HEAD, frame } from './segment-format.ts';

export const SEGMENT_EXTENSION = '.wal';
/** Checks of the disk after which it counts as failed. */
const CHECKS_MAX = 4;

/** A segment whose file is closed. */
export interface FilledSegment {
  batch: string;
  path: string;
  /** Acknowledged bytes; later bytes were not acknowledged. */
  bytes: number;
  /** By the monotonic clock. */
  openedAtMs: number;
}

interface OpenSegment extends FilledSegment {
  file: FileHandle;
}

/** Dependencies of a {@link SegmentWriter}. */
interface SegmentWriterOptions {
  folder: string;
  /** Part of the names of its segments; '' for none. */
  lane: string;
  /** Age at which a segment is closed. */
  segmentMs: number;
  /** Bytes that may wait on disk before appends are rejected. */
  bytesMax: number;
  /** Time after which a disk that does not respond counts as failed, ms. */
  stallMs: number;
  onError(error: unknown): void;
  /** Called for each closed segment, in their order. */
  onClosed(segment: FilledSegment): void | Promise<void>;
}

interface Waiting {
  record: Buffer;
  stored: () => void;
  failed: (error: unknown) => void;
}

/** Writes records to segments, one after another. */
export class SegmentWriter {
  /** Bytes on disk that are not loaded; who removes segments subtracts theirs. */
  waitingBytes = 0;
  /** Error of the last write; null when it succeeded. */
  error: Error | null = null;
  readonly #options: SegmentWriterOptions;
  #queue: Waiting[] = [];
  /** Records that are being written. */
  #group: Waiting[] = [];
  /** Checks of the disk since the last write ended, while records wait. */
  #checks = 0;
  #isStalled = false;
  readonly #watch: NodeJS.Timeout;
  #writing: Promise<void> | null = null;
  #segment: OpenSegment | null = null;
  /** The segment before it, while its file is being closed. */
  #closing: OpenSegment | null = null;
  #rollTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#checkDisk(), options.stallMs / CHECKS_MAX);
    this.#watch.unref();
  }

  get bytesMax(): number {
    return this.#options.bytesMax;
  }

  /** Whether the disk does not respond. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** When the oldest segment that is not handed on was opened, by the monotonic clock; null for none. */
  openedAtMs(): number | null {
    return (this.#closing ?? this.#segment)?.openedAtMs ?? null;
  }

  /** Resolves once the record is on disk. Rejects with Unavailable. */
  append(record: Buffer): Promise<void> {
    if (this.#closed || this.#isStalled || this.waitingBytes > this.#options.bytesMax)
      return Promise.reject(new Unavailable());
    return new Promise((stored, failed) => {
      this.#queue.push({ record, stored, failed });
      this.#writing ??= this.#drain();
    });
  }

  /** Closes the segment between writes, with all records that were appended before. */
  async roll(): Promise<void> {
    while (this.#writing) await this.#writing;
    const closing = this.#closeSegment();
    this.#writing = closing.then(() => {
      this.#responded();
      this.#writing = this.#queue.length > 0 ? this.#drain() : null;
    });
    await closing;
  }

  /** Accepts no more records. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.roll();
    clearInterval(this.#watch);
  }

  /**
   * Group commit: writes the queue until it is empty; one `fdatasync` acknowledges all records that were queued during
   * the previous one.
   */
  async #drain(): Promise<void> {
    // Requests that arrived together are written together.
    await new Promise((next) => setImmediate(next));
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#group = group;
      this.#queue = [];
      try {
        const segment = (this.#segment ??= await this.#openSegment());
        const bytes = Buffer.concat(group.map(({ record }) => frame(record)));
        await segment.file.appendFile(bytes);
        await segment.file.datasync();
        segment.bytes += bytes.length;
        this.waitingBytes += bytes.length;
        this.error = null;
        for (const { stored } of group) stored();
        if (performance.now() - segment.openedAtMs >= this.#options.segmentMs) await this.#closeSegment();
      } catch (error) {
        // It is unknown how much of the group is on disk: it is truncated, and later records go to a new segment. If
        // truncating fails too, the loader still reads only acknowledged records.
        this.error = error as Error;
        this.#options.onError(error);
        await this.#segment?.file.truncate(this.#segment.bytes).catch(this.#options.onError);
        await this.#closeSegment();
        for (const { failed } of group) failed(new Unavailable(undefined, 1));
      }
      this.#group = [];
      this.#responded();
    }
    this.#writing = null;
  }

  #responded(): void {
    this.#isStalled = false;
    this.#checks = 0;
  }

  /** Rejects the writes that wait for a disk that does not respond, and all new ones until it does. */
  #checkDisk(): void {
    const waiting = [...this.#group, ...this.#queue];
    // Counted, because the time also passes while the process is paused.
    this.#checks = waiting.length > 0 ? this.#checks + 1 : 0;
    if (this.#checks <= CHECKS_MAX || this.#isStalled) return;
    this.#isStalled = true;
    this.error = new Error('the disk does not answer');
    this.#options.onError(this.error);
    for (const { failed } of waiting) failed(new Unavailable(undefined, 1));
    this.#queue = [];
  }

  async #openSegment(): Promise<OpenSegment> {
    const { folder, lane, segmentMs } = this.#options;
    const batch = uuidv7();
    const path = join(folder, [batch, ...(lane === '' ? [] : [lane])].join('.') + SEGMENT_EXTENSION);
    const file = await open(path, 'ax');
    try {
      await file.appendFile(SEGMENT_HEAD);
      const entries = await open(folder, 'r');
      try {
        await entries.sync();
      } finally {
        await entries.close();
      }
    } catch (error) {
      await file.close();
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
    this.#rollTimer = setTimeout(() => void this.roll(), segmentMs);
    this.waitingBytes += SEGMENT_HEAD.length;
    return { batch, path, file, bytes: SEGMENT_HEAD.length, openedAtMs: performance.now() };
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = null;
    this.#closing = segment;
    clearTimeout(this.#rollTimer);
    await segment.file.close().catch((error: unknown) => this.#options.onError(error));
    await this.#options.onClosed(segment);
    this.#closing = null;
  }
}
