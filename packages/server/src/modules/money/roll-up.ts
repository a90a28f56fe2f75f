import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../context.ts';
import { daysBefore } from '../../platform/days-before.ts';
import { deleteInBatches } from '../../platform/postgres/delete-in-batches.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { LATENESS_MS } from './posting.ts';
import { type CampaignOfHours, type SpendMonth, campaignsOfHours, rollUpMonth } from './roll-up-store.ts';
import { lastPostedHourMs } from './spend-store.ts';

const HOUR_MS = 3_600_000;
/** Months, each of a campaign, that are looked for at once. */
const MONTHS_AT_ONCE = 20;

/**
 * Replaces the spend by hours of months that are longer ago than the setting says by one transaction for each campaign and
 * month of the company's time zone. All sums stay the same.
 */
export async function rollUpLedger(ctx: Context): Promise<void> {
  const { config, db, now } = ctx;
  const lastMs = await lastPostedHourMs(db);
  if (lastMs === null) return;
  // Spend that is still to be posted finds its hour.
  const horizonMs = Math.min(daysBefore(now(), config.keptDays.ledgerHours).getTime(), lastMs - LATENESS_MS);
  await deleteInBatches(async (rowsMax) => {
    const campaigns = await campaignsOfHours(db, new Date(horizonMs), MONTHS_AT_ONCE);
    const due = campaigns.map(monthOf).filter(({ until }) => until.getTime() <= horizonMs);
    for (const month of due) await transact(db, async (tx) => rollUpMonth(tx.db, month));
    // The next month of these campaigns may be due too.
    return due.length > 0 ? rowsMax : 0;
  });
}

/** The month of the campaign's oldest hour. An hour belongs to the month in which it begins. */
function monthOf({ companyId, campaignId, name, timeZone, hour }: CampaignOfHours): SpendMonth {
  const month = dateAt(hour.getTime(), timeZone).slice(0, 7);
  const next = addDays(`${month}-01`, 31).slice(0, 7);
  const firstHourOf = (date: string) => new Date(Math.ceil(startOfDayMs(date, timeZone) / HOUR_MS) * HOUR_MS);
  return {
    companyId,
    campaignId,
    from: firstHourOf(`${month}-01`),
    until: firstHourOf(`${next}-01`),
    description: `Campaign "${name}", ${month}`,
  };
}
