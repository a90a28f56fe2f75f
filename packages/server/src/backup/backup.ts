import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import description from '../../package.json' with { type: 'json' };
import { appliedVersion } from '../platform/clickhouse/migrate.ts';
import type { Db } from '../platform/postgres/transaction.ts';
import { THUMBNAIL, derivedKey, type FileStore } from '../platform/files/file-store.ts';
import { EVENT_TABLES } from './event-tables-store.ts';
import {
  type EventTable,
  FORMAT,
  type FileLine,
  MANIFEST,
  type Manifest,
  type StateTable,
  type StoredFile,
  type BackupSecrets,
} from './manifest.ts';
import { KNOWN_BEFORE_MS, ofKnownEntities, spoolEvents } from './spool-events.ts';
import { type SpooledFile, spoolState, writtenFile } from './spool-state.ts';
import {
  atOneMoment,
  createdSince,
  describeState,
  fileIds,
  readRows,
  sharedSecrets,
  stateTables,
  sumsOf,
  copyTables,
  dropCopies,
  readCopy,
} from './state-store.ts';
import { sql } from 'kysely';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import { clickhouseTime } from '../platform/clickhouse/time.ts';
import type { Database } from '../platform/postgres/client.ts';

/** A step of a backup: a file that is complete, or a line of progress. */
export type BackupStep = SpooledFile | { note: string };

/** How often a line of progress is sent while the state is read. */
const NOTE_EVERY_MS = 1000;

/** What is read of the state in addition to its tables, at the same moment. */
interface Moment {
  at: string;
  migrations: string[];
  booked: BookedEvents;
  recent: string[];
  secrets: Record<string, string>;
}

interface Snapshot extends Moment {
  tables: StateTable[];
  files: SpooledFile[];
}

/**
 * Makes a backup of a running installation: creative files, then the state at one moment, then the files that were new at
 * that moment, then the events, at least the ones booked at that moment (docs/decisions/020-backups.md). Files are
 * written into `folder`, which must not exist, and deleted when the next one is requested; the description is the last.
 * Returns the events that it lacks, in sentences.
 */
export async function* backup(parts: BackupParts, folder: string): AsyncGenerator<BackupStep, string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const creatives = new Map<string, FileLine>();
    yield* spoolFiles(parts, folder, creatives);
    const snapshot = yield* readState(parts, folder);
    yield* taken(snapshot.files);
    yield* spoolFiles(parts, folder, creatives);
    const missing: string[] = [];
    const clickhouse = yield* readEvents(parts, folder, snapshot, missing);
    const index = await spoolIndex(folder, creatives);
    yield* taken([index]);
    const secrets = await spoolSecrets(parts, folder, snapshot.secrets);
    yield* taken(secrets ? [secrets] : []);
    const lines = [...creatives.values()];
    const manifest: Manifest = {
      format: FORMAT,
      release: description.version,
      created_at: snapshot.at,
      postgres: { migrations: snapshot.migrations, tables: snapshot.tables },
      clickhouse,
      files: {
        index: entryOf(index),
        count: lines.length,
        bytes: lines.reduce((sum, { bytes }) => sum + bytes, 0),
      },
      secrets: secrets && entryOf(secrets),
      ...(missing.length > 0 && { missing }),
    };
    const path = join(folder, MANIFEST);
    yield { file: MANIFEST, path, digest: await writtenFile(path, [JSON.stringify(manifest, null, 1)]) };
    return missing;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const entryOf = ({ file, digest: { bytes, sha256 } }: SpooledFile): StoredFile => ({ file, bytes, sha256 });

/** Hands files on, and deletes each when the next one is requested. */
async function* taken(
  files: AsyncIterable<SpooledFile> | Iterable<SpooledFile>,
): AsyncGenerator<SpooledFile> {
  for await (const file of files) {
    yield file;
    await rm(file.path, { force: true });
  }
}

/**
 * The creative files that `known` does not have, with their thumbnails. Sized copies are left out: to request each would take many
 * times the calls of the files themselves, and they are made again when they are first requested.
 */
async function* spoolFiles(
  { db, files }: BackupParts,
  folder: string,
  known: Map<string, FileLine>,
): AsyncGenerator<BackupStep> {
  for await (const uuids of fileIds(db)) {
    for (const key of uuids.flatMap((uuid) => [uuid, derivedKey(uuid, THUMBNAIL)])) {
      if (known.has(key) || (await files.size(key)) === null) continue;
      const path = join(folder, key);
      const digest = await writtenFile(path, files.read(key));
      const spooled = { file: `files/${key}`, path, digest };
      yield* taken([spooled]);
      known.set(key, { key, ...entryOf(spooled) });
    }
    yield { note: `files: ${known.size}` };
  }
}

/** Reads the state at one moment into `folder`; it waits for no other process meanwhile. */
async function* readState(parts: BackupParts, folder: string): AsyncGenerator<BackupStep, Snapshot> {
  const progress = { note: '', isDone: false };
  const read = parts.isShared ? readCopied : readAtOnce;
  const reading = read(parts, folder, (note) => (progress.note = note)).finally(
    () => (progress.isDone = true),
  );
  try {
    while (!progress.isDone) {
      await Promise.race([reading.catch(() => {}), pause(NOTE_EVERY_MS, undefined, { ref: false })]);
      yield { note: progress.note };
    }
    return await reading;
  } finally {
    // The folder is removed after this.
    await reading.catch(() => {});
  }
}

/** Reads the state in one transaction. */
async function readAtOnce(
  { db }: BackupParts,
  folder: string,
  note: (text: string) => void,
): Promise<Snapshot> {
  return atOneMoment(db, async (tx) => {
    const moment = await readMoment(tx);
    const reader = {
      tables: await stateTables(tx),
      read: (table: string) => readRows(tx, table),
      sumsOf: async (table: string) => sumsOf(tx, table),
    };
    return { ...moment, ...(await spoolState(reader, folder, note)) };
  });
}

/** Copies the state in one transaction, and reads the copy, while others use the connection. */
async function readCopied(
  { db }: BackupParts,
  folder: string,
  note: (text: string) => void,
): Promise<Snapshot> {
  const sums = new Map<string, Pick<StateTable, 'rows' | 'sums'>>();
  const tables: string[] = [];
  try {
    const moment = await db.transaction().execute(async (tx) => {
      tables.push(...(await stateTables(tx)));
      await copyTables(tx, tables);
      for (const table of tables) sums.set(table, await sumsOf(tx, table));
      return readMoment(tx);
    });
    const reader = {
      tables,
      read: (table: string) => readCopy(db, table),
      sumsOf: async (table: string) => sums.get(table)!,
    };
    return { ...moment, ...(await spoolState(reader, folder, note)) };
  } finally {
    await dropCopies(db, tables);
  }
}

async function readMoment(db: Db): Promise<Moment> {
  const { at, migrations } = await describeState(db);
  const booked = await bookedEvents(db);
  const recent = await createdSince(db, new Date(Date.parse(at) - KNOWN_BEFORE_MS));
  return { at, migrations, booked, recent, secrets: await sharedSecrets(db) };
}

async function* readEvents(
  parts: BackupParts,
  folder: string,
  { at, booked, recent }: Snapshot,
  missing: string[],
): AsyncGenerator<BackupStep, Manifest['clickhouse']> {
  const { clickhouse } = parts;
  const notes: string[] = [];
  missing.push(...(await untilStored(parts, booked, (note) => notes.push(note))));
  yield* [...notes, ...missing].map((note) => ({ note }));
  const tables: EventTable[] = [];
  for (const table of EVENT_TABLES) {
    const described: EventTable = { table, columns: [], parts: [] };
    const isIncluded = table === 'events' ? ofKnownEntities(Date.parse(at), recent) : null;
    for await (const part of taken(spoolEvents(clickhouse, described, { folder, isIncluded }))) {
      yield part;
      yield { note: `${table}: ${described.parts.reduce((sum, { rows }) => sum + rows, 0)} rows` };
    }
    tables.push(described);
  }
  return { version: await appliedVersion(clickhouse), tables };
}

async function spoolIndex(folder: string, creatives: ReadonlyMap<string, FileLine>): Promise<SpooledFile> {
  const path = join(folder, 'files.jsonl');
  function* lines() {
    for (const line of creatives.values()) yield `${JSON.stringify(line)}\n`;
  }
  return { file: 'files.jsonl', path, digest: await writtenFile(path, lines()) };
}

async function spoolSecrets(
  { secrets }: BackupParts,
  folder: string,
  shared: Record<string, string>,
): Promise<SpooledFile | null> {
  const all = { ...secrets, ...shared };
  if (Object.keys(all).length === 0) return null;
  const path = join(folder, 'secrets.json');
  return { file: 'secrets.json', path, digest: await writtenFile(path, [JSON.stringify(all, null, 2)]) };
}

const WAIT_FOR_MS = 60_000;
const FIRST_WAIT_MS = 20;
const WAIT_MS = 500;

/** The events of an older batch were destroyed, as by a damaged disk: otherwise its log would already be counted. */
const LOST_AFTER_MS = 24 * 3_600_000;

/**
 * Waits until ClickHouse has all events that were booked at the moment of the state: a booking comes before its events. Calls
 * `note` where events of long ago are missing for good. Returns which events have not come in time, in sentences.
 */
async function untilStored(
  { db, clickhouse, waitMs: waitForMs = WAIT_FOR_MS }: Pick<BackupParts, 'db' | 'clickhouse' | 'waitMs'>,
  booked: BookedEvents,
  note: (text: string) => void,
): Promise<string[]> {
  const nowMs = Date.now();
  const isLost = (batch: string) => nowMs - madeAtMs(batch) > LOST_AFTER_MS;
  const startedMs = performance.now();
  let batches = booked.batches;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(WAIT_MS, waitMs * 2)) {
    batches = await missingBatches(clickhouse, batches);
    const { positions, isCounted } = await missingPositions(db, booked.positions);
    if (batches.every(isLost) && positions.length === 0) break;
    if (performance.now() - startedMs > waitForMs)
      return [...missingOf(batches.filter((batch) => !isLost(batch))), ...waitingOf(positions, isCounted)];
    await pause(waitMs);
  }
  if (batches.length > 0)
    note(
      `Events of ${batches.length} segments of an event log were booked more than a day ago and are not in ClickHouse; the backup does not have them either.`,
    );
  return [];
}

function missingOf(batches: readonly string[]): string[] {
  if (batches.length === 0) return [];
  const firstMs = Math.min(...batches.map(madeAtMs));
  return [
    `The backup lacks the events of ${batches.length} ${batches.length === 1 ? 'segment' : 'segments'} of an event log, made since ${new Date(firstMs).toISOString()}, whose spend is booked: they wait in the log of a tracker, or are lost.`,
  ];
}

function waitingOf(positions: BookedEvents['positions'], isCounted: boolean): string[] {
  if (positions.length === 0) return [];
  const partitions = [...new Set(positions.map(({ partition }) => partition))].sort((a, b) => a - b);
  return [
    `The backup lacks events of the event stream whose spend is booked, of partition ${partitions.join(', ')}: ${
      isCounted
        ? 'their counter has not stored them within a minute.'
        : 'no process with the role counter runs.'
    }`,
  ];
}

/** Events whose spend is booked in PostgreSQL and that may not be in ClickHouse yet. */
interface BookedEvents {
  /** Segments of the log of a tracker that counts its own events. */
  batches: readonly string[];
  /** Partitions of the event stream, up to the message that is booked. */
  positions: readonly { stream: string; partition: number; bookedSeq: number }[];
}

const BATCHES_MAX = 100_000;

/** The events booked at the moment of `db`, a transaction. */
async function bookedEvents(db: Db): Promise<BookedEvents> {
  const batches = await db.selectFrom('booked_batches').select('batch').limit(BATCHES_MAX).execute();
  const positions = await sql<{ stream: string; partition: number; bookedSeq: number }>`
    select stream, partition, booked_seq as "bookedSeq" from event_partitions
    where stored_seq < booked_seq`.execute(db);
  return { batches: batches.map(({ batch }) => batch), positions: positions.rows };
}

/** Unix ms of the creation of a batch, from its UUIDv7. */
function madeAtMs(batch: string): number {
  return Number.parseInt(batch.slice(0, 8) + batch.slice(9, 13), 16);
}

const BATCHES_IN_QUERY = 1000;
const DAY_MS = 24 * 3_600_000;

/** The batches of `batches` that have no event in ClickHouse. */
async function missingBatches(clickhouse: ClickHouse, batches: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let from = 0; from < batches.length; from += BATCHES_IN_QUERY) {
    const requested = batches.slice(from, from + BATCHES_IN_QUERY);
    // A batch has events since it was made; the day allows for a clock that was set back.
    const sinceMs = Math.min(...requested.map(madeAtMs)) - DAY_MS;
    const rows = await clickhouse.query<{ batch: string }>(
      `select distinct batch from events
       where time >= {since:DateTime64(3, 'UTC')} and has({batches:Array(UUID)}, batch)`,
      { batches: requested, since: clickhouseTime(sinceMs) },
    );
    const stored = new Set(rows.map(({ batch }) => batch));
    missing.push(...requested.filter((batch) => !stored.has(batch)));
  }
  return missing;
}

/**
 * The `positions` up to which events are not stored, and whether a counter counts their stream. Streams that no
 * counter counts are left out while another one is counted: they were replaced.
 */
async function missingPositions(
  db: Db,
  positions: BookedEvents['positions'],
): Promise<{ positions: BookedEvents['positions']; isCounted: boolean }> {
  if (positions.length === 0) return { positions: [], isCounted: true };
  const streams = sql`any(${[...new Set(positions.map(({ stream }) => stream))]}::text[])`;
  const { rows } = await sql<{ stream: string; partition: number; storedSeq: number }>`
    select stream, partition, stored_seq as "storedSeq" from event_partitions
    where stream = ${streams}`.execute(db);
  const stored = new Map(
    rows.map(({ stream, partition, storedSeq }) => [`${partition} ${stream}`, storedSeq]),
  );
  const counted = await sql<{ stream: string }>`
    select distinct stream from event_counters
    where seen_at > clock_timestamp() - interval '30 seconds'`.execute(db);
  const live = new Set(counted.rows.map(({ stream }) => stream));
  return {
    positions: positions.filter(
      ({ stream, partition, bookedSeq }) =>
        (live.has(stream) || live.size === 0) &&
        (stored.get(`${partition} ${stream}`) ?? bookedSeq) < bookedSeq,
    ),
    isCounted: live.size > 0,
  };
}

/** The parts of an installation. */
export interface BackupParts {
  db: Database;
  clickhouse: ClickHouse;
  /** Whether all of the server share one connection to PostgreSQL, so that a backup must not hold it. */
  isShared?: boolean;
  /** How long events are waited for that are booked and not stored, ms; a minute by default. */
  waitMs?: number;
  files: Pick<FileStore, 'read' | 'size'>;
  /** The generated secrets of DATA_DIR; null if the secrets of all servers are in PostgreSQL. */
  secrets: BackupSecrets | null;
}
