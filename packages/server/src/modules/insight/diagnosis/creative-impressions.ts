import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { ROWS_MAX, countForReport, periodOf, rangeOf } from '../../reporting/public.ts';

/** Impressions of a creative in an ad set. */
export interface CreativeImpressions {
  adset: string;
  creative: string;
  impressions: number;
}

/**
 * Impressions of the company's creatives by ad set in a range of days, of those with the highest spend. Throws Invalid for
 * dates that are not supported.
 */
export async function creativeImpressions(
  ctx: Context,
  owner: Owner,
  query: DeliveryQuery,
): Promise<CreativeImpressions[]> {
  const rows = await countForReport(ctx, owner.companyId, {
    period: periodOf(await rangeOf(ctx, owner, query)),
    by: ['adset', 'creative'],
    filters: {},
    limit: ROWS_MAX,
  });
  return rows.map(({ values, impressions }) => ({ adset: values[0]!, creative: values[1]!, impressions }));
}
