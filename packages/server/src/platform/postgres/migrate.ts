import { type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely';
import { recordPresentNames } from './folded-migrations.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { advertising } from './migrations/0002-advertising.ts';
import { history } from './migrations/0003-history.ts';
import { ledger } from './migrations/0004-ledger.ts';
import { media } from './migrations/0005-media.ts';
import { idempotency } from './migrations/0006-idempotency.ts';
import { indexes } from './migrations/0008-indexes.ts';
import { companyVersions } from './migrations/0009-company-versions.ts';
import { apiTokens } from './migrations/0010-api-tokens.ts';
import { anomalyChecks } from './migrations/0011-anomaly-checks.ts';
import { exchanges } from './migrations/0012-exchanges.ts';
import { eventClaims } from './migrations/0013-event-claims.ts';
import { leases } from './migrations/0014-leases.ts';
import { trafficOffers } from './migrations/0015-traffic-offers.ts';
import { exchangeSettings } from './migrations/0016-exchange-settings.ts';
import { exchangePrices } from './migrations/0017-exchange-prices.ts';
import { postbackSources } from './migrations/0018-postback-sources.ts';
import { trackerStates } from './migrations/0019-tracker-states.ts';
import { processes } from './migrations/0020-processes.ts';
import { sessionLifetime } from './migrations/0021-session-lifetime.ts';
import { archive } from './migrations/0023-archive.ts';
import { advertiserDomain } from './migrations/0024-advertiser-domain.ts';
import { review } from './migrations/0025-review.ts';
import { operatorKeys } from './migrations/0026-operator-keys.ts';
import { sharedState } from './migrations/0027-shared-state.ts';
import { companyLeases } from './migrations/0028-company-leases.ts';
import { traffic } from './migrations/0029-traffic.ts';
import { operators } from './migrations/0030-operators.ts';
import { money } from './migrations/0031-money.ts';
import { creatives } from './migrations/0032-creatives.ts';
import { people } from './migrations/0033-people.ts';
import { signIn } from './migrations/0034-sign-in.ts';
import { campaigns } from './migrations/0035-campaigns.ts';
import { appEvents } from './migrations/0036-app-events.ts';
import { deviceErasures } from './migrations/0037-device-erasures.ts';
import { skadnetwork } from './migrations/0038-skadnetwork.ts';
import { alerts } from './migrations/0039-alerts.ts';
import { reports } from './migrations/0040-reports.ts';
import { messages } from './migrations/0041-messages.ts';
import { onlineIndexes } from './migrations/0042-online-indexes.ts';
import { exchangeProfiles } from './migrations/0043-exchange-profiles.ts';
import { partnerDeliveries } from './migrations/0044-partner-deliveries.ts';
import { exchangeReviews } from './migrations/0045-exchange-reviews.ts';
import { warehouseExports } from './migrations/0046-warehouse-exports.ts';
import { frequencyCaps } from './migrations/0047-frequency-caps.ts';
import { audiences } from './migrations/0048-audiences.ts';
import { schedules } from './migrations/0049-schedules.ts';
import { countryChecks } from './migrations/0050-country-checks.ts';
import { reEngagement } from './migrations/0051-re-engagement.ts';
import { countryBudgets } from './migrations/0052-country-budgets.ts';
import { partnerAudiences } from './migrations/0054-partner-audiences.ts';
import { audienceMatches } from './migrations/0055-audience-matches.ts';
import { deepLinks } from './migrations/0060-deep-links.ts';
import { trafficShaping } from './migrations/0065-traffic-shaping.ts';
import { longImports } from './migrations/0066-long-imports.ts';
import { importAuthors } from './migrations/0068-import-authors.ts';
import type { Schema } from './schema.ts';

/**
 * A migration. Where other processes use the tables, one that is `online` runs outside of a transaction, so that it may build
 * an index while they write. It must then be repeatable after it was interrupted.
 */
export interface OwnMigration extends Migration {
  online?: boolean;
}

/** Migrations by name, in order. */
export const knownMigrations: Record<string, OwnMigration> = {
  '0001-accounts': accounts,
  '0002-advertising': advertising,
  '0003-history': history,
  '0004-ledger': ledger,
  '0005-media': media,
  '0006-idempotency': idempotency,
  '0008-indexes': indexes,
  '0009-company-versions': companyVersions,
  '0010-api-tokens': apiTokens,
  '0011-anomaly-checks': anomalyChecks,
  '0012-exchanges': exchanges,
  '0013-event-claims': eventClaims,
  '0014-leases': leases,
  '0015-traffic-offers': trafficOffers,
  '0016-exchange-settings': exchangeSettings,
  '0017-exchange-prices': exchangePrices,
  '0018-postback-sources': postbackSources,
  '0019-tracker-states': trackerStates,
  '0020-processes': processes,
  '0021-session-lifetime': sessionLifetime,
  '0023-archive': archive,
  '0024-advertiser-domain': advertiserDomain,
  '0025-review': review,
  '0026-operator-keys': operatorKeys,
  '0027-shared-state': sharedState,
  '0028-company-leases': companyLeases,
  '0029-traffic': traffic,
  '0030-operators': operators,
  '0031-money': money,
  '0032-creatives': creatives,
  '0033-people': people,
  '0034-sign-in': signIn,
  '0035-campaigns': campaigns,
  '0036-app-events': appEvents,
  '0037-device-erasures': deviceErasures,
  '0038-skadnetwork': skadnetwork,
  '0039-alerts': alerts,
  '0040-reports': reports,
  '0041-messages': messages,
  '0042-online-indexes': onlineIndexes,
  '0043-exchange-profiles': exchangeProfiles,
  '0044-partner-deliveries': partnerDeliveries,
  '0045-exchange-reviews': exchangeReviews,
  '0046-warehouse-exports': warehouseExports,
  '0047-frequency-caps': frequencyCaps,
  '0048-audiences': audiences,
  '0049-schedules': schedules,
  '0050-country-checks': countryChecks,
  '0051-re-engagement': reEngagement,
  '0052-country-budgets': countryBudgets,
  '0054-partner-audiences': partnerAudiences,
  '0055-audience-matches': audienceMatches,
  '0060-deep-links': deepLinks,
  '0065-traffic-shaping': trafficShaping,
  '0066-long-imports': longImports,
  '0068-import-authors': importAuthors,
};

/** The tables belong to a release that this server is too old for. */
export class SchemaTooNew extends Error {}

/**
 * Last part of the names of migrations that drop or rename tables or columns in use by the previous release. A server that does not
 * know such a migration does not start on its tables.
 */
const CONTRACT = '-contract';

/**
 * Applies pending migrations, by statements on `slow`: the connection of {@link MIGRATION_POOL} to a server, or `db` itself
 * where no other process uses the tables. Idempotent, and safe for several servers at once (Kysely holds a lock). Each is
 * committed by itself, so that the locks of one are not held during the next. Tables that a newer server has migrated further
 * stay as they are: migrations only add, so this server runs on them too (docs/upgrade.md). Throws {@link SchemaTooNew} where
 * they do not only add, {@link FoldedInPart}, and SQLSTATE 55P03 while a table is in use for longer than a lock is waited for.
 */
export async function migrate(
  db: Kysely<Schema>,
  slow: Kysely<Schema>,
  known: Record<string, OwnMigration> = knownMigrations,
): Promise<void> {
  await recordPresentNames(db, [...(await executedNames(db))]);
  const executed = await executedNames(db);
  const contract = [...executed].find((name) => name.endsWith(CONTRACT) && !Object.hasOwn(known, name));
  if (contract !== undefined)
    throw new SchemaTooNew(
      `PostgreSQL has the migration ${contract} of a later release, which this one cannot run with: start that release.`,
    );
  const pending = Object.keys(known).filter((name) => !executed.has(name));
  if (pending.length === 0) return;
  const unknown = [...executed].filter((name) => !Object.hasOwn(known, name));
  const placeholders = Object.fromEntries(unknown.map((name) => [name, { async up() {} }]));
  const migratorOf = (isOnline: boolean) =>
    new Migrator({
      db: slow,
      provider: { getMigrations: async () => ({ ...known, ...placeholders }) },
      allowUnorderedMigrations: true,
      disableTransactions: isOnline,
    });
  // No other process waits for new tables, or for the tables of an embedded database.
  if (executed.size === 0 || slow === db) return applied(migratorOf(false).migrateToLatest());
  // The only connection of `slow` holds the lock until it ends, so that no other process migrates in between.
  await slow.getExecutor().adapter.acquireMigrationLock(slow, LOCK);
  for (const name of pending.toSorted()) {
    if ((await executedNames(slow)).has(name)) continue;
    if (known[name]!.online) await withoutLockTimeout(slow, () => applied(migratorOf(true).migrateUp()));
    else await applied(migratorOf(false).migrateUp());
  }
}

/** Kysely's own names, which its lock of PostgreSQL does not use. */
const LOCK = { lockTable: 'kysely_migration_lock', lockRowId: 'migration_lock' };

/** An index that is built while others write waits for their transactions, and no other statement waits behind it. */
async function withoutLockTimeout(slow: Kysely<Schema>, work: () => Promise<void>): Promise<void> {
  await sql`set lock_timeout = 0`.execute(slow);
  await work();
  await sql`reset lock_timeout`.execute(slow);
}

async function applied(migrating: Promise<MigrationResultSet>): Promise<void> {
  const { error } = await migrating;
  if (error) throw error;
}

async function executedNames(db: Kysely<Schema>): Promise<Set<string>> {
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(db);
  if (!tables[0]?.name) return new Set();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}
