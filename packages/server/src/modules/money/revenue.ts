import { addDays, dateAt } from '@bidwell/contract/lib/calendar';
import { toDollars } from '@bidwell/contract/lib/money';
import type { RevenueDay } from '@bidwell/contract/operator/schema';
import type { Context } from '../../context.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { costsOfDays } from '../reporting/public.ts';
import { fundsByDay } from './statement-store.ts';

/**
 * Spend of all companies, the media cost and the margin in it, and what was added to their balances, on each of the last
 * `days` days of UTC.
 */
export async function readRevenue(
  ctx: Context,
  operator: Operator,
  { days }: { days: number },
): Promise<RevenueDay[]> {
  requireOperatorPermission(operator, 'money.read');
  const today = dateAt(ctx.now().getTime(), 'UTC');
  const first = addDays(today, 1 - days);
  const [costs, funds] = await Promise.all([
    costsOfDays(ctx, first),
    fundsByDay(ctx.db, new Date(`${first}T00:00:00Z`)),
  ]);
  return Array.from({ length: days }, (_, index) => {
    const date = addDays(first, index);
    const { spendMicros, marginMicros } = costs.get(date) ?? { spendMicros: 0, marginMicros: 0 };
    return {
      date,
      spend: toDollars(spendMicros),
      media: toDollars(spendMicros - marginMicros),
      margin: toDollars(marginMicros),
      funds: toDollars(funds.get(date) ?? 0),
    };
  });
}
