import type { Kysely } from 'kysely';
import { Migrator } from 'kysely';
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
import type { Schema } from './schema.ts';

const migrations = {
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
};

/** Brings the tables to the newest form. Safe to run again, and by several servers at once (Kysely holds a lock). */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** The migrations there are, oldest first: what a dump of the tables depends on. */
export function migrationNames(): string[] {
  return Object.keys(migrations);
}
