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
import { followWin, sendLossNotice } from './notices.ts';
import type { Personality, PersonalityName } from './personality.ts';
import { PERSONALITIES, asSent, invalidText, applyBehaviour } from './personality.ts';
import { seededRandom } from './random.ts';
import { trafficLevelAt } from './traffic/countries.ts';
import type { Opportunity } from './traffic/generate.ts';
import { createTraffic } from './traffic/generate.ts';

export interface ExchangeOptions {
  /** Base URL of the server under test, without a trailing slash. */
  url: string;
  /** The exchange's slug there: requests go to /openrtb/{ssp}/{secret}, or to /openrtb/{ssp} without a secret. */
  ssp: string;
  secret?: string | undefined;
  /** Daily average; the rate varies by hour. */
  requestsPerSecond: number;
  /** Keeps the rate constant at all hours. */
  steady?: boolean;
  seed: number;
  /** Behaviour towards bidders; `standard` by default. */
  personality?: PersonalityName;
  /** Destination of install postbacks; without it, clicks lead to no installs. */
  postback?: PostbackAddress;
  /** Timeout of a call; {@link CALL_TIMEOUT_MS} by default. */
  callTimeoutMs?: number;
  /** Stops the exchange. */
  signal: AbortSignal;
}

/** A running exchange. */
export interface Exchange {
  counts(): Readonly<Counts>;
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
 * ads. At most 256 auctions and 5,000 won impressions are in progress at a time. Never throws for invalid responses; they
 * are counted.
 */
export function startExchange(options: ExchangeOptions): Exchange {
  const { url, requestsPerSecond, steady, seed, signal } = options;
  const personality: Personality = PERSONALITIES[options.personality ?? 'standard'];
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
  // Thousands of simulated people listen to the signal at a time.
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
    behaviour: personality.notices,
  };

  async function auction(offered: Opportunity): Promise<void> {
    const opportunity = { ...offered, request: applyBehaviour(offered.request, personality) };
    counts.requests++;
    for (const bid of await requestBids(opportunity)) {
      const ended = end(opportunity, bid);
      if (!ended) continue;
      counts.bids++;
      if (!ended.result.won) {
        counts.losses++;
        track(followed, sendLossNotice(ended, deps));
      } else {
        counts.wins++;
        // Beyond the limit no notices are sent, as if the device went offline.
        if (followed.size < FOLLOWED_MAX) track(followed, followWin(ended, deps));
      }
    }
  }

  async function requestBids({ request }: Opportunity): Promise<Bid[]> {
    const isInvalid = random() < personality.invalidShare;
    const text = isInvalid ? invalidText(request, random) : Buffer.from(JSON.stringify(request));
    const { body, headers } = asSent(text, personality);
    try {
      const answer = await http.post(address, body, {
        headers,
        timeoutMs: request.tmax,
      });
      if (isInvalid) return judgeInvalid(answer.status);
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

  /** Counts the response to a malformed request. Bids on one are ignored and counted as no bid. */
  function judgeInvalid(status: number): Bid[] {
    if (status === 400) counts.refused++;
    else if (status === 200 || status === 204) counts.noBids++;
    else counts.badAnswers++;
    return [];
  }

  /** Runs the auction for a bid's imp; null if there is no such imp. */
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
    const impression = { slot, bundle: app.bundle, country: person.country.code, creativeId: bid.creativeId };
    return { bid, result, requestId: request.id, impression, os: person.os, userAgent: request.device.ua };
  }

  /** Adds work in progress to a set until it ends; ignores rejections after the signal. */
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
      // Do not catch up on time missed while the process was paused.
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
