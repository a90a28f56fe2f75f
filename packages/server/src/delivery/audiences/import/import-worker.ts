import { createReadStream, readlinkSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import type { InvalidLine } from '@bidwell/contract/audiences/line-faults';
import type { IdForm, ImportMode } from '@bidwell/contract/audiences/schema';
import type { ImportReport } from '../../../platform/postgres/audience-tables.ts';
import { type DigestKind, headerOf, readAudience } from '../audience-file.ts';
import { DigestList, TooManyDigests, bytesOf, difference, union } from './digest-list.ts';
import { type OtherFormat, otherFormatOf } from './file-format.ts';
import type { ReadId } from './id-reader.ts';
import { ListReader } from './list-reader.ts';

/** What a worker imports. */
export interface ImportTask {
  /** The file of ids, plain or packed by gzip. */
  input: string;
  /** The kind of the digests, 8 bytes each, that the file has in place of ids; null for ids. */
  digestKind: DigestKind | null;
  /** The file of the audience as it is; null for one without ids, and where the ids are replaced. */
  previous: string | null;
  output: string;
  mode: ImportMode;
  form: IdForm;
  letters: DigestKind['letters'];
  sizeMax: number;
  /** The most bytes of the file, unpacked. */
  bytesMax: number;
  /** Whether the first line may name columns; otherwise each line is an id. */
  mayHaveHead: boolean;
  /** Whether it is not known that the file is whole: then its last line decides. */
  mayBeCut: boolean;
}

/** Why an import failed: the audience stays as it is. */
export type ImportFault =
  | {
      code:
        | 'empty'
        | 'head_alone'
        | 'cut_off'
        | 'gzip'
        | 'unreadable'
        | 'too_many'
        | 'too_long'
        | 'unpacks_too_far';
    }
  | { code: 'other_format'; format: OtherFormat }
  | { code: 'no_valid_ids'; lines: number; first: InvalidLine | null }
  | { code: 'mostly_invalid'; lines: number; invalid: number; first: InvalidLine | null }
  | { code: 'other_kind'; stored: DigestKind['hash']; given: DigestKind['hash'] };

export interface ImportResult {
  report: ImportReport;
  kind: DigestKind;
}

/** Messages of the worker. */
export type ImportMessage =
  | { type: 'progress'; percent: number }
  | { type: 'done'; result: ImportResult }
  | { type: 'failed'; fault: ImportFault; report: ImportReport };

/** Carries a fault to the end of the import. */
class Failed extends Error {
  readonly fault: ImportFault;
  constructor(fault: ImportFault) {
    super(fault.code);
    this.fault = fault;
  }
}

const NOTHING: ImportReport = {
  lines: 0,
  ids: 0,
  duplicates: 0,
  invalid: 0,
  invalid_lines: [],
  size_before: 0,
  size_after: 0,
};

/**
 * Imports a file of ids into a new file of an audience. A file without ids, or whose lines are mostly no ids, is a fault: it must not empty an
 * audience. Returns the fault with what was counted until then.
 */
export async function importIds(
  task: ImportTask,
  onProgress: (percent: number) => void = () => {},
): Promise<{ result: ImportResult } | { fault: ImportFault; report: ImportReport }> {
  const report = { ...NOTHING };
  try {
    const read = task.digestKind
      ? await readDigests(task, task.digestKind, report)
      : await readText(task, report, onProgress);
    const previous = task.previous ? await readAudience(createReadStream(task.previous)) : null;
    report.size_before = previous?.count ?? 0;
    if (previous && previous.count > 0 && previous.hash !== read.kind.hash)
      throw new Failed({ code: 'other_kind', stored: previous.hash, given: read.kind.hash });
    const stored = previous
      ? new BigUint64Array(previous.words.buffer, 0, previous.count)
      : new BigUint64Array(0);
    const values =
      task.mode === 'replace'
        ? read.values
        : task.mode === 'add'
          ? union(stored, read.values, task.sizeMax)
          : difference(stored, read.values);
    const letters =
      task.mode === 'replace' || stored.length === 0 || previous?.letters === read.kind.letters
        ? read.kind.letters
        : task.mode === 'remove'
          ? previous!.letters
          : 'either';
    const kind: DigestKind = { hash: read.kind.hash, letters };
    report.size_after = values.length;
    await writeAudience(task.output, kind, values);
    return { result: { report, kind } };
  } catch (error) {
    if (error instanceof Failed) return { fault: error.fault, report };
    if (error instanceof TooManyDigests) return { fault: { code: 'too_many' }, report };
    throw error;
  }
}

/** Bytes that are read at once, and the steps in which the progress is said. */
const PART_BYTES = 256 * 1024;
const PROGRESS_PERCENT = 5;

/**
 * How many times its bytes a file packed by gzip may have once it is unpacked, from a size on. Lists of ids have two to three times their
 * packed bytes, and ten times with columns that repeat; a file of zeros has a thousand times, and would take minutes to read.
 */
const UNPACK_FACTOR_MAX = 50;
const UNPACK_FACTOR_FROM_BYTES = 16 * 1024 ** 2;

interface Read {
  values: BigUint64Array;
  kind: DigestKind;
}

async function readText(
  { input, form, letters, mode, sizeMax, bytesMax, mayHaveHead, mayBeCut }: ImportTask,
  report: ImportReport,
  onProgress: (percent: number) => void,
): Promise<Read> {
  const list = new DigestList(sizeMax);
  let hash: DigestKind['hash'] = 'sha256';
  let isHashed = false;
  let isPlain = false;
  const onId = (id: ReadId): void => {
    hash = id.hash;
    if (id.isPlain) isPlain = true;
    else isHashed = true;
    list.add(id);
  };
  const reader = new ListReader(form, onId, { mayHaveHead });
  const unpackedMax = await unpackedBytesMax(input);
  let bytes = 0;
  for await (const part of textOf(input, onProgress)) {
    const format = bytes === 0 && mayHaveHead ? otherFormatOf(part) : null;
    if (format) throw new Failed({ code: 'other_format', format });
    bytes += part.length;
    if (bytes > unpackedMax) throw new Failed({ code: 'unpacks_too_far' });
    if (bytes > bytesMax) throw new Failed({ code: 'too_long' });
    // Ids are ASCII, and other bytes are in no id.
    reader.add(part.toString('latin1'));
  }
  reader.end();
  Object.assign(report, reader.counts);
  const { lines, ids, invalid, invalid_lines: invalidLines } = reader.counts;
  const first = invalidLines[0] ?? null;
  if (lines === 0) throw new Failed({ code: reader.isHeadAlone ? 'head_alone' : 'empty' });
  // A file that is packed has its length at its end.
  if (mayBeCut && reader.isCut && !(await isGzip(input))) throw new Failed({ code: 'cut_off' });
  if (ids === 0) throw new Failed({ code: 'no_valid_ids', lines, first });
  if (mode === 'replace' && invalid > lines / 2)
    throw new Failed({ code: 'mostly_invalid', lines, invalid, first });
  const { values, repeated } = list.sorted();
  report.duplicates = repeated;
  const kind: DigestKind = {
    hash,
    letters: !isHashed ? 'lower' : isPlain && letters === 'upper' ? 'either' : letters,
  };
  return { values, kind };
}

/** The bytes of a file, unpacked where it is packed by gzip. */
async function* textOf(path: string, onProgress: (percent: number) => void): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  if (size === 0) throw new Failed({ code: 'empty' });
  const isPacked = await isGzip(path);
  let read = 0;
  let said = 0;
  const count = ({ length }: { length: number }): void => {
    read += length;
    const percent = Math.floor((read / size) * 100);
    if (percent >= said + PROGRESS_PERCENT) onProgress((said = percent));
  };
  const file = createReadStream(path, { highWaterMark: PART_BYTES });
  if (!isPacked) {
    for await (const part of file as AsyncIterable<Buffer>) {
      count(part);
      yield part;
    }
    return;
  }
  const unpacked = createGunzip({ chunkSize: PART_BYTES });
  file.once('error', (error) => unpacked.destroy(error));
  file.on('data', count);
  try {
    yield* file.pipe(unpacked) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Failed) throw error;
    throw new Failed({ code: 'gzip' });
  } finally {
    file.destroy();
  }
}

/** The most bytes that a packed file may unpack to; Infinity for one that is not packed. */
async function unpackedBytesMax(path: string): Promise<number> {
  if (!(await isGzip(path))) return Infinity;
  return Math.max(UNPACK_FACTOR_FROM_BYTES, (await stat(path)).size * UNPACK_FACTOR_MAX);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** Digests, as ClickHouse selects them. A list of them may be empty: no one is in the audience. */
async function readDigests(
  { input, sizeMax }: ImportTask,
  kind: DigestKind,
  report: ImportReport,
): Promise<Read> {
  const list = new DigestList(sizeMax);
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of createReadStream(input) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const end = bytes.length - (bytes.length % 8);
    for (let at = 0; at < end; at += 8)
      list.add({ low: bytes.readUInt32LE(at), high: bytes.readUInt32LE(at + 4) });
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) throw new Failed({ code: 'unreadable' });
  const { values, repeated } = list.sorted();
  report.lines = report.ids = values.length + repeated;
  report.duplicates = repeated;
  return { values, kind };
}

async function writeAudience(path: string, kind: DigestKind, values: BigUint64Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(headerOf({ ...kind, count: values.length }, bytesOf(values)));
    for (const part of bytesOf(values)) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Lets bids and calls go first where processors are few: an import may take longer. Linux alone has priorities of threads, and names the
 * calling one there.
 */
function lowerPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Of another system, or not permitted.
  }
}

const say = (message: ImportMessage): void => parentPort?.postMessage(message);

// In a thread of its own: a file of ten million ids takes tens of seconds to read, which must not block bids and calls.
if (parentPort && workerData) {
  lowerPriority();
  const outcome = await importIds(workerData as ImportTask, (percent) => say({ type: 'progress', percent }));
  say(
    'result' in outcome
      ? { type: 'done', result: outcome.result }
      : { type: 'failed', fault: outcome.fault, report: outcome.report },
  );
}
