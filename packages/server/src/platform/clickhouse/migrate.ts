import type { ClickHouse } from './client.ts';
import { definitionsOn } from './cluster.ts';
import { events } from './migrations/0001-events.ts';
import { postbacks } from './migrations/0002-postbacks.ts';
import { eventMarks } from './migrations/0003-event-marks.ts';
import { eventAggregates } from './migrations/0004-aggregates.ts';
import { attribution } from './migrations/0005-attribution.ts';
import { priceFaults } from './migrations/0006-price-faults.ts';
import { eventLookUps } from './migrations/0007-event-look-ups.ts';
import { validAggregates } from './migrations/0008-valid-aggregates.ts';
import { insertTokens } from './migrations/0009-insert-tokens.ts';
import { margin } from './migrations/0010-margin.ts';
import { funnel } from './migrations/0011-funnel.ts';
import { bidPrices } from './migrations/0012-bid-prices.ts';
import { publisherApps } from './migrations/0013-publisher-apps.ts';
import { bidValue } from './migrations/0014-bid-value.ts';
import { measurement } from './migrations/0015-measurement.ts';
import { bidLog } from './migrations/0016-bid-log.ts';
import { minToWin } from './migrations/0017-min-to-win.ts';
import { eventsOfBid } from './migrations/0018-events-of-bid.ts';
import { namedPrices } from './migrations/0021-named-prices.ts';
import { priceTexts } from './migrations/0022-price-texts.ts';
import { appEvents } from './migrations/0023-app-events.ts';
import { appEventAggregate } from './migrations/0024-app-event-values.ts';
import { people } from './migrations/0025-people.ts';
import { personEvents } from './migrations/0026-person-events.ts';
import { deviceIds } from './migrations/0027-device-ids.ts';
import { storedAt } from './migrations/0028-stored-at.ts';
import { personKeys } from './migrations/0029-person-keys.ts';
import { sampledPeople } from './migrations/0032-sampled-people.ts';
import { sampledAudiences } from './migrations/0033-sampled-audiences.ts';

/** In order. Each statement is idempotent, so that a migration interrupted by a crash is completed by the next start. */
export const migrations: readonly (readonly string[])[] = [
  events,
  postbacks,
  eventMarks,
  eventAggregates,
  attribution,
  priceFaults,
  eventLookUps,
  validAggregates,
  insertTokens,
  margin,
  funnel,
  bidPrices,
  publisherApps,
  bidValue,
  measurement,
  bidLog,
  minToWin,
  eventsOfBid,
  namedPrices,
  priceTexts,
  appEvents,
  appEventAggregate,
  people,
  personEvents,
  deviceIds,
  storedAt,
  personKeys,
  sampledPeople,
  sampledAudiences,
];

/** Options of {@link migrate}. */
interface MigrateOptions {
  /** Number of the last migration to apply; all by default. */
  last?: number;
  /** Runs the migrations if any are pending, while no other process does. */
  alone?: (work: () => Promise<void>) => Promise<void>;
}

/** Applies pending migrations; idempotent, and safe for two servers at once. */
export async function migrate(
  clickhouse: ClickHouse,
  { last = migrations.length, alone = async (work) => work() }: MigrateOptions = {},
): Promise<void> {
  await define(
    clickhouse,
    'create table if not exists schema_migrations (version UInt32, applied_at DateTime default now()) engine = MergeTree order by version',
  );
  if ((await appliedVersion(clickhouse)) >= last) return;
  await alone(async () => {
    const applied = await appliedVersion(clickhouse);
    for (let version = applied + 1; version <= last; version += 1) {
      for (const statement of migrations[version - 1]!) await define(clickhouse, statement);
      await clickhouse.insert('schema_migrations', [{ version }]);
    }
  });
}

/** The version of the tables: the number of the last migration that was applied; 0 before the first. */
export async function appliedVersion(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.query<{ version: number }>(
    'select max(version) as version from schema_migrations',
  );
  return row?.version ?? 0;
}

/** Creates or changes a table, on all servers of a cluster. */
export async function define(clickhouse: ClickHouse, statement: string): Promise<void> {
  for (const sql of definitionsOn(clickhouse.cluster, statement)) await clickhouse.command(sql);
}

/** All migration statements, in order. They determine a copy of the empty tables. */
export function migrationStatements(): readonly string[] {
  return migrations.flat();
}
