import { dayText } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../context.ts';
import { addToSum } from '../../platform/group-by.ts';
import { InvariantViolated, invariant } from '../../platform/invariant.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import {
  type HourOfSpend,
  type HourStep,
  type PostedHour,
  appendEntries,
  campaignsOf,
  countedSpend,
  growEntries,
  lastPostedHourMs,
  lockHours,
  moveHours,
  postedSpend,
  unbalancedAmong,
} from './spend-store.ts';
import { notifyExhaustedCompanies } from './balance/balance-exhausted.ts';

const HOUR_MS = 3_600_000;
/**
 * Age of the oldest spend that may still arrive. Events have the time of their receipt; a tracker's event log may
 * deliver them after an outage.
 */
export const LATENESS_MS = 8 * 24 * HOUR_MS;
const RECENT_MS = 3 * HOUR_MS;
const LATE_EVERY_MS = 10 * 60_000;
/** Most hours posted in one database transaction. */
const BATCH = 500;

/** How far back to look for spend: `late` covers all hours that can still change, `recent` the last three. */
export type Lookback = 'late' | 'recent';

/**
 * Posts the spend in the events that the ledger does not have yet: one transaction per campaign and hour of UTC,
 * pending while the hour is open. Idempotent and safe to run concurrently: each micro is posted once. Spend of a
 * campaign that does not exist is left to `checkLedger`. Returns the companies whose balance changed.
 */
export async function postSpend(ctx: Context, lookback: Lookback = 'late'): Promise<Set<string>> {
  const now = ctx.now();
  const sinceMs = await startOfWindowMs(ctx, lookback, now.getTime());
  const counted = await countedSpend(ctx.clickhouse, sinceMs);
  const campaigns = await campaignsOf(ctx.db, [...new Set(counted.map((hour) => hour.campaignId))]);
  const posted = await postedSpend(ctx.db, sinceMs, [...campaigns.keys()]);
  const postedByHour = new Map(posted.map((hour) => [keyOf(hour), hour]));
  const due = counted
    .filter((hour) => campaigns.get(hour.campaignId)?.companyId === hour.companyId)
    .filter((hour) => hour.hourMs >= campaigns.get(hour.campaignId)!.byMonthUntilMs)
    .filter((hour) => isBehind(postedByHour.get(keyOf(hour)), hour, now.getTime()))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((hour) => ({ ...hour, description: describe(campaigns.get(hour.campaignId)!.name, hour.hourMs) }));
  const moved = new Set<string>();
  for (let start = 0; start < due.length; start += BATCH) {
    for (const companyId of await postEach(ctx, due.slice(start, start + BATCH), now)) moved.add(companyId);
  }
  return moved;
}

type DueHour = HourOfSpend & { description: string };

/**
 * Posts a batch in one transaction. If a company's invalid rows make it fail, posts company by company and logs
 * failures.
 */
async function postEach(ctx: Context, due: readonly DueHour[], at: Date): Promise<Set<string>> {
  try {
    return await postBatch(ctx, due, at);
  } catch (error) {
    if (!isDataError(error)) throw error;
  }
  const moved = new Set<string>();
  for (const companyId of new Set(due.map((hour) => hour.companyId))) {
    try {
      const own = due.filter((hour) => hour.companyId === companyId);
      for (const one of await postBatch(ctx, own, at)) moved.add(one);
    } catch (err) {
      if (!isDataError(err)) throw err;
      ctx.log.error({ err, companyId }, 'spend of a company could not be posted to the ledger');
    }
  }
  return moved;
}

/**
 * SQLSTATE classes 22 and 23, data exceptions and violated constraints, and violated invariants: the rows are at fault, not the
 * database.
 */
const isDataError = (error: unknown): boolean =>
  error instanceof InvariantViolated || /^2[23]/.test(String((error as { code?: unknown } | null)?.code));

/** Recurring job: looks back `late` on its first run and every ten minutes, `recent` otherwise. */
export function spendPosting(ctx: Context): () => Promise<Set<string>> {
  let lateAtMs = -Infinity;
  return async () => {
    const nowMs = ctx.now().getTime();
    if (nowMs - lateAtMs < LATE_EVERY_MS) return postSpend(ctx, 'recent');
    const moved = await postSpend(ctx, 'late');
    lateAtMs = nowMs;
    return moved;
  };
}

async function postBatch(ctx: Context, due: readonly DueHour[], at: Date): Promise<Set<string>> {
  return transact(ctx.db, async (tx) => {
    const locked = new Map((await lockHours(tx.db, due, at)).map((hour) => [keyOf(hour), hour]));
    const pairs = due.flatMap((hour) => {
      const before = locked.get(keyOf(hour));
      return before && isBehind(before, hour, at.getTime())
        ? [{ before, step: stepOf(before, hour, at) }]
        : [];
    });
    const growing = pairs.filter(({ step }) => step.micros > 0 || step.marginMicros !== 0);
    // An open hour is posted every few seconds: its entries are updated in place. Closed hours are append-only.
    const inPlace = growing.filter(({ before }) => before.status === 'pending' && before.micros > 0);
    const appended = growing.filter((pair) => !inPlace.includes(pair));
    await growEntries(
      tx.db,
      inPlace.map(({ step }) => step),
      at,
    );
    await appendEntries(
      tx.db,
      appended.map(({ step }) => step),
      at,
    );
    await moveHours(
      tx.db,
      pairs.map(({ step }) => step),
      at,
    );
    const unbalanced = await unbalancedAmong(
      tx.db,
      growing.map(({ step }) => step.transactionId),
    );
    invariant(unbalanced.length === 0, 'entries of the ledger do not sum to zero', () => ({ unbalanced }));
    const debits = new Map<string, number>();
    for (const { step } of growing) if (step.micros > 0) addToSum(debits, step.companyId, step.micros);
    await notifyExhaustedCompanies(ctx, tx, debits);
    return new Set(debits.keys());
  });
}

/**
 * Whether an hour has spend, a margin or a status to post. Spend only grows, so a count below the posted one is an older
 * count; the same spend with another margin was posted by an earlier release.
 */
function isBehind(posted: PostedHour | undefined, counted: HourOfSpend, nowMs: number): boolean {
  if (!posted || posted.micros < counted.micros) return true;
  if (posted.micros === counted.micros && posted.marginMicros !== counted.marginMicros) return true;
  return posted.status === 'pending' && isClosed(counted.hourMs, nowMs);
}

function stepOf(posted: PostedHour, counted: HourOfSpend, at: Date): HourStep {
  const isOlderCount = counted.micros < posted.micros;
  return {
    transactionId: posted.transactionId,
    companyId: posted.companyId,
    micros: isOlderCount ? 0 : counted.micros - posted.micros,
    marginMicros: isOlderCount ? 0 : counted.marginMicros - posted.marginMicros,
    status: posted.status === 'success' || isClosed(counted.hourMs, at.getTime()) ? 'success' : 'pending',
  };
}

const isClosed = (hourMs: number, nowMs: number): boolean => hourMs + HOUR_MS <= nowMs;

const keyOf = ({ campaignId, hourMs }: { campaignId: string; hourMs: number }): string =>
  `${campaignId} ${String(hourMs).padStart(15, '0')}`;

function describe(campaignName: string, hourMs: number): string {
  const clock = (atMs: number) => new Date(atMs).toISOString().slice(11, 16);
  const day = dayText(new Date(hourMs).toISOString().slice(0, 10));
  return `Campaign "${campaignName}", ${day}, ${clock(hourMs)}-${clock(hourMs + HOUR_MS)} UTC`;
}

async function startOfWindowMs(ctx: Context, lookback: Lookback, nowMs: number): Promise<number> {
  const wholeHour = (atMs: number) => Math.floor(atMs / HOUR_MS) * HOUR_MS;
  if (lookback === 'recent') return wholeHour(nowMs - RECENT_MS);
  const lastMs = await lastPostedHourMs(ctx.db);
  return lastMs === null ? 0 : wholeHour(Math.min(nowMs, lastMs) - LATENESS_MS);
}
