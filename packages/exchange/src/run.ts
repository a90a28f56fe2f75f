import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { toMicros } from '@bidwell/contract/lib/money';
import { type AuctionResult, holdAuction, rivalBids } from './auction.ts';
import { BadResponses, kindOf } from './bad-responses.ts';
import { bidAddress } from './bid-address.ts';
import { type Bid, readBidResponse } from './bid-response.ts';
import { type Counts, emptyCounts } from './counts.ts';
import type { PriceKeys } from './encrypted-price.ts';
import { type Agreement, HouseRules, isUnreviewed } from './house-rules.ts';
import { type HttpResponse, TimedOut, createHttpClient } from './http-client.ts';
import { type Ended, type NoticeDeps, type PostbackAddress, followWin, sendLossNotice } from './notices.ts';
import {
  PERSONALITIES,
  type Personality,
  type PersonalityName,
  applyBehaviour,
  asSent,
  invalidText,
} from './personality.ts';
import { seededRandom } from './random.ts';
import { type NetworksOf, offeringSkadnetwork } from './skadnetwork/offer.ts';
import { trafficLevelAt, weekdayLevelAt } from './traffic/countries.ts';
import type { BidRequest } from './traffic/bid-request.ts';
import { type Opportunity, type PeopleOptions, createTraffic } from './traffic/generate.ts';
import type { Slot } from './traffic/slots.ts';

export interface ExchangeOptions {
  /** Base URL of the server under test, without a trailing slash. */
  url: string;
  /** The exchange's slug there: requests go to /openrtb/{ssp}/{secret}, or to /openrtb/{ssp} without a secret. */
  ssp: string;
  secret?: string | undefined;
  /** Weekly average; the rate varies by hour and weekday. */
  requestsPerSecond: number;
  /** Keeps the rate constant. */
  steady?: boolean;
  seed: number;
  /** Seed of its people; `seed` by default. */
  worldSeed?: number;
  /** What its people are like; see {@link createTraffic}. */
  people?: PeopleOptions;
  /** Placements of its apps; by default the placements of the traffic generator. */
  slots?: readonly Slot[];
  /** Its domain in supply chains; without it, requests have none. */
  domain?: string;
  /** Behaviour towards bidders; `standard` by default. */
  personality?: PersonalityName | Personality;
  /** Base URL in the server's own addresses, where it is not `url`: a server behind a proxy. */
  publicUrl?: string | undefined;
  /** Keys of the prices in its notices; without them prices are plain. */
  priceKeys?: PriceKeys | undefined;
  /** What a named exchange agreed with the bidder; by default there are no billing ids and no reviews. */
  agreement?: Agreement;
  /** The ad networks that iOS apps list; by default their requests have no object of SKAdNetwork. */
  skadnetworksOf?: NetworksOf;
  /** Destination of install postbacks; without it, clicks lead to no installs. */
  postback?: PostbackAddress;
  /** Timeout of a call; {@link CALL_TIMEOUT_MS} by default. */
  callTimeoutMs?: number;
  /** Auctions in progress at a time, {@link AUCTIONS_MAX} by default: fewer keep a slow server from sending all responses late. */
  auctionsMax?: number;
  /** Stops the exchange. */
  signal: AbortSignal;
}

/** A running exchange. */
export interface Exchange {
  counts(): Readonly<Counts>;
  /** The bad responses by kind, with what each means; see {@link BadResponses.lines}. */
  badResponses(): string[];
  /** Why the exchange refused bids, in its words; see {@link HouseRules.refusalLines}. */
  refusals(): string[];
  /** Resolves after the signal, once everything in flight has ended. */
  finished: Promise<void>;
}

/** The bids of a response, and the code with which the exchange refuses them; null if it accepts them. */
interface Answer {
  bids: readonly Bid[];
  refusal: number | null;
}
const NO_BIDS: Answer = { bids: [], refusal: null };

const NO_AGREEMENT: Agreement = { billingIds: [], reviewMs: 0 };
const TICK_MS = 20;
const AUCTIONS_MAX = 256;
const FOLLOWED_MAX = 5000;
/** Short, so that the exchange stops quickly. */
const CALL_TIMEOUT_MS = 2000;

/**
 * Starts an exchange that sends bid requests to a running server, runs the auctions and simulates the people who see the
 * ads. At most 256 auctions, unless the options say fewer, and 5,000 won impressions are in progress at a time. Never throws for invalid responses; they
 * are counted.
 */
export function startExchange(options: ExchangeOptions): Exchange {
  const exchange = new RunningExchange(options);
  return {
    counts: () => exchange.counts,
    badResponses: () => exchange.badResponses.lines(),
    refusals: () => exchange.refusals(),
    finished: exchange.run(),
  };
}

class RunningExchange {
  readonly counts = emptyCounts();
  readonly badResponses = new BadResponses();
  readonly #options: ExchangeOptions;
  readonly #personality: Personality;
  readonly #random: () => number;
  /** Address of the bid requests. */
  readonly #address: string;
  readonly #http: ReturnType<typeof createHttpClient>;
  readonly #auctions = new Set<Promise<void>>();
  readonly #followed = new Set<Promise<void>>();
  readonly #noticeDeps: NoticeDeps;
  /** Null for an exchange without rules of its own. */
  readonly #rules: HouseRules | null;

  constructor(options: ExchangeOptions) {
    const { url, ssp, secret, seed, signal, postback, callTimeoutMs } = options;
    this.#options = options;
    const { personality = 'standard', agreement = NO_AGREEMENT } = options;
    this.#personality = typeof personality === 'string' ? PERSONALITIES[personality] : personality;
    this.#random = seededRandom(seed);
    const { profile } = this.#personality;
    this.#rules = profile === null ? null : new HouseRules(profile, agreement, this.#random);
    this.#address = bidAddress(url, ssp, secret);
    this.#http = createHttpClient({ timeoutMs: callTimeoutMs ?? CALL_TIMEOUT_MS, connections: 64 });
    // Thousands of simulated people listen to the signal at a time.
    setMaxListeners(0, signal);
    this.#noticeDeps = {
      http: this.#http,
      url,
      postback,
      random: this.#random,
      now: Date.now,
      delay: (ms) => delay(ms, undefined, { signal }),
      counts: this.counts,
      seenImages: new Set(),
      behaviour: this.#personality.notices,
      priceKeys: options.priceKeys,
    };
  }

  refusals(): string[] {
    return this.#rules?.refusalLines() ?? [];
  }

  /** Sends bid requests until the signal; resolves once everything in flight has ended. */
  async run(): Promise<void> {
    const {
      url,
      requestsPerSecond,
      steady,
      seed,
      worldSeed = seed,
      people,
      slots,
      domain,
      auctionsMax = AUCTIONS_MAX,
      signal,
    } = this.#options;
    const secure = url.startsWith('https:');
    const traffic = createTraffic({ random: this.#random, worldSeed, secure, slots, domain, people });
    let due = 0;
    let lastMs = performance.now();
    while (!signal.aborted) {
      const nowMs = performance.now();
      const level = steady ? 1 : trafficLevelAt(Date.now()) * weekdayLevelAt(Date.now());
      due += (requestsPerSecond * level * (nowMs - lastMs)) / 1000;
      lastMs = nowMs;
      // Do not catch up on time missed while the process was paused.
      due = Math.min(due, Math.max(1, requestsPerSecond));
      for (; due >= 1; due--) {
        if (this.#auctions.size < auctionsMax)
          this.#track(this.#auctions, this.#auction(traffic.next(Date.now())));
        else this.counts.skipped++;
      }
      await delay(TICK_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(this.#auctions);
    await Promise.all(this.#followed);
    await this.#http.close();
  }

  async #auction(offered: Opportunity): Promise<void> {
    const { skadnetworksOf } = this.#options;
    const asked = applyBehaviour(offered.request, this.#personality);
    const offering = skadnetworksOf ? offeringSkadnetwork(asked, skadnetworksOf) : asked;
    const request = this.#rules?.asked(offering) ?? offering;
    const opportunity = { ...offered, request };
    const { counts } = this;
    counts.requests++;
    const { bids, refusal } = await this.#requestBids(opportunity);
    for (const bid of bids) {
      const ended = this.#end(opportunity, bid, refusal);
      if (!ended) continue;
      counts.bids++;
      if (refusal !== null) counts.rejectedBids++;
      if (!ended.result.won && isUnreviewed(ended.result.lossReason)) counts.unreviewed++;
      if (!ended.result.won) {
        counts.losses++;
        this.#track(this.#followed, sendLossNotice(ended, this.#noticeDeps));
      } else {
        counts.wins++;
        // Beyond the limit no notices are sent, as if the device went offline.
        if (this.#followed.size < FOLLOWED_MAX)
          this.#track(this.#followed, followWin(ended, this.#noticeDeps));
      }
    }
  }

  async #requestBids({ request }: Opportunity): Promise<Answer> {
    const { counts } = this;
    const isInvalid = this.#random() < this.#personality.invalidShare;
    const text = isInvalid ? invalidText(request, this.#random) : Buffer.from(JSON.stringify(request));
    const { body, headers } = asSent(text, this.#personality);
    const sentMs = performance.now();
    try {
      const response = await this.#http.post(this.#address, body, { headers, timeoutMs: request.tmax });
      if (isInvalid) return this.#countInvalid(response.status);
      return this.#read(request, response, performance.now() - sentMs);
    } catch (error) {
      if (error instanceof TimedOut) counts.late++;
      else this.#bad(kindOf(error));
      return NO_BIDS;
    }
  }

  /** Reads the bids of a response, and whether the exchange refuses them. */
  #read(request: BidRequest, { status, text, encoding }: HttpResponse, tookMs: number): Answer {
    if (tookMs > request.tmax) {
      this.counts.late++;
      return NO_BIDS;
    }
    // Late responses are counted apart.
    const refusal = this.#rules?.refusalOf(request, { status, encoding, body: text, tookMs: null }) ?? null;
    const bids = status === 200 ? readBidResponse(this.#reached(text), request.id) : null;
    if (status === 204 || bids?.length === 0) this.counts.noBids++;
    else if (!bids) this.#bad(status === 200 ? 'unreadable' : status);
    return bids ? { bids, refusal } : NO_BIDS;
  }

  /** A text with the server's addresses as they are reached from here. */
  #reached(text: string): string {
    const { publicUrl, url } = this.#options;
    return publicUrl === undefined ? text : text.replaceAll(publicUrl, url);
  }

  /** Counts the response to a malformed request. Bids on one are ignored and counted as no bid. */
  #countInvalid(status: number): Answer {
    if (status === 400) this.counts.refused++;
    else if (status === 200 || status === 204) this.counts.noBids++;
    else this.#bad(status);
    return NO_BIDS;
  }

  #bad(kind: number | string): void {
    this.counts.badAnswers++;
    this.badResponses.add(kind);
  }

  /** Runs the auction for a bid's imp; null if there is no such imp. A refused bid loses with the code of the refusal. */
  #end({ request, slots, person, app }: Opportunity, bid: Bid, refusal: number | null): Ended | null {
    const index = request.imp.findIndex(({ id }) => id === bid.impId);
    const imp = request.imp[index];
    const slot = slots[index];
    if (!imp || !slot) return null;
    const floorCpmMicros = toMicros(imp.bidfloor);
    const rivalsCpmMicros = rivalBids(this.#random, slot.typicalCpmDollars * person.country.priceLevel);
    const held = holdAuction({
      type: request.at,
      floorCpmMicros,
      bidCpmMicros: bid.priceCpmMicros,
      rivalsCpmMicros,
    });
    const code = refusal ?? this.#rules?.barredCode(bid, Date.now()) ?? null;
    const result: AuctionResult = code === null ? held : { ...held, won: false, lossReason: code };
    if (code === null) this.#rules?.ended(bid, result);
    const impression = { slot, bundle: app.bundle, country: person.country.code, creativeId: bid.creativeId };
    return {
      bid,
      result,
      requestId: request.id,
      secondCpmMicros: Math.max(0, ...rivalsCpmMicros.filter((rival) => rival >= floorCpmMicros)),
      impression,
      os: person.os,
      userAgent: request.device.ua,
    };
  }

  /** Adds work in progress to a set until it ends; ignores rejections after the signal. */
  #track(set: Set<Promise<void>>, work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) => {
        if (!this.#options.signal.aborted) throw error;
      })
      .finally(() => set.delete(ended));
    set.add(ended);
  }
}
