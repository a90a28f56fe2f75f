import type { CreativeType } from '@bidwell/contract/creatives/schema';
import {
  type ExchangeReview,
  REVIEW_STATES,
  type StoredReviewState,
} from '@bidwell/contract/creatives/exchange-reviews';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import { type Selectable, type Updateable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { approvedText, isApproved } from '../../../delivery/public.ts';
import type { Place } from '../../../platform/encryption.ts';
import { anyOf, anyTextOf } from '../../../platform/postgres/client.ts';
import type {
  ExchangeReviewAccountTable,
  ExchangeReviewTable,
} from '../../../platform/postgres/exchange-review-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

// Accounts are of the installation, and the job that submits creatives serves all companies: the functions without a company cross them.

export type ReviewRow = Selectable<ExchangeReviewTable>;
export type AccountRow = Selectable<ExchangeReviewAccountTable>;

/** Where the secret of an exchange's review is stored. */
export function reviewSecretPlace(slug: string): Place {
  return { table: 'exchange_review_accounts', column: 'secret', row: slug };
}

export async function findAccount(db: Db, slug: string): Promise<AccountRow | undefined> {
  return db.selectFrom('exchange_review_accounts').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** An account, which other transactions change after this one. */
export async function lockAccount(db: Db, slug: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('exchange_review_accounts')
    .selectAll()
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst();
}

/** The accounts with which creatives are submitted, of exchanges that are on. */
export async function enabledAccounts(
  db: Db,
): Promise<(AccountRow & { profile: ProfileSlug; name: string })[]> {
  return db
    .selectFrom('exchange_review_accounts as a')
    .innerJoin('ssps as s', 's.slug', 'a.slug')
    .selectAll('a')
    .select(['s.profile', 's.name'])
    .where('a.is_enabled', '=', true)
    .where('s.active', '=', true)
    .orderBy('a.slug')
    .execute();
}

export async function saveAccount(
  db: Db,
  row: Pick<AccountRow, 'slug' | 'is_enabled' | 'account' | 'login' | 'secret'>,
): Promise<void> {
  // New credentials are tried at once.
  const renewed = { poll_at: null, poll_cursor: null, quiet_polls: 0, error: null, paused_until: null };
  await db
    .insertInto('exchange_review_accounts')
    .values({ ...row, ...renewed, accepted_at: null })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ ...row, ...renewed }))
    .execute();
}

export async function updateAccount(
  db: Db,
  slug: string,
  values: Updateable<ExchangeReviewAccountTable>,
): Promise<void> {
  await db.updateTable('exchange_review_accounts').set(values).where('slug', '=', slug).execute();
}

/** The hash of what an exchange reviews of a creative: its files and texts that may run, and where it leads. */
const version = sql<string>`md5(concat_ws('|', i.type, i.video_file_uuid, i.playable_file_uuid,
  coalesce(c.approved ->> 'banner_file_uuid', i.banner_file_uuid::text),
  case when c.approved is null then i.title else c.approved ->> 'title' end,
  case when c.approved is null then i.description else c.approved ->> 'description' end,
  case when c.approved is null then i.sponsor else c.approved ->> 'sponsor' end))`;
const isRunning = sql<boolean>`(c.archived_at is null and (c.status = 'Approved' or c.approved is not null))`;

/**
 * Adds the creatives that an exchange has no review of, companies in turns. Resolves to whether it added as many as it may, so that more
 * may be left.
 */
export async function addMissingReviews(
  db: Db,
  slug: string,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { rows } = await sql<{ company: string; creative: string; updated: Date; version: string }>`
    select company_uuid as company, uuid as creative, updated_at as updated, version from (
      select c.company_uuid, c.uuid, c.updated_at, ${version} as version,
        row_number() over (partition by c.company_uuid order by c.created_at desc, c.uuid) as place
      from creatives c join internal_creatives i on i.uuid = c.internal_creative_uuid
      where ${isRunning} and not exists (
        select from exchange_reviews r where r.creative_uuid = c.uuid and r.slug = ${slug})) missing
    order by place, uuid limit ${limit}`.execute(db);
  if (rows.length === 0) return 0;
  await db
    .insertInto('exchange_reviews')
    .values(
      rows.map((row) => ({
        uuid: uuidv7(),
        company_uuid: row.company,
        creative_uuid: row.creative,
        slug,
        creative_updated_at: row.updated,
        version: row.version,
        state: 'not_sent' as const,
        error: null,
        sent_version: null,
        sent_at: null,
        decided_at: null,
        used_at: null,
        counted_at: null,
        changed_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['creative_uuid', 'slug']).doNothing())
    .execute();
  return rows.length;
}

/** Begins the reviews of creatives with another version again. Resolves to the companies. */
export async function renewChangedReviews(
  db: Db,
  slug: string,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ company_uuid: string; changed: boolean }>`
    with found as (
      select r.uuid, c.updated_at, ${version} as version
      from exchange_reviews r join creatives c on c.uuid = r.creative_uuid
        join internal_creatives i on i.uuid = c.internal_creative_uuid
      where r.slug = ${slug} and r.creative_updated_at <> c.updated_at and ${isRunning}
      limit ${limit} for update of r
    )
    update exchange_reviews r set creative_updated_at = found.updated_at, version = found.version,
      state = case when r.version = found.version then r.state else 'not_sent' end,
      reasons = case when r.version = found.version then r.reasons else '[]' end,
      error = case when r.version = found.version then r.error end,
      is_held = r.is_held and r.version = found.version,
      decided_at = case when r.version = found.version then r.decided_at end,
      changed_at = case when r.version = found.version then r.changed_at else ${now} end
    from found where r.uuid = found.uuid
    returning r.company_uuid, r.changed_at = ${now} as changed`.execute(db);
  return [...new Set(rows.filter(({ changed }) => changed).map(({ company_uuid: company }) => company))];
}

/** Deletes the reviews of creatives that stopped, which were archived or rejected, with the messages that wait. Resolves to their number. */
export async function deleteStoppedReviews(
  db: Db,
  slug: string,
  { kind, limit }: { kind: string; limit: number },
): Promise<number> {
  const { rows } = await sql<{ uuid: string }>`
    delete from exchange_reviews where uuid in (
      select r.uuid from exchange_reviews r join creatives c on c.uuid = r.creative_uuid
      where r.slug = ${slug} and not ${isRunning} limit ${limit})
    returning uuid`.execute(db);
  if (rows.length > 0)
    await db
      .deleteFrom('messages')
      .where('kind', '=', kind)
      .where('about', '=', anyTextOf(rows.map(({ uuid }) => uuid)))
      .execute();
  return rows.length;
}

/** Creatives that have to be sent and have no message, companies in turns; and how many messages the exchange has. */
export async function reviewsToSend(
  db: Db,
  slug: string,
  { kind, limit, waitingMax }: { kind: string; limit: number; waitingMax: number },
): Promise<Pick<ReviewRow, 'uuid' | 'company_uuid'>[]> {
  const { rows: waiting } = await sql<{ count: number }>`
    select count(*)::int as count from messages m join exchange_reviews r on r.uuid::text = m.about
    where m.kind = ${kind} and r.slug = ${slug}`.execute(db);
  const free = Math.min(limit, waitingMax - waiting[0]!.count);
  if (free <= 0) return [];
  const { rows } = await sql<Pick<ReviewRow, 'uuid' | 'company_uuid'>>`
    select uuid, company_uuid from (
      select r.uuid, r.company_uuid, row_number() over (partition by r.company_uuid order by r.changed_at, r.uuid) as place
      from exchange_reviews r
      where r.slug = ${slug} and r.state in ('not_sent', 'lapsed') and not r.is_held
        and not exists (select from messages m where m.kind = ${kind} and m.about = r.uuid::text)) due
    order by place, uuid limit ${free}`.execute(db);
  return rows;
}

/** Reviews in use, whose use was not counted since an instant: the ones that were counted longest ago first. */
export async function uncountedReviews(
  db: Db,
  slug: string,
  { since, limit }: { since: Date; limit: number },
): Promise<ReviewRow[]> {
  return db
    .selectFrom('exchange_reviews')
    .selectAll()
    .where('slug', '=', slug)
    .where('state', 'in', ['approved', 'pending'])
    .where(sql<Date>`coalesce(counted_at, used_at)`, '<', since)
    .orderBy(sql`coalesce(counted_at, used_at)`)
    .orderBy('uuid')
    .limit(limit)
    .execute();
}

/** Has the states asked for at an instant, unless that is earlier already. */
export async function bringPollForward(db: Db, slug: string, at: Date): Promise<void> {
  await db
    .updateTable('exchange_review_accounts')
    .set({ poll_at: sql<Date>`least(poll_at, ${at}::timestamptz)`, quiet_polls: 0 })
    .where('slug', '=', slug)
    .execute();
}

/** The state, as it was read, of a review; without effect where it has changed meanwhile. Resolves to whether it had an effect. */
export async function updateReview(
  db: Db,
  { uuid, company_uuid, version: seen }: Pick<ReviewRow, 'uuid' | 'company_uuid' | 'version'>,
  values: Updateable<ExchangeReviewTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exchange_reviews')
    .set(values)
    .where('uuid', '=', uuid)
    .where('company_uuid', '=', company_uuid)
    .where('version', '=', seen)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function findReview(db: Db, companyId: string, uuid: string): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('exchange_reviews')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** The review of a creative at an exchange, locked until the transaction ends. */
export async function lockReviewOf(
  db: Db,
  companyId: string,
  { creativeId, slug }: { creativeId: string; slug: string },
): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('exchange_reviews')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('creative_uuid', '=', creativeId)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst();
}

/** The reviews of creatives at an exchange, by the creatives' ids as the exchange names them. */
export async function reviewsOfCreatives(
  db: Db,
  slug: string,
  creatives: readonly string[],
): Promise<(ReviewRow & { name: string })[]> {
  const ids = creatives.filter((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id));
  if (ids.length === 0) return [];
  return db
    .selectFrom('exchange_reviews as r')
    .innerJoin('creatives as c', 'c.uuid', 'r.creative_uuid')
    .innerJoin('internal_creatives as i', 'i.uuid', 'c.internal_creative_uuid')
    .selectAll('r')
    .select('i.name')
    .where('r.slug', '=', slug)
    .where('r.creative_uuid', '=', anyOf(ids))
    .orderBy('r.uuid')
    .execute();
}

export async function hasReviews(
  db: Db,
  slug: string,
  states: readonly StoredReviewState[],
): Promise<boolean> {
  const row = await db
    .selectFrom('exchange_reviews')
    .select('uuid')
    .where('slug', '=', slug)
    .where('state', 'in', states)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What an exchange reviews of a creative, as the database has it. */
export interface ReviewedParts {
  type: CreativeType;
  title: string;
  description: string | null;
  sponsor: string;
  durationMs: number | null;
  appName: string;
  storeLink: string;
  advertiserDomain: string | null;
  companyName: string;
  file: StoredFile;
  endCard: StoredFile | null;
}
interface StoredFile {
  uuid: string;
  extension: string;
  contentType: string;
  width: number | null;
  height: number | null;
  bytes: number;
}

/** The parts of the version of a creative that may run; undefined for one that stopped. */
export async function reviewedParts(
  db: Db,
  companyId: string,
  creativeId: string,
): Promise<ReviewedParts | undefined> {
  const fileOf = (table: string) => sql<StoredFile>`jsonb_build_object('uuid', ${sql.ref(`${table}.uuid`)},
    'extension', ${sql.ref(`${table}.extension`)}, 'contentType', split_part(${sql.ref(`${table}.content_type`)}, ';', 1),
    'width', ${sql.ref(`${table}.width`)}, 'height', ${sql.ref(`${table}.height`)},
    'bytes', ${sql.ref(`${table}.size_bytes`)})`;
  const banner = sql`coalesce((creatives.approved ->> 'banner_file_uuid')::uuid, i.banner_file_uuid)`;
  const { rows } = await sql<ReviewedParts>`
    select i.type, ${approvedText('creatives', 'title', 'i.title')} as title,
      ${approvedText('creatives', 'description', 'i.description')} as description,
      ${approvedText('creatives', 'sponsor', 'i.sponsor')} as sponsor, i.duration_ms as "durationMs",
      apps.name as "appName", ${approvedText('apps', 'store_link')} as "storeLink",
      apps.advertiser_domain as "advertiserDomain", companies.name as "companyName", ${fileOf('f')} as file,
      case when e.uuid is not null then ${fileOf('e')} end as "endCard"
    from creatives join internal_creatives i on i.uuid = creatives.internal_creative_uuid
      join apps on apps.uuid = creatives.app_uuid join companies on companies.uuid = creatives.company_uuid
      join files f on f.uuid = coalesce(i.video_file_uuid, i.playable_file_uuid, ${banner})
      left join files e on e.uuid = ${banner} and i.type = 'Video'
    where creatives.company_uuid = ${companyId} and creatives.uuid = ${creativeId}
      and creatives.archived_at is null and ${isApproved('creatives')}`.execute(db);
  return rows[0];
}

/** The exchanges that are on, by name, with the profiles whose rules they follow, and whether an operator has connected their review. */
export async function exchangesWithReview(
  db: Db,
): Promise<{ slug: string; name: string; profile: ProfileSlug; isConnected: boolean }[]> {
  return db
    .selectFrom('ssps')
    .leftJoin('exchange_review_accounts as a', 'a.slug', 'ssps.slug')
    .select([
      'ssps.slug',
      'ssps.name',
      'ssps.profile',
      sql<boolean>`coalesce(a.is_enabled, false)`.as('isConnected'),
    ])
    .where('ssps.active', '=', true)
    .orderBy('ssps.name')
    .execute();
}

export async function reviewsOfCompany(db: Db, companyId: string): Promise<ReviewRow[]> {
  return db
    .selectFrom('exchange_reviews as r')
    .innerJoin('exchange_review_accounts as a', 'a.slug', 'r.slug')
    .selectAll('r')
    .where('r.company_uuid', '=', companyId)
    .where('a.is_enabled', '=', true)
    .orderBy('r.creative_uuid')
    .orderBy('r.slug')
    .execute();
}

/** The exchanges that disapproved creatives of a company, with their reasons, by creative; and the ones that review them still. */
export async function withheldOf(
  db: Db,
  companyId: string,
): Promise<
  {
    creative: string;
    exchange: string;
    state: StoredReviewState;
    reasons: string[];
    heldBecause: string | null;
  }[]
> {
  return db
    .selectFrom('exchange_reviews as r')
    .innerJoin('exchange_review_accounts as a', 'a.slug', 'r.slug')
    .innerJoin('ssps as s', 's.slug', 'r.slug')
    .select([
      'r.creative_uuid as creative',
      's.name as exchange',
      'r.state',
      'r.reasons',
      sql<string | null>`case when r.is_held then r.error end`.as('heldBecause'),
    ])
    .where('r.company_uuid', '=', companyId)
    .where('r.state', '<>', 'approved')
    .where('a.is_enabled', '=', true)
    .where('s.active', '=', true)
    .orderBy('s.name')
    .execute();
}

/** How many creatives an exchange has in each state. */
export async function countReviews(
  db: Db,
  slug: string,
): Promise<Partial<Record<ExchangeReview['state'], number>>> {
  const rows = await db
    .selectFrom('exchange_reviews')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('slug', '=', slug)
    .groupBy('state')
    .execute();
  const counts = new Map(rows.map(({ state, count }) => [state as string, count]));
  return Object.fromEntries(
    REVIEW_STATES.flatMap((state) => (counts.has(state) ? [[state, counts.get(state)!]] : [])),
  );
}

/** The creatives of all companies at an exchange, those that changed last first. */
export async function listReviewRows(
  db: Db,
  slug: string,
  { state, limit }: { state: StoredReviewState | undefined; limit: number },
) {
  return db
    .selectFrom('exchange_reviews as r')
    .innerJoin('creatives as c', 'c.uuid', 'r.creative_uuid')
    .innerJoin('internal_creatives as i', 'i.uuid', 'c.internal_creative_uuid')
    .innerJoin('companies as o', 'o.uuid', 'r.company_uuid')
    .select([
      'r.creative_uuid',
      'i.name as creative_name',
      'r.company_uuid',
      'o.name as company_name',
      'r.state',
      'r.reasons',
      'r.error',
      'r.sent_at',
      'r.decided_at',
    ])
    .where('r.slug', '=', slug)
    .$if(state !== undefined, (query) => query.where('r.state', '=', state!))
    .orderBy('r.changed_at', 'desc')
    .orderBy('r.uuid', 'desc')
    .limit(limit)
    .execute();
}

/** The name of an exchange and its profile; undefined for none. */
export async function exchangeOf(db: Db, slug: string) {
  return db.selectFrom('ssps').select(['name', 'profile']).where('slug', '=', slug).executeTakeFirst();
}

/** The name of a creative of a company that is not archived. */
export async function creativeName(db: Db, companyId: string, uuid: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('creatives as c')
    .innerJoin('internal_creatives as i', 'i.uuid', 'c.internal_creative_uuid')
    .select('i.name')
    .where('c.company_uuid', '=', companyId)
    .where('c.uuid', '=', uuid)
    .where('c.archived_at', 'is', null)
    .executeTakeFirst();
  return row?.name;
}
