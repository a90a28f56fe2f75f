import type { BidRef, ChargeOn } from '../events/event.ts';
import type { ParsedImp, ParsedRequest, Size } from '../openrtb/request.ts';
import type { BannerCreative, Candidate, SizedBanner, Snapshot } from '../snapshot/types.ts';
import type { Audience } from './match.ts';
import { audienceOf, mismatch } from './match.ts';
import type { InstallRate } from './price.ts';
import { bidCpmMicros } from './price.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** What the auction may know of the world: all that is not in the snapshot or the request. */
export interface AuctionContext {
  nowMs: number;
  /** Evenly between 0 and 1: settles ties and chooses among fitting creatives. */
  random: () => number;
  newBidId: () => string;
  /** Why an ad set may not spend this much on one impression now; null when it may. */
  refusal: (candidate: Candidate, impressionMicros: number) => NoBidReason | null;
  installRate: InstallRate;
  chargeOn: ChargeOn;
  /** Whether our images and trackers are served over https. */
  secure: boolean;
}

/** One bid for one imp. */
export interface AuctionBid {
  impId: string;
  ref: BidRef;
  candidate: Candidate;
  banner: BannerCreative;
}

/** Bids, at most one an imp; where there is none at all, the reason of the imp that came furthest. */
export interface AuctionResult {
  bids: AuctionBid[];
  reason: NoBidReason | null;
}

/** Holds our own auction among the ad sets for each imp of a request. Pure: the same inputs give the same bids. */
export function runAuction(
  request: ParsedRequest,
  snapshot: Snapshot,
  context: AuctionContext,
): AuctionResult {
  if (!request.app) return { bids: [], reason: 'not_in_app' };
  if (request.currencies.length > 0 && !request.currencies.includes('USD'))
    return { bids: [], reason: 'currency' };
  const audience = audienceOf(request);
  const bids: AuctionBid[] = [];
  const taken = new Set<Candidate>();
  let reason: NoBidReason = 'private_auction';
  for (const imp of request.imps) {
    const outcome = auctionImp(imp, audience, snapshot, context, taken);
    if (typeof outcome === 'string') {
      reason = further(reason, outcome);
    } else {
      bids.push(outcome);
      taken.add(outcome.candidate);
    }
  }
  return { bids, reason: bids.length > 0 ? null : reason };
}

function auctionImp(
  imp: ParsedImp,
  audience: Audience,
  snapshot: Snapshot,
  context: AuctionContext,
  taken: ReadonlySet<Candidate>,
): AuctionBid | NoBidReason {
  if (imp.privateAuction) return 'private_auction';
  if (!imp.banner) return 'no_matching_format';
  if (imp.floorCpmMicros > 0 && imp.floorCurrency !== 'USD') return 'currency';
  if (snapshot.candidates.length === 0) return 'no_active_adset';
  const fitting = fittingBanners(imp, snapshot);
  if (fitting.size === 0) return 'no_matching_size';

  let reason: NoBidReason = 'no_matching_size';
  let best: Candidate | null = null;
  let bestCpmMicros = 0;
  let ties = 0;
  for (const candidate of fitting.keys()) {
    const cpmMicros = bidCpmMicros(candidate, audience.bundle, context.installRate);
    const refused = refusal(candidate, cpmMicros, imp, audience, context, taken);
    if (refused) {
      reason = further(reason, refused);
      continue;
    }
    if (cpmMicros < bestCpmMicros) continue;
    ties = cpmMicros > bestCpmMicros ? 1 : ties + 1;
    // Of n equal bids each stays with one chance in n.
    if (ties > 1 && context.random() * ties >= 1) continue;
    best = candidate;
    bestCpmMicros = cpmMicros;
  }
  if (!best) return reason;
  const banners = fitting.get(best)!;
  const banner = banners[Math.floor(context.random() * banners.length)] ?? banners[0]!;
  return {
    impId: imp.id,
    candidate: best,
    banner,
    ref: refOf(best, banner, bestCpmMicros, audience, context),
  };
}

function refusal(
  candidate: Candidate,
  cpmMicros: number,
  imp: ParsedImp,
  audience: Audience,
  context: AuctionContext,
  taken: ReadonlySet<Candidate>,
): NoBidReason | null {
  const unfit = mismatch(candidate, audience, context.nowMs);
  if (unfit) return unfit;
  if (imp.secure && !context.secure) return 'not_secure';
  if (cpmMicros <= 0 || cpmMicros < imp.floorCpmMicros) return 'floor';
  if (taken.has(candidate)) return 'already_bid';
  return context.refusal(candidate, Math.ceil(cpmMicros / 1000));
}

/** The banners whose size the imp takes, by ad set. */
function fittingBanners(imp: ParsedImp, snapshot: Snapshot): Map<Candidate, BannerCreative[]> {
  const fitting = new Map<Candidate, BannerCreative[]>();
  const sizes = imp.banner?.sizes ?? [];
  const add = (sized: readonly SizedBanner[] = []): void => {
    for (const { candidate, banner } of sized) {
      const banners = fitting.get(candidate);
      if (banners) banners.push(banner);
      else fitting.set(candidate, [banner]);
    }
  };
  if (sizes.length > 0 && !imp.interstitial) {
    for (const key of new Set(sizes.map(({ width, height }) => `${width}x${height}`)))
      add(snapshot.bannersBySize.get(key));
    return fitting;
  }
  for (const [key, sized] of snapshot.bannersBySize) {
    const banner = sized[0]!.banner;
    if (
      sizes.length === 0 ||
      sizes.some((size) => `${size.width}x${size.height}` === key || fillsScreen(banner, size))
    )
      add(sized);
  }
  return fitting;
}

const FULL_SCREEN_SIDE = 480;

/** An interstitial says how large the screen is: a full-screen banner of the same orientation that is no larger fits. */
function fillsScreen(banner: Size, screen: Size): boolean {
  return (
    Math.max(banner.width, banner.height) >= FULL_SCREEN_SIDE &&
    banner.width <= screen.width &&
    banner.height <= screen.height &&
    banner.width > banner.height === screen.width > screen.height
  );
}

function refOf(
  candidate: Candidate,
  banner: BannerCreative,
  cpmMicros: number,
  { request, bundle }: Audience,
  context: AuctionContext,
): BidRef {
  return {
    bidId: context.newBidId(),
    companyId: candidate.companyId,
    appId: candidate.app.uuid,
    campaignId: candidate.campaignId,
    adsetId: candidate.adsetId,
    creativeId: banner.uuid,
    creativeGroupId: banner.groupUuid,
    creativeType: 'Banner',
    width: banner.width,
    height: banner.height,
    durationMs: 0,
    exchange: request.ssp,
    chargeOn: context.chargeOn,
    bundle,
    os: request.device.os,
    country: request.device.country,
    bidCpmMicros: cpmMicros,
    auctionType: request.auctionType,
    test: request.test,
    ifa: request.device.ifa,
    language: request.device.language,
  };
}
