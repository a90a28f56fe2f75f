import { sql } from 'kysely';
import { type Database, anyOf } from '../../platform/postgres/client.ts';
import { type Db, transact } from '../../platform/postgres/transaction.ts';

/** An event of an app of a company, by its name. */
export interface NamedEvent {
  companyId: string;
  appId: string;
  name: string;
}

type NameOfApp = Pick<NamedEvent, 'appId' | 'name'>;

/** Which of these names their apps have. Works across companies, since a batch of postbacks does. */
export async function knownNames(db: Db, events: readonly NameOfApp[]): Promise<NameOfApp[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<NameOfApp>`
    select n.app_uuid as "appId", n.name from json_to_recordset(${JSON.stringify(events)}::json) as e("appId" uuid, name text)
    join app_event_names n on n.app_uuid = e."appId" and n.name = e.name`.execute(db);
  return rows;
}

/** How many names apps have; those without any are left out. Works across companies, as {@link knownNames}. */
export async function countNames(db: Db, appIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (appIds.length === 0) return new Map();
  const { rows } = await sql<{ appId: string; count: number }>`
    select app_uuid as "appId", count(*)::int as count from app_event_names
    where app_uuid = ${anyOf(appIds)} group by app_uuid`.execute(db);
  return new Map(rows.map(({ appId, count }) => [appId, count]));
}

/**
 * Adds a name to those of an app, and returns whether the app has it then: not if it has `max` others, or is deleted. Waits for others
 * that add names to the app, so that it never has more.
 */
export async function addName(
  db: Database,
  { companyId, appId, name }: NamedEvent,
  at: Date,
  max: number,
): Promise<boolean> {
  return transact(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('app_event_names ' || ${appId}::text, 0))`.execute(
      tx.db,
    );
    await sql`
      insert into app_event_names (company_uuid, app_uuid, name, first_seen_at)
      select ${companyId}::uuid, ${appId}::uuid, ${name}, ${at}
      where (select count(*) from app_event_names where app_uuid = ${appId}) < ${max}
        and not exists (select from apps where uuid = ${appId} and deleted_at is not null)
      on conflict do nothing`.execute(tx.db);
    return (await knownNames(tx.db, [{ appId, name }])).length > 0;
  });
}
