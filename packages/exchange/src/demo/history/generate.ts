import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { impressionAt } from '@bidwell/server/delivery/trackers/price';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import type {
  BidRef,
  DeliveryEvent,
  EventKind,
  EventMark,
  VideoEvent,
} from '@bidwell/server/delivery/model/event';
import { pricePointOf } from '@bidwell/server/delivery/learning/counts';
import type { PricePoint } from '@bidwell/server/delivery/learning/win-rates';
import { type AuctionResult, holdAuction, rivalBids } from '../../auction.ts';
import { RETURNS_PER_INSTALL, SHOWN_SHARE, isReinstall } from '../../behaviour.ts';
import { type InAppEvent, type Person, lifeAfterInstall, worthOf } from '../../in-app-behaviour.ts';
import { INSTALL_MS_MIN, WATCHED_ON_SHARE } from '../../notices.ts';
import { PERSONALITIES, type Personality } from '../../personality.ts';
import { type Random, hashOf, logNormal, pick } from '../../random.ts';
import type { PeopleOptions } from '../../traffic/generate.ts';
import type { ExchangePlan } from '../exchanges.ts';
import type { HistoryAdset, HistoryPrices } from './adsets.ts';
import {
  type FittingCreative,
  type Match,
  type SampledHour,
  type SampledImp,
  sampleDay,
} from './opportunities.ts';
import { type FindOwner, ownerFinder } from './owners.ts';
import { requestsIn } from './seasons.ts';

export interface HistoryOptions {
  adsets: readonly HistoryAdset[];
  random: Random;
  /** Seed of the exchanges' population. */
  worldSeed: number;
  /** What the people of the traffic are like. */
  people?: PeopleOptions;
  exchanges: readonly ExchangePlan[];
  /** Bid requests of all exchanges at the end of the history, on the average of a week. */
  requestsPerSecond: number;
  /** End of the history, Unix ms: no event is later. */
  nowMs: number;
  /** Requests that are sampled for each hour of the day; 600 by default. */
  sampledPerHour?: number;
}

/** Receives what happens, each as it is generated: there are millions. */
export interface HistorySink {
  /** A bid that was sent; of some, exchanges report nothing. */
  bid(
    adset: HistoryAdset,
    exchange: string,
    atMs: number,
    priced: { point: PricePoint; isWon: boolean },
  ): void;
  /** A request that got no bid, and why. Only requests of the last day of the history. */
  noBid?(reason: NoBidReason, exchange: string, atMs: number): void;
  /** An event that was received before the end of the history. */
  event(event: DeliveryEvent): void;
  /** The daily budget of an ad set was spent, for the rest of the day of UTC. */
  budgetSpent?(adset: HistoryAdset, atMs: number): void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Share of its price that Max installs bids in first-price auctions, on average. */
const SHADED = 0.8;

/**
 * A generator of the bids and events that the auctions and trackers of the server would have recorded. The opportunities,
 * rival bids, clicks and installs are generated as in the sample exchange, so that its live traffic continues the history. An ad
 * set stops for the day of UTC when its daily budget is spent. Pure except for `random`; the hours are generated in order.
 */
export function createHistory(options: HistoryOptions): {
  /** Passes on what happened in the hour that starts at `hourMs`, until the end of the history: `nowMs` by default. */
  hour(hourMs: number, sink: HistorySink, endMs?: number): void;
} {
  const { adsets, random, worldSeed, people, requestsPerSecond, nowMs, sampledPerHour = 600 } = options;
  const hours = sampleDay(random, worldSeed, { adsets, requestsPerHour: sampledPerHour, people });
  const market: Market = {
    ...options,
    budgets: new DailyBudgets(),
    prices: new Map(),
    pickExchange: exchangePicker(options.exchanges),
    later: new Map(),
    ownerOf: ownerFinder(worldSeed),
    hourMs: -Infinity,
  };
  return {
    hour(hourMs, sink, endMs = nowMs) {
      const sampled = hours[new Date(hourMs).getUTCHours()]!;
      const lengthMs = Math.min(HOUR_MS, endMs - hourMs);
      const requests = requestsIn(hourMs, requestsPerSecond, endMs);
      market.nowMs = endMs;
      const count = imposedCount(random, requests, sampled);
      market.prices = pricesIn(hourMs, adsets);
      market.hourMs = hourMs;
      for (const event of market.later.get(hourMs) ?? []) addInApp(sink, event, market);
      market.later.delete(hourMs);
      // In the order of time, so that a budget that runs out does so at one moment.
      for (let index = 0; index < count; index += 1) {
        const atMs = hourMs + Math.floor(((index + random()) / count) * lengthMs);
        addBid(sink, pick(random, sampled.imps), atMs, market);
      }
      if (!sink.noBid || hourMs < nowMs - DAY_MS - HOUR_MS) return;
      const others = Math.round((requests * sampled.unmatched.length) / sampled.requests);
      for (let index = 0; index < others; index += 1) {
        const atMs = hourMs + Math.floor(random() * lengthMs);
        sink.noBid(pick(random, sampled.unmatched), market.pickExchange(random).slug, atMs);
      }
    },
  };
}

/** The dependencies of bids. */
interface Market extends Pick<HistoryOptions, 'random' | 'nowMs'> {
  budgets: DailyBudgets;
  /** Of the ad sets that run in the present hour. */
  prices: AdsetPrices;
  pickExchange(random: Random): ExchangePlan;
  ownerOf: FindOwner;
  /** The hour that is generated. */
  hourMs: number;
  /** The actions of people in the apps in later hours, by the start of the hour. */
  later: Map<number, InAppLater[]>;
}

/** Prices of ad sets that run. */
type AdsetPrices = ReadonlyMap<HistoryAdset, HistoryPrices>;

/** The prices of the ad sets that run in an hour: people change things on the hour. */
export function pricesIn(hourMs: number, adsets: readonly HistoryAdset[]): AdsetPrices {
  return new Map(adsets.filter((one) => one.isRunning(hourMs)).map((one) => [one, one.pricesAt(hourMs)]));
}

/** Picks exchanges by their shares, without an allocation. */
function exchangePicker(exchanges: readonly ExchangePlan[]): (random: Random) => ExchangePlan {
  const all = exchanges.reduce((sum, { share }) => sum + share, 0);
  return (random) => {
    let rest = random() * all;
    for (const exchange of exchanges) {
      rest -= exchange.share;
      if (rest < 0) return exchange;
    }
    return exchanges.at(-1)!;
  };
}

/** How much ad sets have spent of the daily budget of a day of UTC. */
class DailyBudgets {
  readonly #spent = new Map<HistoryAdset, { day: number; micros: Micros }>();

  hasRoom(adset: HistoryAdset, atMs: number, budgetMicros: Micros): boolean {
    const spent = this.#spent.get(adset);
    return spent?.day !== dayOf(atMs) || spent.micros < budgetMicros;
  }

  spend(adset: HistoryAdset, atMs: number, micros: Micros): void {
    const spent = this.#spent.get(adset);
    if (spent?.day === dayOf(atMs)) spent.micros += micros;
    else this.#spent.set(adset, { day: dayOf(atMs), micros });
  }
}

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** Number of imps among a number of requests for which some ad set may bid, with its natural spread. */
function imposedCount(random: Random, requests: number, { imps, requests: sampled }: SampledHour): number {
  const mean = (requests * imps.length) / sampled;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return imps.length === 0 ? 0 : Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
}

/** Holds the auction of an imp, and adds the bid and its events. */
function addBid(sink: HistorySink, imp: SampledImp, atMs: number, market: Market): void {
  const { random, pickExchange, prices, budgets, nowMs, ownerOf } = market;
  const exchange = pickExchange(random);
  const { auction, invalidShare, notices } = PERSONALITIES[exchange.personality] as Personality;
  // A bid on a faulty request never wins, and the exchange reports nothing of it.
  if (random() < invalidShare) {
    sink.noBid?.('unreadable', exchange.slug, atMs);
    return;
  }
  const auctionType = auction ?? imp.auctionType;
  const offer = bestOffer(imp, { atMs, auctionType, random, prices, budgets });
  if (!offer) {
    sink.noBid?.(reasonOf(imp, atMs, { prices, budgets }), exchange.slug, atMs);
    return;
  }
  const result = holdAuction({
    type: auctionType,
    floorCpmMicros: toMicros(imp.floorCpmDollars),
    bidCpmMicros: offer.cpmMicros,
    rivalsCpmMicros: rivalBids(random, imp.slot.typicalCpmDollars * imp.priceLevel),
  });
  const unnamed = refOf(imp, offer, { bidId: '', personKey: '' }, exchange, auctionType);
  sink.bid(offer.adset, exchange.slug, atMs, { point: pricePointOf(unnamed), isWon: result.won });
  if (!result.won && !notices.outcomes) return;
  const bidId = bidIdAt(atMs, random);
  const ref = { ...unnamed, bidId, personKey: personKeyOf(offer.adset, imp, bidId, ownerOf) };
  const clickMark = invalidMark(imp.bundle, random);
  let isClicked = false;
  const add: Add = (happened, afterMs, charge, loss) => {
    const kind = happened === 'install' && offer.adset.reEngages ? returnKind(random) : happened;
    const eventMs = Math.round(atMs + afterMs);
    if (eventMs > nowMs) return;
    isClicked ||= kind === 'click';
    // An install has the mark of its click.
    const mark = isClicked && (kind === 'click' || happened === 'install') ? clickMark : '';
    sink.event({
      kind,
      atMs: eventMs,
      ref,
      spendMicros: charge?.spendMicros ?? 0,
      ...(charge && { marginMicros: charge.marginMicros }),
      lossReason: loss?.lossReason ?? 0,
      ...(loss && { minToWinCpmMicros: loss.minToWinCpmMicros }),
      mark,
    });
    if (happened === 'install') addLife(sink, { ref, installMs: eventMs, mark }, offer.adset, market);
  };
  const arrives = (isSent: boolean) => isSent && random() >= notices.lostShare;
  // The exchange responds within a tenth of a second.
  const decidedMs = 20 + 80 * random();
  if (!result.won) {
    if (arrives(true)) add('loss', decidedMs, undefined, result);
    return;
  }
  if (arrives(notices.outcomes)) add('win', decidedMs);
  if (random() >= SHOWN_SHARE) return;
  const charge = impressionAt(result.clearingCpmMicros, ref);
  const isBilled = arrives(notices.billing);
  if (isBilled || exchange.chargeOn === 'impression') {
    budgets.spend(offer.adset, atMs, charge.spendMicros);
    const { budgetMicros } = prices.get(offer.adset)!;
    if (!budgets.hasRoom(offer.adset, atMs, budgetMicros)) sink.budgetSpent?.(offer.adset, atMs);
  }
  addImpression(add, decidedMs + logNormal(random, 400, 0.6), offer, {
    random,
    ...(exchange.chargeOn === 'impression' ? { shown: charge } : isBilled && { billed: charge }),
  });
}

const returnKind = (random: Random) => (isReinstall(random) ? 'reinstall' : 'reattribution');

/** Shares of clicks that no person made: in most apps, and in the few whose publishers buy traffic. */
const INVALID_SHARE = 0.008;
const BOUGHT_INVALID_SHARE = 0.2;
/** One in this many apps has bought traffic. */
const BOUGHT_ONE_IN = 9;

/** The mark of a click in an app. */
function invalidMark(bundle: string, random: Random): EventMark {
  const share = hashOf(`bought ${bundle}`) % BOUGHT_ONE_IN === 0 ? BOUGHT_INVALID_SHARE : INVALID_SHARE;
  const drawn = random();
  if (drawn >= share) return '';
  return drawn < 0.7 * share ? 'datacenter' : 'bot';
}

/** Why no ad set bid for an imp that some match. */
function reasonOf(
  { matches }: SampledImp,
  atMs: number,
  { prices, budgets }: Pick<Market, 'prices' | 'budgets'>,
) {
  const isFunded = matches.some(({ adset }) => {
    const own = prices.get(adset);
    return own !== undefined && budgets.hasRoom(adset, atMs, own.budgetMicros);
  });
  return isFunded ? 'floor' : 'daily_budget';
}

/** From an event in the app to its postback at the server. */
const POSTBACK_MS = 3000;
/** How long after the history people may do something that a longer history has. */
const AFTER_HISTORY_MS = DAY_MS;

/** What a person does in the app after the install that a bid led to. */
interface InAppLater extends InAppEvent, Install {}

/** An install with the mark of its click. */
interface Install {
  ref: BidRef;
  installMs: number;
  mark: EventMark;
}

/** Adds what the person who installed the app does in it: at once, or in the hours in which it happens. */
function addLife(
  sink: HistorySink,
  install: Install,
  { model }: HistoryAdset,
  { random, later, hourMs, nowMs }: Market,
): void {
  for (const event of lifeAfterInstall(model, install.ref, random)) {
    const inHourMs = Math.floor((install.installMs + event.afterMs) / HOUR_MS) * HOUR_MS;
    if (inHourMs > nowMs + AFTER_HISTORY_MS) return;
    const waiting = later.get(inHourMs);
    if (inHourMs <= hourMs) addInApp(sink, { ...event, ...install }, { random, nowMs });
    else if (waiting) waiting.push({ ...event, ...install });
    else later.set(inHourMs, [{ ...event, ...install }]);
  }
}

function addInApp(
  sink: HistorySink,
  { ref, installMs, mark, name, afterMs, dollars, isAdRevenue = false }: InAppLater,
  { random, nowMs }: Pick<Market, 'random' | 'nowMs'>,
): void {
  const eventAtMs = Math.floor((installMs + afterMs) / 1000) * 1000;
  const atMs = eventAtMs + POSTBACK_MS;
  if (atMs > nowMs) return;
  sink.event({
    kind: ref.reEngagement ? 'reengaged_event' : 'app_event',
    atMs,
    ref: { ...ref, bidId: bidIdAt(eventAtMs, random) },
    spendMicros: 0,
    lossReason: 0,
    mark,
    app: {
      name,
      ...(dollars !== undefined && { revenueMicros: toMicros(dollars) }),
      amount: dollars === undefined ? '' : String(dollars),
      currency: dollars === undefined ? '' : 'USD',
      eventAtMs,
      installAtMs: installMs,
      isAdRevenue,
      clickBidId: ref.bidId,
    },
  });
}

type Add = (kind: EventKind, afterMs: number, charge?: Charge, loss?: LostAuction) => void;
type Charge = ReturnType<typeof impressionAt>;
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
  { creative, adset }: Offer,
  { random, shown, billed }: { random: Random; shown?: Charge; billed?: Charge },
): void {
  add('impression', shownMs, shown);
  if (creative.type === 'Video')
    for (const [kind, share] of WATCHED) {
      if (random() >= WATCHED_ON_SHARE) break;
      add(kind, shownMs + share * creative.durationMs);
    }
  // Without a floor and without rivals the second price is 0: a later notice with a price would still charge.
  if (billed) add(billed.spendMicros === 0 ? 'unpriced' : 'billing', shownMs + 5, billed);
  const addInstall = (touchedMs: number) =>
    add('install', touchedMs + INSTALL_MS_MIN + logNormal(random, 9000, 0.7));
  if (random() >= creative.clickProbability) {
    if (random() < creative.viewThroughProbability) addInstall(shownMs);
    return;
  }
  const clickedMs = shownMs + logNormal(random, 2500, 0.6);
  add('click', clickedMs);
  const returnFactor = adset.reEngages ? RETURNS_PER_INSTALL : 1;
  if (random() < creative.installProbability * returnFactor) addInstall(clickedMs);
}

/** The ad set that bids most, with the creative it shows. */
interface Offer {
  adset: HistoryAdset;
  creative: FittingCreative;
  cpmMicros: Micros;
  /** The value of the impression to the ad set: the bid without shading. */
  valueCpmMicros: Micros;
}

/** When and how a bid is made. Without `budgets` they have room. */
interface BidContext {
  atMs: number;
  prices: AdsetPrices;
  auctionType: number;
  random: Random;
  budgets?: Pick<DailyBudgets, 'hasRoom'>;
}

/** The bid for an imp; null if no ad set bids, or none at least the floor. */
export function bestOffer(
  imp: SampledImp,
  { atMs, auctionType, random, prices: all, budgets }: BidContext,
): Offer | null {
  let best: Offer | null = null;
  const floorCpmMicros = toMicros(imp.floorCpmDollars);
  for (const match of imp.matches) {
    const prices = all.get(match.adset);
    // The choice of a creative takes time, and no bid is above the price.
    if (!prices || prices.cpmMicros < floorCpmMicros) continue;
    if (budgets?.hasRoom(match.adset, atMs, prices.budgetMicros) === false) continue;
    const creative = chosenCreative(match, random);
    const valueCpmMicros = valueOf(match.adset, creative, prices, imp);
    const isShaded = match.adset.plan.algorithm === 'Max installs' && auctionType === 1;
    const cpmMicros = isShaded ? Math.floor(valueCpmMicros * SHADED) : valueCpmMicros;
    if (!best || cpmMicros > best.cpmMicros)
      best = { adset: match.adset, creative, cpmMicros, valueCpmMicros };
  }
  return best && best.cpmMicros >= floorCpmMicros ? best : null;
}

function chosenCreative({ creatives, chances }: Match, random: Random): FittingCreative {
  let rest = random();
  for (let index = 0; index < chances.length; index += 1) {
    rest -= chances[index]!;
    if (rest < 0) return creatives[index]!;
  }
  return creatives.at(-1)!;
}

/** The value of an impression to an ad set, by its algorithm, once it knows its rates. */
function valueOf(
  { plan, model }: HistoryAdset,
  { installsPerImpression }: FittingCreative,
  { cpmMicros, cpiMicros, cpaMicros, dollarMicros }: HistoryPrices,
  person: Person,
): Micros {
  const atMost = (installMicros: number): Micros =>
    Math.min(cpmMicros, Math.floor(installMicros * installsPerImpression * 1000));
  switch (plan.algorithm) {
    case 'Target CPI':
      return atMost(cpiMicros);
    case 'Target CPA':
      return atMost(cpaMicros * worthOf(model, person).buyers);
    case 'Target ROAS':
      return atMost(dollarMicros * worthOf(model, person).dollars);
    default:
      return cpmMicros;
  }
}

function refOf(
  { bundle, os, language, country }: SampledImp,
  { adset, creative, cpmMicros, valueCpmMicros }: Offer,
  { bidId, personKey }: Pick<BidRef, 'bidId' | 'personKey'>,
  { slug, chargeOn }: Pick<ExchangePlan, 'slug' | 'chargeOn'>,
  auctionType: number,
): BidRef {
  return {
    bidId,
    companyId: adset.companyId,
    appId: adset.appId,
    campaignId: adset.campaignId,
    ...(adset.reEngages && { reEngagement: true }),
    adsetId: adset.adsetId,
    creativeId: creative.creativeId,
    creativeGroupId: creative.creativeGroupId,
    creativeType: creative.type,
    width: creative.width,
    height: creative.height,
    durationMs: creative.durationMs,
    exchange: slug,
    chargeOn,
    bundle,
    os,
    country,
    bidCpmMicros: cpmMicros,
    valueCpmMicros: valueCpmMicros > cpmMicros ? valueCpmMicros : undefined,
    marginBasisPoints: adset.marginBasisPoints,
    currency: '',
    dollarsPerUnit: 1,
    auctionType,
    test: false,
    ifa: '',
    language,
    personKey,
  };
}

/** People who see the ads of an ad set with frequency caps. */
const PEOPLE = 8000;

/** The key of the person of a bid, which the ad sets with frequency caps have: few see an ad often. */
function personKeyOf(
  { plan, reEngages, appName, os }: HistoryAdset,
  { country }: SampledImp,
  bidId: string,
  ownerOf: FindOwner,
): string | undefined {
  if (!plan.frequencyCaps) return undefined;
  const share = hashOf(bidId) / 2 ** 32;
  const owner = reEngages ? ownerOf({ name: appName, os }, country, bidId, 'reached') : null;
  const person = owner?.advertisingId ?? String(Math.floor(PEOPLE * share ** 1.3));
  const digits = (text: string) => hashOf(text).toString(16).padStart(8, '0');
  return digits(`person ${person}`) + digits(`${person} of the ad set`);
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
