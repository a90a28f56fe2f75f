import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Names of migrations of sources between the releases 0.1.0 and 0.2.0. No release has them. */
export const FOLDED = `
  0027-shared-secrets 0028-company-sums 0029-leaders 0030-process-secrets 0031-event-partitions 0032-event-rounds 0033-operators
  0034-bidding-stop 0035-company-terms 0037-process-states 0038-review-history 0039-margin 0040-viewer-sessions 0041-password-reset
  0042-exchange-minutes 0043-payment-instructions 0044-creative-labels 0045-publisher-pages 0046-forecasts 0047-changes-of-entity
  0048-app-ads 0049-counting-progress 0050-stored-message 0059-device-notices 0063-booked-message 0064-lease-length 0070-wrong-codes
  0075-bundle-bytes 0076-bundle-counts 0077-storage-quota 0084-ledger-months 0085-ledger-months-index 0086-unused-files
  0087-adset-findings 0088-decimal-comma 0090-lost-price-keys 0091-playable-exits 0092-start-when-approved 0093-value-goals
  0094-app-event-names 0094-app-event-windows 0095-notification-severity 0096-app-event-settings 0098-device-erasures 0099-erasure-hashes
  0100-skadnetwork 0101-skadnetwork-requests 0105-conversion-values 0106-install-postbacks 0107-store-items 0108-product-pages
  0109-rejected-samples 0110-memberships 0111-sessions 0112-second-factors 0113-passkeys 0114-single-sign-on 0116-api-key-scopes
  0117-assistant-confirmations 0118-alert-channels 0119-alert-mails 0120-alert-settings 0121-operator-alerts 0122-invoices 0123-brand
  0125-campaign-drafts 0126-approvals 0127-comments 0129-report-schedules 0130-report-destinations 0131-own-notifications
  0132-daily-checks 0133-report-runs 0134-domain-record-notified 0135-alert-rules 0136-former-people 0137-renewed-keys
  0138-confirmed-addresses 0139-messages`
  .trim()
  .split(/\s+/);

/** Names of migrations that together make the same tables, by which they were replaced before 0.2.0. */
const REPLACEMENTS = `
  0027-shared-state 0028-company-leases 0029-traffic 0030-operators 0031-money 0032-creatives 0033-people 0034-sign-in 0035-campaigns
  0036-app-events 0037-device-erasures 0038-skadnetwork 0039-alerts 0040-reports 0041-messages 0042-online-indexes`
  .trim()
  .split(/\s+/);

/** Subject of the commit since which tables of sources between these releases are not migrated. */
export const FOLD = 'Fold the migrations after 0.1.0 by subject';

/** The tables have some, but not all migrations of the sources between the releases 0.1.0 and 0.2.0. */
export class FoldedInPart extends Error {
  /** `missing` is a migration that they do not have. */
  constructor(missing: string) {
    super(
      `The tables in PostgreSQL are of sources between the releases 0.1.0 and 0.2.0, without the migration ${missing}. Start the commit before "${FOLD}" once, and then this release.`,
    );
  }
}

/**
 * The names of applied migrations, with the present names in place of the names in sources between the releases 0.1.0 and 0.2.0. Throws
 * {@link FoldedInPart}.
 */
export function presentNames(applied: readonly string[]): string[] {
  const missing = FOLDED.filter((name) => !applied.includes(name));
  if (missing.length === FOLDED.length) return [...applied];
  if (missing.length > 0) throw new FoldedInPart(missing[0]!);
  const others = applied.filter((name) => !FOLDED.includes(name) && !REPLACEMENTS.includes(name));
  return [...others, ...REPLACEMENTS].toSorted();
}

/** Records migrations under the names that {@link presentNames} returns, in one transaction. Idempotent. Throws {@link FoldedInPart}. */
export async function recordPresentNames(db: Kysely<Schema>, applied: readonly string[]): Promise<void> {
  const added = presentNames(applied).filter((name) => !applied.includes(name));
  if (added.length === 0) return;
  await sql`
    with removed as (delete from kysely_migration where name = any(${FOLDED}) returning timestamp)
    insert into kysely_migration (name, timestamp)
    select name, latest from unnest(${added}::text[]) as name, (select max(timestamp) as latest from removed) as r
    where latest is not null
    on conflict do nothing`.execute(db);
}
