import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { SampledBid } from './bid-sample.ts';

/** Stores sampled bids of all companies. A bid that is stored twice counts once. */
export async function storeBidSample(
  clickhouse: Pick<ClickHouse, 'insert'>,
  bids: readonly SampledBid[],
): Promise<void> {
  if (bids.length === 0) return;
  await clickhouse.insert(
    'bid_sample',
    bids.map((bid) => ({
      time: clickhouseTime(bid.atMs),
      bid_id: bid.bidId,
      company_id: bid.companyId,
      campaign_id: bid.campaignId,
      adset_id: bid.adsetId,
      creative_id: bid.creativeId,
      creative_type: bid.creativeType,
      creative_width: bid.width,
      creative_height: bid.height,
      exchange: bid.exchange,
      bundle: bid.bundle,
      os: bid.os,
      country: bid.country,
      charged_cpm_micros: bid.chargedCpmMicros,
      weight: bid.weight,
    })),
  );
}
