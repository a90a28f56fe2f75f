import { LedgerCheck } from '@bidwell/contract/operator/schema';
import { type Micros, toDollars, MICROS } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { addToSum, groupBy } from '../../platform/group-by.ts';
import { type Operator, SERVER, requireOperatorPermission } from '../../platform/operator.ts';
import { spentBetweenMicros } from '../reporting/public.ts';
import { postSpend } from './posting.ts';
import { endsOfMonthsAcross } from './roll-up.ts';
import {
  type HourOfSpend,
  type PostedHour,
  countedSpend,
  everyCampaign,
  postedSpend,
} from './spend-store.ts';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { exactSum, json } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { firstIdText } from '../../platform/clickhouse/bid-ids.ts';
import { limits } from '@bidwell/contract/lib/limits';

const HOUR_MS = 3_600_000;
/** Age in days up to which bids can still receive events. */
const DUPLICATE_DAYS = 31;
/** Most discrepancies stored of a check. */
const STORED_MAX = 1000;

/** Spend at one moment: per campaign and hour from the events, per company from its reports. */
interface CountedSpend {
  since: ComparedSince;
  hours: readonly HourOfSpend[];
  /** By company. */
  reports: ReadonlyMap<string, Micros>;
}

/**
 * Since when there are all events of the spend that the ledger has, Unix ms: of a company, and the earliest of all. A month
 * that the ledger has as a whole is not compared in part, and begins in another hour in another time zone.
 */
interface ComparedSince {
  earliestMs: number;
  of(companyId: string): number;
}

interface Amount {
  companyId: string;
  of: string;
  micros: Micros;
  /** The part of it that is margin. */
  marginMicros: Micros;
}

/** Keyed by company, campaign and hour. */
type Amounts = ReadonlyMap<string, Amount>;

/** Posts the spend that is due, then reconciles the ledger. Runs under live traffic. Amounts in dollars. */
export async function reconcileLedger(ctx: Context, operator: Operator): Promise<LedgerCheck> {
  requireOperatorPermission(operator, 'money.read');
  const counted = await countSpend(ctx);
  await postSpend(ctx);
  const { found, size } = await checkAll(ctx, counted);
  const checkedAt = ctx.now();
  const result = {
    checked_at: checkedAt.toISOString(),
    ...size,
    disagreements: found.map(({ what, companyId, of, expectedMicros, foundMicros }) => ({
      what,
      company_uuid: companyId,
      of,
      expected: toDollars(expectedMicros),
      found: toDollars(foundMicros),
    })),
  };
  const stored = { ...result, disagreements: result.disagreements.slice(0, STORED_MAX) };
  await replaceLedgerCheck(ctx.db, stored, checkedAt);
  return result;
}

const CHECKED_EVERY_MS = 24 * HOUR_MS;

/**
 * Recurring job: reconciles the ledger unless that was done or tried in the last day, so that a check that fails is not repeated
 * every minute.
 */
export function dailyLedgerCheck(ctx: Context): () => Promise<void> {
  let triedAtMs = -Infinity;
  return async () => {
    const nowMs = ctx.now().getTime();
    const last = await lastLedgerCheck(ctx, SERVER);
    const lastMs = Math.max(triedAtMs, last ? Date.parse(last.checked_at) : -Infinity);
    if (nowMs - lastMs < CHECKED_EVERY_MS) return;
    triedAtMs = nowMs;
    await reconcileLedger(ctx, SERVER);
  };
}

/** The result of the last {@link reconcileLedger}; null before the first one. */
export async function lastLedgerCheck(ctx: Context, operator: Operator): Promise<LedgerCheck | null> {
  requireOperatorPermission(operator, 'money.read');
  const result = await findLedgerCheck(ctx.db);
  return result === null ? null : LedgerCheck.parse(result);
}

/**
 * Reconciles the ledger with itself, the events and the reports; returns the discrepancies. It checks that:
 *
 * - no event is stored twice,
 * - entries sum to zero,
 * - transactions and their margins equal their entries,
 * - balances equal their transactions,
 * - the posted spend and margin of each campaign and hour equal the sums of its events,
 * - the posted spend of each company equals its reports,
 * - no balance exceeds its bound.
 *
 * Covers all history within the retention of events. Spend that was counted and is not posted is a discrepancy; spend that
 * arrived since is not.
 */
export async function checkLedger(ctx: Context): Promise<Discrepancy[]> {
  return (await checkAll(ctx, await countSpend(ctx))).found;
}

async function checkAll(
  ctx: Context,
  counted: CountedSpend,
): Promise<{ found: Discrepancy[]; size: LedgerSize }> {
  const { found, size } = await checkEntries(ctx.db);
  const sinceMs = ctx.now().getTime() - DUPLICATE_DAYS * 24 * HOUR_MS;
  for (const bid of await duplicateCharges(ctx.clickhouse, sinceMs)) {
    found.push({
      what: 'event',
      companyId: bid.companyId,
      of: bid.bidId,
      expectedMicros: bid.onceMicros,
      foundMicros: bid.spentMicros,
    });
  }
  found.push(...(await spendDiscrepancies(ctx, counted)));
  return { found, size };
}

/** Counts all spend until now, from the events and from the reports. */
async function countSpend(ctx: Context): Promise<CountedSpend> {
  const since = await comparedSince(ctx);
  const hours = await countedHours(ctx, since);
  const companies = [...new Set(hours.map(({ companyId }) => companyId))];
  return { since, hours, reports: await reportsOf(ctx, since, companies) };
}

async function comparedSince(ctx: Context): Promise<ComparedSince> {
  const earliestMs = retainedSinceMs(ctx);
  const ends = earliestMs === 0 ? null : await endsOfMonthsAcross(ctx.db, new Date(earliestMs));
  return { earliestMs, of: (companyId) => ends?.get(companyId)?.getTime() ?? earliestMs };
}

async function countedHours({ clickhouse }: Context, since: ComparedSince): Promise<HourOfSpend[]> {
  return comparedOf(await countedSpend(clickhouse, since.earliestMs), since);
}

function comparedOf<Hour extends HourOfSpend>(hours: readonly Hour[], since: ComparedSince): Hour[] {
  return hours.filter(({ companyId, hourMs }) => hourMs >= since.of(companyId));
}

async function spendDiscrepancies(ctx: Context, before: CountedSpend): Promise<Discrepancy[]> {
  const { since } = before;
  const counted = groupBy(before.hours, ({ campaignId }) => campaignId);
  const suspects: CampaignSpend[] = [];
  const companies = new Map<string, Micros>();
  // By campaign, so that each statement is short, and reads a month that becomes one transaction meanwhile at one moment.
  for await (const campaignId of everyCampaign(ctx.db)) {
    const posted = comparedOf(await postedSpend(ctx.db, since.earliestMs, [campaignId]), since);
    for (const { companyId, micros } of posted) addToSum(companies, companyId, micros);
    const campaign = campaignSpend(campaignId, counted.get(campaignId) ?? [], posted);
    if (campaign.suspectHours.length > 0) suspects.push(campaign);
    counted.delete(campaignId);
  }
  for (const [campaignId, hours] of counted) suspects.push(campaignSpend(campaignId, hours, []));
  // A company without posted spend already appears in the hours.
  const suspectCompanies = [...companies.keys()].filter(
    (companyId) => before.reports.get(companyId) !== companies.get(companyId),
  );
  if (suspects.length === 0 && suspectCompanies.length === 0) return [];
  // Spend only grows and may have arrived meanwhile: posted spend is correct between the counts before and after it.
  const countedAfter = groupBy(await countedHours(ctx, since), ({ campaignId }) => campaignId);
  const reportsAfter = await reportsOf(ctx, since, suspectCompanies);
  return [
    ...suspects.flatMap((campaign) => hourDiscrepancies(campaign, countedAfter.get(campaign.id) ?? [])),
    ...suspectCompanies.map((companyId) => {
      const expectedMicros = companies.get(companyId)!;
      const reported = [before.reports.get(companyId), reportsAfter.get(companyId)] as const;
      const foundMicros = nearest(expectedMicros, ...reported);
      return { what: 'report' as const, companyId, of: companyId, expectedMicros, foundMicros };
    }),
  ].filter(({ expectedMicros, foundMicros }) => expectedMicros !== foundMicros);
}

/** Spend of a campaign: counted before it was read from the ledger, and posted. */
interface CampaignSpend {
  id: string;
  posted: readonly PostedHour[];
  before: Amounts;
  hours: Amounts;
  /** Keys of the hours in which the two differ. */
  suspectHours: string[];
}

function campaignSpend(
  id: string,
  counted: readonly HourOfSpend[],
  posted: readonly PostedHour[],
): CampaignSpend {
  const hours = byHour(posted);
  const before = byHour(asPosted(counted, posted));
  const suspectHours = [...new Set([...before.keys(), ...hours.keys()])].filter(
    (key) =>
      before.get(key)?.micros !== hours.get(key)?.micros ||
      before.get(key)?.marginMicros !== hours.get(key)?.marginMicros,
  );
  return { id, posted, before, hours, suspectHours };
}

function hourDiscrepancies(
  { posted, before, hours, suspectHours }: CampaignSpend,
  countedAfter: readonly HourOfSpend[],
): Discrepancy[] {
  const after = byHour(asPosted(countedAfter, posted));
  return suspectHours.flatMap((key) => {
    const { companyId, of } = (hours.get(key) ?? before.get(key))!;
    return (['spend', 'margin'] as const).map((what) => {
      const part = what === 'spend' ? 'micros' : 'marginMicros';
      const foundMicros = hours.get(key)?.[part] ?? 0;
      const expectedMicros = nearest(foundMicros, before.get(key)?.[part], after.get(key)?.[part]);
      return { what, companyId, of, expectedMicros, foundMicros };
    });
  });
}

/** Clamps `micros` to the range between two counts. */
function nearest(micros: Micros, before: Micros | undefined, after: Micros | undefined): Micros {
  const least = before ?? 0;
  return Math.min(Math.max(micros, least), Math.max(after ?? 0, least));
}

async function reportsOf(
  ctx: Context,
  since: ComparedSince,
  companies: readonly string[],
): Promise<Map<string, Micros>> {
  const hourMs = Math.ceil(ctx.now().getTime() / HOUR_MS) * HOUR_MS;
  const amounts = new Map<string, Micros>();
  for (const companyId of companies) {
    // A day longer, because another server's clock may be ahead.
    const period = { fromMs: since.of(companyId), beforeMs: hourMs + 24 * HOUR_MS };
    amounts.set(companyId, await spentBetweenMicros(ctx, { companyId }, period));
  }
  return amounts;
}

/** Counted hours of a campaign; the hours of a month that the ledger has as a whole are added to its first hour, as posted. */
function asPosted(hours: readonly HourOfSpend[], posted: readonly PostedHour[]): HourOfSpend[] {
  const months = posted.filter(({ untilMs }) => untilMs !== null);
  return hours.map((hour) => {
    const month = months.find(({ hourMs, untilMs }) => hourMs <= hour.hourMs && hour.hourMs < untilMs!);
    return month ? { ...hour, hourMs: month.hourMs } : hour;
  });
}

function byHour(hours: readonly HourOfSpend[]): Amounts {
  const amounts = new Map<string, Amount>();
  for (const { companyId, campaignId, hourMs, micros, marginMicros } of hours) {
    const of = `${campaignId} ${new Date(hourMs).toISOString()}`;
    const known = amounts.get(`${companyId} ${of}`) ?? { micros: 0, marginMicros: 0 };
    amounts.set(`${companyId} ${of}`, {
      companyId,
      of,
      micros: known.micros + micros,
      marginMicros: known.marginMicros + marginMicros,
    });
  }
  return amounts;
}

/** A transaction with the totals of its entries. Covers all companies: for operators only. */
interface TransactionWithEntries {
  uuid: string;
  company_uuid: string;
  kind: string;
  status: string;
  amount_micros: Micros;
  /** The part of spend that is margin, and the sum of its margin entries. */
  margin_micros: Micros;
  margin_entries_micros: Micros;
  /** Sum of its wallet entries; 0 without entries. */
  wallet_micros: Micros;
  /** Sum of all its entries; 0 if they balance. */
  sum_micros: Micros;
  /** Number of entries that belong to another company than the transaction. */
  foreign_entries: number;
}

/** Transactions of the ledger by their uuid: those after one, up to and with another. */
interface TransactionRange {
  after: string;
  upTo: string;
}

/** Most transactions that one statement reads, so that it takes milliseconds. */
export const TRANSACTIONS_AT_ONCE = 2000;

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** All transactions, in ranges of at most {@link TRANSACTIONS_AT_ONCE}. */
async function* transactionRanges(db: Db): AsyncGenerator<TransactionRange> {
  for (let after = FIRST_UUID; after < LAST_UUID;) {
    const last = await db
      .selectFrom('ledger_transactions')
      .select('uuid')
      .where('uuid', '>', after)
      .orderBy('uuid')
      .offset(TRANSACTIONS_AT_ONCE - 1)
      .limit(1)
      .executeTakeFirst();
    const upTo = last?.uuid ?? LAST_UUID;
    yield { after, upTo };
    after = upTo;
  }
}

/** Transactions in a range that do not agree with their entries. */
async function unbalancedTransactions(
  db: Db,
  { after, upTo }: TransactionRange,
): Promise<TransactionWithEntries[]> {
  // The range of the entries is given too, or the plan might read all of them.
  const { rows } = await sql<TransactionWithEntries>`
    select * from (
      select t.uuid, t.company_uuid, t.kind, t.status, t.amount_micros, t.margin_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'margin')`)} as margin_entries_micros,
        ${exactSum(sql`sum(e.amount_micros) filter (where e.account = 'wallet')`)} as wallet_micros,
        ${exactSum(sql`sum(e.amount_micros)`)} as sum_micros,
        (count(*) filter (where e.company_uuid <> t.company_uuid))::int as foreign_entries
      from ledger_transactions t
      left join ledger_entries e
        on e.transaction_uuid = t.uuid and e.transaction_uuid > ${after} and e.transaction_uuid <= ${upTo}
      where t.uuid > ${after} and t.uuid <= ${upTo}
      group by t.uuid
    ) as sums
    where sum_micros <> 0 or foreign_entries > 0 or margin_entries_micros <> margin_micros
      or wallet_micros <> case when status = 'success' or kind = 'spend' then amount_micros else 0 end`.execute(
    db,
  );
  return rows;
}

/** Sums of a company; amounts in micros, beyond 2^53 too. */
interface LedgerSums {
  transactions: number;
  entries: number;
  /** Sum of the entries of its wallet. */
  walletMicros: bigint;
  /** Sum of the transactions that have taken effect. */
  transactionsMicros: bigint;
}

/** Sums of the transactions in a range and of their entries, by company. */
async function sumsByCompany(db: Db, { after, upTo }: TransactionRange): Promise<Map<string, LedgerSums>> {
  const { rows } = await sql<{
    companyId: string;
    transactions: number;
    entries: number;
    wallet: string;
    effective: string;
  }>`
    select company_uuid as "companyId", sum(transactions)::int as transactions, sum(entries)::int as entries,
      sum(wallet)::text as wallet, sum(effective)::text as effective
    from (
      select company_uuid, 1 as transactions, 0 as entries, 0::bigint as wallet,
        case when status = 'success' or kind = 'spend' then amount_micros else 0 end as effective
      from ledger_transactions where uuid > ${after} and uuid <= ${upTo}
      union all
      select company_uuid, 0, 1, case when account = 'wallet' then amount_micros else 0 end, 0
      from ledger_entries where transaction_uuid > ${after} and transaction_uuid <= ${upTo}
    ) as counted
    group by company_uuid`.execute(db);
  return new Map(
    rows.map(({ companyId, transactions, entries, wallet, effective }) => [
      companyId,
      { transactions, entries, walletMicros: BigInt(wallet), transactionsMicros: BigInt(effective) },
    ]),
  );
}

/** A bid with a duplicate event or a duplicate charge. */
interface DuplicateCharge {
  bidId: string;
  companyId: string;
  spentMicros: Micros;
  /** Spend if charged once. */
  onceMicros: Micros;
}

/** Approximate number of events that one query groups by bid; limits its memory. */
const EVENTS_AT_ONCE = 500_000;
const DUPLICATES_MAX = 100;

/**
 * Finds bids made since an instant with duplicate events, or charged by two events; at most a hundred. Reads the
 * projection `charges_of_bid` in time spans. Covers all companies: for operators only.
 */
async function duplicateCharges(clickhouse: ClickHouse, sinceMs: number): Promise<DuplicateCharge[]> {
  const hours = await clickhouse.query<{ hour: number; events: number }>(
    `select toUInt64(bitShiftRight(toUInt128(bid_id), 80)) div 3600000 as hour, count() as events from events
     where toUInt128(bid_id) >= {from:UInt128} group by hour order by hour`,
    { from: firstIdText(sinceMs) },
  );
  const doubled: DuplicateCharge[] = [];
  let events = 0;
  let fromHour: number | undefined;
  for (const [index, { hour, events: ofHour }] of hours.entries()) {
    fromHour ??= hour;
    events += ofHour;
    if (events < EVENTS_AT_ONCE && index < hours.length - 1) continue;
    const span = { from: firstIdText(fromHour * 3_600_000), before: firstIdText((hour + 1) * 3_600_000) };
    doubled.push(...(await duplicatesOf(clickhouse, span)));
    if (doubled.length >= DUPLICATES_MAX) return doubled.slice(0, DUPLICATES_MAX);
    events = 0;
    fromHour = undefined;
  }
  return doubled;
}

async function duplicatesOf(
  clickhouse: ClickHouse,
  span: { from: string; before: string },
): Promise<DuplicateCharge[]> {
  const bids = await clickhouse.query<Omit<DuplicateCharge, 'companyId'>>(
    `select bid_id as bidId, sum(spend_micros) as spentMicros, max(spend_micros) as onceMicros from events
     where toUInt128(bid_id) >= {from:UInt128} and toUInt128(bid_id) < {before:UInt128}
     group by bid_id having count() > uniqExact(kind) or countIf(spend_micros > 0 and top_up = 0) > 1 limit ${DUPLICATES_MAX}`,
    span,
  );
  if (bids.length === 0) return [];
  const owners = await clickhouse.query<{ bidId: string; companyId: string }>(
    `select bid_id as bidId, any(company_id) as companyId from events where has({bids:Array(UUID)}, bid_id) group by bid_id`,
    { bids: bids.map(({ bidId }) => bidId) },
  );
  const ownerOf = new Map(owners.map(({ bidId, companyId }) => [bidId, companyId]));
  return bids.map((bid) => ({ ...bid, companyId: ownerOf.get(bid.bidId)! }));
}

/** Stores the result of a check in place of the one before. */
async function replaceLedgerCheck(db: Db, result: object, at: Date): Promise<void> {
  const uuid = uuidv7();
  await db
    .insertInto('ledger_checks')
    .values({ uuid, result: json(result), created_at: at })
    .execute();
  await db.deleteFrom('ledger_checks').where('uuid', '!=', uuid).where('created_at', '<=', at).execute();
}

/** The result of the last check; null before the first. */
async function findLedgerCheck(db: Db): Promise<object | null> {
  const row = await db
    .selectFrom('ledger_checks')
    .select('result')
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.result ?? null;
}

/** A discrepancy in the ledger: where it is, whose, and both figures in micros. */
interface Discrepancy {
  what: LedgerCheck['disagreements'][number]['what'];
  companyId: string;
  /** The transaction's uuid, the campaign and hour, the bid's id, or the company's id. */
  of: string;
  expectedMicros: number;
  foundMicros: number;
}

/** Size of the ledger; `balances` is the sum of all wallets in dollars, since in micros it may exceed 2^53. */
type LedgerSize = Pick<LedgerCheck, 'transactions' | 'entries' | 'balances'>;

const BALANCE_MAX_MICROS = limits.balanceMaxDollars * MICROS;

/**
 * Compares the transactions of the ledger with their entries, and balances with transactions and with their bound. Reads some
 * thousand transactions at a time, so that others use the connection in between: each transaction is read at one moment
 * together with its entries, the whole ledger is not.
 */
async function checkEntries(db: Db): Promise<{ found: Discrepancy[]; size: LedgerSize }> {
  const found: Discrepancy[] = [];
  const companies = new Map<string, LedgerSums>();
  for await (const range of transactionRanges(db)) {
    for (const row of await unbalancedTransactions(db, range))
      found.push({ companyId: row.company_uuid, of: row.uuid, ...faultOf(row) });
    for (const [companyId, sums] of await sumsByCompany(db, range))
      companies.set(companyId, added(companies.get(companyId), sums));
  }
  for (const [companyId, { walletMicros, transactionsMicros }] of companies)
    if (walletMicros !== transactionsMicros)
      found.push({
        what: 'balance',
        companyId,
        of: companyId,
        expectedMicros: exact(transactionsMicros),
        foundMicros: exact(walletMicros),
      });
  for (const [companyId, { walletMicros }] of companies) {
    const foundMicros = exact(walletMicros);
    const expectedMicros = Math.sign(foundMicros) * BALANCE_MAX_MICROS;
    if (Math.abs(foundMicros) > BALANCE_MAX_MICROS)
      found.push({ what: 'bound', companyId, of: companyId, expectedMicros, foundMicros });
  }
  const { transactions, entries, walletMicros } = [...companies.values()].reduce(added, added());
  return { found, size: { transactions, entries, balances: Number(walletMicros) / MICROS } };
}

function faultOf(row: TransactionWithEntries): Omit<Discrepancy, 'companyId' | 'of'> {
  if (row.sum_micros !== 0 || row.foreign_entries > 0)
    return { what: 'entries', expectedMicros: 0, foundMicros: row.sum_micros };
  const expectedMicros = row.status === 'success' || row.kind === 'spend' ? row.amount_micros : 0;
  if (row.wallet_micros !== expectedMicros)
    return { what: 'transaction', expectedMicros, foundMicros: row.wallet_micros };
  return { what: 'margin', expectedMicros: row.margin_micros, foundMicros: row.margin_entries_micros };
}

const NOTHING: LedgerSums = { transactions: 0, entries: 0, walletMicros: 0n, transactionsMicros: 0n };

function added(a: LedgerSums = NOTHING, b: LedgerSums = NOTHING): LedgerSums {
  return {
    transactions: a.transactions + b.transactions,
    entries: a.entries + b.entries,
    walletMicros: a.walletMicros + b.walletMicros,
    transactionsMicros: a.transactionsMicros + b.transactionsMicros,
  };
}

/** An amount as a number, clamped to ±2^53 as other sums of the ledger are. */
function exact(micros: bigint): number {
  const { MIN_SAFE_INTEGER: least, MAX_SAFE_INTEGER: most } = Number;
  return Math.min(Math.max(Number(micros), least), most);
}

const DAY_MS = 86_400_000;

/** Start of the first month without deleted events. Retention deletes whole months. */
export function retainedSinceMs({ config, now }: Context): number {
  const { events } = config.retentionDays;
  if (events === null) return 0;
  const oldest = new Date(now().getTime() - events * DAY_MS);
  return Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth() + 1, 1);
}
