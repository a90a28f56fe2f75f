import { profileOf, rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { MinToWinMacros, ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { mutation } from './mutation.ts';
import { type Random, pick } from './random.ts';
import type { BidRequest } from './traffic/bid-request.ts';

/** Behaviour of a simulated exchange towards bidders. */
export interface Personality {
  /** Short display name. */
  title: string;
  /** OpenRTB's `at` of all requests, 1 first price, 2 second price plus; null keeps the publisher's. */
  auction: 1 | 2 | null;
  /** OpenRTB's `tmax` of all requests; null keeps the publisher's. */
  tmaxMs: number | null;
  /** Compresses requests and accepts compressed responses. */
  gzip: boolean;
  /** Pause between the two parts in which a request body is sent, in milliseconds. */
  pauseMs: number;
  /** Share of malformed requests; bids on them never win. */
  invalidShare: number;
  /** The exchange whose rules it plays: it refuses responses against them. Null: it refuses none. */
  profile: ProfileSlug | null;
  notices: NoticeBehaviour;
}

/** Delivery of the notices that the exchange itself sends: win, loss and billing. */
export interface NoticeBehaviour {
  /** False: no win and loss notices are sent. */
  outcomes: boolean;
  /** False: no billing notices are sent, as the ad's own impression charges. */
  billing: boolean;
  /** Share that is dropped. */
  lostShare: number;
  /** Share that is sent twice. */
  repeatedShare: number;
  /** Median delay in milliseconds, widely distributed. */
  delayMs: number;
  /** How long after the auction an ad that is cached may be shown, at most; 0 where ads are shown at once. */
  cachedMs: number;
  /** Macros that it replaces by the lowest price that would have won; null for OpenRTB's. */
  minToWin: MinToWinMacros | null;
}

const prompt: NoticeBehaviour = {
  outcomes: true,
  billing: true,
  lostShare: 0,
  repeatedShare: 0,
  delayMs: 0,
  cachedMs: 0,
  minToWin: null,
};

const standard: Personality = {
  title: 'what most are',
  auction: null,
  tmaxMs: null,
  gzip: false,
  pauseMs: 0,
  invalidShare: 0,
  profile: null,
  notices: prompt,
};

export const PERSONALITIES = {
  standard,
  'first-price': { ...standard, title: 'the winner pays its bid', auction: 1 },
  'second-price': { ...standard, title: 'the winner pays the next price', auction: 2 },
  lossy: {
    ...standard,
    title: 'loses notices, or sends them twice',
    notices: { ...prompt, lostShare: 0.15, repeatedShare: 0.05 },
  },
  slow: {
    ...standard,
    title: 'slow connections, and late notices',
    pauseMs: 40,
    notices: { ...prompt, delayMs: 20_000 },
  },
  malformed: { ...standard, title: 'a third of its requests are faulty', invalidShare: 1 / 3 },
  adx: {
    ...standard,
    title: 'like the largest exchange: compressed, short timeouts, billing notices only',
    auction: 1,
    tmaxMs: 100,
    gzip: true,
    notices: { ...prompt, outcomes: false },
  },
  silent: {
    ...standard,
    title: 'sends no notices: the impression that the ad reports has the price',
    auction: 1,
    notices: { ...prompt, outcomes: false, billing: false },
  },
} as const satisfies Record<string, Personality>;

export type PersonalityName = keyof typeof PERSONALITIES;

/**
 * The behaviour of a named exchange, as its public documents describe it. `cacheScale` shortens the time for which it
 * caches ads: 0.1 for a tenth.
 */
export function personalityOf(profile: ProfileSlug, cacheScale = 1): Personality {
  const { name, settings } = profileOf(profile);
  const rules = rulesOf(profile);
  return {
    ...standard,
    title: name,
    profile,
    auction: settings.auction_type === 'first' ? 1 : settings.auction_type === 'second' ? 2 : null,
    tmaxMs: rules.deadline_ms ?? settings.timeout_ms ?? null,
    gzip: rules.gzip_requests === true || rules.gzip_responses === true,
    notices: {
      ...prompt,
      // Feedback in later requests takes the place of win and loss notices.
      outcomes: rules.bid_feedback === null,
      cachedMs: (rules.cached_seconds ?? 0) * 1000 * cacheScale,
      minToWin: rules.min_to_win,
    },
  };
}

/** Applies this exchange's auction type, timeout, number of imps, kinds of ads and need of https to a request. */
export function applyBehaviour(request: BidRequest, { auction, tmaxMs, profile }: Personality): BidRequest {
  const rules = profile === null ? null : rulesOf(profile);
  const imps = request.imp
    .slice(0, rules?.imps_max ?? request.imp.length)
    .map(({ native, ...imp }) => (native && !rules?.creative_types ? { ...imp, native } : imp));
  return {
    ...request,
    at: auction ?? request.at,
    tmax: tmaxMs ?? request.tmax,
    imp: rules?.https ? imps.map((imp) => ({ ...imp, secure: 1 })) : imps,
  };
}

/** A request body and its headers. */
export interface Sent {
  body: Buffer | Readable;
  headers: Record<string, string>;
}

/** Encodes a request for this exchange: compressed or not, in one part or two. */
export function asSent(text: Buffer, { gzip, pauseMs }: Personality): Sent {
  const bytes = gzip ? gzipSync(text, { level: 1 }) : text;
  const headers = {
    'content-type': 'application/json',
    'x-openrtb-version': '2.5',
    ...(gzip && { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' }),
  };
  return { body: pauseMs > 0 ? Readable.from(inTwoParts(bytes, pauseMs)) : bytes, headers };
}

async function* inTwoParts(bytes: Buffer, pauseMs: number): AsyncGenerator<Buffer> {
  const middle = Math.ceil(bytes.length / 2);
  yield bytes.subarray(0, middle);
  await wait(pauseMs);
  yield bytes.subarray(middle);
}

/** A malformed request: with one mutated byte, or with a field that is missing or of the wrong type. */
export function invalidText(request: BidRequest, random: Random): Buffer {
  if (random() < 0.5) {
    const bytes = Buffer.from(JSON.stringify(request));
    return mutation(bytes, Math.floor(random() * bytes.length), random)[1];
  }
  return Buffer.from(JSON.stringify({ ...request, ...pick(random, FAULTS) }));
}

/** Invalid fields that exchanges were seen to send, or might send. */
const FAULTS: readonly Record<string, unknown>[] = [
  { id: undefined },
  { id: '' },
  { imp: undefined },
  { imp: [] },
  { imp: {} },
  { imp: [null, 'imp', { id: 7 }] },
  { imp: [{ id: '1', bidfloor: '1.50', banner: { w: '320', h: '50' } }] },
  { imp: [{ id: '1', bidfloor: -1, bidfloorcur: 'XXX', banner: {} }] },
  { app: null },
  { app: [] },
  { app: { bundle: 7, cat: 'IAB9' } },
  { device: undefined },
  { device: { os: 'Symbian', geo: { country: 'Atlantis' }, w: '' } },
  { at: '1', tmax: '250' },
  { at: 3, tmax: -5 },
  { cur: 'USD' },
  { bcat: 'IAB25', badv: null },
  { regs: 'gdpr' },
  { user: 0 },
];
