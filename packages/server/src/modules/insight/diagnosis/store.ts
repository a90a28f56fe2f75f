import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { sql } from 'kysely';
import { anyTextOf } from '../../../platform/postgres/client.ts';
import { AD_SETS_PER_COMPANY } from '@bidwell/contract/skadnetwork/source-identifiers';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Whether a company is suspended. */
export async function isSuspended(db: Db, companyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .select('suspended_at')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return row.suspended_at !== null;
}

/** Number of exchanges that are on. */
export async function countActiveExchanges(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ssps')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/** What has come of some events for an app. */
export interface ArrivedEvents {
  names: ReadonlySet<string>;
  /** Whether the app has as many names of events as are counted, so that no further one is. */
  isFull: boolean;
}

/** Of these names, the events that have come for each app of a company; apps without any event are absent. */
export async function arrivedEvents(
  db: Db,
  companyId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, ArrivedEvents>> {
  const rows = await db
    .selectFrom('app_event_names')
    .select([
      'app_uuid',
      sql<boolean>`count(*) >= ${APP_EVENT_NAMES_MAX}`.as('isFull'),
      sql<string[] | null>`array_agg(name) filter (where name = ${anyTextOf(names)})`.as('names'),
    ])
    .where('company_uuid', '=', companyId)
    .groupBy('app_uuid')
    .execute();
  return new Map(
    rows.map(({ app_uuid: app, names: came, isFull }) => [app, { names: new Set(came), isFull }]),
  );
}

/** The company's active ad sets of apps with signed bids that have no source identifier because none of their app in the store is left for them. */
export async function adsetsWithoutNumber(db: Db, companyId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('campaigns', 'campaigns.app_uuid', 'skadnetwork_apps.app_uuid')
    .innerJoin('adsets', 'adsets.campaign_uuid', 'campaigns.uuid')
    .select('adsets.uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where('adsets.status', '=', 'Active')
    .where('campaigns.status', '=', 'Active')
    .where((eb) => {
      const numbers = eb
        .selectFrom('source_identifiers')
        .whereRef('source_identifiers.item_id', '=', 'skadnetwork_apps.item_id')
        .where('source_identifiers.released_at', 'is', null);
      return eb.and([
        eb(numbers.select(sql<number>`count(*)::int`.as('count')), '>=', AD_SETS_PER_COMPANY),
        eb.not(
          eb.exists(
            numbers
              .select('source_identifiers.uuid')
              .whereRef('source_identifiers.adset_uuid', '=', 'adsets.uuid'),
          ),
        ),
      ]);
    })
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}
