import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { Algorithm } from '@bidwell/contract/adsets/goals';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { toMicros } from '@bidwell/contract/lib/money';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { caseFiles } from '@bidwell/testing/case-files';
import { adsetRowOf, bannerOf, nativeOf, playableOf, videoOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { FrequencyCaps } from '../frequency/frequency-caps.ts';
import { requestCaps } from '../frequency/request-caps.ts';
import type { PersonKeys } from '../privacy/person-key.ts';
import { DOLLARS_ONLY, type ParsedRequest } from '../model/bid-request.ts';
import { subjectOf } from '../model/frequency.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import type { AudienceLookup, WithoutId } from '../model/audience.ts';
import { createBitset, setBit } from '../model/bitset.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { createSigner } from '../trackers/signer.ts';
import { renderMarkup } from '../markup/render.ts';
import type { AdsetRow, Candidate, Creative } from '../model/candidate.ts';
import { type AuctionBid, type AuctionContext, type RequestCaps, runAuction } from './auction.ts';
import { NO_BID_REASONS, type NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

/** An ad set of a case; prices in dollars. The defaults come from `adsetRowOf`. */
interface CaseAdset {
  cpm?: number;
  cpi?: number;
  algorithm?: Algorithm;
  bundleCpm?: Record<string, number>;
  /**
   * Creatives, one word each: `{width}x{height}` is a banner; `native:1200x627`, `video:1080x1920/15` (seconds),
   * `playable`. Default: a banner of 320 by 50.
   */
  creatives?: string[];
  extension?: string;
  /** The app's store icon, rating in stars, and category. */
  icon?: string | null;
  rating?: number | null;
  category?: string;
  native?: { title?: string; description?: string; sponsor?: string };
  /** Equal for ad sets of the same app. */
  appUuid?: string;
  viewUrl?: string;
  advertiserDomain?: string;
  advertiserName?: string;
  target?: Partial<TargetSettings>;
  blackList?: string[];
  whiteList?: string[];
  dailyBudgetMicros?: number;
  totalBudgetMicros?: number;
  countries?: AdsetRow['countries'];
  /** Frequency caps, and whether it bids for people without an id. */
  caps?: AdsetRow['caps'];
  peopleWithoutId?: AdsetRow['peopleWithoutId'];
  startDate?: string;
  endDate?: string;
  hours?: AdsetRow['hours'];
  hoursZone?: AdsetRow['hoursZone'];
  /** Names of audiences. */
  audiences?: { include?: string[][]; exclude?: string[]; withoutId?: WithoutId };
}

/** One file of ./cases: an OpenRTB request, ad sets by name, and the expected result. */
interface Case {
  request: object;
  adsets: Record<string, CaseAdset>;
  /** Whether we serve over https; default true. */
  secure?: boolean;
  /** Balance of the company; unlimited in effect by default. */
  balanceMicros?: number;
  /** No-bid reason that the budgets return for every ad set. */
  rejects?: NoBidReason;
  /** Dollars per unit of other currencies. */
  rates?: Record<string, number>;
  /** Advertising ids by audience; null for one that is not loaded. */
  audiences?: Record<string, string[] | null>;
  /** Impressions that the person of the request has seen, by ad set. */
  seen?: Record<string, number>;
  expect: { bids?: CaseBid[]; reason?: string };
}

/** An expected bid. `says` and `silentOn` are strings that its markup must and must not contain. */
interface CaseBid {
  imp: string;
  adset: string;
  cpm: number;
  size: string;
  /** The size of the bid object; null for none. */
  shown?: string | null;
  type?: CreativeType;
  mtype?: number;
  protocol?: number;
  attributes?: number[];
  apis?: number[];
  currency?: string;
  says?: string[];
  silentOn?: string[];
}

const noonMs = Date.parse('2026-05-04T12:00:00Z');
const cases = caseFiles<Case>(import.meta.url);

test.each(cases)(
  '%s',
  (
    _name,
    {
      request,
      adsets,
      secure = true,
      balanceMicros = 1e12,
      rejects,
      rates = {},
      audiences = {},
      seen = {},
      expect: expected,
    },
  ) => {
    const rows = Object.entries(adsets).map(([name, adset]) => rowOf(name, adset));
    const context = {
      ...contextOf(rows, balanceMicros),
      secure,
      ...(rejects && { noBidReason: () => rejects }),
    };
    const parsed = readBidRequest(request, 'sample', {
      rates: new Map([...DOLLARS_ONLY, ...Object.entries(rates)]),
    })!;
    const snapshot = compileSnapshot(rows, lookupOf(audiences));
    const caps = capsOf(parsed, snapshot.candidates, seen);
    const { bids, reason } = runAuction(parsed, snapshot, { ...context, caps });
    const plainBids = (expected.bids ?? []).map(({ says: _says, silentOn: _silent, ...plain }) => plain);
    expect({ bids: bids.map(found), reason }).toMatchObject({
      bids: plainBids,
      reason: expected.reason ?? null,
    });
    for (const [index, { says = [], silentOn = [] }] of (expected.bids ?? []).entries()) {
      const { adm } = markupOf(bids[index]!);
      for (const part of says) expect(adm).toContain(part);
      for (const part of silentOn) expect(adm).not.toContain(part);
    }
  },
);

test('every no-bid reason of the auction has a case', () => {
  // Found outside the auction, except `already_bid`, which occurs only where there is a bid, and the rules of exchanges, which
  // exchange-rules.test.ts and exchange-reviews.test.ts try.
  const elsewhere = [
    'unreadable',
    'unknown_exchange',
    'bidding_stopped',
    'no_tracker',
    'event_log',
    'too_many_requests',
    'shed',
    'bot',
    'datacenter',
    'timeout',
    'already_bid',
    'billing_id',
    'creative_excluded',
    'creative_not_approved',
    'answer_too_long',
    'markup_failed',
  ];
  const covered = new Set(cases.map(([, { expect: expected }]) => expected.reason));
  expect(NO_BID_REASONS.filter((reason) => !covered.has(reason) && !elsewhere.includes(reason))).toEqual([]);
});

function lookupOf(audiences: NonNullable<Case['audiences']>): AudienceLookup {
  return {
    membershipsOf: (id) => ({
      of: (name) => (audiences[name] ? (audiences[name].includes(id) ? 'in' : 'out') : 'not_loaded'),
    }),
    loaded: () => Object.keys(audiences).filter((name) => audiences[name]),
  };
}

/** The frequency caps of a request whose person is known by the advertising id alone. */
function capsOf(
  request: ParsedRequest,
  candidates: readonly Candidate[],
  seen: NonNullable<Case['seen']>,
): RequestCaps {
  const frequency = new FrequencyCaps(1024 ** 2);
  frequency.setCandidates(candidates);
  const personKeys: PersonKeys = ({ device: { ifa } }) => (ifa === '' ? null : subjectOf(ifa));
  const person = personKeys(request);
  for (const { campaignName, caps } of candidates) {
    if (!person || !caps) continue;
    for (let left = seen[campaignName] ?? 0; left > 0; left -= 1)
      frequency.ended({
        ...caps,
        person,
        bid: subjectOf(uuidv7()),
        isImpression: true,
        atMs: noonMs - 60_000,
      });
  }
  return requestCaps(request, noonMs, { frequency, personKeys });
}

function found(bid: AuctionBid) {
  const { imp, candidate, creative, ref } = bid;
  const { mtype, protocol, attributes, apis, size: shown } = markupOf(bid);
  return {
    imp: imp.id,
    adset: candidate.campaignName,
    cpm: ref.bidCpmMicros / 1e6,
    size: `${ref.width}x${ref.height}`,
    shown: shown && `${shown.width}x${shown.height}`,
    type: creative.type,
    mtype,
    protocol,
    attributes,
    apis,
    currency: ref.currency,
  };
}

const signer = createSigner('secret', 'https://dsp.example');

function markupOf(bid: AuctionBid) {
  return renderMarkup(bid, {
    urls: signer.urlsFor(bid.ref),
    viewUrl: 'https://view.example/v',
    deepLink: null,
    clickMacro: '',
    fileUrl: ({ extension, width, height }, copy) =>
      `https://dsp.example/m/${width}x${height}${copy ? `.${copy}` : ''}.${extension}`,
    verification: null,
    markupBytesMax: null,
  });
}

function rowOf(name: string, adset: CaseAdset): AdsetRow {
  const { cpm, cpi, bundleCpm = {}, creatives = ['320x50'], extension = 'png', ...rest } = adset;
  const { icon, rating, category, appUuid, advertiserDomain, native = {}, audiences, ...row } = rest;
  const { app } = adsetRowOf();
  return adsetRowOf({
    ...row,
    audiences: audiences ? { include: [], exclude: [], withoutId: 'bid', stored: [], ...audiences } : null,
    app: {
      ...app,
      ...(icon !== undefined && { iconLink: icon }),
      ...(rating !== undefined && { rating }),
      ...(category !== undefined && { category }),
      ...(appUuid !== undefined && { uuid: appUuid }),
      ...(advertiserDomain !== undefined && { advertiserDomain }),
    },
    campaignName: name,
    cpmMicros: toMicros(cpm ?? 2),
    cpiMicros: cpi === undefined ? null : toMicros(cpi),
    bundleCpmMicros: Object.fromEntries(
      Object.entries(bundleCpm).map(([bundle, dollars]) => [bundle, toMicros(dollars)]),
    ),
    creatives: creatives.map((words) => creativeOf(words, extension, native)),
  });
}

function creativeOf(words: string, extension: string, native: object): Creative {
  const type = /^[a-z]+/.exec(words)?.[0];
  const [width = 0, height = 0, seconds = 15] = [...words.matchAll(/\d+/g)].map(Number);
  if (type === 'playable') return playableOf();
  if (type === 'native') return nativeOf(width, height, native);
  if (type === 'video') return videoOf(width, height, seconds);
  return bannerOf(width, height, { extension, contentType: `image/${extension.replace('jpg', 'jpeg')}` });
}

/** A context whose `random` always selects the last of equal bids. */
function contextOf(rows: readonly AdsetRow[], balanceMicros: number): AuctionContext {
  const { budgets } = leasedBudgets(compileSnapshot(rows).candidates, balanceMicros, noonMs);
  return {
    nowMs: noonMs,
    random: () => 0,
    newBidId: uuidv7,
    valuation: plainValuation(() => 0),
    noBidReason: (candidate, micros, country) => budgets.noBidReason(candidate, micros, noonMs, country),
    exhausted: null,
    chargeOn: 'billing',
    secure: true,
  };
}

const request = (imps: object[] = [{ id: '1', banner: { w: 320, h: 50 } }]) =>
  readBidRequest(
    {
      id: 'r',
      imp: imps,
      app: { bundle: 'com.publisher' },
      device: { os: 'Android', geo: { country: 'USA' } },
    },
    'sample',
  )!;

test('equal bids are chosen at random', () => {
  const rows = ['a', 'b', 'c'].map((name) => rowOf(name, {}));
  const snapshot = compileSnapshot(rows);
  const wins: Record<string, number> = {};
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
  const context = { ...contextOf(rows, 1e12), random };
  for (let round = 0; round < 3000; round += 1) {
    const [bid] = runAuction(request(), snapshot, context).bids;
    wins[bid!.candidate.campaignName] = (wins[bid!.candidate.campaignName] ?? 0) + 1;
  }
  for (const name of ['a', 'b', 'c']) expect(Math.abs(wins[name]! - 1000)).toBeLessThan(120);
});

test('companies without money are evaluated only for the no-bid reason', () => {
  const rows = [rowOf('rich', { cpm: 1 }), rowOf('poor', { cpm: 5 })];
  const snapshot = compileSnapshot(rows);
  const exhausted = createBitset(rows.length);
  setBit(
    exhausted,
    snapshot.candidates.findIndex(({ campaignName }) => campaignName === 'poor'),
  );
  const auction = (bidfloor: number, rich: NoBidReason | null) => {
    const evaluated: string[] = [];
    const noBidReason = ({ campaignName }: Candidate): NoBidReason | null => {
      evaluated.push(campaignName);
      return campaignName === 'poor' ? 'daily_budget' : rich;
    };
    const parsed = request([{ id: '1', banner: { w: 320, h: 50 }, bidfloor }]);
    const { bids, reason } = runAuction(parsed, snapshot, {
      ...contextOf(rows, 1e12),
      exhausted,
      noBidReason,
    });
    return { evaluated, reason, bids: bids.map(({ candidate }) => candidate.campaignName) };
  };
  expect(auction(0, null)).toEqual({ evaluated: ['rich'], reason: null, bids: ['rich'] });
  expect(auction(3, null)).toEqual({ evaluated: ['poor'], reason: 'daily_budget', bids: [] });
  // Each ad set is checked once, since the budgets count offers.
  expect(auction(0, 'pacing')).toEqual({ evaluated: ['rich', 'poor'], reason: 'daily_budget', bids: [] });
});

test('the index finds the same ad sets as checking each one', () => {
  const adset = fc.record({
    cpm: fc.integer({ min: 1, max: 5 }),
    bundleCpm: fc.constantFrom<Record<string, number>[]>(
      {},
      { 'com.publisher': 3 },
      { 'com.publisher': 7 },
      { 'com.other': 9 },
    ),
    algorithm: fc.constantFrom<Algorithm>('Manual CPM', 'Target CPI'),
    cpi: fc.integer({ min: 1, max: 5 }),
    creatives: fc.subarray(['320x50', '300x250', '320x480'], { minLength: 1 }),
    target: fc.record({
      location_include: fc.subarray(['US', 'DE']),
      language_include: fc.subarray(['de']),
    }),
  });
  const imp = fc.record({
    id: fc.constant('1'),
    bidfloor: fc.constantFrom(0, 3, 6),
    banner: fc.constantFrom(
      {},
      { w: 320, h: 50 },
      {
        format: [
          { w: 320, h: 50 },
          { w: 300, h: 250 },
        ],
      },
    ),
  });
  fc.assert(
    fc.property(fc.array(adset, { maxLength: 12 }), imp, (adsets, oneImp) => {
      const rows = adsets.map((one, index) => rowOf(String(index), one));
      const { bids } = runAuction(request([oneImp]), compileSnapshot(rows), contextOf(rows, 1e12));
      const alone = rows.flatMap(
        (row) => runAuction(request([oneImp]), compileSnapshot([row]), contextOf([row], 1e12)).bids,
      );
      const highest = Math.max(...alone.map(({ ref }) => ref.bidCpmMicros));
      expect(bids.map(({ ref }) => ref.bidCpmMicros)).toEqual(alone.length > 0 ? [highest] : []);
    }),
  );
});

test('a shaded bid carries the value of the impression, another bid does not', () => {
  const rows = [rowOf('one', { cpm: 5 })];
  const refAt = (share: number) => {
    const context = contextOf(rows, 1e12);
    const valuation: AuctionContext['valuation'] = {
      ...context.valuation,
      bidCpmMicros: (_candidate, _creative, _floor, value) => value * share,
    };
    const parsed = request([{ id: '1', banner: { w: 320, h: 50 } }]);
    return runAuction(parsed, compileSnapshot(rows), { ...context, valuation }).bids[0]!.ref;
  };
  expect(refAt(0.6)).toMatchObject({ bidCpmMicros: 3_000_000, valueCpmMicros: 5_000_000 });
  expect(refAt(1)).toMatchObject({ bidCpmMicros: 5_000_000, valueCpmMicros: undefined });
});
