import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import description from '../../package.json' with { type: 'json' };
import { appliedVersion } from '../platform/clickhouse/migrate.ts';
import type { Db } from '../platform/postgres/transaction.ts';
import { THUMBNAIL, derivedKey } from '../platform/files/file-store.ts';
import { type BookedEvents, bookedEvents } from './booked-store.ts';
import { untilStored } from './booked.ts';
import { EVENT_TABLES } from './event-tables-store.ts';
import {
  type EventTable,
  FORMAT,
  type FileLine,
  MANIFEST,
  type Manifest,
  type StateTable,
  type StoredFile,
} from './manifest.ts';
import type { BackupParts } from './parts.ts';
import { KNOWN_BEFORE_MS, ofKnownEntities, spoolEvents } from './spool-events.ts';
import { type SpooledFile, spoolState } from './spool-state.ts';
import {
  atOneMoment,
  createdSince,
  describeState,
  fileIds,
  readRows,
  sharedSecrets,
  stateTables,
  sumsOf,
} from './state-store.ts';
import { copyTables, dropCopies, readCopy } from './state-copy-store.ts';
import { writtenFile } from './written-file.ts';

/** A step of a backup: a file that is complete, or a line of progress. */
export type BackupStep = SpooledFile | { note: string };

/** How often a line of progress is sent while the state is read. */
const NOTE_EVERY_MS = 1000;

/** What is read of the state beside its tables, at the same moment. */
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
 * that moment, then the events, at least those that were booked at that moment (docs/decisions/020-backups.md). Files are
 * written into `folder`, which must not exist, and deleted when the next one is requested; the description is the last.
 * Returns what it lacks of the events, in sentences.
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

/** Reads the state at one moment into `folder`; nobody is waited for meanwhile. */
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
