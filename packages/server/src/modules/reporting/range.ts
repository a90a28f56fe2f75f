import { reportApiMessages } from '@bidwell/contract/reports/api-messages';
import { limits } from '@bidwell/contract/lib/limits';
import type { Context } from '../../context.ts';
import type { Owner } from '../../platform/actor.ts';
import { Invalid } from '../../platform/errors.ts';
import { timeZoneOf } from '../identity/public.ts';
import type { DateRange } from './buckets.ts';

/** A query's dates in the company's time zone. Throws Invalid for dates outside `limits.dateMin` to `limits.dateMax`. */
export async function rangeOf(
  ctx: Context,
  { companyId }: Owner,
  { start_date: start, end_date: end }: { start_date: string; end_date: string },
): Promise<DateRange> {
  requireSupportedDates(start, end);
  return { start, end, timeZone: await timeZoneOf(ctx.db, companyId) };
}

function requireSupportedDates(startDate: string, endDate: string): void {
  const message = reportApiMessages.dates(limits.dateMin, limits.dateMax);
  if (startDate < limits.dateMin) throw new Invalid([{ field: 'start_date', message }]);
  if (endDate > limits.dateMax) throw new Invalid([{ field: 'end_date', message }]);
}
