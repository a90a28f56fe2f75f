import { createReadStream } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Config } from '../config/config.ts';
import { storeSecrets } from '../config/secrets.ts';
import { migrate as migrateClickHouse } from '../platform/clickhouse/migrate.ts';
import { lockFolder } from '../platform/files/folder-lock.ts';
import { knownMigrations, migrate as migratePostgres } from '../platform/postgres/migrate.ts';
import { beginRestore, endRestore, isRestoring } from '../platform/postgres/restore-marker.ts';
import { shareSecrets } from '../platform/postgres/stores/secrets-store.ts';
import { BackupFailed } from './backup-failed.ts';
import { EVENT_TABLES, dropEvents, hasRows, monthsOf } from './event-tables-store.ts';
import { type Installation, hasServers, openInstallation } from './installation.ts';
import { BackupSecrets, FileLine, type Manifest, type StoredFile, filesOf } from './manifest.ts';
import type { BackupSource } from './locations.ts';
import {
  deleteNotifications,
  dropState,
  hasNoTables,
  runningProcesses,
  sumsOf,
  writeRows,
} from './state-store.ts';

type Say = (line: string) => void;

/**
 * Restores a backup into an empty installation: verifies all its files first, marks the installation as incomplete, so that no
 * server starts on it, loads the tables as they were, compares rows and sums, and applies the migrations since. After an
 * interruption it starts over. A move leaves DATA_DIR as it is, with the creative files unless there is S3. Throws
 * {@link BackupFailed}.
 */
export async function restore(
  config: Config,
  source: BackupSource,
  { say, isMove = false }: { say: Say; isMove?: boolean },
): Promise<Manifest> {
  const manifest = await source.manifest();
  say(`Backup of ${manifest.created_at}, made by release ${manifest.release}. Verifying its files …`);
  await verify(source, manifest);
  const lock = hasServers(config) ? await lockFolder(config.dataDir, () => {}) : null;
  try {
    const installation = await openInstallation(config);
    try {
      await empty(isMove ? null : config.dataDir, installation);
      await load(installation, source, { manifest, say, hasFiles: !isMove || config.s3 !== null });
      await restoreSecrets(config, installation, { source, manifest, say });
      await endRestore(installation.db);
    } finally {
      await installation.close();
    }
  } finally {
    await lock?.release();
  }
  return manifest;
}

async function verify(source: BackupSource, manifest: Manifest): Promise<void> {
  for (const entry of filesOf(manifest)) await source.use(entry, async () => {});
  for await (const line of creativeFiles(source, manifest)) await source.use(line, async () => {});
}

/** The index of creative files, some lines at a time in memory. */
async function* creativeFiles(source: BackupSource, { files }: Manifest): AsyncGenerator<FileLine> {
  const lines = await source.use(files.index, async (path) => {
    const read: FileLine[] = [];
    for await (const line of linesOfFile(path, { isCompressed: false }))
      read.push(parseLine(line, files.index));
    return read;
  });
  yield* lines;
}

function parseLine(line: string, { file }: StoredFile): FileLine {
  const parsed = FileLine.safeParse(JSON.parse(line));
  if (!parsed.success) throw new BackupFailed(`${file} of the backup is damaged.`);
  return parsed.data;
}

/** Makes sure that the installation is empty and stays so; empties it after an interrupted restore. */
async function empty(dataDir: string | null, { db, clickhouse }: Installation): Promise<void> {
  const isRepeated = await isRestoring(db);
  if (!isRepeated) {
    const running = await runningProcesses(db);
    if (running.length > 0)
      throw new BackupFailed(
        `Servers run on this database (${running.join(', ')}): a backup is restored into an empty installation.`,
      );
    const segments = dataDir === null ? [] : await readdir(join(dataDir, 'event-log')).catch(() => []);
    const tables = await Promise.all(EVENT_TABLES.map(async (table) => hasRows(clickhouse, table)));
    if (segments.length > 0 || tables.includes(true) || !(await hasNoTables(db)))
      throw new BackupFailed(
        'The installation is not empty: restore into a new DATA_DIR, or with servers into new databases.',
      );
  }
  await beginRestore(db);
  if (isRepeated) await dropState(db);
  await dropEvents(clickhouse);
}

async function load(
  installation: Installation,
  source: BackupSource,
  { manifest, say, hasFiles }: { manifest: Manifest; say: Say; hasFiles: boolean },
): Promise<void> {
  const { db, clickhouse, files } = installation;
  const { migrations } = manifest.postgres;
  await migratePostgres(db, db, Object.fromEntries(migrations.map((name) => [name, knownMigrations[name]!])));
  await migrateClickHouse(clickhouse, { last: manifest.clickhouse.version });
  for await (const entry of hasFiles ? creativeFiles(source, manifest) : [])
    await source.use(entry, async (path) => files.write(entry.key, createReadStream(path)));
  say(`files: ${manifest.files.count} (${manifest.files.bytes} bytes)`);
  await loadState(installation, source, { manifest, say });
  await loadEvents(installation, source, { manifest, say });
  await migratePostgres(db, db);
  await migrateClickHouse(clickhouse);
}

async function loadState(
  { db }: Installation,
  source: BackupSource,
  { manifest, say }: { manifest: Manifest; say: Say },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { table, rows, sums, files } of manifest.postgres.tables) {
      for (const entry of files)
        await source.use(entry, async (path) =>
          writeRows(tx, table, linesOfFile(path, { isCompressed: true })),
        );
      const found = await sumsOf(tx, table);
      const differing = Object.keys(sums).find((name) => sums[name] !== found.sums[name]);
      if (found.rows !== rows || differing !== undefined)
        throw new BackupFailed(
          `${table} has ${found.rows} rows after it was restored, and ${rows} in the backup${differing ? `; ${differing} is ${found.sums[differing]}, and ${sums[differing]} in the backup` : ''}.`,
        );
      say(`state: ${table}, ${rows} rows`);
    }
    await deleteNotifications(tx);
  });
}

async function loadEvents(
  { clickhouse }: Installation,
  source: BackupSource,
  { manifest, say }: { manifest: Manifest; say: Say },
): Promise<void> {
  for (const { table, columns, parts } of manifest.clickhouse.tables) {
    const expected = new Map<number, { rows: number; spendMicros: number }>();
    for (const part of parts) {
      await source.use(part, async (path) => clickhouse.insertFile(table, columns, path));
      const sum = expected.get(part.month) ?? { rows: 0, spendMicros: 0 };
      sum.rows += part.rows;
      sum.spendMicros += part.spend_micros;
      expected.set(part.month, sum);
      say(`${table}: ${[...expected.values()].reduce((total, { rows }) => total + rows, 0)} rows`);
    }
    const found = new Map((await monthsOf(clickhouse, table)).map((month) => [month.month, month]));
    for (const [month, { rows, spendMicros }] of expected)
      if (found.get(month)?.rows !== rows || found.get(month)?.spendMicros !== spendMicros)
        throw new BackupFailed(
          `${table} of ${month} has ${found.get(month)?.rows ?? 0} rows and a spend of ${found.get(month)?.spendMicros ?? 0} micros after it was restored, and ${rows} and ${spendMicros} in the backup.`,
        );
  }
}

const ENVIRONMENT = {
  accessTokenSecret: 'ACCESS_TOKEN_SECRET',
  signingSecret: 'SIGNING_SECRET',
  operatorToken: 'OPERATOR_TOKEN',
} as const;

/** Restores the generated secrets, so that sessions and the addresses of trackers stay valid. */
async function restoreSecrets(
  config: Config,
  { db }: Installation,
  { source, manifest, say }: { source: BackupSource; manifest: Manifest; say: Say },
): Promise<void> {
  const restored: BackupSecrets = manifest.secrets
    ? await source.use(manifest.secrets, async (path) =>
        BackupSecrets.parse(JSON.parse(await readFile(path, 'utf8'))),
      )
    : {};
  if (Object.keys(restored).length > 0) storeSecrets(config.dataDir, restored);
  const shared = Object.entries(restored).filter(([name]) => name !== 'previousSigningSecret');
  if (config.databaseUrl && shared.length > 0) await shareSecrets(db, Object.fromEntries(shared));
  for (const [secret, name] of Object.entries(ENVIRONMENT)) {
    const value = restored[secret as keyof typeof ENVIRONMENT];
    const isOwn = config.generatedSecrets.names.includes(secret as keyof typeof ENVIRONMENT);
    if (value === undefined && isOwn)
      say(
        `The backup has no ${name}, because its servers had it in their environment: set it for the servers here too.`,
      );
    else if (value !== undefined && !isOwn && config[secret as keyof typeof ENVIRONMENT] !== value)
      say(
        `${name} in the environment is not that of the backup: what was signed with that one is not accepted.`,
      );
  }
}

/** The lines of a file of a backup. Only a line feed ends a line, unlike in `node:readline`. */
async function* linesOfFile(
  path: string,
  { isCompressed }: { isCompressed: boolean },
): AsyncGenerator<string> {
  const file = createReadStream(path);
  // The reader of the last stream gets the error of either.
  const content = isCompressed ? pipeline(file, createGunzip(), () => {}) : file;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}
