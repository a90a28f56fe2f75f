import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { Unavailable } from '../../platform/errors.ts';

export interface WriteAheadLogOptions {
  folder: string;
  /**
   * Stores a closed segment's records. `batch` names the segment; `doubtful` says that an earlier try may have stored
   * some of them: the loader asks and stores the rest. The segment is kept and tried again until this succeeds.
   */
  load(batch: string, records: Buffer[], doubtful: boolean): Promise<void>;
  onLoadError(error: unknown): void;
  /** Age at which a segment is closed and handed on. */
  segmentMs?: number;
  retryMs?: number;
  /** Bytes that may wait on disk before appends are refused. */
  bytesMax?: number;
}

/** An append-only log: what `append` has acknowledged survives the process and reaches the loader exactly once. */
export interface WriteAheadLog {
  /** Resolves once the record is on disk (`fdatasync`). Throws Unavailable when too much is waiting. */
  append(record: Buffer): Promise<void>;
  /** Resolves when what an earlier process left has been loaded. */
  recovered: Promise<void>;
  /** Resolves when everything acknowledged so far has been loaded. */
  flushed(): Promise<void>;
  /** Takes no more, hands on what there is, and leaves what the loader does not take on disk. */
  close(): Promise<void>;
}

const HEADER_BYTES = 8;
const EXTENSION = '.wal';

interface Segment {
  batch: string;
  path: string;
  file: FileHandle;
  bytes: number;
  openedAtMs: number;
}

/**
 * Opens the log and begins to load every segment that an earlier process left. Records are framed by length and CRC; a torn last
 * frame was never acknowledged and is dropped.
 */
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
  #queue: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #segment: Segment | null = null;
  #rollTimer: NodeJS.Timeout | undefined;
  #loading: Promise<void> = Promise.resolve();
  recovered: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #closed = false;
  /** Closing, and the loader is away: what is left waits for the next process. */
  #givenUp = false;

  constructor(options: WriteAheadLogOptions) {
    this.#options = { segmentMs: 200, retryMs: 1000, bytesMax: 1024 ** 3, ...options };
  }

  async recover(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true });
    const names = (await readdir(this.#options.folder)).filter((name) => name.endsWith(EXTENSION)).sort();
    for (const name of names) {
      const path = join(this.#options.folder, name);
      this.#waitingBytes += (await stat(path)).size;
      this.#handOn({ batch: name.slice(0, -EXTENSION.length), path, bytes: Infinity }, true);
    }
    this.recovered = this.#loading;
  }

  append(record: Buffer): Promise<void> {
    if (this.#closed || this.#waitingBytes > this.#options.bytesMax) return Promise.reject(new Unavailable());
    return new Promise((stored, failed) => {
      this.#queue.push({ record, stored, failed });
      this.#writing ??= this.#drain();
    });
  }

  async flushed(): Promise<void> {
    await this.#writing;
    await this.#roll();
    await this.#loading;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
    await this.#roll();
    await this.#loading;
  }

  /** Writes whatever has queued, again and again: one `fdatasync` acknowledges all that came during the last one. */
  async #drain(): Promise<void> {
    // Lets the requests that arrived together be written together.
    await new Promise((next) => setImmediate(next));
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#queue = [];
      try {
        const segment = (this.#segment ??= await this.#openSegment());
        const bytes = Buffer.concat(group.map(({ record }) => frame(record)));
        await segment.file.appendFile(bytes);
        await segment.file.datasync();
        segment.bytes += bytes.length;
        this.#waitingBytes += bytes.length;
        for (const { stored } of group) stored();
        if (Date.now() - segment.openedAtMs >= this.#options.segmentMs) await this.#closeSegment();
      } catch (error) {
        // How much of the group is on disk is unknown: it is cut off, and what follows starts a new segment. Where even
        // that fails, the loader still reads no further than what was acknowledged.
        this.#options.onLoadError(error);
        await this.#segment?.file.truncate(this.#segment.bytes).catch(this.#options.onLoadError);
        await this.#closeSegment();
        for (const { failed } of group) failed(new Unavailable(undefined, 1));
      }
    }
    this.#writing = null;
  }

  async #openSegment(): Promise<Segment> {
    const batch = uuidv7();
    const path = join(this.#options.folder, batch + EXTENSION);
    const file = await open(path, 'ax');
    try {
      const folder = await open(this.#options.folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#rollTimer = setTimeout(() => void this.#roll(), this.#options.segmentMs);
    return { batch, path, file, bytes: 0, openedAtMs: Date.now() };
  }

  /** Closes the segment in turn with the writes. */
  async #roll(): Promise<void> {
    while (this.#writing) await this.#writing;
    const closing = this.#closeSegment();
    this.#writing = closing.then(() => {
      this.#writing = this.#queue.length > 0 ? this.#drain() : null;
    });
    await closing;
  }

  async #closeSegment(): Promise<void> {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = null;
    clearTimeout(this.#rollTimer);
    await segment.file.close().catch((error: unknown) => this.#options.onLoadError(error));
    this.#handOn(segment, false);
  }

  #handOn(segment: Pick<Segment, 'batch' | 'path' | 'bytes'>, doubtful: boolean): void {
    this.#loading = this.#loading.then(() => this.#load(segment, doubtful));
  }

  async #load(
    { batch, path, bytes: bytesMax }: Pick<Segment, 'batch' | 'path' | 'bytes'>,
    doubtful: boolean,
  ): Promise<void> {
    for (let doubt = doubtful; !this.#givenUp; doubt = true) {
      try {
        const bytes = (await readFile(path)).subarray(0, bytesMax);
        const records = unframe(bytes);
        if (records.length > 0) await this.#options.load(batch, records, doubt);
        await rm(path);
        this.#waitingBytes -= bytes.length;
        return;
      } catch (error) {
        this.#options.onLoadError(error);
        this.#givenUp = this.#closed;
        if (this.#givenUp) return;
        await new Promise((again) => setTimeout(again, this.#options.retryMs));
      }
    }
  }
}

function frame(record: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(record.length, 0);
  header.writeUInt32BE(crc32(record), 4);
  return Buffer.concat([header, record]);
}

/** The whole records of a segment, up to the first that is torn; zeros, which a power cut may leave, are no records. */
export function unframe(bytes: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + HEADER_BYTES + length;
    if (length === 0 || end > bytes.length) break;
    const record = bytes.subarray(at + HEADER_BYTES, end);
    if (crc32(record) !== bytes.readUInt32BE(at + 4)) break;
    records.push(record);
    at = end;
  }
  return records;
}
