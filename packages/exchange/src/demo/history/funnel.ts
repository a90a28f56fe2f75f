import { FunnelCounts } from '@bidwell/server/delivery/funnel/counts';
import { type ExplainContext, explain } from '@bidwell/server/delivery/funnel/explain';
import { storeFunnel } from '@bidwell/server/delivery/funnel/recorder';
import {
  type RequestSample,
  createSample,
  storeSample,
} from '@bidwell/server/delivery/funnel/request-sample';
import { InstallPrices } from '@bidwell/server/delivery/learning/install-price';
import { Learning } from '@bidwell/server/delivery/learning/learning';
import { valuationOf } from '@bidwell/server/delivery/learning/valuation';
import type { ParsedRequest } from '@bidwell/server/delivery/model/bid-request';
import { PublisherApps, storePublisherApps } from '@bidwell/server/delivery/exchanges/publisher-apps';
import { readPublisher } from '@bidwell/server/delivery/openrtb/read/read-publisher';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { audienceNoBidReason } from '@bidwell/server/delivery/auction/audiences';
import { restoreHistory } from '@bidwell/server/delivery/start-learning';
import { loadAdsets } from '@bidwell/server/delivery/snapshot/adset-store';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import type { Context } from '@bidwell/server/context';
import { runToCompletion } from '@bidwell/server/platform/concurrency/yielding';
import type { BidRequest } from '../../traffic/bid-request.ts';
import { pickWeighted } from '../../random.ts';
import { type DrawnRequest, createTraffic } from '../../traffic/generate.ts';
import { PREMIUM_SLOTS } from '../../traffic/slots.ts';
import type { HistoryAdset } from './adsets.ts';
import { type HistoryOptions, bestOffer, pricesIn } from './generate.ts';
import { impsOf } from './opportunities.ts';
import { loadLiveAudiences } from './live-audiences.ts';
import { requestsIn } from './seasons.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** As long as the sample of bid requests is retained. */
const FUNNEL_DAYS = 7;
/** Requests of an hour that are followed, as a sample of all of them. */
const FOLLOWED_PER_HOUR = 20;
/** The sample of the history has the people that a bidder among this number of them chooses: enough for forecasts, in seconds. */
const SAMPLING_BIDDERS = 2;

/** The delivery funnel of the last days of the history. */
export interface HistoryFunnel {
  /** Counts a bid. */
  addSent(adset: HistoryAdset, atMs: number): void;
  /** Notes that the daily budget of an ad set was spent, for the rest of the day of UTC. */
  budgetSpent(adset: HistoryAdset, atMs: number): void;
  /** Follows bid requests through the funnel, and stores the funnel with a sample of the requests. */
  write(onProgress: (share: number) => void): Promise<void>;
}

/**
 * Creates the delivery funnel as bidders would have stored it: requests of the sample exchange, with the bids that the
 * history would make, are followed through the funnel of the ad sets as they are now, with rates learned from the events
 * of the history, until their daily budgets are spent as in the history.
 */
export function createHistoryFunnel(
  ctx: Context,
  { adsets, random, worldSeed, people, exchanges, requestsPerSecond, nowMs }: HistoryOptions,
  historyDays: number,
): HistoryFunnel {
  const firstMs = Math.ceil((nowMs - Math.min(FUNNEL_DAYS, historyDays) * DAY_MS) / HOUR_MS) * HOUR_MS;
  const counts = new FunnelCounts();
  /** When the budgets of ad sets were spent, by ad set and day. */
  const spentMs = new Map<string, number>();
  const hasRoom = ({ adsetId }: Pick<HistoryAdset, 'adsetId'>, atMs: number): boolean =>
    atMs <= (spentMs.get(dayOf(adsetId, atMs)) ?? Infinity);
  return {
    addSent(adset, atMs) {
      if (atMs >= firstMs) counts.addSent(adset, atMs);
    },
    budgetSpent({ adsetId }, atMs) {
      if (atMs >= firstMs - DAY_MS) spentMs.set(dayOf(adsetId, atMs), atMs);
    },
    async write(onProgress) {
      const { clickhouse } = ctx;
      const companies = [...new Set(adsets.map(({ companyId }) => companyId))];
      const rows = [...(await loadAdsets(ctx.db, companies)).values()].flat();
      const audiences = await loadLiveAudiences(ctx, rows);
      const snapshot = compileSnapshot(rows, audiences);
      const candidates = new Map(snapshot.candidates.map((candidate) => [candidate.adsetId, candidate]));
      const contextAt = await contexts(ctx, { random, hasRoom });
      const sources = exchanges.map(({ slug, domain, share }) => ({
        slug,
        share,
        traffic: createTraffic({ random, worldSeed, secure: false, slots: PREMIUM_SLOTS, domain, people }),
      }));
      let clockMs = firstMs;
      const apps = new PublisherApps();
      const sample = createSample({
        now: () => new Date(clockMs),
        bidders: () => SAMPLING_BIDDERS,
        personSecret: ctx.config.signingSecret,
      });
      const chosen: ReturnType<typeof sample.take> = [];
      const read = (body: BidRequest, slug: string): ParsedRequest =>
        readBidRequest(body, slug, { tcfVendorId: people?.vendorId ?? null })!;
      /** Samples the requests of an hour as a bidder does: all of some people, so that forecasts count frequency caps. */
      const sampleHour = (hourMs: number): void => {
        const lengthMs = Math.min(HOUR_MS, nowMs - hourMs);
        const requests = Math.round(requestsIn(hourMs, requestsPerSecond, nowMs));
        for (let index = 0; index < requests; index += 1) {
          clockMs = hourMs + Math.floor(((index + 0.5) / requests) * lengthMs);
          const { slug, traffic } = pickWeighted(random, sources, ({ share }) => share);
          const opportunity = traffic.nextWanted(
            clockMs,
            (drawn) => !sample.passes({ id: drawn.ids.request, ssp: slug, device: identifiersOf(drawn) }),
          );
          if (opportunity) sample.offer(read(opportunity.request, slug), opportunity.request);
        }
      };
      /** Follows a request through the funnel of each ad set, for the `weight` requests that it represents. */
      const follow = (atMs: number, weight: number): void => {
        const { slug, traffic } = pickWeighted(random, sources, ({ share }) => share);
        const opportunity = traffic.next(atMs);
        const { request: body } = opportunity;
        const request = read(body, slug);
        const { listId } = request.device;
        const memberships = listId === '' ? null : snapshot.audiences.membershipsOf(listId);
        const prices = pricesIn(atMs, adsets);
        const bids = impsOf(opportunity, adsets).flatMap((sampled) => {
          const imp = request.imps.find(({ id }) => id === sampled.id);
          const candidate = candidates.get(
            bestOffer(sampled, {
              atMs,
              auctionType: sampled.auctionType,
              random,
              prices,
              budgets: { hasRoom },
            })?.adset.adsetId ?? '',
          );
          if (!imp || !candidate) return [];
          const { audiences: own } = candidate;
          return own && audienceNoBidReason(own, memberships) !== null ? [] : { imp, candidate };
        });
        const outcome = bids.length > 0 ? bids : 'floor';
        const explained = runToCompletion(explain(request, snapshot, outcome, contextAt(request, atMs)));
        counts.add(snapshot.candidates, explained, { atMs, weight, idState: request.device.idState });
        if (bids.length > 0) apps.add(request.app!.bundle, slug, atMs, () => readPublisher(request, body));
      };
      for (let hourMs = firstMs; hourMs < nowMs; hourMs += HOUR_MS) {
        for (const { atMs, weight } of followedIn(hourMs, requestsPerSecond, nowMs)) follow(atMs, weight);
        sampleHour(hourMs);
        // Only some hundreds may wait in it.
        chosen.push(...sample.take());
        if (chosen.length >= STORED_AT_ONCE) await storeSample(clickhouse, chosen.splice(0), audiences);
        onProgress((hourMs - firstMs) / (nowMs - firstMs));
      }
      await storeSample(clickhouse, chosen, audiences);
      await storeFunnel(clickhouse, counts);
      await storePublisherApps(clickhouse, apps.waiting().apps);
    },
  };
}

/** Sampled requests that are stored at once: an insert takes as long for a few as for many. */
const STORED_AT_ONCE = 5000;

/** What a bidder may use to identify the person of a request. */
function identifiersOf({ person, ids }: DrawnRequest): Parameters<RequestSample['passes']>[0]['device'] {
  const none = { ifa: '', ifv: '', userId: '', ip: '', userAgent: '', model: '' };
  if (!person.consents) return none;
  return { ...none, ifa: person.limitsTracking ? '' : person.advertisingId, userId: ids.user };
}

const dayOf = (adsetId: string, atMs: number): string => `${adsetId} ${Math.floor(atMs / DAY_MS)}`;

/** The requests of an hour that are followed: their times, and how many requests each represents. */
function followedIn(hourMs: number, requestsPerSecond: number, nowMs: number) {
  const requests = requestsIn(hourMs, requestsPerSecond, nowMs);
  const gapMs = Math.min(HOUR_MS, nowMs - hourMs) / FOLLOWED_PER_HOUR;
  const upTo = (followed: number) => Math.round((requests * followed) / FOLLOWED_PER_HOUR);
  return Array.from({ length: FOLLOWED_PER_HOUR }, (_, followed) => ({
    atMs: Math.floor(hourMs + (followed + 0.5) * gapMs),
    weight: upTo(followed + 1) - upTo(followed),
  })).filter(({ weight }) => weight > 0);
}

/** What an explanation needs in addition to the request. */
async function contexts(
  { clickhouse, config, now }: Context,
  {
    random,
    hasRoom,
  }: { random: () => number; hasRoom: (adset: { adsetId: string }, atMs: number) => boolean },
): Promise<(request: ParsedRequest, atMs: number) => ExplainContext> {
  const learning = new Learning();
  await restoreHistory(learning, clickhouse, now().getTime());
  const paceOf = () => null;
  const valuationParts = { learning, installPrices: new InstallPrices(), paceOf, random };
  return (request, atMs) => ({
    nowMs: atMs,
    random,
    noBidReason: (candidate) => (hasRoom(candidate, atMs) ? null : 'daily_budget'),
    paceOf,
    valuation: valuationOf(request, atMs, valuationParts),
    secure: config.publicUrl?.startsWith('https:') ?? false,
  });
}
