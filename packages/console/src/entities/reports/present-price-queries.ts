import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { REPORT_METRICS } from '@bidwell/contract/reports/metrics';
import { queryOptions } from '@tanstack/react-query';
import { levelReport } from './queries.ts';

/** The days of a note next to a price. */
export const PRICE_DAYS = 7;
/** A note while a price is typed need not be of this second. */
const STALE_MS = 60_000;

/** What an ad set, or the campaigns of a kind or of all, paid and won in a range of days. Prices are in dollars. */
export interface PresentPrices {
  cpm: number | null;
  cpi: number | null;
  /** Percent of the bids whose outcome is known; null without any. */
  winRate: number | null;
}

export const presentPricesQuery = (
  range: { start: string; end: string },
  of: { adset: string } | { kind: CampaignKind | null },
) =>
  queryOptions({
    queryKey: ['analytics', 'present-prices', range, of],
    queryFn: async (): Promise<PresentPrices> => {
      const { total } = await levelReport({
        start_date: range.start,
        end_date: range.end,
        levels: { os: '' },
        ...('adset' in of ? { filters: of } : { campaign_kind: of.kind }),
        metrics: [...REPORT_METRICS, 'win_rate'],
      });
      return { cpm: total.cpm, cpi: total.cpi, winRate: total.win_rate ?? null };
    },
    staleTime: STALE_MS,
  });
