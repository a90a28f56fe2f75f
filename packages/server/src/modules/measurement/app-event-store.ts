import { EVENT_WINDOW_DAYS_MAX } from '@bidwell/contract/apps/event-settings';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** How long after a bid the in-app events of an app count, days. */
export interface EventWindows {
  click_window_days: number;
  view_window_days: number;
}

/** The windows of an app; the longest where it set none. */
export async function findEventWindows(db: Db, companyId: string, appId: string): Promise<EventWindows> {
  const row = await db
    .selectFrom('app_event_windows')
    .select(['click_days as click_window_days', 'view_days as view_window_days'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .executeTakeFirst();
  return row ?? { click_window_days: EVENT_WINDOW_DAYS_MAX, view_window_days: EVENT_WINDOW_DAYS_MAX };
}

export async function saveEventWindows(
  db: Db,
  companyId: string,
  appId: string,
  { click_window_days: click_days, view_window_days: view_days }: EventWindows,
): Promise<void> {
  await db
    .insertInto('app_event_windows')
    .values({ company_uuid: companyId, app_uuid: appId, click_days, view_days })
    .onConflict((conflict) => conflict.column('app_uuid').doUpdateSet({ click_days, view_days }))
    .execute();
}

/** The names of an app's in-app events; their number is bounded. */
export async function eventNamesOf(
  db: Db,
  companyId: string,
  appId: string,
): Promise<{ name: string; first_seen_at: Date }[]> {
  return db
    .selectFrom('app_event_names')
    .select(['name', 'first_seen_at'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .orderBy('name')
    .execute();
}

/** When each in-app event of an app was last counted, by the postbacks that are stored; Unix ms. */
export async function lastEventsOf(
  clickhouse: ClickHouse,
  companyId: string,
  appId: string,
  settings: QuerySettings,
): Promise<ReadonlyMap<string, number>> {
  const rows = await clickhouse.query<{ name: string; atMs: number }>(
    `select toString(event_name) as name, toUnixTimestamp64Milli(max(time)) as atMs from postbacks
     where company_id = {company:UUID} and app_id = {app:UUID} and event_outcome = 'stored' group by event_name`,
    { company: companyId, app: appId },
    'JSON',
    settings,
  );
  return new Map(rows.map(({ name, atMs }) => [name, atMs]));
}
