import { sql } from 'kysely';
import type { Database } from '@bidwell/server/platform/postgres/client';

/** Number of entities of each company. */
export interface CompanySize {
  apps: number;
  campaigns: number;
  adsets: number;
  /** A multiple of ten: each group has ten. */
  creatives: number;
  /** Number of targets, and of tracking links. */
  targets: number;
  /** Number of notifications, of ledger transactions and of changes. */
  history: number;
}

export const LARGE: CompanySize = {
  apps: 40,
  campaigns: 200,
  adsets: 500,
  creatives: 2000,
  targets: 300,
  history: 1000,
};

/**
 * Inserts the companies `from` to `to` of the given size, with one user each; every tenth has one running campaign. Rows of
 * the companies are interleaved in groups of ten, as if the companies had worked at the same time. Ids are UUIDv7 and
 * derived from row numbers: see {@link idOf}.
 */
export async function addCompanies(db: Database, from: number, to: number, size: CompanySize): Promise<void> {
  await db.connection().execute(async (connection) => {
    const run = (text: string) => runSql(connection, text);
    const fill: Fill = async (table, columns, count, values) =>
      run(`
        insert into ${table} (${columns})
        select ${values}
        from (
          select n, c, ${id('company', '0')} as company, ${time('n')} as at
          from generate_series(${from}, ${to}) as c, generate_series(0, ${count - 1}) as n
          order by n / 10, c, n
        ) as made`);
    await run('set session_replication_role = replica');
    await addAccounts(fill);
    await addCreatives(fill, size);
    await addCampaigns(fill, size);
    await addHistory(fill, size);
    await run('set session_replication_role = origin');
    await run('analyze');
  });
}

/**
 * Inserts `count` rows of each company. In `values`, `n` is the row number in the company, `c` the company's number,
 * `company` its uuid, `at` the time.
 */
type Fill = (table: string, columns: string, count: number, values: string) => Promise<void>;

const owned = 'uuid, company_uuid, created_at, updated_at';
const own = (kind: Kind) => `${id(kind)}, company, at, at`;
/** The app of the entity with number `n`; entities that belong together have the same app. */
const appOf = (n: string, apps: number) => id('app', `(${n}) % ${apps}`);

async function addAccounts(fill: Fill): Promise<void> {
  await fill(
    'companies',
    'uuid, name, postback_secret, created_at',
    1,
    `company, 'Company ' || c, 'secret' || c, at`,
  );
  await fill(
    'users',
    `${owned}, login, email, password_hash, first_name, last_name, contact`,
    1,
    `${own('user')}, 'user' || c, 'user@example.com', '', 'Pat', 'Miller', ''`,
  );
}

async function addCreatives(fill: Fill, { apps, creatives }: CompanySize): Promise<void> {
  const groups = creatives / 10;
  await fill(
    'apps',
    `${owned}, name, description, os, store_link, bundle_id, mobile_measurement_partner, iab_category, rating,
     icon_link, advertiser_domain, status`,
    apps,
    `${own('app')}, 'Puzzle Quest ' || n, 'A game of rows and colours', 'android',
     'https://play.google.com/store/apps/details?id=com.example.puzzle' || n, 'com.example.puzzle' || n, 'appsflyer',
     'IAB9-30', 4.5, 'https://play-lh.example.com/icons/' || md5(n::text) || '=s96', 'example.com', 'Approved'`,
  );
  await fill(
    'files',
    'uuid, company_uuid, content_type, extension, size_bytes, sha256, width, height, created_at',
    creatives,
    `${id('file')}, company, case when n % 10 < 7 then 'image/png' else 'video/mp4' end,
     case when n % 10 < 7 then 'png' else 'mp4' end, 20000 + n, md5(n::text), 320, 50, at`,
  );
  await fill(
    'internal_creatives',
    `${owned}, name, type, description, sponsor, title, width, height, duration_ms, banner_file_uuid, video_file_uuid`,
    creatives,
    `${own('asset')}, 'Autumn banner ' || n || ' 320x50', case when n % 10 < 7 then 'Banner' else 'Video' end,
     'Second round of the autumn pictures', '', '', 320, 50, case when n % 10 < 7 then null else 15000 end,
     case when n % 10 < 7 then ${id('file')} end, case when n % 10 < 7 then null else ${id('file')} end`,
  );
  await fill(
    'creatives',
    `${owned}, app_uuid, internal_creative_uuid, click_url, view_url, status`,
    creatives,
    `${own('creative')}, ${appOf('n / 10', apps)}, ${id('asset')},
     'https://app.appsflyer.com/com.example.puzzle?pid=bidwell_int&clickid={click_id}&c={campaign_id}',
     'https://impression.appsflyer.com/com.example.puzzle?pid=bidwell_int&clickid={click_id}&c={campaign_id}',
     case when n % 10 = 9 then 'Moderation' else 'Approved' end`,
  );
  await fill(
    'creative_groups',
    `${owned}, name, description, native_title, native_description, native_sponsor`,
    groups,
    `${own('group')}, 'Autumn ' || n, 'Pictures and clips of the autumn', '', '', ''`,
  );
  await fill(
    'creative_group_creatives',
    'creative_group_uuid, creative_uuid',
    creatives,
    `${id('group', 'n / 10')}, ${id('creative')}`,
  );
}

async function addCampaigns(
  fill: Fill,
  { apps, targets, campaigns, adsets, creatives }: CompanySize,
): Promise<void> {
  const groups = creatives / 10;
  await fill(
    'targets',
    `${owned}, app_uuid, name, description, settings`,
    targets,
    `${own('target')}, ${appOf('n', apps)}, 'Western phones ' || n, '', '{
       "device_connection_types": ["wifi"], "device_max_os_version": null, "device_min_os_version": "9",
       "device_models": [], "device_os": ["android"], "device_types": ["phone", "tablet"],
       "exchange_include": [], "exchange_exclude": [], "genre_include": [], "genre_exclude": ["IAB25"],
       "language_include": ["en", "de", "fr"], "language_exclude": [],
       "location_include": ["US", "CA", "GB", "DE", "FR", "AT", "CH"], "location_exclude": []}'`,
  );
  await fill(
    'tracking_links',
    `${owned}, app_uuid, name, description, click_url, view_url`,
    targets,
    `${own('link')}, ${appOf('n', apps)}, 'Link ' || n, '',
     'https://app.appsflyer.com/com.example.puzzle?pid=bidwell_int&clickid={click_id}&c={campaign_id}',
     'https://impression.appsflyer.com/com.example.puzzle?pid=bidwell_int&clickid={click_id}&c={campaign_id}'`,
  );
  await fill(
    'campaigns',
    `${owned}, app_uuid, name, description, start_date, status`,
    campaigns,
    `${own('campaign')}, ${appOf('n', apps)}, 'Autumn installs ' || n, '', '2026-01-01', case when n = 0 and c % 10 = 0 then 'Active' else 'Paused' end`,
  );
  const ofSameApp = Math.floor(targets / apps) * apps;
  await fill(
    'adsets',
    `${owned}, campaign_uuid, target_uuid, tracking_link_uuid, name, description, status, algo, bet_cpm_micros,
     daily_budget_micros, black_list_bundles, white_list_bundles, bundle_bids`,
    adsets,
    `${own('adset')}, ${id('campaign', `n % ${campaigns}`)}, ${id('target', `n % ${ofSameApp}`)},
     ${id('link', `n % ${ofSameApp}`)}, 'Phones ' || n, '', 'Active', 'Manual CPM', 2500000, 100000000,
     '["com.unwanted.one", "com.unwanted.two", "com.unwanted.three"]', '[]', '{"com.good.game": 4000000}'`,
  );
  for (const step of [0, apps])
    await fill(
      'adset_creative_groups',
      'adset_uuid, creative_group_uuid',
      adsets,
      `${id('adset')}, ${id('group', `(n + ${step}) % ${groups}`)}`,
    );
}

async function addHistory(fill: Fill, { history, creatives, adsets }: CompanySize): Promise<void> {
  await fill(
    'notifications',
    'uuid, company_uuid, kind, title, text, entity_type, entity_uuid, read_at, created_at',
    history,
    `${id('notification')}, company, 'moderation', 'Creative approved', 'Autumn banner ' || n || ' may run now.',
     'creative', ${id('creative', `n % ${creatives}`)}, case when n % 2 = 0 then at end, at`,
  );
  await fill(
    'ledger_transactions',
    `${owned}, kind, status, amount_micros, description`,
    history,
    `${own('transaction')}, 'credit', 'success', 100000000, 'Bank transfer ' || n`,
  );
  for (const [kind, account, amount] of [
    ['entry', 'wallet', 100_000_000],
    ['counter_entry', 'funding', -100_000_000],
  ] as const)
    await fill(
      'ledger_entries',
      'uuid, transaction_uuid, company_uuid, account, amount_micros, created_at',
      history,
      `${id(kind)}, ${id('transaction')}, company, '${account}', ${amount}, at`,
    );
  await fill(
    'changes',
    `uuid, company_uuid, user_uuid, author, entity_type, entity_uuid, entity_name, action, fields, created_at`,
    history,
    `${id('change')}, company, ${id('user', '0')}, 'Pat Miller', 'adset', ${id('adset', `n % ${adsets}`)},
     'Phones ' || n, 'update', '[{"field": "bet_cpm", "before": 2.5, "after": 3}]', at`,
  );
}

/** Runs a raw SQL statement. */
export async function runSql(db: Database, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}

const kinds = [
  'company',
  'user',
  'app',
  'file',
  'asset',
  'creative',
  'group',
  'target',
  'link',
  'campaign',
  'adset',
  'notification',
  'transaction',
  'entry',
  'counter_entry',
  'change',
] as const;
type Kind = (typeof kinds)[number];

const EPOCH_S = 1_767_225_600;

/** SQL for the creation time of row `n`: a minute after the previous row. */
const time = (n: string) => `to_timestamp(${EPOCH_S} + (${n}) * 60 + c * 0.01)`;

/** SQL for the uuid of the `n`th entity of a kind of the company `c`. */
function id(kind: Kind, n = 'n'): string {
  return `(lpad(to_hex(${EPOCH_S}000 + (${n}) * 60000 + c * 10), 12, '0') || '7${hex(kinds.indexOf(kind), 3)}8' ||
    lpad(to_hex(c), 3, '0') || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/** The uuid of a company's `n`th entity of a kind. */
export function idOf(kind: Kind, company: number, n: number): string {
  const created = hex(EPOCH_S * 1000 + n * 60_000 + company * 10, 12);
  const version = `7${hex(kinds.indexOf(kind), 3)}`;
  return `${created.slice(0, 8)}-${created.slice(8)}-${version}-8${hex(company, 3)}-${hex(n, 12)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
