import { sql } from 'kysely';
import type { TestApp, TestCompany } from '../test-app.ts';

/** Tables of the installation, or of what the server does by itself at its own times: refusing a call cannot be told by them. */
const LEFT_OUT: readonly (readonly [reason: string, ...tables: string[]])[] = [
  [
    'of the installation',
    'bidding_stop',
    'currency_rates',
    'erasure_keys',
    'invoice_numbers',
    'invoice_rates',
  ],
  [
    'of the installation',
    'invoice_settings',
    'operator_alerts',
    'operator_idempotency_keys',
    'payment_instructions',
  ],
  [
    'of the installation',
    'operators',
    'operator_sessions',
    'shared_secrets',
    'skadnetwork_exchanges',
    'ssps',
  ],
  ['of the installation', 'skadnetwork_networks', 'device_erasures', 'erased_ids', 'erasure_hashes'],
  ['of migrations', 'kysely_migration', 'kysely_migration_lock'],
  [
    'of processes',
    'bidders',
    'bidding_changes',
    'leaders',
    'process_secrets',
    'process_states',
    'tracker_states',
  ],
  ['of bids and events', 'bid_outcomes', 'booked_batches', 'ended_bids', 'event_claims', 'event_counters'],
  [
    'of bids and events',
    'event_partitions',
    'exchange_minutes',
    'publisher_pages',
    'skadnetwork_requests',
    'tracking_hosts',
  ],
  ['of bids and events', 'rejected_install_postbacks', 'traffic_offers', 'adset_pace', 'adset_findings'],
  ['of bids and events', 'budget_leases', 'company_leases'],
  ['written by jobs', 'ledger_checks', 'unused_files', 'anomaly_checks', 'forecasts'],
  ['of visitors, who are nobody’s yet', 'captcha_passes'],
  // The notifications themselves are compared.
  ['emptied by the job that sends alerts', 'alert_outbox', 'alert_deliveries', 'alert_mail_items'],
];

/** What of tables without a column `company_uuid` is a company's. */
const OF_COMPANY: Readonly<Record<string, string>> = {
  companies: 'uuid = company',
  adset_creative_groups: 'adset_uuid in (select uuid from adsets where company_uuid = company)',
  creative_group_creatives:
    'creative_group_uuid in (select uuid from creative_groups where company_uuid = company)',
  ...Object.fromEntries(
    ['known_devices', 'recovery_codes', 'sessions', 'wrong_codes'].map((table) => [
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

const leftOut = new Set(LEFT_OUT.flatMap(([, ...tables]) => tables));

/** Tables of which nobody has said what is a company's: their names. */
export async function undecidedTables(app: TestApp): Promise<string[]> {
  const known = (table: string) => leftOut.has(table) || Object.hasOwn(OF_COMPANY, table);
  const tables = await tablesOf(app);
  return tables.filter(({ name, hasCompany }) => !hasCompany && !known(name)).map(({ name }) => name);
}

/**
 * What the database has of a company: for each table the number of its rows and a sum of their hashes. `without` are tables that
 * what a test does in between writes.
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
    const hashes = `coalesce(sum(hashtextextended((to_jsonb(row)${noted})::text, 0)::numeric), 0)`;
    const condition = OF_COMPANY[name] ?? 'company_uuid = company';
    return `select '${name}' as name, count(*) || ' ' || ${hashes} as state from ${name} as row where ${condition}`;
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
