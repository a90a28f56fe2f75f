import { expect, test } from 'vitest';
import type { AuctionBid } from '../auction/auction.ts';
import { readBidRequest } from './read/read-request.ts';
import { type SigningDeps, taskOf, withSignatures } from './signed-response.ts';
import type { AppStoreFields } from '@bidwell/contract/adsets/app-store';
import { caseFiles } from '@bidwell/testing/case-files';
import { storeViewOf } from '../skadnetwork/impression-extension.ts';

const NETWORK = 'abcd1234.skadnetwork';
const request = readBidRequest(
  {
    id: '1',
    imp: [
      {
        id: '1',
        banner: { w: 320, h: 50 },
        ext: { skadn: { versions: ['4.0'], sourceapp: '880047117', skadnetids: [NETWORK] } },
      },
    ],
    app: { bundle: '880047117' },
    device: { os: 'iOS', osv: '17.5' },
  },
  'sample',
)!;
/** The fields of a bid that signing reads. */
const bid = {
  imp: request.imps[0],
  ref: { bidId: 'b', test: false },
  candidate: {
    adsetId: 'a',
    sourceIdentifier: 1142,
    productPageId: null,
    overlay: null,
    advertiserName: '',
    app: { bundle: '525463029' },
  },
} as unknown as AuctionBid;
const UNSIGNED = '{"id":"1"}';

/** The response to a request whose exchange still waits for `msLeft`, and how long its bid may have waited for signatures. */
function responseWith(
  msLeft: number,
  { bytesMax = null as number | null, stored = () => {}, hasReady = false } = {},
) {
  const sent: string[] = [];
  const waits: number[] = [];
  const unsigned: [string, number][] = [];
  const deps: SigningDeps = {
    settings: () => ({
      networks: [{ id: NETWORK, privateKey: '', iabNumber: null }],
      exchanges: ['sample'],
    }),
    thread: {
      sign(_tasks, waitMs, signed) {
        waits.push(waitMs);
        signed([hasReady || waitMs > 0 ? '"skadn":{}' : null]);
      },
    },
    signedBids: { bid: stored, count() {} },
    unsigned: (reason, bids) => unsigned.push([reason, bids]),
  };
  const response = { json: UNSIGNED, bids: [bid], texts: ['{"id":"b"}'], isBrief: false };
  withSignatures(request, response, bytesMax, msLeft, deps, (json) => sent.push(json));
  return { sent, waits, unsigned };
}

test.each([
  [Infinity, 50],
  [1000, 50],
  [100, 25],
  [60, 15],
])('of %d ms that the exchange waits, a bid waits at most %d ms for its signatures', (msLeft, waitMs) => {
  const { sent, waits, unsigned } = responseWith(msLeft);
  expect(waits).toEqual([waitMs]);
  expect(sent).toHaveLength(1);
  expect(JSON.parse(sent[0]!).seatbid[0].bid).toEqual([{ id: 'b', ext: { skadn: {} } }]);
  expect(unsigned).toEqual([]);
});

test.each([19, 0, -5])(
  'with %d ms left, a bid waits for no signatures, and has those that are ready',
  (msLeft) => {
    expect(responseWith(msLeft)).toEqual({ sent: [UNSIGNED], waits: [0], unsigned: [] });
    const { sent, waits } = responseWith(msLeft, { hasReady: true });
    expect(waits).toEqual([0]);
    expect(JSON.parse(sent[0]!).seatbid[0].bid).toEqual([{ id: 'b', ext: { skadn: {} } }]);
  },
);

test('a bid whose response would be too long with signatures, or cannot have them, is sent without', () => {
  expect(responseWith(100, { bytesMax: 20 })).toMatchObject({
    sent: [UNSIGNED],
    unsigned: [['too_long', 1]],
  });
  const stored = () => {
    throw new Error('planted');
  };
  expect(responseWith(100, { stored })).toMatchObject({ sent: [UNSIGNED], unsigned: [['failed', 1]] });
});

/** The `ext` of an imp, the fields of an ad set, and the fields of a bid next to its signature for each framework. */
interface Case {
  ext: object;
  adset: AppStoreFields;
  expect: { skadn: object; adattributionkit: object };
}

test.each(caseFiles<Case>(import.meta.url))('in a bid, %s', (_name, { ext, adset, ...rest }) => {
  const sent = {
    id: '1',
    imp: [{ id: '1', banner: { w: 320, h: 50 }, ext }],
    app: {},
    device: { os: 'iOS' },
  };
  const [imp] = readBidRequest(sent, 'sample')!.imps;
  const view = storeViewOf(imp!, { productPageId: adset.product_page_id, overlay: adset.overlay }, null);
  expect({
    skadn: JSON.parse(`{${view.skadn}}`),
    adattributionkit: JSON.parse(`{${view.adAttributionKit}}`),
  }).toEqual(rest.expect);
});

const kit = { version: '1.0', sourceapp: '880047117', skadnetids: [NETWORK] };
const networks = [{ id: NETWORK, privateKey: '', iabNumber: null }];

/** How a bid of a re-engagement campaign with this deep link is signed. */
function returning(
  deepLink: string | null,
  { osv = '18.1', reEngagement = true, ext = { adattributionkit: kit } as object } = {},
) {
  const sent = { id: '1', imp: [{ id: '1', banner: { w: 320, h: 50 }, ext }], app: { bundle: '880047117' }, device: { os: 'iOS', osv } }; // prettier-ignore
  const [imp] = readBidRequest(sent, 'sample')!.imps;
  const task = taskOf({ imp: imp!, candidate: { ...bid.candidate, reEngagement, deepLink } }, osv, networks);
  if (typeof task === 'string') throw new Error(task);
  return { reEngages: task.reEngages, members: JSON.parse(`{${task.storeView.adAttributionKit}}`) };
}

test('a bid of a re-engagement campaign lets AdAttributionKit open a universal link from iOS 18 on', () => {
  expect(returning('https://example.com/offers/1')).toEqual({
    reEngages: true,
    members: { reengagementurl: 'https://example.com/offers/1' },
  });
});

test.each([
  ['before iOS 18', returning('https://example.com/', { osv: '17.5' })],
  ['where the device does not say its version', returning('https://example.com/', { osv: '' })],
  ['of an acquisition campaign', returning('https://example.com/', { reEngagement: false })],
  ['with a scheme of the app’s own', returning('myapp://offers/1')],
  ['with macros, which differ from bid to bid', returning('https://example.com/?c={click_id}')],
  ['without a deep link', returning(null)],
  [
    'signed for SKAdNetwork alone',
    returning('https://example.com/', {
      ext: { skadn: { versions: ['4.0'], sourceapp: '1', skadnetids: [NETWORK] } },
    }),
  ],
])('a bid %s is not one of re-engagement for Apple', (_name, signing) => {
  expect(signing).toEqual({ reEngages: false, members: {} });
});
