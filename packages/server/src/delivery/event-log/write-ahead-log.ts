import { mkdir, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Unavailable } from '../../platform/errors.ts';
import { type DiskProbe, diskProbe } from '../../platform/files/disk-probe.ts';
import { uuidTimeMs } from './deduplication-window.ts';
import { quarantineOf } from './quarantine.ts';
import { UnknownSegmentVersion, readSegment } from './segment-format.ts';
import { type FilledSegment, SEGMENT_EXTENSION, SegmentWriter } from './segment-writer.ts';

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

/**
 * Segments of their own within a log. A segment stays on disk until all of its records are loaded, so records that wait
 * longer than others have a lane.
 */
interface Lane extends Pick<Required<WriteAheadLogOptions>, 'load' | 'segmentMs' | 'bytesMax' | 'rowsMax'> {
  /** Part of the names of its segments. */
  name: string;
}

/** The lane that each log has. */
export const FIRST_LANE = '';

export interface WriteAheadLogOptions {
  folder: string;
  /**
   * Stores the records of waiting segments, oldest first: as many at once as `rowsMax` and `groupBytesMax` allow.
   * Repeated until it succeeds. Returns the batches with records that it cannot decode.
   */
  load(segments: readonly LoggedSegment[]): Promise<{ unreadable: readonly string[] } | void>;
  /**
   * Lanes next to the first, none by default. All take turns, one at a time. A segment of these lanes is loaded after the
   * records that were appended to the first lane before the last record of the segment.
   */
  lanes?: readonly Lane[];
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
   * Resolves once the record is on disk (`fdatasync`). Rejects with Unavailable when too much is waiting in its lane, or the
   * disk fails or does not respond; the record may be loaded nevertheless.
   */
  append(record: Buffer, lane?: string): Promise<void>;
  /** Resolves when the segments of earlier processes are loaded. */
  recovered: Promise<void>;
  /** Resolves when everything acknowledged so far has been loaded. */
  flushed(): Promise<void>;
  /** Bytes of a lane on disk that wait to be loaded, and their limit. */
  waiting(lane?: string): { bytes: number; bytesMax: number };
  /** No record waits to be loaded that was acknowledged longer ago than this, ms; null when none waits. */
  waitingMs(): number | null;
  /** Error of the last write; null when it succeeded. */
  writeError(): Error | null;
  /** Tries a write, and updates {@link writeError}; the disk counts as failed when it does not respond in time. */
  probe(): Promise<void>;
  /**
   * Accepts no more records and loads the waiting ones; records that cannot be loaded stay on disk. Until then, loads may
   * append to other lanes than the first.
   */
  close(): Promise<void>;
}

/** Failures of a single segment after which it is moved behind the others. */
const TRIES_IN_FRONT = 10;
/** With this many bytes waiting, loads follow each other at once. */
const LOAD_AT_BYTES = 4 * 1024 ** 2;

/** A segment that waits to be loaded. */
interface ClosedSegment {
  /** Its lane, as an index of the writers. */
  lane: number;
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

interface LaneState extends Pick<Lane, 'name' | 'load' | 'rowsMax'> {
  writer: SegmentWriter;
  /** Most segments of its next load. */
  segmentsAtOnce: number;
  /** When it is loaded again after a failure, by the monotonic clock. */
  retryAtMs: number;
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

class SegmentedLog implements WriteAheadLog {
  readonly #options: Required<WriteAheadLogOptions>;
  recovered: Promise<void> = Promise.resolve();
  readonly #disk: DiskProbe;
  readonly #lanes: readonly LaneState[];
  /** The lane that was loaded last. */
  #turn = 0;
  #closedSegments: ClosedSegment[] = [];
  #loading: Promise<void> | null = null;
  #closed = false;
  /** Set when the loader fails while closing: the remaining segments wait for the next process. */
  #abandoned = false;
  #wake: (() => void) | undefined;
  /** Ends the wait for the next load. */
  #hurry: (() => void) | undefined;
  /** Ends the wait for a retry, as another lane may be due. */
  #arrived: (() => void) | undefined;
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
      lanes: [],
      onDamage: () => {},
      now: () => new Date(),
      ...options,
    };
    const { folder, stallMs, onLoadError: onError, lanes } = this.#options;
    this.#disk = diskProbe(folder);
    const all = [{ ...this.#options, name: FIRST_LANE }, ...lanes];
    this.#lanes = all.map(({ name, load, segmentMs, bytesMax, rowsMax }, lane) => ({
      name,
      load,
      rowsMax,
      segmentsAtOnce: Infinity,
      retryAtMs: -Infinity,
      writer: new SegmentWriter({
        folder,
        lane: name,
        segmentMs,
        bytesMax,
        stallMs,
        onError,
        onClosed: async (segment) => {
          if (lane > 0) await this.#lanes[0]!.writer.roll();
          this.#handOn(lane, segment, false);
        },
      }),
    }));
  }

  async recover(): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    for (const { name } of this.#options.lanes) await moveLane(folder, name);
    const names = (await readdir(folder)).filter((name) => name.endsWith(SEGMENT_EXTENSION)).sort();
    const found = names.map((name) => {
      const [batch = '', lane = FIRST_LANE] = basename(name, SEGMENT_EXTENSION).split('.');
      const index = this.#lanes.findIndex((one) => one.name === lane);
      return { name, batch, lane: index === -1 ? 0 : index };
    });
    // The order between lanes is not known any more: the first lane's records may be older.
    for (const { name, batch, lane } of found.toSorted((one, other) => one.lane - other.lane)) {
      const path = join(folder, name);
      const size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      );
      this.#lanes[lane]!.writer.waitingBytes += size;
      // The name tells when the segment was opened; a file with another name, or of a later time, is as old as can be told.
      const ageMs = this.#options.now().getTime() - (uuidTimeMs(batch) || 0);
      const openedAtMs = performance.now() - (ageMs < 0 ? Infinity : ageMs);
      this.#handOn(lane, { batch, path, bytes: size, openedAtMs }, true);
    }
    this.recovered = Promise.all(this.#closedSegments.map(({ loaded }) => loaded)).then(() => {});
  }

  append(record: Buffer, lane = FIRST_LANE): Promise<void> {
    if (this.#closed && lane === FIRST_LANE) return Promise.reject(new Unavailable());
    return this.#writerOf(lane).append(record);
  }

  #writerOf(lane: string): SegmentWriter {
    return this.#lanes.find(({ name }) => name === lane)!.writer;
  }

  waiting(lane = FIRST_LANE): { bytes: number; bytesMax: number } {
    const { waitingBytes: bytes, bytesMax } = this.#writerOf(lane);
    return { bytes, bytesMax };
  }

  waitingMs(): number | null {
    const opened = [
      ...this.#lanes.flatMap(({ writer }) => writer.openedAtMs() ?? []),
      ...this.#closedSegments.map(({ openedAtMs }) => openedAtMs),
    ];
    if (opened.length === 0) return null;
    return performance.now() - opened.reduce((oldest, atMs) => Math.min(oldest, atMs));
  }

  writeError(): Error | null {
    return this.#lanes.find(({ writer }) => writer.error)?.writer.error ?? null;
  }

  async probe(): Promise<void> {
    // The write that hangs tells when the disk is back.
    if (this.#lanes.some(({ writer }) => writer.isStalled)) return;
    const error = await this.#disk.error(this.#options.stallMs);
    for (const { writer } of this.#lanes) writer.error = error;
  }

  async flushed(): Promise<void> {
    this.#flushing += 1;
    this.#hurry?.();
    try {
      await this.#roll();
      await Promise.all(this.#closedSegments.map(({ loaded }) => loaded));
    } finally {
      this.#flushing -= 1;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake?.();
    await this.#roll();
    await this.#loading;
    // What the last loads appended is for the next process.
    this.#abandoned = true;
    await Promise.all(this.#lanes.map(({ writer }) => writer.close()));
  }

  async #roll(): Promise<void> {
    await Promise.all(this.#lanes.map(({ writer }) => writer.roll()));
  }

  #handOn(lane: number, { batch, path, bytes, openedAtMs }: FilledSegment, recovered: boolean): void {
    let done = (): void => {};
    const loaded = new Promise<void>((resolve) => (done = resolve));
    const countedBytes = bytes;
    const bytesMax = recovered ? Infinity : bytes;
    const segment = {
      lane,
      batch,
      path,
      bytesMax,
      countedBytes,
      openedAtMs,
      recovered,
      tries: 0,
      done,
      loaded,
    };
    this.#closedSegments.push(segment);
    this.#arrived?.();
    this.#loading ??= this.#loadAll();
  }

  /** Loads waiting segments, many at once: the next insert includes all segments that arrived during a slow one. */
  async #loadAll(): Promise<void> {
    // Segments that are closed together are loaded together.
    await new Promise((next) => setImmediate(next));
    while (this.#closedSegments.length > 0 && !this.#abandoned) {
      let group: ReadGroup | undefined;
      await this.#untilDue();
      const turn = (this.#turn = await this.#nextLane());
      const lane = this.#lanes[turn]!;
      try {
        group = await this.#loadGroup(turn);
        const result = group.logged.length > 0 ? await lane.load(group.logged) : undefined;
        lane.segmentsAtOnce *= 2;
        for (const segment of group.segments)
          await this.#finish(segment, group, result?.unreadable.includes(segment.batch) ?? false);
      } catch (error) {
        this.#options.onLoadError(error);
        this.#failed(lane, group?.segments ?? []);
        this.#abandoned = this.#closed;
      }
    }
    this.#loading = null;
    // Resolves the waits for segments that are left to the next process.
    for (const { done } of this.#closedSegments) done();
  }

  /**
   * Halves the number of segments per try after a failure; a segment that keeps failing alone is moved behind the others.
   */
  #failed(lane: LaneState, segments: readonly ClosedSegment[]): void {
    for (const segment of segments) segment.tries += 1;
    lane.segmentsAtOnce = Math.max(1, Math.floor(segments.length / 2));
    lane.retryAtMs = performance.now() + this.#options.retryMs;
    const [first] = segments;
    if (segments.length === 1 && first && first.tries % TRIES_IN_FRONT === 0)
      this.#closedSegments = [...this.#closedSegments.filter((segment) => segment !== first), first];
  }

  /** The next lane of which no load failed just now, once there is one. */
  async #nextLane(): Promise<number> {
    for (;;) {
      const next = this.#lanesInTurn();
      const nowMs = performance.now();
      const dueAtMs = (lane: number): number => this.#lanes[lane]!.retryAtMs;
      const due = next.find((lane) => dueAtMs(lane) <= nowMs);
      if (due !== undefined || this.#closed) return due ?? next[0]!;
      const paused = this.#pause(Math.min(...next.map(dueAtMs)) - nowMs);
      this.#arrived = this.#wake;
      await paused;
      this.#arrived = undefined;
    }
  }

  /** Lanes with segments that can be loaded, the one after the last first: those of other lanes follow earlier ones of the first. */
  #lanesInTurn(): number[] {
    const count = this.#lanes.length;
    const firstOf = this.#lanes.map((_, lane) =>
      this.#closedSegments.findIndex((segment) => segment.lane === lane),
    );
    const [firstLane = -1] = firstOf;
    return this.#lanes
      .map((_, index) => (this.#turn + 1 + index) % count)
      .filter((lane) => firstOf[lane]! !== -1 && (firstLane === -1 || firstOf[lane]! <= firstLane));
  }

  /** Reads the first segments of a lane, as many as one insert takes. */
  async #loadGroup(lane: number): Promise<ReadGroup> {
    const segments: ClosedSegment[] = [];
    const logged: LoggedSegment[] = [];
    const damagedBytes = new Map<ClosedSegment, number>();
    let rows = 0;
    let bytes = 0;
    const { rowsMax, segmentsAtOnce } = this.#lanes[lane]!;
    for (const segment of this.#closedSegments) {
      if (segment.lane !== lane) continue;
      if (segments.length >= segmentsAtOnce) break;
      if (rows >= rowsMax || bytes >= this.#options.groupBytesMax) break;
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
        const moved = join(folder, basename(path));
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
    this.#lanes[segment.lane]!.writer.waitingBytes -= segment.countedBytes;
    segment.done();
  }

  /** Waits until the next load may begin. */
  async #untilDue(): Promise<void> {
    const leftMs = this.#loadBeganMs + this.#options.loadEveryMs - performance.now();
    const waitingBytes = this.#lanes.reduce((sum, { writer }) => sum + writer.waitingBytes, 0);
    if (leftMs > 0 && this.#flushing === 0 && !this.#closed && waitingBytes < LOAD_AT_BYTES) {
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

/** Moves the segments of a lane into the folder of their log. Release 0.2.0 had a folder for each lane. */
async function moveLane(folder: string, lane: string): Promise<void> {
  const former = join(folder, lane);
  const names = await readdir(former).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((one) => one.endsWith(SEGMENT_EXTENSION)))
    await rename(
      join(former, name),
      join(folder, `${basename(name, SEGMENT_EXTENSION)}.${lane}${SEGMENT_EXTENSION}`),
    );
}

/** Whether reading may succeed later: the process lacks a resource, the file is not damaged. */
function isPassing(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}
