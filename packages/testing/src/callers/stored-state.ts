import { sql } from 'kysely';
import type { TestApp, TestCompany } from '../test-app.ts';

/** Tables that are not compared, by the reason: a refused call does not change them, and other work does. */
const LEFT_OUT = {
  'of the installation': `bidding_stop brand brand_logos currency_rates device_erasures erased_ids erasure_hashes erasure_keys
    exchange_review_accounts invoice_numbers invoice_rates invoice_settings operator_alerts operator_idempotency_keys operator_sessions operators
    payment_instructions shared_secrets skadnetwork_exchanges skadnetwork_networks ssps`,
  'of migrations': 'kysely_migration kysely_migration_lock',
  'of processes': 'bidders bidding_changes leaders process_secrets process_states tracker_states',
  'of bids and events': `adset_findings adset_pace audience_matches bid_outcomes booked_batches budget_leases company_leases country_leases
    country_spend ended_bids event_claims
    event_counters event_partitions exchange_minutes oversized_creatives publisher_pages rejected_install_postbacks skadnetwork_requests traffic_offers`,
  'of jobs': 'anomaly_checks forecasts ledger_checks source_identifiers tracking_hosts unused_files',
  'of jobs that send the notifications, which are compared':
    'alert_deliveries alert_mail_items alert_outbox messages',
  'of visitors, who have no account yet': 'answered_challenges captcha_passes',
  'of mail addresses, whose mails are counted over all companies': 'mail_counts',
};

/** The rows of a company in tables without a column `company_uuid`. */
const OF_COMPANY: Readonly<Record<string, string>> = {
  companies: 'uuid = company',
  adset_creative_groups: 'adset_uuid in (select uuid from adsets where company_uuid = company)',
  creative_group_creatives:
    'creative_group_uuid in (select uuid from creative_groups where company_uuid = company)',
  ...Object.fromEntries(
    ['known_devices', 'passkeys', 'recovery_codes', 'sessions', 'wrong_codes'].map((table) => [
      table,
      ofPeople('account_uuid'),
    ]),
  ),
  ...Object.fromEntries(['login_steps', 'password_resets'].map((table) => [table, ofPeople('user_uuid')])),
};

function ofPeople(column: string): string {
  return `${column} in (select user_uuid from memberships where company_uuid = company)`;
}

/** Columns that the authentication of any call writes. */
const NOTED_OF_CALLS: Readonly<Record<string, readonly string[]>> = {
  api_tokens: ['last_used_at', 'last_used_address'],
  sessions: ['last_used_at'],
};

const leftOut = new Set(Object.values(LEFT_OUT).flatMap((tables) => tables.split(/\s+/)));

/** Names of the tables without a declaration of a company's rows. */
export async function undecidedTables(app: TestApp): Promise<string[]> {
  const known = (table: string) => leftOut.has(table) || Object.hasOwn(OF_COMPANY, table);
  const tables = await tablesOf(app);
  return tables.filter(({ name, hasCompany }) => !hasCompany && !known(name)).map(({ name }) => name);
}

/**
 * The rows of a company in the database: for each table their number and a sum of their hashes. `without` are tables that
 * the test itself writes to in between.
 */
export async function storedState(
  app: TestApp,
  { companyId }: Pick<TestCompany, 'companyId'>,
  { without = [] }: { without?: readonly string[] } = {},
): Promise<Record<string, string>> {
  const query = await queryOf(app);
  const { rows } = await sql<{ name: string; state: string }>`
    ${sql.raw(query.replaceAll('= company', `= '${companyId}'`))}`.execute(app.ctx.db);
  return Object.fromEntries(
    rows.filter(({ name }) => !without.includes(name)).map(({ name, state }) => [name, state]),
  );
}

const queries = new WeakMap<TestApp, Promise<string>>();

async function queryOf(app: TestApp): Promise<string> {
  const query = queries.get(app) ?? makeQuery(app);
  queries.set(app, query);
  return query;
}

async function makeQuery(app: TestApp): Promise<string> {
  const compared = (await tablesOf(app)).filter(
    ({ name, hasCompany }) => !leftOut.has(name) && (hasCompany || Object.hasOwn(OF_COMPANY, name)),
  );
  const selects = compared.map(({ name }) => {
    const noted = (NOTED_OF_CALLS[name] ?? []).map((column) => ` - '${column}'`).join('');
    const hashes = `coalesce(sum(hashtextextended((to_jsonb(stored)${noted})::text, 0)::numeric), 0)`;
    const condition = OF_COMPANY[name] ?? 'company_uuid = company';
    return `select '${name}' as name, count(*) || ' ' || ${hashes} as state from ${name} as stored where ${condition}`;
  });
  return selects.join(' union all ');
}

async function tablesOf(app: TestApp): Promise<{ name: string; hasCompany: boolean }[]> {
  const { rows } = await sql<{ name: string; hasCompany: boolean }>`
    select table_name as name, exists (
      select 1 from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'company_uuid'
    ) as "hasCompany" from information_schema.tables t where table_schema = 'public'`.execute(app.ctx.db);
  return rows;
}
