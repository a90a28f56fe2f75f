import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { Unavailable } from '../../platform/errors.ts';
import { type DiskProbe, diskProbe } from '../../platform/files/disk-probe.ts';
import { uuidTimeMs } from './deduplication-window.ts';
import { quarantineOf } from './quarantine.ts';
import { SEGMENT_HEAD, UnknownSegmentVersion, frame, readSegment } from './segment-format.ts';

/** A closed segment, as passed to the loader. */
export interface LoggedSegment {
  /** Id of the segment, the same at each try. */
  batch: string;
  /** Its records, the same at each try. */
  records: readonly Buffer[];
  /** True when an earlier process wrote it. */
  recovered: boolean;
  /** True when an earlier try may have stored some of it; the loader must look up which records are stored. */
  doubtful: boolean;
}

/** A segment that is damaged or could not be read. */
export interface DamagedSegment {
  batch: string;
  /** Current path of its file. */
  path: string;
  damagedBytes: number;
  /** Intact records that were loaded. */
  records: number;
  reason: string;
}

export interface WriteAheadLogOptions {
  folder: string;
  /**
   * Stores the records of waiting segments, oldest first: as many at once as `rowsMax` and `groupBytesMax` allow.
   * Repeated until it succeeds. Returns the batches with records that it cannot decode.
   */
  load(segments: readonly LoggedSegment[]): Promise<{ unreadable: readonly string[] } | void>;
  onLoadError(error: unknown): void;
  /**
   * Called for each segment that is damaged or cannot be read, after it was moved into the folder `quarantine`; one of a
   * later release stays in place.
   */
  onDamage?(damaged: DamagedSegment): void;
  now?: () => Date;
  /** Age at which a segment is closed and loaded. */
  segmentMs?: number;
  /**
   * Shortest time between the beginnings of two loads, unless four megabytes wait or a caller waits for
   * {@link WriteAheadLog.flushed}: many records at once take less CPU time.
   */
  loadEveryMs?: number;
  retryMs?: number;
  /** Bytes that may wait on disk before appends are rejected. */
  bytesMax?: number;
  /** Time after which a disk that does not respond counts as failed, ms. */
  stallMs?: number;
  /** Limits of records and bytes that are loaded at once. */
  rowsMax?: number;
  groupBytesMax?: number;
}

/**
 * An append-only log on disk. Acknowledged records survive the process and are passed to the loader until it has stored
 * them; a segment that is passed again is marked as `doubtful`.
 */
export interface WriteAheadLog {
  /**
   * Resolves once the record is on disk (`fdatasync`). Rejects with Unavailable when too much is waiting, or the disk fails
   * or does not respond; the record may be loaded nevertheless.
   */
  append(record: Buffer): Promise<void>;
  /** Resolves when the segments of earlier processes are loaded. */
  recovered: Promise<void>;
  /** Resolves when everything acknowledged so far has been loaded. */
  flushed(): Promise<void>;
  /** Bytes on disk that wait to be loaded, and their limit. */
  waiting(): { bytes: number; bytesMax: number };
  /** No record waits to be loaded that was acknowledged longer ago than this, ms; null when none waits. */
  waitingMs(): number | null;
  /** Error of the last write; null when it succeeded. */
  writeError(): Error | null;
  /** Tries a write, and updates {@link writeError}; the disk counts as failed when it does not respond in time. */
  probe(): Promise<void>;
  /** Accepts no more records and loads the waiting ones; records that cannot be loaded stay on disk. */
  close(): Promise<void>;
}

const EXTENSION = '.wal';
/** Failures of a single segment after which it is moved behind the others. */
const TRIES_IN_FRONT = 10;
/** Checks of the disk after which it counts as failed. */
const CHECKS_MAX = 4;
/** With this many bytes waiting, loads follow each other at once. */
const LOAD_AT_BYTES = 4 * 1024 ** 2;

interface OpenSegment {
  batch: string;
  path: string;
  file: FileHandle;
  bytes: number;
  /** By the monotonic clock. */
  openedAtMs: number;
}

/** A segment that waits to be loaded. */
interface ClosedSegment {
  batch: string;
  path: string;
  /** Acknowledged bytes; later bytes were not acknowledged. */
  bytesMax: number;
  /** Its part of the count of waiting bytes. */
  countedBytes: number;
  /** No record in it was acknowledged before this, by the monotonic clock. */
  openedAtMs: number;
  recovered: boolean;
  tries: number;
  done: () => void;
  loaded: Promise<void>;
}

/** Segments that are loaded together, and their contents. */
interface ReadGroup {
  segments: readonly ClosedSegment[];
  logged: LoggedSegment[];
  damagedBytes: ReadonlyMap<ClosedSegment, number>;
}

/** Opens the log, and starts to load the segments of earlier processes. */
export async function openWriteAheadLog(options: WriteAheadLogOptions): Promise<WriteAheadLog> {
  const log = new SegmentedLog(options);
  await log.recover();
  return log;
}

interface Waiting {
  record: Buffer;
  stored: () => void;
  failed: (error: unknown) => void;
}

class SegmentedLog implements WriteAheadLog {
  readonly #options: Required<WriteAheadLogOptions>;
  recovered: Promise<void> = Promise.resolve();
  readonly #disk: DiskProbe;
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
  #closedSegments: ClosedSegment[] = [];
  #loading: Promise<void> | null = null;
  #segmentsAtOnce = Infinity;
  #waitingBytes = 0;
  #writeError: Error | null = null;
  #closed = false;
  /** Set when the loader fails while closing: the remaining segments wait for the next process. */
  #abandoned = false;
  #wake: (() => void) | undefined;
  /** Ends the wait for the next load. */
  #hurry: (() => void) | undefined;
  /** Calls of {@link flushed} that wait. */
  #flushing = 0;
  #loadBeganMs = -Infinity;

  constructor(options: WriteAheadLogOptions) {
    this.#options = {
      segmentMs: 200,
      loadEveryMs: 0,
      retryMs: 1000,
      bytesMax: 1024 ** 3,
      stallMs: 5000,
      rowsMax: 50_000,
      groupBytesMax: 32 * 1024 ** 2,
      onDamage: () => {},
      now: () => new Date(),
      ...options,
    };
    this.#disk = diskProbe(options.folder);
    this.#watch = setInterval(() => this.#checkDisk(), this.#options.stallMs / CHECKS_MAX);
    this.#watch.unref();
  }

  async recover(): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort();
    for (const name of names) {
      const path = join(folder, name);
      const size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      );
      this.#waitingBytes += size;
      const batch = name.slice(0, -EXTENSION.length);
      // The name tells when the segment was opened; a file with another name, or of a later time, is as old as can be told.
      const ageMs = this.#options.now().getTime() - (uuidTimeMs(batch) || 0);
      const openedAtMs = performance.now() - (ageMs < 0 ? Infinity : ageMs);
      this.#handOn({ batch, path, bytes: size, openedAtMs }, true);
    }
    this.recovered = Promise.all(this.#closedSegments.map(({ loaded }) => loaded)).then(() => {});
  }

  append(record: Buffer): Promise<void> {
    if (this.#closed || this.#isStalled || this.#waitingBytes > this.#options.bytesMax)
      return Promise.reject(new Unavailable());
    return new Promise((stored, failed) => {
      this.#queue.push({ record, stored, failed });
      this.#writing ??= this.#drain();
    });
  }

  waiting(): { bytes: number; bytesMax: number } {
    return { bytes: this.#waitingBytes, bytesMax: this.#options.bytesMax };
  }

  waitingMs(): number | null {
    const current = this.#closing ?? this.#segment;
    if (!current && this.#closedSegments.length === 0) return null;
    let openedAtMs = current?.openedAtMs ?? Infinity;
    for (const segment of this.#closedSegments) openedAtMs = Math.min(openedAtMs, segment.openedAtMs);
    return performance.now() - openedAtMs;
  }

  writeError(): Error | null {
    return this.#writeError;
  }

  async probe(): Promise<void> {
    // The write that hangs tells when the disk is back.
    if (!this.#isStalled) this.#writeError = await this.#disk.error(this.#options.stallMs);
  }

  async flushed(): Promise<void> {
    this.#flushing += 1;
    this.#hurry?.();
    try {
      await this.#writing;
      await this.#roll();
      await Promise.all(this.#closedSegments.map(({ loaded }) => loaded));
    } finally {
      this.#flushing -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    await this.#writing;
    await this.#roll();
    await this.#loading;
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
        this.#waitingBytes += bytes.length;
        this.#writeError = null;
        for (const { stored } of group) stored();
        if (performance.now() - segment.openedAtMs >= this.#options.segmentMs) await this.#closeSegment();
      } catch (error) {
        // It is unknown how much of the group is on disk: it is truncated, and later records go to a new segment. If
        // truncating fails too, the loader still reads only acknowledged records.
        this.#writeError = error as Error;
        this.#options.onLoadError(error);
        await this.#segment?.file.truncate(this.#segment.bytes).catch(this.#options.onLoadError);
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
    this.#writeError = new Error('the disk does not answer');
    this.#options.onLoadError(this.#writeError);
    for (const { failed } of waiting) failed(new Unavailable(undefined, 1));
    this.#queue = [];
  }

  async #openSegment(): Promise<OpenSegment> {
    const batch = uuidv7();
    const path = join(this.#options.folder, batch + EXTENSION);
    const file = await open(path, 'ax');
    try {
      await file.appendFile(SEGMENT_HEAD);
      const folder = await open(this.#options.folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (error) {
      await file.close();
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
    this.#rollTimer = setTimeout(() => void this.#roll(), this.#options.segmentMs);
    this.#waitingBytes += SEGMENT_HEAD.length;
    const bytes = SEGMENT_HEAD.length;
    return { batch, path, file, bytes, openedAtMs: performance.now() };
  }

  /** Closes the segment between writes. */
  async #roll(): Promise<void> {
    while (this.#writing) await this.#writing;
    const closing = this.#closeSegment();
    this.#writing = closing.then(() => {
      this.#responded();
      this.#writing = this.#queue.length > 0 ? this.#drain() : null;
    });
    await closing;
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = null;
    this.#closing = segment;
    clearTimeout(this.#rollTimer);
    await segment.file.close().catch((error: unknown) => this.#options.onLoadError(error));
    this.#handOn(segment, false);
    this.#closing = null;
  }

  #handOn({ batch, path, bytes, openedAtMs }: Omit<OpenSegment, 'file'>, recovered: boolean): void {
    let done = (): void => {};
    const loaded = new Promise<void>((resolve) => (done = resolve));
    const countedBytes = bytes;
    const bytesMax = recovered ? Infinity : bytes;
    const segment = { batch, path, bytesMax, countedBytes, openedAtMs, recovered, tries: 0, done, loaded };
    this.#closedSegments.push(segment);
    this.#loading ??= this.#loadAll();
  }

  /** Loads waiting segments, many at once: the next insert includes all segments that arrived during a slow one. */
  async #loadAll(): Promise<void> {
    // Segments that are closed together are loaded together.
    await new Promise((next) => setImmediate(next));
    while (this.#closedSegments.length > 0 && !this.#abandoned) {
      let group: ReadGroup | undefined;
      await this.#untilDue();
      try {
        group = await this.#loadGroup();
        const result = group.logged.length > 0 ? await this.#options.load(group.logged) : undefined;
        this.#segmentsAtOnce *= 2;
        for (const segment of group.segments)
          await this.#finish(segment, group, result?.unreadable.includes(segment.batch) ?? false);
      } catch (error) {
        this.#options.onLoadError(error);
        this.#failed(group?.segments ?? []);
        this.#abandoned = this.#closed;
        if (!this.#abandoned) await this.#pause(this.#options.retryMs);
      }
    }
    this.#loading = null;
    // Resolves the waits for segments that are left to the next process.
    for (const { done } of this.#closedSegments) done();
  }

  /**
   * Halves the number of segments per try after a failure; a segment that keeps failing alone is moved behind the others.
   */
  #failed(segments: readonly ClosedSegment[]): void {
    for (const segment of segments) segment.tries += 1;
    this.#segmentsAtOnce = Math.max(1, Math.floor(segments.length / 2));
    const [first, ...others] = this.#closedSegments;
    if (segments.length === 1 && first && first.tries % TRIES_IN_FRONT === 0)
      this.#closedSegments = [...others, first];
  }

  /** Reads the first segments, as many as one insert takes. */
  async #loadGroup(): Promise<ReadGroup> {
    const segments: ClosedSegment[] = [];
    const logged: LoggedSegment[] = [];
    const damagedBytes = new Map<ClosedSegment, number>();
    let rows = 0;
    let bytes = 0;
    for (const segment of this.#closedSegments) {
      if (segments.length >= this.#segmentsAtOnce) break;
      if (rows >= this.#options.rowsMax || bytes >= this.#options.groupBytesMax) break;
      const content = await this.#read(segment);
      if (!content) continue;
      segments.push(segment);
      if (content.damagedBytes > 0) damagedBytes.set(segment, content.damagedBytes);
      rows += content.records.length;
      bytes += segment.countedBytes;
      const { batch, recovered, tries } = segment;
      if (content.records.length > 0)
        logged.push({ batch, records: content.records, recovered, doubtful: recovered || tries > 0 });
    }
    return { segments, logged, damagedBytes };
  }

  /** Reads a segment; null when it cannot be read and was put into quarantine. */
  async #read(segment: ClosedSegment) {
    try {
      return readSegment((await readFile(segment.path)).subarray(0, segment.bytesMax));
    } catch (error) {
      if (isPassing(error)) throw error;
      await this.#putAside(segment, 0, 0, error as Error);
      return null;
    }
  }

  async #finish(
    segment: ClosedSegment,
    { logged, damagedBytes }: ReadGroup,
    unreadable: boolean,
  ): Promise<void> {
    const damaged = damagedBytes.get(segment) ?? 0;
    if (damaged > 0 || unreadable) {
      const records = logged.find(({ batch }) => batch === segment.batch)?.records.length ?? 0;
      await this.#putAside(segment, damaged, records, null);
      return;
    }
    await rm(segment.path, { force: true });
    this.#drop(segment);
  }

  /** Moves a damaged segment into quarantine, for a person to inspect. One of a later release stays in place. */
  async #putAside(
    segment: ClosedSegment,
    damagedBytes: number,
    records: number,
    error: Error | null,
  ): Promise<void> {
    const folder = quarantineOf(this.#options.folder);
    let { path } = segment;
    if (!(error instanceof UnknownSegmentVersion)) {
      try {
        await mkdir(folder, { recursive: true });
        // Its retention begins now, even if the segment is old.
        const now = this.#options.now();
        await utimes(path, now, now).catch(this.#options.onLoadError);
        const moved = join(folder, segment.batch + EXTENSION);
        await rename(path, moved);
        path = moved;
      } catch (moveError) {
        this.#options.onLoadError(moveError);
      }
    }
    this.#drop(segment);
    const reason = error?.message ?? 'damaged bytes between or behind its records';
    this.#options.onDamage({ batch: segment.batch, path, damagedBytes, records, reason });
  }

  #drop(segment: ClosedSegment): void {
    this.#closedSegments = this.#closedSegments.filter((other) => other !== segment);
    this.#waitingBytes -= segment.countedBytes;
    segment.done();
  }

  /** Waits until the next load may begin. */
  async #untilDue(): Promise<void> {
    const leftMs = this.#loadBeganMs + this.#options.loadEveryMs - performance.now();
    if (leftMs > 0 && this.#flushing === 0 && !this.#closed && this.#waitingBytes < LOAD_AT_BYTES) {
      const paused = this.#pause(leftMs);
      this.#hurry = this.#wake;
      await paused;
      this.#hurry = undefined;
    }
    this.#loadBeganMs = performance.now();
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((again) => {
      const timer = setTimeout(again, ms);
      this.#wake = () => {
        clearTimeout(timer);
        again();
      };
    });
    this.#wake = undefined;
  }
}

/** Whether reading may succeed later: the process lacks a resource, the file is not damaged. */
function isPassing(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}
