import { addDays, dateAt, dayText, isoWeekOf, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { toDollars } from '@bidwell/contract/lib/money';
import { dollarsText } from '@bidwell/contract/lib/number-text';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { dailyBudgetsOf } from '../daily-budgets-store.ts';
import { notifyOnce } from '../../messaging/public.ts';
import { spentBetweenMicros } from '../../reporting/public.ts';
import { companiesThatRun, latestChange } from './service.ts';

/** A day that spends less than this part of its budgets is off plan. */
const PLANNED_PART_MIN = 0.5;
/** Budgets of a day that are too small to matter, in dollars. */
const BUDGETS_MIN_DOLLARS = 5;
/** After the end of a day, for late events; and how long afterwards it is still looked at. */
const SETTLED_MS = 3_600_000;
const LOOKED_AT_MS = 6 * 3_600_000;

/**
 * Notifies companies whose campaigns spent less than half of their daily budgets yesterday, in the company's time zone: once a
 * week at most, and not where a campaign or an ad set was changed, started or paused since the day began.
 */
export async function checkSpendPlans(ctx: Context): Promise<void> {
  for (const { companyId, timeZone } of await companiesThatRun(ctx.db)) {
    try {
      await checkCompany(ctx, companyId, timeZone);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, companyId }, 'the spend of a company could not be compared with its budgets');
    }
  }
}

async function checkCompany(ctx: Context, companyId: string, timeZone: string): Promise<void> {
  const nowMs = ctx.now().getTime();
  const today = dateAt(nowMs, timeZone);
  const beforeMs = startOfDayMs(today, timeZone);
  if (nowMs < beforeMs + SETTLED_MS || nowMs > beforeMs + LOOKED_AT_MS) return;
  const date = addDays(today, -1);
  const fromMs = startOfDayMs(date, timeZone);
  const budgets = await dailyBudgetsOf(ctx.db, companyId);
  if (!budgets.isCapped || budgets.dollars < BUDGETS_MIN_DOLLARS) return;
  if (await latestChange(ctx.db, companyId, new Date(fromMs), new Date(nowMs))) return;
  const spent = toDollars(await spentBetweenMicros(ctx, { companyId }, { fromMs, beforeMs }));
  if (spent >= PLANNED_PART_MIN * budgets.dollars) return;
  const { year, week } = isoWeekOf(date);
  await notifyOnce(ctx, companyId, {
    kind: 'spend_plan',
    ...notificationMessages.spendBelowPlan(dayText(date), dollarsText(spent), dollarsText(budgets.dollars)),
    onceKey: `spend-plan:${year}-${week}`,
  });
}
