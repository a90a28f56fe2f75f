import { LedgerCheck } from '@bidwell/contract/operator';
import type { Micros } from '@bidwell/contract/money';
import { limits } from '@bidwell/contract/limits';
import { MICROS, toDollars } from '@bidwell/contract/money';
import type { Engines } from '../../engines.ts';
import { groupBy } from '../../platform/group-by.ts';
import { spentBetweenMicros } from '../analytics/service.ts';
import type { TransactionWithEntries } from './check-store.ts';
import {
  unbalancedWallets,
  unbalancedTransactions,
  duplicateCharges,
  findLedgerCheck,
  ledgerSize,
  replaceLedgerCheck,
  walletsBeyond,
} from './check-store.ts';
import { postSpend } from './posting.ts';
import { retainedSinceMs } from './retained-since.ts';
import { endsOfMonthsAcross } from './roll-up-store.ts';
import type { HourOfSpend, PostedHour } from './spend-store.ts';
import { countedSpend, postedSpend } from './spend-store.ts';

const HOUR_MS = 3_600_000;
/** Age in days up to which bids can still receive events. */
const DUPLICATE_DAYS = 31;
const BALANCE_MAX_MICROS = limits.balanceMaxDollars * MICROS;
/** Most discrepancies stored of a check. */
const STORED_MAX = 1000;

/** A discrepancy in the ledger: where it is, whose, and both figures in micros. */
export interface Discrepancy {
  what: LedgerCheck['disagreements'][number]['what'];
  companyId: string;
  /** The transaction's uuid, the campaign and hour, the bid's id, or the company's id. */
  of: string;
  expectedMicros: number;
  foundMicros: number;
}

/** Spend at one moment: per campaign and hour from the events, per company from its reports. */
interface CountedSpend {
  since: ComparedSince;
  hours: readonly HourOfSpend[];
  reports: Amounts;
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
  /** The part of it that is margin; 0 where it is not known. */
  marginMicros: Micros;
}

/** Keyed by company, or by company, campaign and hour. */
type Amounts = ReadonlyMap<string, Amount>;

/**
 * Posts the spend that is due, then reconciles the ledger; for operators. Runs under live traffic. Amounts in
 * dollars.
 */
export async function reconcileLedger(engines: Engines): Promise<LedgerCheck> {
  const counted = await countSpend(engines);
  await postSpend(engines);
  const disagreements = await checkLedger(engines, counted);
  const { transactions, entries, wallets_dollars } = await ledgerSize(engines.db);
  const checkedAt = engines.now();
  const result = {
    checked_at: checkedAt.toISOString(),
    transactions,
    entries,
    balances: wallets_dollars,
    disagreements: disagreements.map(({ what, companyId, of, expectedMicros, foundMicros }) => ({
      what,
      company_uuid: companyId,
      of,
      expected: toDollars(expectedMicros),
      found: toDollars(foundMicros),
    })),
  };
  const stored = { ...result, disagreements: result.disagreements.slice(0, STORED_MAX) };
  await replaceLedgerCheck(engines.db, stored, checkedAt);
  return result;
}

const CHECKED_EVERY_MS = 24 * HOUR_MS;

/** Recurring job: reconciles the ledger unless that was done in the last day. */
export async function checkLedgerDaily(engines: Engines): Promise<void> {
  const last = await lastLedgerCheck(engines);
  const nowMs = engines.now().getTime();
  if (last === null || nowMs - Date.parse(last.checked_at) >= CHECKED_EVERY_MS)
    await reconcileLedger(engines);
}

/** The result of the last {@link reconcileLedger}; null before the first one. */
export async function lastLedgerCheck(engines: Engines): Promise<LedgerCheck | null> {
  const result = await findLedgerCheck(engines.db);
  return result === null ? null : LedgerCheck.parse(result);
}

/**
 * Reconciles the ledger with itself, the events and the reports; returns the discrepancies. It checks that:
 *
 * - no event is stored twice,
 * - entries sum to zero,
 * - transactions and their margins equal their entries,
 * - balances equal their transactions,
 * - the posted spend and margin of each campaign and hour equal those of its events,
 * - the posted spend of each company equals that of its reports,
 * - no balance exceeds its bound.
 *
 * Covers all history within the retention of events. Spend in `counted` that is not posted is a discrepancy, so post
 * between {@link countSpend} and this call; spend that arrived since is not.
 */
export async function checkLedger(engines: Engines, counted?: CountedSpend): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const before = counted ?? (await countSpend(engines));
  for (const row of await unbalancedTransactions(engines.db))
    found.push({ companyId: row.company_uuid, of: row.uuid, ...faultOf(row) });
  for (const row of await unbalancedWallets(engines.db)) {
    found.push({
      what: 'balance',
      companyId: row.company_uuid,
      of: row.company_uuid,
      expectedMicros: row.transactions_micros,
      foundMicros: row.wallet_micros,
    });
  }
  for (const row of await walletsBeyond(engines.db, BALANCE_MAX_MICROS)) {
    found.push({
      what: 'bound',
      companyId: row.company_uuid,
      of: row.company_uuid,
      expectedMicros: Math.sign(row.wallet_micros) * BALANCE_MAX_MICROS,
      foundMicros: row.wallet_micros,
    });
  }
  const sinceMs = engines.now().getTime() - DUPLICATE_DAYS * 24 * HOUR_MS;
  for (const bid of await duplicateCharges(engines.clickhouse, sinceMs)) {
    found.push({
      what: 'event',
      companyId: bid.companyId,
      of: bid.bidId,
      expectedMicros: bid.onceMicros,
      foundMicros: bid.spentMicros,
    });
  }
  return [...found, ...(await spendDiscrepancies(engines, before))];
}

function faultOf(row: TransactionWithEntries): Omit<Discrepancy, 'companyId' | 'of'> {
  if (row.sum_micros !== 0 || row.foreign_entries > 0)
    return { what: 'entries', expectedMicros: 0, foundMicros: row.sum_micros };
  const expectedMicros = row.status === 'success' || row.kind === 'spend' ? row.amount_micros : 0;
  if (row.wallet_micros !== expectedMicros)
    return { what: 'transaction', expectedMicros, foundMicros: row.wallet_micros };
  return { what: 'margin', expectedMicros: row.margin_micros, foundMicros: row.margin_entries_micros };
}

/** Counts all spend until now, from the events and from the reports. */
async function countSpend(engines: Engines): Promise<CountedSpend> {
  const since = await comparedSince(engines);
  const hours = await countedHours(engines, since);
  const companies = [...new Set(hours.map(({ companyId }) => companyId))];
  return { since, hours, reports: await reportsOf(engines, since, companies) };
}

async function comparedSince(engines: Engines): Promise<ComparedSince> {
  const earliestMs = retainedSinceMs(engines);
  const ends = await endsOfMonthsAcross(engines.db, new Date(earliestMs));
  return { earliestMs, of: (companyId) => ends.get(companyId)?.getTime() ?? earliestMs };
}

async function countedHours({ clickhouse }: Engines, since: ComparedSince): Promise<HourOfSpend[]> {
  return comparedOf(await countedSpend(clickhouse, since.earliestMs), since);
}

function comparedOf<Hour extends HourOfSpend>(hours: readonly Hour[], since: ComparedSince): Hour[] {
  return hours.filter(({ companyId, hourMs }) => hourMs >= since.of(companyId));
}

async function spendDiscrepancies(engines: Engines, before: CountedSpend): Promise<Discrepancy[]> {
  const { since } = before;
  const posted = comparedOf(await postedSpend(engines.db, since.earliestMs), since);
  const hours = byHour(posted);
  const hoursBefore = byHour(asPosted(before.hours, posted));
  const companies = byCompany(posted);
  const suspectHours = [...new Set([...hoursBefore.keys(), ...hours.keys()])].filter(
    (key) =>
      hoursBefore.get(key)?.micros !== hours.get(key)?.micros ||
      hoursBefore.get(key)?.marginMicros !== hours.get(key)?.marginMicros,
  );
  // A company without posted spend already appears in the hours.
  const suspectCompanies = [...companies.keys()].filter(
    (key) => before.reports.get(key)?.micros !== companies.get(key)?.micros,
  );
  if (suspectHours.length === 0 && suspectCompanies.length === 0) return [];
  // Spend only grows and may have arrived meanwhile: posted spend is correct between the counts before and after it.
  const hoursAfter = byHour(asPosted(await countedHours(engines, since), posted));
  const reportsAfter = await reportsOf(engines, since, suspectCompanies);
  return [
    ...suspectHours.flatMap((key) => {
      const { companyId, of } = (hours.get(key) ?? hoursBefore.get(key))!;
      return (['spend', 'margin'] as const).map((what) => {
        const part = what === 'spend' ? 'micros' : 'marginMicros';
        const foundMicros = hours.get(key)?.[part] ?? 0;
        const expectedMicros = nearest(
          foundMicros,
          hoursBefore.get(key)?.[part],
          hoursAfter.get(key)?.[part],
        );
        return { what, companyId, of, expectedMicros, foundMicros };
      });
    }),
    ...suspectCompanies.flatMap((key) => {
      const { companyId, of, micros: expectedMicros } = companies.get(key)!;
      const reported = [before.reports.get(key)?.micros, reportsAfter.get(key)?.micros] as const;
      const foundMicros = nearest(expectedMicros, ...reported);
      return { what: 'report' as const, companyId, of, expectedMicros, foundMicros };
    }),
  ].filter(({ expectedMicros, foundMicros }) => expectedMicros !== foundMicros);
}

/** Clamps `micros` to the range between two counts. */
function nearest(micros: Micros, before: Micros | undefined, after: Micros | undefined): Micros {
  const least = before ?? 0;
  return Math.min(Math.max(micros, least), Math.max(after ?? 0, least));
}

async function reportsOf(
  engines: Engines,
  since: ComparedSince,
  companies: readonly string[],
): Promise<Amounts> {
  const hourMs = Math.ceil(engines.now().getTime() / HOUR_MS) * HOUR_MS;
  const amounts = new Map<string, Amount>();
  for (const companyId of companies) {
    // A day longer, because another server's clock may be ahead.
    const period = { fromMs: since.of(companyId), beforeMs: hourMs + 24 * HOUR_MS };
    const micros = await spentBetweenMicros(engines, { companyId, userId: null }, period);
    amounts.set(companyId, { companyId, of: companyId, micros, marginMicros: 0 });
  }
  return amounts;
}

/** Counted hours; those of a month that the ledger has as a whole are in its first hour, as posted. */
function asPosted(hours: readonly HourOfSpend[], posted: readonly PostedHour[]): HourOfSpend[] {
  const months = groupBy(
    posted.filter(({ untilMs }) => untilMs !== null),
    ({ campaignId }) => campaignId,
  );
  return hours.map((hour) => {
    const month = months
      .get(hour.campaignId)
      ?.find(({ hourMs, untilMs }) => hourMs <= hour.hourMs && hour.hourMs < untilMs!);
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

function byCompany(hours: readonly HourOfSpend[]): Amounts {
  const amounts = new Map<string, Amount>();
  for (const { companyId, micros } of hours) {
    const known = amounts.get(companyId)?.micros ?? 0;
    amounts.set(companyId, { companyId, of: companyId, micros: known + micros, marginMicros: 0 });
  }
  return amounts;
}
