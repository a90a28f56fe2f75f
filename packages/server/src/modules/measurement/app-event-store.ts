import {
  type AppEventOfName,
  type AppEventSettings,
  EVENT_WINDOW_DAYS_MAX,
  INSTALL_LATENESS_DAYS,
  REVENUE_SOURCES,
} from '@bidwell/contract/apps/event-settings';
import { sql } from 'kysely';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { anyTextOf } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** The settings of an app for all of its events; where it set none, the longest windows and all sources. */
export async function findEventSettings(db: Db, companyId: string, appId: string): Promise<AppEventSettings> {
  const windows = await db
    .selectFrom('app_event_windows')
    .select(['click_days', 'view_days', 're_engagement_click_days', 're_engagement_view_days'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .executeTakeFirst();
  const sources = await db
    .selectFrom('app_revenue_sources')
    .select(['purchases', 'ad_revenue'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .executeTakeFirst();
  return {
    click_window_days: windows?.click_days ?? EVENT_WINDOW_DAYS_MAX,
    view_window_days: windows?.view_days ?? EVENT_WINDOW_DAYS_MAX,
    re_engagement_click_window_days: windows?.re_engagement_click_days ?? INSTALL_LATENESS_DAYS,
    re_engagement_view_window_days: windows?.re_engagement_view_days ?? INSTALL_LATENESS_DAYS,
    revenue_sources: REVENUE_SOURCES.filter((source) => sources?.[source] ?? true),
  };
}

/** Saves the settings of an app for all of its events. */
export async function saveEventSettings(
  db: Db,
  companyId: string,
  appId: string,
  settings: AppEventSettings,
): Promise<void> {
  const { revenue_sources: sources } = settings;
  const days = {
    click_days: settings.click_window_days,
    view_days: settings.view_window_days,
    re_engagement_click_days: settings.re_engagement_click_window_days,
    re_engagement_view_days: settings.re_engagement_view_window_days,
  };
  await db
    .insertInto('app_event_windows')
    .values({ app_uuid: appId, company_uuid: companyId, ...days })
    .onConflict((conflict) => conflict.column('app_uuid').doUpdateSet(days))
    .execute();
  if (sources.length === REVENUE_SOURCES.length) {
    // Reports read the rows of a company, so that only other choices have one.
    await db
      .deleteFrom('app_revenue_sources')
      .where('company_uuid', '=', companyId)
      .where('app_uuid', '=', appId)
      .execute();
    return;
  }
  const counted = {
    purchases: sources.includes('purchases'),
    ad_revenue: sources.includes('ad_revenue'),
  };
  await db
    .insertInto('app_revenue_sources')
    .values({ app_uuid: appId, company_uuid: companyId, ...counted })
    .onConflict((conflict) => conflict.column('app_uuid').doUpdateSet(counted))
    .execute();
}

/** The events of an app by name, all of them or only `names`; their number is bounded. */
export async function eventsOfApp(
  db: Db,
  companyId: string,
  appId: string,
  names?: readonly string[],
): Promise<(AppEventOfName & { first_seen_at: Date })[]> {
  return db
    .selectFrom('app_event_names')
    .select(['name', 'label', 'offered', 'payer', 'first_seen_at'])
    .where('company_uuid', '=', companyId)
    .where('app_uuid', '=', appId)
    .$if(names !== undefined, (query) => query.where('name', '=', anyTextOf(names!)))
    .orderBy('name')
    .execute();
}

/** An event of an app. */
interface EventOfApp {
  appId: string;
  name: string;
}

/** How these events of a company's apps are shown: by the defaults unless an app overrides them. */
export async function shownEvents(
  db: Db,
  companyId: string,
  events: readonly EventOfApp[],
): Promise<(event: EventOfApp) => Pick<AppEventOfName, 'label' | 'offered'>> {
  const keyOf = ({ appId, name }: EventOfApp) => `${appId} ${name}`;
  const distinct = [
    ...new Map(events.map(({ appId, name }) => [`${appId} ${name}`, { appId, name }])).values(),
  ];
  const { rows } = await sql<EventOfApp & Pick<AppEventOfName, 'label' | 'offered'>>`
    select n.app_uuid as "appId", n.name, n.label, n.offered
    from json_to_recordset(${JSON.stringify(distinct)}::json) as e("appId" uuid, name text)
    join app_event_names n on n.app_uuid = e."appId" and n.name = e.name
    where n.company_uuid = ${companyId} and (n.label is not null or not n.offered)`.execute(db);
  const shown = new Map(rows.map(({ label, offered, ...event }) => [keyOf(event), { label, offered }]));
  return (event) => shown.get(keyOf(event)) ?? { label: null, offered: true };
}

/** Saves the settings of events that the app has. */
export async function saveEventsOfApp(
  db: Db,
  companyId: string,
  appId: string,
  events: readonly AppEventOfName[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`
    update app_event_names n set label = e.label, offered = e.offered, payer = e.payer
    from json_to_recordset(${JSON.stringify(events)}::json)
      as e(name text, label text, offered boolean, payer text)
    where n.company_uuid = ${companyId} and n.app_uuid = ${appId} and n.name = e.name`.execute(db);
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
