import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { toMicros } from '@bidwell/contract/money';
import { holdAuction, rivalBids } from './auction.ts';
import { bidAddress } from './bid-address.ts';
import type { Bid } from './bid-response.ts';
import { readBidResponse } from './bid-response.ts';
import type { Counts } from './counts.ts';
import { emptyCounts } from './counts.ts';
import { TimedOut, createHttpClient } from './http-client.ts';
import type { Ended, NoticeDeps, PostbackAddress } from './notices.ts';
import { followWin, tellLoss } from './notices.ts';
import type { Personality, PersonalityName } from './personality.ts';
import { PERSONALITIES, asSent, faultyText, inManner } from './personality.ts';
import { seededRandom } from './random.ts';
import { trafficLevelAt } from './traffic/countries.ts';
import type { Opportunity } from './traffic/generate.ts';
import { createTraffic } from './traffic/generate.ts';

export interface ExchangeOptions {
  /** Base address of the server under test, without a slash at its end. */
  url: string;
  /** The exchange's slug and secret there: requests go to /openrtb/{ssp}/{secret}, without a secret to /openrtb/{ssp}. */
  ssp: string;
  secret?: string | undefined;
  /** On the average of a day; the hour raises and lowers it. */
  requestsPerSecond: number;
  /** Keeps the rate the same at every hour. */
  steady?: boolean;
  seed: number;
  /** How it deals with bidders; `usual` unless told. */
  personality?: PersonalityName;
  /** Where installs are reported; without it clicks lead to no install. */
  postback?: PostbackAddress;
  /** No call outlives this: {@link CALL_TIMEOUT_MS} unless told. */
  callTimeoutMs?: number;
  /** Stops the exchange. */
  signal: AbortSignal;
}

/** An exchange at work. */
export interface Exchange {
  counts(): Readonly<Counts>;
  /** Resolves after the signal, when everything in flight has ended. */
  finished: Promise<void>;
}

const TICK_MS = 20;
const AUCTIONS_MAX = 256;
const FOLLOWED_MAX = 5000;
/** Short, so that stopping stays quick. */
const CALL_TIMEOUT_MS = 2000;

/**
 * Starts an exchange that sends bid requests to a running server at a steady pace, holds the auctions and plays the
 * people who see the ads. Bounded: 256 auctions and 5,000 won impressions at a time. Never throws for what the server
 * answers; it counts.
 */
export function startExchange(options: ExchangeOptions): Exchange {
  const { url, requestsPerSecond, steady, seed, signal } = options;
  const personality: Personality = PERSONALITIES[options.personality ?? 'usual'];
  const counts = emptyCounts();
  const random = seededRandom(seed);
  const address = bidAddress(url, options.ssp, options.secret);
  const secure = url.startsWith('https:');
  const traffic = createTraffic({ random, worldSeed: seed, secure });
  const http = createHttpClient({
    timeoutMs: options.callTimeoutMs ?? CALL_TIMEOUT_MS,
    connections: 64,
  });
  const auctions = new Set<Promise<void>>();
  const followed = new Set<Promise<void>>();
  // Thousands of people wait on the one signal at a time.
  setMaxListeners(0, signal);
  const deps: NoticeDeps = {
    http,
    url,
    postback: options.postback,
    random,
    now: Date.now,
    delay: (ms) => delay(ms, undefined, { signal }),
    counts,
    seenImages: new Set(),
    manners: personality.notices,
  };

  async function auction(offered: Opportunity): Promise<void> {
    const opportunity = { ...offered, request: inManner(offered.request, personality) };
    counts.requests++;
    for (const bid of await askForBids(opportunity)) {
      const ended = end(opportunity, bid);
      if (!ended) continue;
      counts.bids++;
      if (!ended.result.won) {
        counts.losses++;
        track(followed, tellLoss(ended, deps));
      } else {
        counts.wins++;
        // Beyond the bound the win is told to nobody: as when a device goes offline.
        if (followed.size < FOLLOWED_MAX) track(followed, followWin(ended, deps));
      }
    }
  }

  async function askForBids({ request }: Opportunity): Promise<Bid[]> {
    const isFaulty = random() < personality.faultyShare;
    const text = isFaulty ? faultyText(request, random) : Buffer.from(JSON.stringify(request));
    const { body, headers } = asSent(text, personality);
    try {
      const answer = await http.post(address, body, {
        headers,
        timeoutMs: request.tmax,
      });
      if (isFaulty) return judgeFaulty(answer.status);
      const bids = answer.status === 200 ? readBidResponse(answer.text, request.id) : null;
      if (answer.status === 204) counts.noBids++;
      else if (!bids) counts.badAnswers++;
      return bids ?? [];
    } catch (error) {
      if (error instanceof TimedOut) counts.late++;
      else counts.badAnswers++;
      return [];
    }
  }

  /** A faulty request is refused, answered without a bid, or bid on for what could be read of it: nothing comes of that. */
  function judgeFaulty(status: number): Bid[] {
    if (status === 400) counts.refused++;
    else if (status === 200 || status === 204) counts.noBids++;
    else counts.badAnswers++;
    return [];
  }

  /** Holds the auction of the imp that the bid is for; null when there is no such imp. */
  function end({ request, slots, person, app }: Opportunity, bid: Bid): Ended | null {
    const index = request.imp.findIndex(({ id }) => id === bid.impId);
    const imp = request.imp[index];
    const slot = slots[index];
    if (!imp || !slot) return null;
    const result = holdAuction({
      type: request.at,
      floorCpmMicros: toMicros(imp.bidfloor),
      bidCpmMicros: bid.priceCpmMicros,
      rivalsCpmMicros: rivalBids(random, slot.typicalCpmDollars * person.country.priceLevel),
    });
    const sight = { slot, bundle: app.bundle, country: person.country.code, creativeId: bid.creativeId };
    return { bid, result, requestId: request.id, sight, os: person.os };
  }

  /** Keeps sight of work that is under way; an end by the signal is an end like another. */
  function track(set: Set<Promise<void>>, work: Promise<void>): void {
    const ended = work
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      })
      .finally(() => set.delete(ended));
    set.add(ended);
  }

  async function pace(): Promise<void> {
    let due = 0;
    let lastMs = performance.now();
    while (!signal.aborted) {
      const nowMs = performance.now();
      const level = steady ? 1 : trafficLevelAt(Date.now());
      due += (requestsPerSecond * level * (nowMs - lastMs)) / 1000;
      lastMs = nowMs;
      // After a pause of the process the missed time is not made up for.
      due = Math.min(due, Math.max(1, requestsPerSecond));
      for (; due >= 1; due--) {
        if (auctions.size < AUCTIONS_MAX) track(auctions, auction(traffic.next(Date.now())));
        else counts.skipped++;
      }
      await delay(TICK_MS, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(auctions);
    await Promise.all(followed);
    await http.close();
  }

  return { counts: () => counts, finished: pace() };
}
