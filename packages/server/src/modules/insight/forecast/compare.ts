import { dateAt } from '@bidwell/contract/lib/calendar';
import { type AdsetRow, loadAdsets } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { countsOfAdsets } from '../../reporting/public.ts';
import {
  type DueDay,
  changedSince,
  deleteForecasts,
  dueAdsets,
  dueDays,
  saveOutcomes,
} from './history-store.ts';

/** Delay after the end of a day before it is compared, for late events. */
const LATE_EVENTS_MS = 15 * 60_000;
/** Days of companies that one run compares, and ad sets that one query covers. */
const DAYS_MAX = 1000;
const ADSETS_MAX = 500;
const DAY_MS = 86_400_000;
const RETENTION_MS = 90 * DAY_MS;
/** A day that could not be compared in this time, because ClickHouse was unavailable, is not compared. */
const COMPARED_WITHIN_MS = 3 * DAY_MS;
const NOTHING = { impressions: 0, installs: 0, spendMicros: 0 };

/**
 * Stores, for each forecast of a day that is over, what the ad set got. Forecasts of ad sets that did not run, or were
 * changed during the day or since, are deleted. A company that fails does not delay the others.
 */
export async function compareForecasts(ctx: Context): Promise<void> {
  const { db, log, now } = ctx;
  const endedBefore = new Date(now().getTime() - LATE_EVENTS_MS);
  for (const day of await dueDays(db, endedBefore, DAYS_MAX)) {
    try {
      await compareDay(ctx, day);
    } catch (err) {
      log.error({ err, company: day.companyId }, 'forecasts could not be compared with what came');
    }
  }
}

/** Deletes forecasts after 90 days. */
export async function deleteOldForecasts({ db, now }: Context): Promise<void> {
  const nowMs = now().getTime();
  await deleteForecasts(db, {
    endedBefore: new Date(nowMs - RETENTION_MS),
    notComparedBefore: new Date(nowMs - COMPARED_WITHIN_MS),
  });
}

async function compareDay(ctx: Context, day: DueDay): Promise<void> {
  const { db, now } = ctx;
  const { companyId, startsAt, endsAt } = day;
  const running = new Set(
    ((await loadAdsets(db, [companyId])).get(companyId) ?? [])
      .filter((row) => ranOn(row, startsAt.getTime()))
      .map(({ adsetId }) => adsetId),
  );
  for (;;) {
    const adsetUuids = await dueAdsets(db, day, ADSETS_MAX);
    if (adsetUuids.length === 0) return;
    const changed = await changedSince(db, companyId, { adsetUuids, since: startsAt });
    const ran = adsetUuids.filter((uuid) => running.has(uuid) && !changed.has(uuid));
    const period = { fromMs: startsAt.getTime(), beforeMs: endsAt.getTime() };
    const found = await countsOfAdsets(ctx, companyId, ran, period);
    const outcomes = new Map(ran.map((uuid) => [uuid, found.get(uuid) ?? NOTHING] as const));
    await transact(db, async (tx) => saveOutcomes(tx.db, day, { adsetUuids, outcomes, at: now() }));
  }
}

/** Whether an ad set that may bid now did so on a day without changes: within its flight, with an approved creative. */
function ranOn({ creatives, startDate, endDate, timeZone }: AdsetRow, startsAtMs: number): boolean {
  const date = dateAt(startsAtMs, timeZone);
  return creatives.length > 0 && (startDate ?? date) <= date && (endDate ?? date) >= date;
}
