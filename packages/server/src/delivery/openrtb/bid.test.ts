import { expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { adsetRowOf, bannerOf, plainExchange as exchange, videoOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { OversizedCreatives } from '../exchanges/oversized-creatives.ts';
import type { AdsetFaults } from '../snapshot/adset-faults.ts';
import { createSigner } from '../trackers/signer.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import type { AdsetRow } from '../model/candidate.ts';
import { type BidDeps, bidOn } from './bid.ts';
import { readBidRequest } from './read/read-request.ts';

const nowMs = Date.parse('2026-06-01T12:00:00Z');

/** Dependencies of a bidder with these ad sets. Signing fails for the campaigns in `unsignable`. */
function bidder(rows: readonly AdsetRow[], unsignable: ReadonlySet<string> = new Set()) {
  const snapshot = compileSnapshot(rows);
  const { budgets } = leasedBudgets(snapshot.candidates, 1e12, nowMs);
  const signer = createSigner('a secret of the tests, long enough', 'https://dsp.example');
  const reported: string[] = [];
  const faults: AdsetFaults = {
    report: (fault, { adsetId }) => void reported.push(`${fault} ${adsetId}`),
    flushed: async () => {},
  };
  const deps = {
    snapshot: { current: () => snapshot } as SnapshotService,
    budgets,
    traffic: { count() {} } as BidDeps['traffic'],
    newBidId: uuidv7,
    signer: {
      ...signer,
      tokensFor(ref) {
        if (unsignable.has(ref.campaignId)) throw new Error('These addresses cannot be made');
        return signer.tokensFor(ref);
      },
    } as BidDeps['signer'],
    valuationOf: () => plainValuation(),
    onBid: () => {},
    faults,
    oversized: new OversizedCreatives(),
    publicUrl: 'https://dsp.example',
    domain: 'dsp.example',
    assetUrl: 'https://dsp.example',
    verification: {
      vendor: 'measure.example-omid',
      scriptUrl: 'https://measure.example/omid.js',
      parameters: 'k=v',
    },
    now: () => new Date(nowMs),
    random: () => 0,
  };
  return { deps, reported };
}

const imp = (id: string) => ({ id, banner: { w: 320, h: 50 } });
const requestOf = (...ids: string[]) =>
  readBidRequest(
    { id: 'r', imp: ids.map(imp), app: { bundle: 'com.publisher' }, device: { os: 'Android' } },
    'exchange',
  )!;

/** Campaign and imp of each bid, or the no-bid reason. */
function outcome(deps: BidDeps, ids: string[], over: Partial<Ssp> = {}) {
  const response = bidOn(requestOf(...ids), { ...exchange, ...over }, nowMs, '2.6', deps);
  if (typeof response === 'string') return response;
  const { seatbid } = JSON.parse(response.json) as {
    seatbid: { seat: string; bid: { cid: string; impid: string }[] }[];
  };
  return seatbid[0]!.bid.map(({ cid, impid }) => [cid, impid]);
}

test('an ad set whose bid cannot be rendered loses only that bid: the next one takes its imp', () => {
  const [bad, good, other] = [9, 3, 2].map((dollars) => adsetRowOf({ cpmMicros: dollars * 1_000_000 }));
  const { deps, reported } = bidder([bad!, good!, other!], new Set([bad!.campaignId]));
  expect(outcome(deps, ['1', '2'])).toEqual([
    [good!.campaignId, '1'],
    [other!.campaignId, '2'],
  ]);
  expect(reported).toEqual([`markup ${bad!.adsetId}`]);
});

test('if no bid can be rendered there is none, with any number of failing ad sets', () => {
  const rows = Array.from({ length: 9 }, () => adsetRowOf());
  const { deps } = bidder(rows, new Set(rows.map(({ campaignId }) => campaignId)));
  expect(outcome(deps, ['1'])).toBe('markup_failed');
  expect(outcome(deps, ['1', '2', '3'])).toBe('markup_failed');
});

test('a bid that makes the response longer than the exchange allows is not sent, the others are', () => {
  const long = adsetRowOf({ cpmMicros: 9_000_000, viewUrl: `https://view.example/${'x'.repeat(1500)}` });
  const short = adsetRowOf({ creatives: [bannerOf(320, 50)] });
  const { deps } = bidder([long, short]);
  expect(outcome(deps, ['1', '2'])).toHaveLength(2);
  const response = bidOn(requestOf('1'), exchange, nowMs, '2.6', deps) as { json: string };
  const bytes = Buffer.byteLength(response.json);
  expect(outcome(deps, ['1'], { answerBytesMax: bytes })).toEqual([[long.campaignId, '1']]);
  expect(outcome(deps, ['1'], { answerBytesMax: bytes - 1000 })).toEqual([[short.campaignId, '1']]);
  expect(outcome(deps, ['1', '2'], { answerBytesMax: bytes - 1000 })).toEqual([[short.campaignId, '1']]);
  expect(outcome(deps, ['1', '2'], { answerBytesMax: 500 })).toBe('answer_too_long');
});

test('the view URL of a creative of its own is bid in place of the tracking link’s, its macros filled in', () => {
  const bidWith = (viewUrl: string | null) => {
    const creative = { ...bannerOf(320, 50), viewUrl };
    const { deps } = bidder([adsetRowOf({ creatives: [creative], viewUrl: 'https://link.example/v' })]);
    return (bidOn(requestOf('1'), exchange, nowMs, '2.6', deps) as { json: string }).json;
  };
  expect(bidWith(null)).toContain('https://link.example/v');
  const own = bidWith('https://own.example/v?b={bundle}');
  expect(own).toMatch(/https:\/\/own\.example\/v\?b=[^{}&"]+/);
  expect(own).not.toContain('link.example');
});

/** The bid for a video, with a view URL as long as the ones of measurement partners. */
function videoBid(video: object, request: object = {}, answerBytesMax: number | null = null) {
  const partner =
    'https://view.partner.example/v1/impression/com.example.game?clickid={click_id}&c={campaign_name}';
  const { deps } = bidder([adsetRowOf({ creatives: [videoOf(1080, 1920, 15)], viewUrl: partner })]);
  const body = {
    id: 'a-request-id-of-a-usual-length-0001',
    imp: [
      { id: '1', video: { mimes: ['video/mp4'], w: 1080, h: 1920, protocols: [2, 3, 7, 11, 13], ...video } },
    ],
    app: { bundle: 'com.publisher.of.a.usual.length' },
    device: { os: 'Android', ifa: '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11', geo: { country: 'USA' } },
    ...request,
  };
  const response = bidOn(
    readBidRequest(body, 'exchange')!,
    { ...exchange, answerBytesMax },
    nowMs,
    '2.6',
    deps,
  );
  if (typeof response === 'string') throw new Error(response);
  const { seatbid } = JSON.parse(response.json) as { seatbid: { bid: { adm: string; apis?: number[] }[] }[] };
  return { ...seatbid[0]!.bid[0]!, bytes: Buffer.byteLength(response.json) };
}

test('the response with a banner, with the addresses of a device with an id, fits into 4 KB', () => {
  const { deps } = bidder([adsetRowOf({ creatives: [bannerOf(320, 50)] })]);
  const response = bidOn(requestOf('1'), { ...exchange, answerBytesMax: 4096 }, nowMs, '2.6', deps) as {
    json: string;
  };
  expect(Buffer.byteLength(response.json)).toBeLessThan(2500);
});

test.each([2, 3, 7, 11, 13])(
  'a video of protocol %i is complete without a limit, and fits into 4 KB with one',
  (protocol) => {
    const whole = videoBid({ protocols: [protocol] });
    expect(whole.adm).toContain('<Tracking event="mute">');
    const short = videoBid({ protocols: [protocol] }, {}, 4096);
    expect(short.bytes).toBeLessThanOrEqual(4096);
    for (const event of ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'])
      expect(short.adm).toContain(`<Tracking event='${event}'>`);
    expect(short.adm.match(/<Impression>/g)).toHaveLength(2);
  },
);

test.each([
  ['the player names OMID', { api: [7] }, {}, true],
  [
    'the app names its partner and the player nothing',
    {},
    { source: { ext: { omidpn: 'P', omidpv: '1' } } },
    true,
  ],
  ['the player names others alone', { api: [2] }, { source: { ext: { omidpn: 'P' } } }, false],
  ['neither names anything', {}, {}, false],
])('a video is measured where %s: %#', (_title, video, request, measured) => {
  const { adm, apis } = videoBid(video, request);
  expect(adm.includes('<Verification vendor="measure.example-omid">')).toBe(measured);
  expect(apis).toEqual(measured ? [7] : undefined);
});
