import { expect, test } from 'vitest';
import { type ReceivedResponse, judge, refusalsOf } from './exchange-judge.ts';
import { exchangeProfiles } from './exchange-profiles.ts';
import type { ProfileSlug } from './exchange-rules.ts';

const request = (imp: object = {}) => ({
  id: 'request-1',
  cur: ['USD'],
  imp: [{ id: '1', bidfloor: 1, banner: { w: 320, h: 50 }, ...imp }],
});

/** A bid that follows the rules of all exchanges but those that give a field another value. */
const bid = {
  id: 'bid-1',
  impid: '1',
  price: 2,
  crid: 'creative-1',
  cid: 'campaign-1',
  adomain: ['example.com'],
  attr: [],
  iurl: 'https://bidder.example/i.png',
  adm: '<a href="https://bidder.example/c"><img src="https://bidder.example/i.png"></a>',
  nurl: 'https://bidder.example/w?price=${AUCTION_PRICE}',
  burl: 'https://bidder.example/b?price=${AUCTION_PRICE}',
  lurl: 'https://bidder.example/l?reason=${AUCTION_LOSS}',
  w: 320,
  h: 50,
  crtype: 'HTML',
};

const bodyWith = (over: object = {}, seat = '7') => ({
  id: 'request-1',
  cur: 'USD',
  seatbid: [{ seat, bid: [{ ...bid, ...over }] }],
});

function received(body: object | string, over: Partial<ReceivedResponse> = {}): ReceivedResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status: 200, encoding: 'gzip', body: text, tookMs: 20, ...over };
}

const faultsOf = (slug: ProfileSlug, response: ReceivedResponse, asked: object = request()) =>
  refusalsOf(slug, asked, response).map(({ rule, fault, code }) => [rule, fault, code]);

/** What each exchange demands of a bid in addition. */
const own: Partial<Record<ProfileSlug, object>> = {
  applovin: { nurl: `${bid.nurl}&mtw=\${AUCTION_MINIMUM_BID_TO_WIN}` },
  google: { ext: { event_notification_token: { payload: 'token' } } },
  xandr: { ext: { appnexus: { crcode: 'creative-1' } } },
  openrtb: {
    nurl: `${bid.nurl}&mtw=\${AUCTION_MIN_TO_WIN}`,
    lurl: `${bid.lurl}&mtw=\${AUCTION_MIN_TO_WIN}`,
  },
};

test.each(exchangeProfiles)('$name accepts a bid that follows its rules', ({ slug }) => {
  expect(faultsOf(slug, received(bodyWith(own[slug])))).toEqual([]);
});

const MRAID = '<script src="mraid.js"></script>';
const vast = (version: string) =>
  `<VAST version="${version}" xmlns="http://www.w3.org/2001/XMLSchema"><Ad></Ad></VAST>`;

test.each<[ProfileSlug, string, ReceivedResponse, string, number]>([
  ['openrtb', 'openrtb', received('{'), 'The body is no JSON object.', 3],
  ['openrtb', 'openrtb', received({ ...bodyWith(own.openrtb), id: 'x' }), 'The id is not the request’s.', 3],
  ['openrtb', 'openrtb', received('', { status: 500 }), 'The response has status 500.', 3],
  [
    'openrtb',
    'openrtb',
    received(bodyWith({ ...own.openrtb, price: 0.5 })),
    'A bid of 0.5 is below the floor of 1.',
    3,
  ],
  [
    'openrtb',
    'openrtb',
    received(bodyWith({ ...own.openrtb, impid: '2' })),
    'A bid names no imp of the request.',
    3,
  ],
  [
    'unity',
    'deadline_ms',
    received(bodyWith(), { tookMs: 200.5 }),
    'The response took 201 ms of at most 200.',
    2,
  ],
  [
    'unity',
    'gzip_responses',
    received(bodyWith(), { encoding: '' }),
    'The response is not compressed.',
    1000,
  ],
  ['unity', 'bid_fields', received(bodyWith({ burl: undefined })), 'The bid has no burl.', 1000],
  [
    'unity',
    'https',
    received(bodyWith({ burl: 'http://bidder.example/b' })),
    'burl does not begin with https.',
    207,
  ],
  [
    'unity',
    'https',
    received(bodyWith({ adm: '<img src="http://bidder.example/i.png">' })),
    'The markup has an address that does not begin with https.',
    207,
  ],
  ['unity', 'creative_types', received(bodyWith({ crtype: undefined })), 'The bid has no crtype.', 1004],
  [
    'unity',
    'creative_types',
    received(bodyWith({ adm: vast('3.0') })),
    'crtype is "HTML", not “VAST”.',
    1004,
  ],
  [
    'vungle',
    'mraid_crtype',
    received(bodyWith({ adm: MRAID, attr: [13] })),
    'ext.crtype is missing, not “MRAID 2.0”.',
    3,
  ],
  [
    'vungle',
    'playable_attributes',
    received(bodyWith({ adm: MRAID, ext: { crtype: 'MRAID 2.0' } })),
    'attr lacks 13.',
    210,
  ],
  ['vungle', 'vast_versions', received(bodyWith({ adm: vast('4.1') })), 'The markup is VAST 4.1.', 204],
  ['inmobi', 'bid_fields', received(bodyWith({}, '')), 'The bid has no seat.', 3],
  ['google', 'bid_feedback', received(bodyWith()), 'The bid has no token for feedback.', 3],
  ['xandr', 'member_seat', received(bodyWith(own.xandr, 'bidwell')), 'The seat "bidwell" is no number.', 3],
  ['xandr', 'creative_code', received(bodyWith()), 'The bid has no ext.appnexus.crcode.', 8],
  [
    'pubmatic',
    'bid_fields',
    received(bodyWith({ attr: undefined, iurl: '' })),
    'The bid has no attr, iurl.',
    3,
  ],
  ['applovin', 'min_to_win', received(bodyWith()), 'nurl has no ${AUCTION_MINIMUM_BID_TO_WIN}.', 3],
])('%s refuses a response against %s', (slug, rule, response, fault, code) => {
  expect(faultsOf(slug, response)).toEqual([[rule, fault, code]]);
});

test('AppLovin refuses a response of more than 4 KB, and one with two bids', () => {
  const one = { ...bid, ...own.applovin };
  const long = { ...one, adm: `<img src="https://bidder.example/${'x'.repeat(4000)}">` };
  const bodyOf = (...bids: object[]) => received({ id: 'request-1', seatbid: [{ seat: '7', bid: bids }] });
  expect(faultsOf('applovin', bodyOf(long)).map(([rule]) => rule)).toEqual(['answer_bytes_max']);
  expect(faultsOf('applovin', bodyOf(one, one))).toEqual([['imps_max', 'The response has 2 bids.', 3]]);
});

test('InMobi recommends a body without a bid, and accepts an empty response', () => {
  const empty = received('', { status: 204 });
  const faults = judge('inmobi', request(), empty).flatMap(({ fault }) => fault ?? []);
  expect(faults).toEqual(['The response without a bid has no `seatbid` and `nbr`.']);
  expect(faultsOf('inmobi', empty)).toEqual([]);
});

test('Google refuses a billing id that the request does not name, and a creative that it excludes', () => {
  const ext = { billing_id: ['41'], excluded_creatives: [{ buyer_creative_id: 'creative-1' }] };
  const token = { event_notification_token: { payload: 'token' } };
  const billed = (id: string) => received(bodyWith({ cid: id, ext: { ...token, billing_id: id } }));
  expect(faultsOf('google', billed('42'), request({ ext }))).toEqual([
    ['billing_id', 'The request does not name the billing id 42.', 3],
    ['excluded_creatives', 'The request excludes the creative.', 202],
  ]);
  expect(faultsOf('google', billed('41'), request({ ext: { billing_id: ['41'] } }))).toEqual([]);
});

test('a refusal names the reason of the exchange, its rule and its source', () => {
  const [refusal] = refusalsOf('unity', request(), received(bodyWith({ crtype: undefined })));
  expect(refusal).toMatchObject({ reason: 'Type of creative (crtype) is missing in the bid' });
  expect(refusal!.text).toMatch(/`crtype`/);
  expect(refusal!.source).toMatch(/^https:/);
});

test('a response that is no response is refused, and never throws', () => {
  for (const body of ['', 'null', '[]', '7', '{"seatbid":7}', '{"seatbid":[{"bid":[null]}]}'])
    for (const { slug } of exchangeProfiles) expect(faultsOf(slug, received(body)).length).toBeGreaterThan(0);
});
