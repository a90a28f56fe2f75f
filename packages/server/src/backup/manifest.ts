import { z } from 'zod';
import { migrations as clickhouseMigrations } from '../platform/clickhouse/migrate.ts';
import { FOLD, FoldedInPart, presentNames } from '../platform/postgres/folded-migrations.ts';
import { knownMigrations } from '../platform/postgres/migrate.ts';
import { BackupFailed } from './backup-failed.ts';
import { jsonOf } from '../platform/json-of.ts';

/** Version of the format that this release writes; it reads all up to this one. */
export const FORMAT = 1;
/** Name of the description of a backup, which is stored last. */
export const MANIFEST = 'manifest.json';
/** Longest description that is read. */
export const MANIFEST_BYTES_MAX = 64 * 1024 ** 2;

/** Names have no `..`, so that none leads out of the folder. */
const fileName = z.string().regex(/^[\w-]+([./][\w-]+)*$/);
const count = z.int().nonnegative();

/** A stored file: its name in the backup, length, and SHA-256 sum. */
const StoredFile = z.object({
  file: fileName,
  bytes: count,
  sha256: z.string().regex(/^[\da-f]{64}$/),
});
export type StoredFile = z.infer<typeof StoredFile>;

const identifier = z.string().regex(/^[a-z_][a-z\d_]*$/);

/** A table of PostgreSQL: its rows as lines of JSON, in files compressed with gzip. */
const StateTable = z.object({
  table: identifier,
  rows: count,
  /** Sums of the columns with money, in micros, as decimal numbers. */
  sums: z.record(identifier, z.string()),
  files: z.array(StoredFile),
});
export type StateTable = z.infer<typeof StateTable>;

/** A part of a month of a table in ClickHouse: its rows in the format RowBinary, compressed with gzip. */
const EventPart = StoredFile.extend({
  /** Year and month of UTC, such as 202611. */
  month: z.int(),
  rows: count,
  /** Spend in micros; 0 in a table without it. */
  spend_micros: z.int(),
});
export type EventPart = z.infer<typeof EventPart>;

const EventTable = z.object({
  table: z.enum(['events', 'postbacks']),
  columns: z.array(z.object({ name: identifier, type: z.string().regex(/^[\w(), ']+$/) })).min(1),
  parts: z.array(EventPart),
});
export type EventTable = z.infer<typeof EventTable>;
export type EventColumn = EventTable['columns'][number];

/** The description of a backup. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of the release that made it. */
  release: z.string(),
  /** When the state was read: ISO 8601, by the clock of PostgreSQL. */
  created_at: z.string(),
  postgres: z.object({ migrations: z.array(z.string()), tables: z.array(StateTable) }),
  clickhouse: z.object({ version: count, tables: z.array(EventTable) }),
  /** Creative files: an index, and their number and bytes. */
  files: z.object({ index: StoredFile, count, bytes: count }),
  /** The generated secrets; null where all are in the environment. */
  secrets: StoredFile.nullable(),
  /** The booked events that the backup lacks, in sentences; absent if it has all. */
  missing: z.array(z.string()).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** A line of the index of creative files. `key` is its key in the file store. */
export const FileLine = StoredFile.extend({ key: z.string().regex(/^[\da-f-]{36}(\.[a-z]+)?$/) });
export type FileLine = z.infer<typeof FileLine>;

/** The generated secrets, as DATA_DIR/secrets.json has them. */
export const BackupSecrets = z.partialRecord(
  z.enum(['accessTokenSecret', 'signingSecret', 'operatorToken', 'previousSigningSecret']),
  z.string(),
);
export type BackupSecrets = z.infer<typeof BackupSecrets>;

/**
 * Parses a description. Migrations have their present names. Throws {@link BackupFailed} where it is damaged, where this release is too
 * old for it, or where its tables are from no release.
 */
export function parseManifest(text: string): Manifest {
  const value = jsonOf(text);
  const head = z.object({ format: z.int(), release: z.string() }).safeParse(value);
  if (!head.success) throw new BackupFailed(`${MANIFEST} of the backup is damaged.`);
  const { format, release } = head.data;
  if (format > FORMAT)
    throw new BackupFailed(
      `The backup was made by release ${release} in format ${format}, and this release reads formats up to ${FORMAT}: restore it with that release or a later one.`,
    );
  const parsed = Manifest.safeParse(value);
  if (!parsed.success) throw new BackupFailed(`${MANIFEST} of the backup is damaged.`);
  const migrations = migrationsOf(parsed.data);
  const unknown = migrations.find((name) => !Object.hasOwn(knownMigrations, name));
  const { version } = parsed.data.clickhouse;
  if (unknown !== undefined || version > clickhouseMigrations.length)
    throw new BackupFailed(
      `The backup was made by release ${release}, whose tables are newer than this release knows (${unknown ?? `version ${version} of the events`}): restore it with that release or a later one.`,
    );
  return { ...parsed.data, postgres: { ...parsed.data.postgres, migrations } };
}

function migrationsOf({ postgres }: Manifest): string[] {
  try {
    return presentNames(postgres.migrations);
  } catch (error) {
    if (!(error instanceof FoldedInPart)) throw error;
    throw new BackupFailed(
      `The backup was made by sources between the releases 0.1.0 and 0.2.0: restore it with them, start the commit before "${FOLD}" once, and make another backup with this release.`,
    );
  }
}

/** All files of a backup but the description itself and the creative files. */
export function filesOf({ postgres, clickhouse, files, secrets }: Manifest): StoredFile[] {
  return [
    ...postgres.tables.flatMap((table) => table.files),
    ...clickhouse.tables.flatMap((table) => table.parts),
    files.index,
    ...(secrets ? [secrets] : []),
  ];
}
