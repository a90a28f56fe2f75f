import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { toMicros } from '@bidwell/contract/lib/money';
import { holdAuction, rivalBids } from './auction.ts';
import { BadResponses, kindOf } from './bad-responses.ts';
import { bidAddress } from './bid-address.ts';
import { type Bid, readBidResponse } from './bid-response.ts';
import { type Counts, emptyCounts } from './counts.ts';
import { TimedOut, createHttpClient } from './http-client.ts';
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
import { type Opportunity, createTraffic } from './traffic/generate.ts';
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
  /** Placements of its apps; by default the placements of the traffic generator. */
  slots?: readonly Slot[];
  /** Its domain in supply chains; without it, requests have none. */
  domain?: string;
  /** Behaviour towards bidders; `standard` by default. */
  personality?: PersonalityName;
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
  /** Resolves after the signal, once everything in flight has ended. */
  finished: Promise<void>;
}

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

  constructor(options: ExchangeOptions) {
    const { url, ssp, secret, seed, signal, postback, callTimeoutMs } = options;
    this.#options = options;
    this.#personality = PERSONALITIES[options.personality ?? 'standard'];
    this.#random = seededRandom(seed);
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
    };
  }

  /** Sends bid requests until the signal; resolves once everything in flight has ended. */
  async run(): Promise<void> {
    const {
      url,
      requestsPerSecond,
      steady,
      seed,
      slots,
      domain,
      auctionsMax = AUCTIONS_MAX,
      signal,
    } = this.#options;
    const secure = url.startsWith('https:');
    const traffic = createTraffic({ random: this.#random, worldSeed: seed, secure, slots, domain });
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
    const request = skadnetworksOf ? offeringSkadnetwork(asked, skadnetworksOf) : asked;
    const opportunity = { ...offered, request };
    const { counts } = this;
    counts.requests++;
    for (const bid of await this.#requestBids(opportunity)) {
      const ended = this.#end(opportunity, bid);
      if (!ended) continue;
      counts.bids++;
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

  async #requestBids({ request }: Opportunity): Promise<Bid[]> {
    const { counts } = this;
    const isInvalid = this.#random() < this.#personality.invalidShare;
    const text = isInvalid ? invalidText(request, this.#random) : Buffer.from(JSON.stringify(request));
    const { body, headers } = asSent(text, this.#personality);
    try {
      const response = await this.#http.post(this.#address, body, { headers, timeoutMs: request.tmax });
      if (isInvalid) return this.#countInvalid(response.status);
      const bids = response.status === 200 ? readBidResponse(response.text, request.id) : null;
      if (response.status === 204) counts.noBids++;
      else if (!bids) this.#bad(response.status === 200 ? 'unreadable' : response.status);
      return bids ?? [];
    } catch (error) {
      if (error instanceof TimedOut) counts.late++;
      else this.#bad(kindOf(error));
      return [];
    }
  }

  /** Counts the response to a malformed request. Bids on one are ignored and counted as no bid. */
  #countInvalid(status: number): Bid[] {
    if (status === 400) this.counts.refused++;
    else if (status === 200 || status === 204) this.counts.noBids++;
    else this.#bad(status);
    return [];
  }

  #bad(kind: number | string): void {
    this.counts.badAnswers++;
    this.badResponses.add(kind);
  }

  /** Runs the auction for a bid's imp; null if there is no such imp. */
  #end({ request, slots, person, app }: Opportunity, bid: Bid): Ended | null {
    const index = request.imp.findIndex(({ id }) => id === bid.impId);
    const imp = request.imp[index];
    const slot = slots[index];
    if (!imp || !slot) return null;
    const result = holdAuction({
      type: request.at,
      floorCpmMicros: toMicros(imp.bidfloor),
      bidCpmMicros: bid.priceCpmMicros,
      rivalsCpmMicros: rivalBids(this.#random, slot.typicalCpmDollars * person.country.priceLevel),
    });
    const impression = { slot, bundle: app.bundle, country: person.country.code, creativeId: bid.creativeId };
    return { bid, result, requestId: request.id, impression, os: person.os, userAgent: request.device.ua };
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
