import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { type Database, anyOf } from '../../platform/postgres/client.ts';
import { sql } from 'kysely';
import { type Db, transact } from '../../platform/postgres/transaction.ts';

/** The name of events beyond the names that an app may have, and of new ones of a deleted app. */
export const OTHER_EVENTS = '(other)';

/** The names of events that a batch of postbacks has, as far as their apps have them. */
export interface EventNames {
  /** The name under which an event is counted: its own, or {@link OTHER_EVENTS} where the app has too many already. */
  admit(event: NamedEvent, at: Date): Promise<string>;
}

/**
 * Reads which names of a batch are known. The names of each app are in bounded number, in all trackers together: they come from
 * outside.
 */
export async function readEventNames(db: Database, events: readonly NamedEvent[]): Promise<EventNames> {
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const known = new Set((await knownNames(db, distinct)).map(keyOf));
  const unknown = distinct.filter((event) => !known.has(keyOf(event)));
  const counts = await countNames(db, [...new Set(unknown.map(({ appId }) => appId))]);
  const full = new Set(
    [...counts].flatMap(([appId, count]) => (count >= APP_EVENT_NAMES_MAX ? [appId] : [])),
  );
  return {
    async admit(event, at) {
      const key = keyOf(event);
      if (known.has(key)) return event.name;
      if (event.name === OTHER_EVENTS || full.has(event.appId)) return OTHER_EVENTS;
      if (await addName(db, event, at, APP_EVENT_NAMES_MAX)) {
        known.add(key);
        return event.name;
      }
      full.add(event.appId);
      return OTHER_EVENTS;
    },
  };
}

function keyOf({ appId, name }: Pick<NamedEvent, 'appId' | 'name'>): string {
  return `${appId} ${name}`;
}

/** An event of an app of a company, by its name. */
interface NamedEvent {
  companyId: string;
  appId: string;
  name: string;
}

type NameOfApp = Pick<NamedEvent, 'appId' | 'name'>;

/** Which of these names their apps have. Works across companies, since a batch of postbacks does. */
async function knownNames(db: Db, events: readonly NameOfApp[]): Promise<NameOfApp[]> {
  if (events.length === 0) return [];
  const { rows } = await sql<NameOfApp>`
    select n.app_uuid as "appId", n.name from json_to_recordset(${JSON.stringify(events)}::json) as e("appId" uuid, name text)
    join app_event_names n on n.app_uuid = e."appId" and n.name = e.name`.execute(db);
  return rows;
}

/** Numbers of names by app; apps without any are left out. Works across companies, as {@link knownNames}. */
async function countNames(db: Db, appIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (appIds.length === 0) return new Map();
  const { rows } = await sql<{ appId: string; count: number }>`
    select app_uuid as "appId", count(*)::int as count from app_event_names
    where app_uuid = ${anyOf(appIds)} group by app_uuid`.execute(db);
  return new Map(rows.map(({ appId, count }) => [appId, count]));
}

/**
 * Adds a name to an app, and returns whether the app has it then: not if it has `max` others, or is deleted. Waits for concurrent
 * calls for the app, so that it never has more than `max` names.
 */
async function addName(
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
