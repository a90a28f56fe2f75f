import type { Micros } from '@bidwell/contract/lib/money';
import type { BidRef } from '../model/event.ts';
import { chargeCpmMicros } from '../model/price-rules.ts';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';

/** A sent bid of the sample, as it is stored. */
interface SampledBid extends Pick<
  BidRef,
  | 'bidId'
  | 'companyId'
  | 'campaignId'
  | 'adsetId'
  | 'creativeId'
  | 'creativeType'
  | 'width'
  | 'height'
  | 'exchange'
  | 'bundle'
  | 'os'
  | 'country'
> {
  /** When it was sent, Unix ms. */
  atMs: number;
  /** The bid with the margin, per thousand, which the advertiser would be charged. */
  chargedCpmMicros: Micros;
  /** The number of bids of its campaign that it stands for: itself and the bids since the previous sampled bid. */
  weight: number;
}

/** Most bids that all bidders together store in a second, of one company and of all. */
const COMPANY_ROWS_PER_SECOND = 1;
const ROWS_PER_SECOND = 5;
/** Most sampled bids that wait while ClickHouse is unavailable; beyond it, the next sampled bid stands for more bids. */
const WAITING_MAX = 2000;
/** Campaigns that are sampled, more than a bidder has. */
const CAMPAIGNS_MAX = 50_000;
/** A campaign without a bid for this time leaves its share to the others. */
const IDLE_MS = 600_000;

interface Company {
  id: string;
  /** Its campaigns that bid. */
  campaigns: number;
}

interface Campaign {
  company: Company;
  /** Bids since the last sampled one. */
  unsampled: number;
  /** When the next bid is sampled, and when the last bid was sent, Unix ms. */
  nextMs: number;
  lastMs: number;
}

/**
 * A sample of the bids of this process, with a limited number of bids a second. All companies have equal shares of it, and
 * all campaigns of a company have equal parts of its share.
 */
export class BidSample {
  readonly #companies = new Map<string, Company>();
  readonly #campaigns = new Map<string, Campaign>();
  readonly #random: () => number;
  readonly #bidders: () => number;
  #waiting: SampledBid[] = [];

  /** `bidders` is the current number of bidders, including this one; they share the limits. */
  constructor({ random, bidders }: { random: () => number; bidders: () => number }) {
    this.#random = random;
    this.#bidders = bidders;
  }

  /** Adds a sent bid; most are only counted. */
  add(ref: BidRef, nowMs: number): void {
    const campaign = this.#campaigns.get(ref.campaignId) ?? this.#begin(ref, nowMs);
    if (!campaign) return;
    campaign.unsampled += 1;
    campaign.lastMs = nowMs;
    if (nowMs < campaign.nextMs || this.#waiting.length >= WAITING_MAX) return;
    // Samples at random times, so that it does not follow a rhythm of the traffic.
    campaign.nextMs = nowMs + this.#intervalMs(campaign.company) * (0.5 + this.#random());
    this.#waiting.push(sampled(ref, nowMs, campaign.unsampled));
    campaign.unsampled = 0;
  }

  /** Removes the sampled bids that wait to be stored, and returns them. */
  take(nowMs: number): SampledBid[] {
    for (const [id, { company, lastMs }] of this.#campaigns) {
      if (nowMs - lastMs < IDLE_MS) continue;
      this.#campaigns.delete(id);
      company.campaigns -= 1;
      if (company.campaigns === 0) this.#companies.delete(company.id);
    }
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** Adds sampled bids that could not be stored, as far as there is room. */
  restore(bids: readonly SampledBid[]): void {
    this.#waiting = [...bids, ...this.#waiting].slice(0, WAITING_MAX);
  }

  #begin({ campaignId, companyId }: BidRef, nowMs: number): Campaign | null {
    if (this.#campaigns.size >= CAMPAIGNS_MAX) return null;
    let company = this.#companies.get(companyId);
    if (!company) this.#companies.set(companyId, (company = { id: companyId, campaigns: 0 }));
    company.campaigns += 1;
    const campaign = { company, unsampled: 0, nextMs: nowMs, lastMs: nowMs };
    this.#campaigns.set(campaignId, campaign);
    return campaign;
  }

  /** Mean time between two sampled bids of a campaign. */
  #intervalMs({ campaigns }: Company): number {
    const perSecond = Math.min(COMPANY_ROWS_PER_SECOND, ROWS_PER_SECOND / this.#companies.size);
    return (1000 * campaigns * Math.max(1, this.#bidders())) / perSecond;
  }
}

function sampled(ref: BidRef, atMs: number, weight: number): SampledBid {
  return {
    atMs,
    bidId: ref.bidId,
    companyId: ref.companyId,
    campaignId: ref.campaignId,
    adsetId: ref.adsetId,
    creativeId: ref.creativeId,
    creativeType: ref.creativeType,
    width: ref.width,
    height: ref.height,
    exchange: ref.exchange,
    bundle: ref.bundle,
    os: ref.os,
    country: ref.country,
    chargedCpmMicros: chargeCpmMicros(ref.bidCpmMicros, ref.marginBasisPoints),
    weight,
  };
}

/** Stores a sample of the bids of this process. */
export interface BidSampler {
  /** Adds a sent bid, without test bids. Takes far less than a microsecond for bids that are not sampled. */
  sent(ref: BidRef): void;
  /** Stores the sampled bids that wait. Throws if ClickHouse does not respond; they are then stored later. */
  flush(): Promise<void>;
  /** Stores the last sampled bids; bids that cannot be stored are lost. */
  stop(): Promise<void>;
}

const STORE_EVERY_MS = 10_000;

/** Starts to store a sample of the bids, every ten seconds. Nothing here delays or fails a bid. */
export function startBidSampler({
  clickhouse,
  clickhouseReady,
  log,
  now,
  random,
  bidders,
}: {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  random: () => number;
  /** Current number of bidders, including this one. */
  bidders: () => number;
}): BidSampler {
  const sample = new BidSample({ random, bidders });
  const flush = coalesce(async () => {
    const bids = sample.take(now().getTime());
    try {
      await storeBidSample(clickhouse, bids);
    } catch (error) {
      sample.restore(bids);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store a sample of the bids', log, flush, [clickhouseReady]);
  return {
    sent: (ref) => sample.add(ref, now().getTime()),
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last sampled bids were not stored'));
    },
  };
}

/** Stores sampled bids of all companies. A bid that is stored twice counts once. */
async function storeBidSample(
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
      has_stored_at: 1,
    })),
  );
}
