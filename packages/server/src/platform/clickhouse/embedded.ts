import { createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { mkdir, readFile, stat, writeFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SmallMemory } from '../memory.ts';
import {
  DataFolderInUse,
  DataFolderUnusable,
  type OpenedClickHouse,
  type InsertFile,
  type OpenStream,
} from './connection.ts';
import { Session } from 'chdb';
import { setPriority } from 'node:os';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import pLimit from 'p-limit';

/** In the folder of chDB: its lock, the definitions of its tables, and their rows. */
const OWN_FILES = ['status', 'metadata', 'store'];

const FILES_DELETED =
  "Files of the reports' database in DATA_DIR/clickhouse were deleted while it runs: reports lack what was in them, and events wait in the event log. Stop the server, put the files back or restore a backup, and start it.";

/** Opens chDB under `dataDir`. Throws {@link DataFolderInUse} and {@link DataFolderUnusable}. */
export async function openChdb(dataDir: string, memory: SmallMemory | null): Promise<OpenedClickHouse> {
  const path = join(dataDir, 'clickhouse');
  await mkdir(path, { recursive: true });
  try {
    const limits = memory && (await openWithin(memory, path, dataDir));
    const client = createClient({ connection: createChdbConnection({ path }) } as Parameters<
      typeof createClient
    >[0]);
    const openStream = await embeddedStreams(path, join(dataDir, 'exports'));
    abortAtOnce();
    const stopLowering = lowerPriority();
    const hasFiles = watchFiles(path, OWN_FILES);
    // The files that exist by now have to stay.
    await hasFiles();
    const fault = async () => ((await hasFiles()) ? null : FILES_DELETED);
    const release = (): void => {
      stopLowering();
      limits?.close();
    };
    return { client, openStream, insertFile: embeddedFiles(path), fault, release };
  } catch (cause) {
    // chDB prints the real reason and throws a general error.
    if (await isLocked(join(path, 'status')))
      throw new DataFolderInUse(`Another Bidwell process already uses the data folder ${dataDir}.`, {
        cause,
      });
    throw new DataFolderUnusable(
      `The reports' database cannot be opened in ${path}; the line above says why. Is it from a newer version, damaged, or not yours to write?`,
      { cause },
    );
  }
}

/** Whether a process holds a lock on a file; assumed true where the system does not provide it (not Linux). */
async function isLocked(file: string): Promise<boolean> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
  if (locks === null) return true;
  const inode = await stat(file).then(
    ({ ino }) => ino,
    () => null,
  );
  return inode !== null && new RegExp(`:${inode} `).test(locks);
}

/**
 * Ends the process when it aborts, as Node.js does without memory. chDB handles the signal by waiting for its threads, which may
 * never end: the process would keep its port and its data folder without responding.
 */
function abortAtOnce(): void {
  if (process.listenerCount('SIGABRT') === 0) process.on('SIGABRT', () => process.abort());
}

/**
 * Returns a function that tells whether the files and folders of these names in a folder are still the ones that it saw first. Files
 * that do not exist yet may come. Takes as long as reading the properties of each.
 */
function watchFiles(folder: string, names: readonly string[]): () => Promise<boolean> {
  const seen = new Map<string, number>();
  const isThere = async (name: string): Promise<boolean> => {
    const inode = await stat(join(folder, name)).then(
      ({ ino }) => ino,
      () => null,
    );
    const first = seen.get(name) ?? inode;
    if (first !== null) seen.set(name, first);
    return first === inode;
  };
  return async () => (await Promise.all(names.map(isThere))).every(Boolean);
}

/**
 * Opens chDB at `path` with the limits for small memory. They apply to all sessions of this process, which share one
 * engine: close this first session last. Throws chDB's errors.
 */
async function openWithin(memory: SmallMemory, path: string, dataDir: string): Promise<Session> {
  const file = join(dataDir, 'chdb.xml');
  await writeFile(file, configuration(memory));
  // The constructor's type lacks its second argument.
  const Limited = Session as unknown as new (path: string, options: { connectionArgs: string[] }) => Session;
  return new Limited(path, { connectionArgs: [`--config-file=${file}`] });
}

const MIB = 1024 ** 2;

function configuration({ chdb, chdbCache }: SmallMemory): string {
  const server = {
    max_server_memory_usage: chdb * MIB,
    mark_cache_size: chdbCache * MIB,
    primary_index_cache_size: chdbCache * MIB,
    index_mark_cache_size: MIB,
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    mmap_cache_size: 64,
    compiled_expression_cache_size: 0,
    background_pool_size: 1,
    background_merges_mutations_concurrency_ratio: 1,
    background_common_pool_size: 1,
    max_thread_pool_size: 64,
    max_io_thread_pool_size: 4,
    max_thread_pool_free_size: 4,
  };
  const merges = {
    // A merge allocates buffers for each part that it reads, and merged parts stay open for this many seconds.
    max_parts_to_merge_at_once: 10,
    merge_max_block_size: 1024,
    merge_max_block_size_bytes: 2 * MIB,
    old_parts_lifetime: 30,
  };
  return `<clickhouse>${elements(server)}<merge_tree>${elements(merges)}</merge_tree></clickhouse>`;
}

function elements(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
}

/** Threads of Node.js by name: its own, its thread pool's and V8's. The rest of the process is chDB's. */
const OF_NODE = /^(node|libuv-worker|DelayedTaskSche|V8Worker|WorkerThread|MainThread|Signal)/i;

/** Nice value of chDB's threads: on a busy processor each gets about a tenth of the time of a thread of Node.js. */
const NICE = 10;

/** chDB starts threads as its queries need them. */
const EVERY_MS = 500;
const TASKS = '/proc/self/task';

/**
 * Gives chDB's threads a lower priority than the threads of Node.js, so that reports take the time that bids leave. Only on Linux, where
 * threads have priorities of their own; elsewhere it does nothing. Returns a function that ends it.
 */
function lowerPriority(): () => void {
  const seen = new Set<string>();
  const lower = async (): Promise<void> => {
    const threads = await readdir(TASKS);
    for (const thread of threads) {
      if (seen.has(thread)) continue;
      const name = await readFile(`${TASKS}/${thread}/comm`, 'utf8');
      // A thread has the name of the one that started it until it sets its own.
      if (!OF_NODE.test(name)) setPriority(Number(thread), NICE);
      seen.add(thread);
    }
    for (const thread of seen) if (!threads.includes(thread)) seen.delete(thread);
  };
  // A thread that ended meanwhile is no fault, and without /proc there is nothing to do.
  const timer = setInterval(() => void lower().catch(() => {}), EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Limit of concurrent streams; others wait. */
const STREAMS = 2;

/**
 * Streams query results of chDB a block at a time; its client would hold them whole in memory. `path` is chDB's folder,
 * `exports` one for temporary files, emptied at start.
 */
async function embeddedStreams(path: string, exports: string): Promise<OpenStream> {
  await rm(exports, { recursive: true, force: true });
  await mkdir(exports, { recursive: true });
  const inTurn = turns(STREAMS);
  return async function* stream(sql, params, format) {
    const done = await inTurn();
    // A session supports one stream; sessions of a folder share its engine.
    const session = new Session(path);
    try {
      if (format === 'Parquet') yield* throughFile(session, join(exports, randomUUID()), sql, params);
      else for await (const chunk of session.queryStreamBind(sql, params, { format })) yield chunk.raw();
    } finally {
      session.cleanup();
      done();
    }
  };
}

/**
 * Writes a Parquet result to a file first: its index is at the end, and streamed blocks would each be a file of their
 * own.
 */
async function* throughFile(
  session: Session,
  file: string,
  sql: string,
  params: Record<string, unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    await session.queryBindAsync(`insert into function file(${quoted(file)}, 'Parquet') ${sql}`, params);
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } finally {
    await rm(file, { force: true });
  }
}

/** Inserts files into the tables of chDB, which reads them a block at a time. `path` is chDB's folder. */
function embeddedFiles(path: string): InsertFile {
  return async (table, columns, file) => {
    const session = new Session(path);
    const names = columns.map(({ name }) => name).join(', ');
    const structure = columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    try {
      await session.queryBindAsync(
        `insert into ${table} (${names})
         select ${names} from file(${quoted(file)}, 'RowBinary', ${quoted(structure)}, 'gzip')`,
        {},
      );
    } finally {
      session.cleanup();
    }
  };
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Concurrency limit for generators: resolves in turn with a function that ends the turn. */
function turns(count: number): () => Promise<() => void> {
  const inTurn = pLimit(count);
  return () =>
    new Promise((begin) => {
      void inTurn(() => new Promise<void>((done) => begin(done)));
    });
}
