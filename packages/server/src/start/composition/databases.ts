import { PROGRAM_FOLDER } from '../../config/config.ts';
import { type Booking, createBooking } from '../../delivery/public.ts';
import { type ClickHouse, connectClickHouse, traced } from '../../platform/clickhouse/client.ts';
import { migrate as migrateClickHouse } from '../../platform/clickhouse/migrate.ts';
import { setRetention } from '../../platform/clickhouse/retention.ts';
import { lockFolder } from '../../platform/files/folder-lock.ts';
import { smallMemory } from '../../platform/memory.ts';
import type { Nats } from '../../platform/nats/connection.ts';
import {
  type Database,
  connectPostgres,
  logMigrationWait,
  migratePostgres,
} from '../../platform/postgres/client.ts';
import { EmbeddedWatchdog } from '../../platform/postgres/embedded/embedded-watchdog.ts';
import { migrateAlone } from '../../platform/postgres/migration-lock.ts';
import { poolSettings } from '../../platform/postgres/pool/pool-settings.ts';
import { type Replica, openReplica } from '../../platform/postgres/replica.ts';
import type { Step } from '../../platform/startup.ts';
import { type Events, openEvents } from './events.ts';
import type { Lifetime } from './lifetime.ts';
import type { AppOptions } from './options.ts';

/** The databases and the event log, with their migrations. */
export interface Databases {
  clickhouse: ClickHouse;
  clickhouseReady: Step;
  db: Database;
  /** Whether the embedded PostgreSQL responds; null with DATABASE_URL. */
  watchdog: EmbeddedWatchdog | null;
  /** Null without DATABASE_REPLICA_URL, and in a process that serves no lists. */
  replica: Replica | null;
  postgres: Step;
  booking: Booking;
  events: Events;
}

/** Locks the data folder and opens the databases and the event log. `isIngestOwned`: something else closes the log. */
export async function openDatabases(
  lifetime: Lifetime,
  { nats, options, isIngestOwned }: { nats: Nats | null; options: AppOptions; isIngestOwned: () => boolean },
): Promise<Databases> {
  const { config, log, startup, closing } = lifetime;
  const memory = smallMemory(config.memoryMib);
  const lock = await lockFolder(config.dataDir, () => {
    log.fatal('another process took over the data folder; this process stops');
    process.kill(process.pid, 'SIGTERM');
  });
  closing('folder lock', lock, () => lock.release());
  const { databaseUrl, databaseReplicaUrl } = config;
  // First, because the thread of the embedded one opens its files while this one opens ClickHouse.
  const watchdog = databaseUrl ? null : new EmbeddedWatchdog(options.silenceTimes);
  const db = await connectPostgres({
    url: databaseUrl,
    pool: poolSettings(config.roles, config.databasePoolMax),
    dataDir: options.postgresInMemory ? undefined : config.dataDir,
    snapshot: options.postgresSnapshot,
    embedded: options.embedded,
    templates: PROGRAM_FOLDER,
    memory,
    watchdog: watchdog ?? undefined,
    ended: (err) => {
      log.fatal({ err }, 'the embedded PostgreSQL ended; this process stops');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  });
  closing('db', db, () => db.destroy());
  const clickhouse = traced(
    await connectClickHouse({
      url: config.clickhouseUrl,
      cluster: config.clickhouseCluster,
      dataDir: config.dataDir,
      memory,
    }),
  );
  closing('clickhouse', clickhouse, () => clickhouse.close());
  const alone = async (work: () => Promise<void>) =>
    databaseUrl && config.clickhouseUrl
      ? migrateAlone(databaseUrl, logMigrationWait(log, 'ClickHouse'), work)
      : work();
  const clickhouseReady = await startup.attempt('migrate ClickHouse', async () => {
    await migrateClickHouse(clickhouse, { alone });
    await setRetention(clickhouse, config.retentionDays, alone);
  });
  const replica = databaseReplicaUrl && config.roles.has('api') ? openReplica(databaseReplicaUrl, log) : null;
  if (replica) closing('replica', replica, () => replica.close());
  const postgres = await startup.attempt('migrate PostgreSQL', () =>
    migratePostgres(db, databaseUrl, logMigrationWait(log)),
  );
  void postgres.done.then(() => watchdog?.limit());
  const booking = createBooking(db);
  const events = await openEvents(lifetime, { clickhouse, clickhouseReady, db, postgres, booking, nats });
  closing('ingest', events, async () => (isIngestOwned() ? undefined : events.ingest.close()));
  return { clickhouse, clickhouseReady, db, watchdog, replica, postgres, booking, events };
}
