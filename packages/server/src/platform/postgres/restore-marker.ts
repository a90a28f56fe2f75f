import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A restore into this database was interrupted; the message is a sentence for people. */
export class RestoreIncomplete extends Error {
  constructor() {
    super(
      'A backup was being restored into this installation and is incomplete: repeat the restore, which starts over, or empty the databases.',
    );
  }
}

/** Name of the table that exists while a backup is being restored. */
export const RESTORE_MARKER = 'restore_in_progress';

/** Whether a restore into this database has begun and not ended. */
export async function isRestoring(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass(${RESTORE_MARKER})::text as name`.execute(db);
  return rows[0]?.name != null;
}

/** Marks the database as incomplete: no server starts on it. */
export async function beginRestore(db: Kysely<Schema>): Promise<void> {
  await sql`create table if not exists ${sql.table(RESTORE_MARKER)} (began_at timestamptz not null default now())`.execute(
    db,
  );
}

/** Marks the database as complete. */
export async function endRestore(db: Kysely<Schema>): Promise<void> {
  await sql`drop table ${sql.table(RESTORE_MARKER)}`.execute(db);
}
