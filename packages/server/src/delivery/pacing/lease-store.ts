import { dateAt } from '@bidwell/contract/lib/calendar';
import type { Micros } from '@bidwell/contract/lib/money';
import { type RawBuilder, sql } from 'kysely';
import { type Database, json } from '../../platform/postgres/client.ts';
import { exact } from '../../platform/postgres/type-parsers.ts';
import type { EndedBid } from '../../platform/postgres/schema.ts';
import { type Db, transact } from '../../platform/postgres/transaction.ts';
import {
  type AdsetAccount,
  type BidOutcome,
  type CompanyAccount,
  type Decision,
  ENDED_MS,
  LEASE_MS,
  type LeaseRequest,
  type LeaseResponse,
  type LeaseStore,
  SILENCE_MS,
  type Spend,
  accountKey,
  decideLeases,
  tagOf,
} from './leases.ts';
import { databaseNowMs } from '../../platform/postgres/database-clock.ts';

/**
 * Key of the advisory lock, also in the function `lock_lease_accounts`; Kysely's migrations use another. Requests share
 * it. Ending the leases of silent bidders, and a request of an older server, hold it alone.
 */
const LOCK = 4_216_003;
/** Interval at which outcomes are deleted that no bidder takes. */
const EXPIRE_EVERY_MS = 10 * 60_000;
/** Interval at which leases of killed bidders are deleted whose bids have expired. */
const FREE_EVERY_MS = 5000;

/**
 * Lease store in PostgreSQL. A request locks the rows of its companies, in one order, so that bidders serve different
 * companies at the same time. Reads across companies, as all queries of the bidder do; no company sees its results.
 */
export function postgresLeases(db: Database, freeEveryMs = FREE_EVERY_MS): LeaseStore {
  let expiredAtMs = performance.now();
  let freedAtMs = -Infinity;
  return {
    async sync(bidderId, requests, lagMs = 0) {
      if (performance.now() - expiredAtMs > EXPIRE_EVERY_MS) {
        expiredAtMs = performance.now();
        await deleteExpiredOutcomes(db);
      }
      const leaseMs = LEASE_MS + Math.ceil(lagMs);
      if (performance.now() - freedAtMs > freeEveryMs) {
        freedAtMs = performance.now();
        await deleteExpiredLeases(db, Math.ceil(lagMs));
      }
      const response = await syncOnce(db, bidderId, requests, { leaseMs, isForced: false });
      if (response) return response;
      await endSilentBidders(db, leaseMs);
      return (await syncOnce(db, bidderId, requests, { leaseMs, isForced: true }))!;
    },
  };
}

interface LeaseTerms {
  /** Time without a heartbeat after which a bidder's leases are deleted. */
  leaseMs: number;
  /** Whether leases are renewed although there are silent bidders. */
  isForced: boolean;
}

/** Renews leases; null, without an effect, where leases of silent bidders must be ended first, unless `isForced`. */
async function syncOnce(
  db: Database,
  bidderId: string,
  requests: readonly LeaseRequest[],
  terms: LeaseTerms,
): Promise<LeaseResponse | null> {
  return transact(db, async (tx) => {
    const read = await lockAccounts(tx.db, bidderId, requests, terms);
    if (!read) return null;
    const { nowMs, bidders } = read;
    const accounts = accountsOf(read, requests);
    for (const [key, account] of await countryAccounts(tx.db, bidderId, requests, nowMs))
      accounts.adsets.set(key, account);
    const decisions = decideLeases(requests, accounts, bidders, nowMs);
    const outcomes = await writeDecisions(tx.db, bidderId, requests, decisions);
    return { nowMs, leases: decisions.map(({ lease }) => lease), outcomes, bidders };
  });
}

/** What `lock_lease_accounts` reads. */
interface LockedAccounts {
  nowMs: number;
  bidders: number;
  companies: ({ id: string } & CompanyAccount)[];
  adsets: ({ id: string; day: string | null; dayMicros: Micros | null } & Omit<AdsetAccount, 'dayMicros'>)[];
}

/** Records a bidder's heartbeat, locks the companies of its requests until the transaction ends, and reads the accounts. */
async function lockAccounts(
  db: Db,
  bidderId: string,
  requests: readonly LeaseRequest[],
  { leaseMs, isForced }: LeaseTerms,
): Promise<LockedAccounts | null> {
  const companies = uuids(requests.map(({ companyId }) => companyId));
  const adsets = uuids(requests.map(({ adsetId }) => adsetId));
  const { rows } = await sql<{ read: LockedAccounts | null }>`
    select lock_lease_accounts(
      ${bidderId}, ${companies}, ${adsets}, ${SILENCE_MS}, ${ENDED_MS}, ${leaseMs}, ${isForced}
    ) as read`.execute(db);
  return rows[0]!.read;
}

function uuids(ids: readonly string[]) {
  return sql`${`{${[...new Set(ids)].join()}}`}::uuid[]`;
}

/** The accounts of requests by id; days follow the database's clock. */
function accountsOf(
  { nowMs, adsets, companies }: LockedAccounts,
  requests: readonly LeaseRequest[],
): { adsets: Map<string, AdsetAccount>; companies: Map<string, CompanyAccount> } {
  const today = todayOf(requests, nowMs);
  return {
    adsets: new Map(adsets.map(({ id, ...read }) => [id, accountOf(read, today.get(id)!)])),
    companies: new Map(
      companies.map(({ id, spentMicros, leasedMicros }) => [
        id,
        { spentMicros: toExact(spentMicros), leasedMicros: toExact(leasedMicros) },
      ]),
    ),
  };
}

/** The current day of each ad set. */
function todayOf(requests: readonly LeaseRequest[], nowMs: number): Map<string, string> {
  const dates = new Map(requests.map(({ timeZone }) => [timeZone, '']));
  for (const timeZone of dates.keys()) dates.set(timeZone, dateAt(nowMs, timeZone));
  return new Map(requests.map(({ adsetId, timeZone }) => [adsetId, dates.get(timeZone)!]));
}

function accountOf(
  { day, dayMicros, everMicros, leasedMicros, ownMicros, pace }: Omit<LockedAccounts['adsets'][0], 'id'>,
  today: string,
): AdsetAccount {
  return {
    everMicros: toExact(everMicros),
    // Later for seconds after the company's time zone changed, until the bidder knows that.
    dayMicros: day !== null && day >= today ? toExact(dayMicros!) : 0,
    leasedMicros: toExact(leasedMicros),
    ownMicros: toExact(ownMicros),
    pace,
  };
}

/**
 * The accounts of the daily budgets of countries, by {@link accountKey}; one that is new begins with nothing, until `raiseCountrySpend`
 * adds what was spent before. Call it after the companies are locked.
 */
async function countryAccounts(
  db: Db,
  bidderId: string,
  requests: readonly LeaseRequest[],
  nowMs: number,
): Promise<Map<string, AdsetAccount>> {
  const wanted = requests.flatMap(({ adsetId, companyId, country }) =>
    country ? [{ adset: adsetId, company: companyId, country }] : [],
  );
  if (wanted.length === 0) return new Map();
  type Row = { adsetId: string; country: string } & Omit<LockedAccounts['adsets'][0], 'id'>;
  const { rows } = await sql<Row>`
    with wanted as (
      select adset, company, country
      from jsonb_to_recordset(${json(wanted)}::jsonb) as w (adset uuid, company uuid, country text)
    ), added as (
      insert into country_spend (adset_uuid, country, company_uuid, day, day_micros)
      select w.adset, w.country, w.company, (clock_timestamp() at time zone coalesce(c.time_zone, 'UTC'))::date, 0
      from wanted w
      left join companies c on c.uuid = w.company
      where not exists (select from country_spend s where s.adset_uuid = w.adset and s.country = w.country)
      on conflict do nothing
    )
    select w.adset as "adsetId", w.country, 0 as "everMicros", s.day::text as day, s.day_micros as "dayMicros", s.pace,
      coalesce(l.leased, 0)::bigint as "leasedMicros", coalesce(l.own, 0)::bigint as "ownMicros"
    from wanted w
    left join country_spend s on s.adset_uuid = w.adset and s.country = w.country
    left join lateral (
      select sum(micros) as leased, sum(micros) filter (where bidder_uuid = ${bidderId}::uuid) as own
      from country_leases where adset_uuid = w.adset and country = w.country
    ) as l on true`.execute(db);
  const today = todayOf(requests, nowMs);
  return new Map(
    rows.map(({ adsetId, country, ...read }) => [
      accountKey({ adsetId, country }),
      accountOf(read, today.get(adsetId)!),
    ]),
  );
}

/** As columns of money are read: corrupt amounts are clamped. */
function toExact(micros: number): Micros {
  return exact(String(micros));
}

/** Ends the leases of bidders whose last heartbeat is too old; no bidder renews leases meanwhile. */
async function endSilentBidders(db: Database, leaseMs: number): Promise<void> {
  await transact(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.db);
    const nowMs = await databaseNowMs(tx.db);
    await endSilentProcesses(tx.db, new Date(nowMs - ENDED_MS));
    await settleEnded(tx.db);
    await deleteExpired(tx.db, new Date(nowMs - leaseMs));
  });
}

/**
 * Marks bidders without a heartbeat since an instant as ended, and frees the part of their leases that no bid reserves.
 */
async function endSilentProcesses(db: Db, since: Date): Promise<void> {
  await sql`
    with silent as (
      update bidders set ended = true where not ended and seen_at < ${since} returning uuid
    ), freed as (
      delete from budget_leases l using silent s where l.bidder_uuid = s.uuid and l.held_micros <= 0
    ), freed_of_countries as (
      delete from country_leases l using silent s where l.bidder_uuid = s.uuid and l.held_micros <= 0
    ), cut_of_countries as (
      update country_leases l set micros = l.held_micros from silent s
      where l.bidder_uuid = s.uuid and l.held_micros > 0 and l.held_micros < l.micros
    )
    update budget_leases l set micros = l.held_micros from silent s
    where l.bidder_uuid = s.uuid and l.held_micros > 0 and l.held_micros < l.micros`.execute(db);
}

/** Frees the reservations of ended bidders whose bids were charged or lost since; each bid once. */
async function settleEnded(db: Db): Promise<void> {
  await sql`
    with taken as (
      delete from bid_outcomes o using bidders b
      where b.ended and o.bidder_tag = right(b.uuid::text, 8)
      returning b.uuid as bidder, o.ended_bids
    ), bids as (
      select distinct on (e.bid) t.bidder, e.bid, e.adset, e.country, e.micros
      from taken t
      cross join lateral jsonb_to_recordset(t.ended_bids) as e (bid uuid, adset uuid, country text, micros bigint)
    ), fresh as (
      insert into ended_bids (bid_id) select bid from bids order by bid on conflict do nothing returning bid_id
    ), ends as (
      select bidder, adset, sum(micros)::bigint as micros
      from bids where bid in (select bid_id from fresh) group by bidder, adset
    ), gone as (
      delete from budget_leases l using ends e
      where l.adset_uuid = e.adset and l.bidder_uuid = e.bidder and l.micros <= e.micros
    ), ends_in_countries as (
      select bidder, adset, country, sum(micros)::bigint as micros
      from bids where country is not null and bid in (select bid_id from fresh) group by bidder, adset, country
    ), gone_of_countries as (
      delete from country_leases l using ends_in_countries e
      where l.adset_uuid = e.adset and l.country = e.country and l.bidder_uuid = e.bidder and l.micros <= e.micros
    ), cut_of_countries as (
      update country_leases l set micros = l.micros - e.micros from ends_in_countries e
      where l.adset_uuid = e.adset and l.country = e.country and l.bidder_uuid = e.bidder and l.micros > e.micros
    )
    update budget_leases l set micros = l.micros - e.micros from ends e
    where l.adset_uuid = e.adset and l.bidder_uuid = e.bidder and l.micros > e.micros`.execute(db);
}

/** Deletes bidders whose last reservations have expired, with their leases, and ended bids of the same age. */
async function deleteExpired(db: Db, since: Date): Promise<void> {
  await db.deleteFrom('bidders').where('seen_at', '<', since).execute();
  await db.deleteFrom('ended_bids').where('at', '<', since).execute();
}

/**
 * Deletes leases of ended bidders whose bids have all expired, before the bidder itself is deleted. No bidder renews leases
 * meanwhile.
 */
async function deleteExpiredLeases(db: Database, lagMs: number): Promise<void> {
  const { rows: ended } = await sql`select from bidders where ended limit 1`.execute(db);
  if (ended.length === 0) return;
  await transact(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx.db);
    await settleEnded(tx.db);
    for (const table of ['budget_leases', 'country_leases'])
      await sql`
        delete from ${sql.table(table)} l using bidders b
        where b.ended and l.bidder_uuid = b.uuid
          and b.seen_at < clock_timestamp() - (${SILENCE_MS + lagMs}::int + l.held_ms) * interval '1 millisecond'`.execute(
        tx.db,
      );
  });
}

/** Deletes outcomes for bidders that have expired: no money is reserved for their bids any more. */
async function deleteExpiredOutcomes(db: Db): Promise<void> {
  await db
    .deleteFrom('bid_outcomes')
    .where('at', '<', sql<Date>`clock_timestamp() - ${`${LEASE_MS} milliseconds`}::interval`)
    .execute();
}

/** Stores the decisions, and takes the outcomes that wait for the bidder, in one statement. */
async function writeDecisions(
  db: Db,
  bidderId: string,
  requests: readonly LeaseRequest[],
  decisions: readonly Decision[],
): Promise<BidOutcome[]> {
  const writes = [...leaseWrites(bidderId, requests, decisions), ...paceWrites(decisions)];
  const { rows } = await sql<{ charged: string[]; lost: string[] }>`
    with ${sql.join([
      ...writes,
      sql`taken as (delete from bid_outcomes where bidder_tag = ${tagOf(bidderId)} returning charged, lost)`,
    ])}
    select charged, lost from taken`.execute(db);
  return rows.flatMap(({ charged, lost }) => [
    ...charged.map((bidId) => ({ bidId, charged: true })),
    ...lost.map((bidId) => ({ bidId, charged: false })),
  ]);
}

function leaseWrites(bidderId: string, requests: readonly LeaseRequest[], decisions: readonly Decision[]) {
  const leases = decisions.map(({ lease: { adsetId, country, micros }, retainedMicros }, index) => ({
    adset: adsetId,
    country,
    company: requests[index]!.companyId,
    micros,
    held: retainedMicros,
    length: requests[index]!.reservedMs,
  }));
  const given = byAccount(leases.filter(({ micros }) => micros > 0));
  const ended = byAccount(leases.filter(({ micros }) => micros === 0));
  const writes = [];
  if (given.adsets.length > 0)
    writes.push(sql`given as (
      insert into budget_leases as l (adset_uuid, bidder_uuid, company_uuid, micros, held_micros, held_ms)
      select adset, ${bidderId}::uuid, company, micros, held, length
      from jsonb_to_recordset(${json(given.adsets)}::jsonb)
        as g (adset uuid, company uuid, micros bigint, held bigint, length int)
      on conflict (adset_uuid, bidder_uuid) do update
      set micros = excluded.micros, held_micros = excluded.held_micros, held_ms = excluded.held_ms
      where l.micros <> excluded.micros or l.held_micros is distinct from excluded.held_micros
        or l.held_ms is distinct from excluded.held_ms
    )`);
  if (ended.adsets.length > 0)
    writes.push(sql`ended as (
      delete from budget_leases
      using jsonb_to_recordset(${json(ended.adsets)}::jsonb) as e (adset uuid)
      where adset_uuid = e.adset and bidder_uuid = ${bidderId}::uuid
    )`);
  if (given.countries.length > 0)
    writes.push(sql`given_in_countries as (
      insert into country_leases as l (adset_uuid, country, bidder_uuid, micros, held_micros, held_ms)
      select adset, country, ${bidderId}::uuid, micros, held, length
      from jsonb_to_recordset(${json(given.countries)}::jsonb)
        as g (adset uuid, country text, micros bigint, held bigint, length int)
      on conflict (adset_uuid, country, bidder_uuid) do update
      set micros = excluded.micros, held_micros = excluded.held_micros, held_ms = excluded.held_ms
      where l.micros <> excluded.micros or l.held_micros <> excluded.held_micros or l.held_ms <> excluded.held_ms
    )`);
  if (ended.countries.length > 0)
    writes.push(sql`ended_in_countries as (
      delete from country_leases l
      using jsonb_to_recordset(${json(ended.countries)}::jsonb) as e (adset uuid, country text)
      where l.adset_uuid = e.adset and l.country = e.country and l.bidder_uuid = ${bidderId}::uuid
    )`);
  return writes;
}

/** Splits a list into the accounts of ad sets and of countries, which have tables of their own. */
function byAccount<T extends { country?: string }>(all: readonly T[]): { adsets: T[]; countries: T[] } {
  return { adsets: all.filter(({ country }) => !country), countries: all.filter(({ country }) => country) };
}

function paceWrites(decisions: readonly Decision[]) {
  const paces = decisions.flatMap(({ lease: { adsetId, country }, pace }) =>
    pace ? [{ adset: adsetId, country, state: pace }] : [],
  );
  const { adsets, countries } = byAccount(paces);
  const writes = [];
  if (adsets.length > 0)
    writes.push(sql`paced as (
      insert into adset_pace (adset_uuid, state)
      select adset, state from jsonb_to_recordset(${json(adsets)}::jsonb) as p (adset uuid, state jsonb)
      on conflict (adset_uuid) do update set state = excluded.state
    )`);
  if (countries.length > 0)
    writes.push(sql`paced_in_countries as (
      update country_spend s set pace = p.state
      from jsonb_to_recordset(${json(countries)}::jsonb) as p (adset uuid, country text, state jsonb)
      where s.adset_uuid = p.adset and s.country = p.country
    )`);
  return writes;
}

/** Spend of one batch of events, and the bids that it ended. */
export interface BatchToBook {
  batch: string;
  spends: readonly Spend[];
  outcomes: readonly BidOutcome[];
}

/**
 * Books the spend of event batches, and stores the outcomes of bids for their bidders. Idempotent for each batch, in any
 * combination of batches. `finished` are batches that will not be repeated: their marks are deleted. The day is taken
 * from the database's clock, in the company's time zone.
 */
export async function bookBatches(
  db: Db,
  batches: readonly BatchToBook[],
  finished: readonly string[],
): Promise<void> {
  const fresh = sql`
    insert into booked_batches (batch)
    select id::uuid from jsonb_array_elements_text(${json(batches.map(({ batch }) => batch))}::jsonb) as t (id)
    on conflict do nothing returning batch`;
  const expired = sql`
    delete from booked_batches
    where batch in (select id::uuid from jsonb_array_elements_text(${json(finished)}::jsonb) as t (id))`;
  await bookFresh(db, batches, sql`fresh as (${fresh}), expired as (${expired})`);
}

/** The same for one batch that the caller's transaction does not repeat. */
export async function bookOnce(db: Db, batch: BatchToBook): Promise<void> {
  if (batch.spends.length + batch.outcomes.length > 0)
    await bookFresh(db, [batch], sql`fresh as (select ${batch.batch}::uuid as batch)`);
}

/** Books the `batches` that the expression `fresh` returns. */
async function bookFresh(db: Db, batches: readonly BatchToBook[], fresh: RawBuilder<unknown>): Promise<void> {
  const spends = batches.flatMap(({ batch, spends: own }) =>
    own.map((spend) => ({ batch, ...forJson(spend) })),
  );
  await sql`
    with ${fresh}, told as (
      insert into bid_outcomes (bidder_tag, batch, at, charged, lost, ended_bids)
      select o.tag, fresh.batch, clock_timestamp(),
        array(select jsonb_array_elements_text(o.charged)::uuid), array(select jsonb_array_elements_text(o.lost)::uuid),
        o.ended
      from fresh
      join jsonb_to_recordset(${json(batches.flatMap(outcomesByTag))}::jsonb)
        as o (batch uuid, tag text, charged jsonb, lost jsonb, ended jsonb) on o.batch = fresh.batch
    ), spends as (
      select b.adset, b.company, b.country, b.micros
      from fresh
      join jsonb_to_recordset(${json(spends)}::jsonb)
        as b (batch uuid, adset uuid, company uuid, country text, micros bigint) on b.batch = fresh.batch
    ), spent as (
      select adset, (array_agg(company))[1] as company, sum(micros)::bigint as micros from spends group by adset
    ), spent_in_countries as (
      select b.adset, b.country, sum(b.micros)::bigint as micros,
        (clock_timestamp() at time zone coalesce(min(c.time_zone), 'UTC'))::date as day
      from spends b
      left join companies c on c.uuid = b.company
      where b.country is not null
      group by b.adset, b.country
    ), booked_in_countries as (
      -- Only where the ad set has a budget for the country. The rows of the ad sets are locked before.
      update country_spend s set
        day_micros = case when s.day >= b.day then s.day_micros else 0 end + b.micros,
        day = greatest(s.day, b.day)
      from spent_in_countries b
      where s.adset_uuid = b.adset and s.country = b.country
    )
    insert into adset_spend as s (adset_uuid, company_uuid, ever_micros, day, day_micros)
    select b.adset, b.company, b.micros, (clock_timestamp() at time zone coalesce(c.time_zone, 'UTC'))::date, b.micros
    from spent b
    left join companies c on c.uuid = b.company
    order by b.adset
    on conflict (adset_uuid) do update set
      ever_micros = s.ever_micros + excluded.ever_micros,
      -- Where another booking began the next day while this one waited for the row, the day does not go back.
      day_micros = case when s.day >= excluded.day then s.day_micros else 0 end + excluded.day_micros,
      day = greatest(s.day, excluded.day)`.execute(db);
}

/** Groups a batch's outcomes into one row for each bidder. */
function outcomesByTag({ batch, outcomes }: BatchToBook) {
  type Row = { batch: string; tag: string; charged: string[]; lost: string[]; ended: EndedBid[] };
  const rows = new Map<string, Row>();
  for (const { bidId, charged, held } of outcomes) {
    const tag = tagOf(bidId);
    const row = rows.get(tag) ?? { batch, tag, charged: [], lost: [], ended: [] };
    rows.set(tag, row);
    (charged ? row.charged : row.lost).push(bidId);
    if (held) row.ended.push({ bid: bidId, adset: held.adsetId, country: held.country, micros: held.micros });
  }
  return [...rows.values()];
}

/** Booked spend by ad set, across companies. */
export async function bookedSpend(db: Db): Promise<Map<string, Micros>> {
  const rows = await db.selectFrom('adset_spend').select(['adset_uuid', 'ever_micros']).execute();
  return new Map(rows.map((row) => [row.adset_uuid, row.ever_micros]));
}

/**
 * Raises booked spend to the totals of stored events, after an upgrade or a restored backup. Events are booked before
 * they can be queried, so no spend is counted twice. `dayMicros` is the part in the company's current day.
 */
export async function raiseSpend(db: Db, totals: readonly (Spend & { dayMicros: Micros })[]): Promise<void> {
  if (totals.length === 0) return;
  const rows = totals.map((total) => ({ ...forJson(total), today: total.dayMicros }));
  await sql`
    insert into adset_spend as s (adset_uuid, company_uuid, ever_micros, day, day_micros)
    select t.adset, t.company, t.micros, (clock_timestamp() at time zone coalesce(c.time_zone, 'UTC'))::date, t.today
    from jsonb_to_recordset(${json(rows)}::jsonb) as t (adset uuid, company uuid, micros bigint, today bigint)
    left join companies c on c.uuid = t.company
    order by t.adset
    on conflict (adset_uuid) do update set
      ever_micros = excluded.ever_micros,
      day_micros = greatest(case when s.day >= excluded.day then s.day_micros else 0 end, excluded.day_micros),
      day = greatest(s.day, excluded.day)
    where s.ever_micros < excluded.ever_micros`.execute(db);
}

function forJson({ adsetId, companyId, country, micros }: Spend) {
  return { adset: adsetId, company: companyId, country, micros };
}

/** Booked spend of an ad set in a country in a day of its company. */
export interface CountrySpend {
  adsetId: string;
  companyId: string;
  country: string;
  /** `2026-05-01`. */
  day: string;
  dayMicros: Micros;
}

/** The accounts of daily budgets of countries, across companies; with `youngerMs` those alone that are younger than that. */
export async function countrySpends(db: Db, youngerMs: number | null): Promise<readonly CountrySpend[]> {
  const isYoung =
    youngerMs === null
      ? sql`true`
      : sql`created_at > clock_timestamp() - ${youngerMs}::int * interval '1 millisecond'`;
  const { rows } = await sql<CountrySpend>`
    select adset_uuid as "adsetId", company_uuid as "companyId", country, day::text as day, day_micros as "dayMicros"
    from country_spend
    where ${isYoung}
    order by adset_uuid, country`.execute(db);
  return rows;
}

/**
 * Raises booked spend in countries to the stored events of a day: for a budget that is new, and after a restored backup. Spend that is
 * booked for a later day stays as it is.
 */
export async function raiseCountrySpend(db: Db, totals: readonly CountrySpend[]): Promise<void> {
  if (totals.length === 0) return;
  const rows = totals.map(({ adsetId, country, day, dayMicros }) => ({
    adset: adsetId,
    country,
    day,
    micros: dayMicros,
  }));
  await sql`
    update country_spend s set day = t.day, day_micros = t.micros
    from jsonb_to_recordset(${json(rows)}::jsonb) as t (adset uuid, country text, day date, micros bigint)
    where s.adset_uuid = t.adset and s.country = t.country
      and (s.day < t.day or (s.day = t.day and s.day_micros < t.micros))`.execute(db);
}

/** Deletes accounts of countries whose last spend was days ago, and of which no bidder has a lease. A request of one adds it again. */
export async function deleteUnusedCountries(db: Db): Promise<void> {
  await sql`
    delete from country_spend s
    where s.day < current_date - 3
      and not exists (select from country_leases l where l.adset_uuid = s.adset_uuid and l.country = s.country)`.execute(
    db,
  );
}

/**
 * Deletes at most `rowsMax` marks of batches that were made before an instant: their trackers have not come back to say that
 * they are finished. Resolves to their number.
 */
export async function deleteBatchesBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  // Batches are UUIDv7, which begin with their time.
  const hex = before.getTime().toString(16).padStart(12, '0');
  const first = `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  const { numAffectedRows } = await sql`
    delete from booked_batches where batch in (
      select batch from booked_batches where batch < ${first}::uuid limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
