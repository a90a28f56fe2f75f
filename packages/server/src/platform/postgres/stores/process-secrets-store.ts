import { sql } from 'kysely';
import { type Database, json } from '../client.ts';

/** Digests of the secrets of a process, by the name of the secret. */
export type SecretDigests = Readonly<Record<string, string>>;

/** Another process of this database that runs, or was killed less than a minute ago. */
export interface OtherProcess {
  process: string;
  digests: SecretDigests;
}

/** Time after which a process that was not seen counts as ended, seconds. */
const SILENCE_SECONDS = 60;

/**
 * Adds a process to those that run, unless `check` throws for one of the others; of two that start at once, the second sees
 * the first. Deletes ended processes.
 */
export async function addProcess(
  db: Database,
  process: string,
  digests: SecretDigests,
  check: (others: readonly OtherProcess[]) => void,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('process_secrets'))`.execute(tx);
    await tx
      .deleteFrom('process_secrets')
      .where('seen_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${SILENCE_SECONDS})`)
      .execute();
    check(
      await tx
        .selectFrom('process_secrets')
        .select(['process', 'digests'])
        .where('process', '<>', process)
        .orderBy('process')
        .execute(),
    );
    const row = { digests: json(digests), seen_at: sql<Date>`clock_timestamp()` };
    await tx
      .insertInto('process_secrets')
      .values({ process, ...row })
      .onConflict((conflict) => conflict.column('process').doUpdateSet(row))
      .execute();
  });
}

/** Records that a process still runs. False if it was deleted meanwhile. */
export async function touchProcess(db: Database, process: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('process_secrets')
    .set({ seen_at: sql<Date>`clock_timestamp()` })
    .where('process', '=', process)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a process that ends. */
export async function removeProcess(db: Database, process: string): Promise<void> {
  await db.deleteFrom('process_secrets').where('process', '=', process).execute();
}
