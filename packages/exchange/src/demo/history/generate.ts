import type { Micros } from '@bidwell/contract/money';
import { cpmToImpressionMicros, toMicros } from '@bidwell/contract/money';
import type { BidRef, DeliveryEvent, EventKind, VideoEvent } from '@bidwell/server/delivery/model/event';
import type { AuctionResult } from '../../auction.ts';
import { holdAuction, rivalBids } from '../../auction.ts';
import { SHOWN_SHARE } from '../../behaviour.ts';
import { INSTALL_MS_MIN, WATCHED_ON_SHARE } from '../../notices.ts';
import type { Random } from '../../random.ts';
import { logNormal, pick } from '../../random.ts';
import type { HistoryAdset } from './adsets.ts';
import type { FittingCreative, Match, SampledHour, SampledImp } from './opportunities.ts';
import { sampleDay } from './opportunities.ts';
import { requestsIn } from './seasons.ts';

export interface HistoryOptions {
  adsets: readonly HistoryAdset[];
  random: Random;
  /** Seed of the exchange's population. */
  worldSeed: number;
  /** Slug of the exchange. */
  exchange: string;
  /** Bid requests at the end of the history, on the average of a week. */
  requestsPerSecond: number;
  /** End of the history, Unix ms: no event is later. */
  nowMs: number;
  /** Requests that are sampled for each hour of the day; 600 by default. */
  sampledPerHour?: number;
}

const HOUR_MS = 3_600_000;
/** Share of its price that Max installs bids in first-price auctions, on average. */
const SHADED = 0.8;

/**
 * A generator of the events that the auctions and trackers of the server would have recorded. The opportunities, rival
 * bids, clicks and installs are those of the sample exchange, so that its live traffic continues the history. Pure except
 * for `random`.
 */
export function createHistory(options: HistoryOptions): {
  /** Events of the bids of the hour that starts at `hourMs`. */
  hour(hourMs: number): DeliveryEvent[];
} {
  const { adsets, random, worldSeed, requestsPerSecond, nowMs, sampledPerHour = 600 } = options;
  const hours = sampleDay(random, worldSeed, { adsets, requestsPerHour: sampledPerHour });
  return {
    hour(hourMs) {
      const sampled = hours[new Date(hourMs).getUTCHours()]!;
      const lengthMs = Math.min(HOUR_MS, nowMs - hourMs);
      const requests = requestsIn(hourMs, requestsPerSecond, nowMs);
      const events: DeliveryEvent[] = [];
      for (let left = imposedCount(random, requests, sampled); left > 0; left -= 1)
        addBid(events, pick(random, sampled.imps), hourMs + Math.floor(random() * lengthMs), options);
      return events.filter(({ atMs }) => atMs <= nowMs);
    },
  };
}

/** Number of imps among a number of requests for which some ad set may bid, with its natural spread. */
function imposedCount(random: Random, requests: number, { imps, requests: sampled }: SampledHour): number {
  const mean = (requests * imps.length) / sampled;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return imps.length === 0 ? 0 : Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
}

/** Holds the auction of an imp, and adds the events of the bid. */
function addBid(events: DeliveryEvent[], imp: SampledImp, atMs: number, options: HistoryOptions): void {
  const { random, exchange } = options;
  const offer = bestOffer(imp, atMs, random);
  if (!offer) return;
  const result = holdAuction({
    type: imp.auctionType,
    floorCpmMicros: toMicros(imp.floorCpmDollars),
    bidCpmMicros: offer.cpmMicros,
    rivalsCpmMicros: rivalBids(random, imp.slot.typicalCpmDollars * imp.priceLevel),
  });
  const ref = refOf(imp, offer, bidIdAt(atMs, random), exchange);
  const add: Add = (kind, afterMs, spendMicros = 0, loss) => {
    events.push({
      kind,
      atMs: Math.round(atMs + afterMs),
      ref,
      spendMicros,
      lossReason: loss?.lossReason ?? 0,
      ...(loss && { minToWinCpmMicros: loss.minToWinCpmMicros }),
      mark: '',
    });
  };
  // The exchange answers within a tenth of a second.
  const decidedMs = 20 + 80 * random();
  if (!result.won) {
    add('loss', decidedMs, 0, result);
    return;
  }
  add('win', decidedMs);
  if (random() < SHOWN_SHARE)
    addImpression(add, decidedMs + logNormal(random, 400, 0.6), offer, {
      random,
      spendMicros: cpmToImpressionMicros(result.clearingCpmMicros, ref.bidId),
    });
}

type Add = (kind: EventKind, afterMs: number, spendMicros?: Micros, loss?: LostAuction) => void;
type LostAuction = Extract<AuctionResult, { won: false }>;

/** The five events of a video that is watched to its end, at these shares of its duration. */
const WATCHED: readonly (readonly [VideoEvent, number])[] = [
  ['start', 0],
  ['first_quartile', 0.25],
  ['midpoint', 0.5],
  ['third_quartile', 0.75],
  ['complete', 1],
];

/** Adds the events of an ad that is shown: what {@link followWin} of the sample exchange makes the server record. */
function addImpression(
  add: Add,
  shownMs: number,
  { creative }: Offer,
  { random, spendMicros }: { random: Random; spendMicros: Micros },
): void {
  add('impression', shownMs);
  if (creative.type === 'Video')
    for (const [kind, share] of WATCHED) {
      if (random() >= WATCHED_ON_SHARE) break;
      add(kind, shownMs + share * creative.durationMs);
    }
  add('billing', shownMs + 5, spendMicros);
  if (random() >= creative.clickProbability) return;
  const clickedMs = shownMs + logNormal(random, 2500, 0.6);
  add('click', clickedMs);
  if (random() < creative.installProbability)
    add('install', clickedMs + INSTALL_MS_MIN + logNormal(random, 9000, 0.7));
}

/** The ad set that bids most, with the creative it shows. */
interface Offer {
  adset: HistoryAdset;
  creative: FittingCreative;
  cpmMicros: Micros;
  /** What the impression is worth to the ad set: the bid without shading. */
  valueCpmMicros: Micros;
}

/** The bid for an imp; null if no ad set bids, or none at least the floor. */
export function bestOffer(imp: SampledImp, atMs: number, random: Random): Offer | null {
  let best: Offer | null = null;
  for (const match of imp.matches) {
    if (!match.adset.isRunning(atMs)) continue;
    const creative = chosenCreative(match, random);
    const valueCpmMicros = valueOf(match.adset, creative, atMs);
    const isShaded = match.adset.plan.algorithm === 'Max installs' && imp.auctionType === 1;
    const cpmMicros = isShaded ? Math.floor(valueCpmMicros * SHADED) : valueCpmMicros;
    if (!best || cpmMicros > best.cpmMicros)
      best = { adset: match.adset, creative, cpmMicros, valueCpmMicros };
  }
  return best && best.cpmMicros >= toMicros(imp.floorCpmDollars) ? best : null;
}

function chosenCreative({ creatives, weightSum }: Match, random: Random): FittingCreative {
  let rest = random() * weightSum;
  return creatives.find(({ weight }) => (rest -= weight) < 0) ?? creatives.at(-1)!;
}

/** What an impression is worth to an ad set, by its algorithm, once it knows its rates. */
function valueOf(
  { plan, cpmMicrosAt }: HistoryAdset,
  { clickProbability, installProbability }: FittingCreative,
  atMs: number,
): Micros {
  const ceiling = cpmMicrosAt(atMs);
  if (plan.algorithm !== 'Target CPI') return ceiling;
  const installs = clickProbability * installProbability;
  return Math.min(ceiling, Math.floor(toMicros(plan.cpiDollars ?? 0) * installs * 1000));
}

function refOf(
  { bundle, os, language, country, auctionType }: SampledImp,
  { adset, creative, cpmMicros, valueCpmMicros }: Offer,
  bidId: string,
  exchange: string,
): BidRef {
  return {
    bidId,
    companyId: adset.companyId,
    appId: adset.appId,
    campaignId: adset.campaignId,
    adsetId: adset.adsetId,
    creativeId: creative.creativeId,
    creativeGroupId: creative.creativeGroupId,
    creativeType: creative.type,
    width: creative.width,
    height: creative.height,
    durationMs: creative.durationMs,
    exchange,
    chargeOn: 'billing',
    bundle,
    os,
    country,
    bidCpmMicros: cpmMicros,
    valueCpmMicros: valueCpmMicros > cpmMicros ? valueCpmMicros : undefined,
    marginBasisPoints: 0,
    currency: '',
    dollarsPerUnit: 1,
    auctionType,
    test: false,
    ifa: '',
    language,
  };
}

/** A UUIDv7 of this time (section 5.7 of RFC 9562). */
export function bidIdAt(atMs: number, random: Random): string {
  const time = atMs.toString(16).padStart(12, '0');
  const digits = (count: number) =>
    Math.floor(random() * 16 ** count)
      .toString(16)
      .padStart(count, '0');
  const variant = '89ab'[Math.floor(random() * 4)]!;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-${variant}${digits(3)}-${digits(6)}${digits(6)}`;
}
