import { LedgerCheck } from '@bidwell/contract/operator/schema';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { addToSum, groupBy } from '../../platform/group-by.ts';
import { type Operator, SERVER, requireOperatorPermission } from '../../platform/operator.ts';
import { spentBetweenMicros } from '../reporting/public.ts';
import { type Discrepancy, type LedgerSize, checkEntries } from './check-entries.ts';
import { duplicateCharges, findLedgerCheck, replaceLedgerCheck } from './check-store.ts';
import { postSpend } from './posting.ts';
import { retainedSinceMs } from './retained-since.ts';
import { endsOfMonthsAcross } from './roll-up-store.ts';
import {
  type HourOfSpend,
  type PostedHour,
  countedSpend,
  everyCampaign,
  postedSpend,
} from './spend-store.ts';

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
 * - the posted spend and margin of each campaign and hour equal those of its events,
 * - the posted spend of each company equals that of its reports,
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

/** Counted hours of a campaign; those of a month that the ledger has as a whole are in its first hour, as posted. */
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
