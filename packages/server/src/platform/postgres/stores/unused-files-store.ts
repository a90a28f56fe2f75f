import { anyOf } from '../client.ts';
import type { Db } from '../transaction.ts';

/** Notes files that are about to be stored: they are unused until their rows are inserted. */
export async function noteUnusedFiles(db: Db, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await db
    .insertInto('unused_files')
    .values(uuids.map((uuid) => ({ uuid })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Files of all companies that have been unused since before an instant. */
export async function unusedFilesSince(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('unused_files')
    .select('uuid')
    .where('since', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('files').select('uuid').whereRef('files.uuid', '=', 'unused_files.uuid'))),
    )
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Deletes the rows of files that were removed. */
export async function deleteUnusedFileRows(db: Db, uuids: readonly string[]): Promise<void> {
  await db.deleteFrom('unused_files').where('uuid', '=', anyOf(uuids)).execute();
}
