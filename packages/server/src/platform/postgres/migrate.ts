import { type Kysely, type Migration, type MigrationResultSet, Migrator, sql } from 'kysely';
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
import { reviewHistory } from './migrations/0038-review-history.ts';
import { passwordReset } from './migrations/0041-password-reset.ts';
import { operatorKeys } from './migrations/0026-operator-keys.ts';
import { sharedSecrets } from './migrations/0027-shared-secrets.ts';
import { companySums } from './migrations/0028-company-sums.ts';
import { leaders } from './migrations/0029-leaders.ts';
import { processSecrets } from './migrations/0030-process-secrets.ts';
import { eventPartitions } from './migrations/0031-event-partitions.ts';
import { eventRounds } from './migrations/0032-event-rounds.ts';
import { operators } from './migrations/0033-operators.ts';
import { biddingStop } from './migrations/0034-bidding-stop.ts';
import { companyTerms } from './migrations/0035-company-terms.ts';
import { margin } from './migrations/0039-margin.ts';
import { viewerSessions } from './migrations/0040-viewer-sessions.ts';
import { exchangeMinutes } from './migrations/0042-exchange-minutes.ts';
import { paymentInstructions } from './migrations/0043-payment-instructions.ts';
import { creativeLabels } from './migrations/0044-creative-labels.ts';
import { publisherPages } from './migrations/0045-publisher-pages.ts';
import { forecasts } from './migrations/0046-forecasts.ts';
import { changesOfEntity } from './migrations/0047-changes-of-entity.ts';
import { appAds } from './migrations/0048-app-ads.ts';
import { countingProgress } from './migrations/0049-counting-progress.ts';
import { storedMessage } from './migrations/0050-stored-message.ts';
import { deviceNotices } from './migrations/0059-device-notices.ts';
import { bookedMessage } from './migrations/0063-booked-message.ts';
import { leaseLength } from './migrations/0064-lease-length.ts';
import { wrongCodes } from './migrations/0070-wrong-codes.ts';
import { bundleBytes } from './migrations/0075-bundle-bytes.ts';
import { bundleCounts } from './migrations/0076-bundle-counts.ts';
import { storageQuota } from './migrations/0077-storage-quota.ts';
import { ledgerMonths } from './migrations/0084-ledger-months.ts';
import { ledgerMonthsIndex } from './migrations/0085-ledger-months-index.ts';
import { unusedFiles } from './migrations/0086-unused-files.ts';
import { adsetFindings } from './migrations/0087-adset-findings.ts';
import { decimalComma } from './migrations/0088-decimal-comma.ts';
import { lostPriceKeys } from './migrations/0090-lost-price-keys.ts';
import { playableExits } from './migrations/0091-playable-exits.ts';
import { startWhenApproved } from './migrations/0092-start-when-approved.ts';
import { valueGoals } from './migrations/0093-value-goals.ts';
import { appEventNames } from './migrations/0094-app-event-names.ts';
import { appEventWindows } from './migrations/0094-app-event-windows.ts';
import { notificationSeverity } from './migrations/0095-notification-severity.ts';
import { appEventSettings } from './migrations/0096-app-event-settings.ts';
import { deviceErasures } from './migrations/0098-device-erasures.ts';
import { erasureHashes } from './migrations/0099-erasure-hashes.ts';
import { skadnetwork } from './migrations/0100-skadnetwork.ts';
import { skadnetworkRequests } from './migrations/0101-skadnetwork-requests.ts';
import { conversionValues } from './migrations/0105-conversion-values.ts';
import { installPostbacks } from './migrations/0106-install-postbacks.ts';
import { storeItems } from './migrations/0107-store-items.ts';
import { productPages } from './migrations/0108-product-pages.ts';
import { rejectedSamples } from './migrations/0109-rejected-samples.ts';
import { memberships } from './migrations/0110-memberships.ts';
import { sessions } from './migrations/0111-sessions.ts';
import { secondFactors } from './migrations/0112-second-factors.ts';
import { passkeys } from './migrations/0113-passkeys.ts';
import { singleSignOn } from './migrations/0114-single-sign-on.ts';
import { apiKeyScopes } from './migrations/0116-api-key-scopes.ts';
import { assistantConfirmations } from './migrations/0117-assistant-confirmations.ts';
import { alertChannels } from './migrations/0118-alert-channels.ts';
import { alertMails } from './migrations/0119-alert-mails.ts';
import { alertSettings } from './migrations/0120-alert-settings.ts';
import { operatorAlerts } from './migrations/0121-operator-alerts.ts';
import { invoices } from './migrations/0122-invoices.ts';
import { brand } from './migrations/0123-brand.ts';
import { campaignDrafts } from './migrations/0125-campaign-drafts.ts';
import { approvals } from './migrations/0126-approvals.ts';
import { comments } from './migrations/0127-comments.ts';
import { reportSchedules } from './migrations/0129-report-schedules.ts';
import { reportDestinations } from './migrations/0130-report-destinations.ts';
import { ownNotifications } from './migrations/0131-own-notifications.ts';
import { dailyChecks } from './migrations/0132-daily-checks.ts';
import { reportRuns } from './migrations/0133-report-runs.ts';
import { domainRecordNotified } from './migrations/0134-domain-record-notified.ts';
import { alertRules } from './migrations/0135-alert-rules.ts';
import { formerPeople } from './migrations/0136-former-people.ts';
import { renewedKeys } from './migrations/0137-renewed-keys.ts';
import { confirmedAddresses } from './migrations/0138-confirmed-addresses.ts';
import { messages } from './migrations/0139-messages.ts';
import { processStates } from './migrations/0037-process-states.ts';
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
  '0027-shared-secrets': sharedSecrets,
  '0028-company-sums': companySums,
  '0029-leaders': leaders,
  '0030-process-secrets': processSecrets,
  '0031-event-partitions': eventPartitions,
  '0032-event-rounds': eventRounds,
  '0033-operators': operators,
  '0034-bidding-stop': biddingStop,
  '0035-company-terms': companyTerms,
  '0037-process-states': processStates,
  '0038-review-history': reviewHistory,
  '0039-margin': margin,
  '0040-viewer-sessions': viewerSessions,
  '0041-password-reset': passwordReset,
  '0042-exchange-minutes': exchangeMinutes,
  '0043-payment-instructions': paymentInstructions,
  '0044-creative-labels': creativeLabels,
  '0045-publisher-pages': publisherPages,
  '0046-forecasts': forecasts,
  '0047-changes-of-entity': changesOfEntity,
  '0048-app-ads': appAds,
  '0049-counting-progress': countingProgress,
  '0050-stored-message': storedMessage,
  '0059-device-notices': deviceNotices,
  '0063-booked-message': bookedMessage,
  '0064-lease-length': leaseLength,
  '0070-wrong-codes': wrongCodes,
  '0075-bundle-bytes': bundleBytes,
  '0076-bundle-counts': bundleCounts,
  '0077-storage-quota': storageQuota,
  '0084-ledger-months': ledgerMonths,
  '0085-ledger-months-index': ledgerMonthsIndex,
  '0086-unused-files': unusedFiles,
  '0087-adset-findings': adsetFindings,
  '0088-decimal-comma': decimalComma,
  '0090-lost-price-keys': lostPriceKeys,
  '0091-playable-exits': playableExits,
  '0092-start-when-approved': startWhenApproved,
  '0093-value-goals': valueGoals,
  '0094-app-event-names': appEventNames,
  '0094-app-event-windows': appEventWindows,
  '0095-notification-severity': notificationSeverity,
  '0096-app-event-settings': appEventSettings,
  '0098-device-erasures': deviceErasures,
  '0099-erasure-hashes': erasureHashes,
  '0100-skadnetwork': skadnetwork,
  '0101-skadnetwork-requests': skadnetworkRequests,
  '0105-conversion-values': conversionValues,
  '0106-install-postbacks': installPostbacks,
  '0107-store-items': storeItems,
  '0108-product-pages': productPages,
  '0109-rejected-samples': rejectedSamples,
  '0110-memberships': memberships,
  '0111-sessions': sessions,
  '0112-second-factors': secondFactors,
  '0113-passkeys': passkeys,
  '0114-single-sign-on': singleSignOn,
  '0116-api-key-scopes': apiKeyScopes,
  '0117-assistant-confirmations': assistantConfirmations,
  '0118-alert-channels': alertChannels,
  '0119-alert-mails': alertMails,
  '0120-alert-settings': alertSettings,
  '0121-operator-alerts': operatorAlerts,
  '0122-invoices': invoices,
  '0123-brand': brand,
  '0125-campaign-drafts': campaignDrafts,
  '0126-approvals': approvals,
  '0127-comments': comments,
  '0129-report-schedules': reportSchedules,
  '0130-report-destinations': reportDestinations,
  '0131-own-notifications': ownNotifications,
  '0132-daily-checks': dailyChecks,
  '0133-report-runs': reportRuns,
  '0134-domain-record-notified': domainRecordNotified,
  '0135-alert-rules': alertRules,
  '0136-former-people': formerPeople,
  '0137-renewed-keys': renewedKeys,
  '0138-confirmed-addresses': confirmedAddresses,
  '0139-messages': messages,
};

/** The tables belong to a release that this server is too old for. */
export class SchemaTooNew extends Error {}

/**
 * Last part of the names of migrations that drop or rename what the previous release still uses. A server that does not
 * know such a migration does not start on its tables.
 */
const CONTRACT = '-contract';

/**
 * Applies pending migrations, by statements on `slow`: the connection of {@link MIGRATION_POOL} to a server, or `db` itself
 * where no other process uses the tables. Idempotent, and safe for several servers at once (Kysely holds a lock). Each is
 * committed by itself, so that the locks of one are not held during the next. Tables that a newer server has migrated further
 * stay as they are: migrations only add, so this server runs on them too (docs/upgrade.md). Throws {@link SchemaTooNew} where
 * they do not only add, and SQLSTATE 55P03 while a table is in use for longer than a lock is waited for.
 */
export async function migrate(
  db: Kysely<Schema>,
  slow: Kysely<Schema>,
  known: Record<string, OwnMigration> = knownMigrations,
): Promise<void> {
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
  // Nobody waits for new tables, nor for those of an embedded database.
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

/** An index that is built while others write waits for their transactions, and nobody waits behind it. */
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
