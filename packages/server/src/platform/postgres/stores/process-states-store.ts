import type { ProcessState } from '@bidwell/contract/operator/health';
import { type Selectable, sql } from 'kysely';
import { type Database, json } from '../client.ts';
import type { ProcessStateTable } from '../schema.ts';

/** A process that says nothing for this long has ended. */
const SILENCE_SECONDS = 60;
/** Most processes of one installation that are listed. */
const PROCESSES_MAX = 1000;

/** Stores the state that a process reports, and deletes the rows of processes that ended. */
export async function saveProcessState(
  db: Database,
  row: { process: string; roles: readonly string[]; version: string; started_at: Date; state: ProcessState },
): Promise<void> {
  await deleteSilent(db);
  const values = {
    process: row.process,
    roles: json(row.roles),
    version: row.version,
    started_at: row.started_at,
    state: json(row.state),
    seen_at: sql<Date>`clock_timestamp()`,
  };
  await db
    .insertInto('process_states')
    .values(values)
    .onConflict((conflict) => conflict.column('process').doUpdateSet(values))
    .execute();
}

async function deleteSilent(db: Database): Promise<void> {
  await db
    .deleteFrom('process_states')
    .where('seen_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${SILENCE_SECONDS})`)
    .execute();
}

/** Deletes the row of a process that ends. */
export async function removeProcessState(db: Database, process: string): Promise<void> {
  await db.deleteFrom('process_states').where('process', '=', process).execute();
}

/** The running processes, by name. */
export async function listProcessStates(db: Database): Promise<Selectable<ProcessStateTable>[]> {
  return db
    .selectFrom('process_states')
    .selectAll()
    .where('seen_at', '>=', sql<Date>`clock_timestamp() - make_interval(secs => ${SILENCE_SECONDS})`)
    .orderBy('process')
    .limit(PROCESSES_MAX)
    .execute();
}
