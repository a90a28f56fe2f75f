import { addDays, dateAt } from '@bidwell/contract/calendar';
import { toDollars } from '@bidwell/contract/money';
import type { RevenueDay } from '@bidwell/contract/operator';
import type { Engines } from '../../engines.ts';
import { spendOfDays } from '../analytics/service.ts';
import { fundsByDay } from './statement-store.ts';

/** Spend of all companies, and what was added to their balances, on each of the last `days` days of UTC; for operators. */
export async function readRevenue(engines: Engines, days: number): Promise<RevenueDay[]> {
  const today = dateAt(engines.now().getTime(), 'UTC');
  const first = addDays(today, 1 - days);
  const [spend, funds] = await Promise.all([
    spendOfDays(engines, first),
    fundsByDay(engines.db, new Date(`${first}T00:00:00Z`)),
  ]);
  return Array.from({ length: days }, (_, index) => {
    const date = addDays(first, index);
    return { date, spend: toDollars(spend.get(date) ?? 0), funds: toDollars(funds.get(date) ?? 0) };
  });
}
