import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import {
  adsetRowOf,
  bannerOf,
  nativeOf,
  playableOf,
  plainExchange as exchange,
  videoOf,
} from '@bidwell/testing/pacing/candidates';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { noFaults } from '@bidwell/testing/no-faults';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { createSigner } from '../trackers/signer.ts';
import type { AdsetRow } from '../model/candidate.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import { bidOn } from './bid.ts';
import { readBidRequest } from './read/read-request.ts';

const nowMs = Date.parse('2026-06-01T12:00:00Z');
/** Far above any response: the markup is complete, but rendered without a template. */
const NEVER_REACHED_BYTES = 1e9;

const signer = createSigner('a secret of the tests, long enough', 'https://dsp.example');

/** A function that responds to requests for one ad set; bids have the same id as long as it does. */
function bidder(row: AdsetRow) {
  const snapshot = compileSnapshot([row]);
  const { budgets } = leasedBudgets(snapshot.candidates, 1e12, nowMs);
  return (body: object, ssp: Ssp, version: '2.5' | '2.6', bidId: string) =>
    bidOn(readBidRequest(body, ssp.slug)!, ssp, nowMs, version, {
      snapshot: { current: () => snapshot, ssp: () => ssp, rates: () => new Map([['USD', 1]]) },
      budgets,
      traffic: { count() {} },
      newBidId: () => bidId,
      signer,
      valuationOf: () => plainValuation(() => 0),
      onBid: () => {},
      faults: noFaults,
      oversized: { add() {} },
      publicUrl: 'https://dsp.example',
      domain: 'dsp.example',
      assetUrl: 'https://files.example',
      verification: {
        vendor: 'measure.example-omid',
        scriptUrl: 'https://measure.example/o.js',
        parameters: 'k=v',
      },
      now: () => new Date(nowMs),
      random: () => 0,
    });
}

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '</script>',
    ']]>',
    '$&',
    "it's",
    '\u2028',
    '\ud800',
    '{click_id}',
    '€ & <b>',
  ),
);
const creatives = {
  Banner: fc.constant(bannerOf(320, 50)),
  Video: fc.constant(videoOf(320, 480, 15)),
  Native: fc
    .record({ title: odd, description: odd, sponsor: odd })
    .map((texts) => nativeOf(1200, 627, texts)),
  Playable: fc.constant(playableOf()),
};
/** Variants of requests, by type of creative. */
const formats = {
  Banner: {},
  Video: {
    protocols: fc.constantFrom([2], [3], [7], [11], [13]),
    skip: fc.constantFrom(1, 0),
    skipmin: fc.constantFrom(0, 20),
    skipafter: fc.constantFrom(0, 8),
    battr: fc.constantFrom([], [16]),
    playerApis: fc.constantFrom([], [7]),
    rwdd: fc.constantFrom(0, 1),
  },
  Native: { eventtrackers: fc.constantFrom([], [{ event: 1, methods: [1] }]), titleLength: fc.nat(40) },
  Playable: { w: fc.constantFrom(320, 640), containerApis: fc.constantFrom([5], [3, 5, 6]) },
};
const common = {
  impId: odd.filter((id) => id.trim() !== ''),
  exp: fc.constantFrom(0, 60),
  ua: odd,
  ifa: fc.constantFrom('', '6a1d2f0c-8f4e-4f0a-9a52-0f4a4f6f3f11'),
  dsa: fc.constantFrom(undefined, { dsarequired: 1, pubrender: 2 }),
  cattax: fc.constantFrom(1, 2, 7),
};
type Type = keyof typeof formats;
type Choice = Record<string, unknown>;

/** A request, and the same one with a single difference at a time. */
function similarRequests(type: Type): fc.Arbitrary<Choice[]> {
  const choices: Record<string, fc.Arbitrary<unknown>> = { ...common, ...formats[type] };
  const change = fc.constantFrom(...Object.keys(choices)).chain((key) => fc.record({ [key]: choices[key]! }));
  return fc
    .tuple(fc.record(choices), fc.array(change, { minLength: 2, maxLength: 6 }))
    .map(([first, changes]) => [first, ...changes.map((one) => ({ ...first, ...one }))]);
}

function impOf(type: Type, choice: Choice): object {
  switch (type) {
    case 'Banner':
      return { banner: { w: 320, h: 50 } };
    case 'Video': {
      const { protocols, skip, skipmin, skipafter, battr, playerApis: api, rwdd } = choice;
      const player = { protocols, skip, skipmin, skipafter, battr, api };
      return { rwdd, video: { mimes: ['video/mp4'], w: 320, h: 480, ...player } };
    }
    case 'Native':
      return { native: { request: JSON.stringify(nativeRequestOf(choice)) } };
    case 'Playable':
      return { banner: { w: choice['w'], h: 480, api: choice['containerApis'] } };
  }
}

function nativeRequestOf({ eventtrackers, titleLength }: Choice): object {
  const assets = [
    { id: 1, title: { len: titleLength } },
    { id: 2, img: { type: 3, wmin: 300, hmin: 157 } },
    { id: 3, data: { type: 2, len: 90 } },
  ];
  return { ver: '1.2', assets, eventtrackers };
}

function requestOf(type: Type, choice: Choice): object {
  const { impId, exp, ua, ifa, dsa, cattax } = choice;
  return {
    id: 'r',
    app: { bundle: 'com.publisher' },
    imp: [{ ...impOf(type, choice), id: impId, exp }],
    device: { os: 'Android', ip: '203.0.113.9', ua, ifa },
    regs: { dsa },
    cattax,
  };
}

test.each(['Banner', 'Video', 'Native', 'Playable'] as const)(
  'a %s bid from a template is the same as one rendered without',
  (type) => {
    let bids = 0;
    fc.assert(
      fc.property(
        creatives[type],
        fc.record({ campaignName: odd, advertiserName: odd, name: odd, view: odd, deep: odd }),
        fc.record({
          clickMacro: fc.constantFrom('', 'https://click.example/?u='),
          chargeOn: fc.constantFrom('billing', 'first'),
        }),
        fc.constantFrom('2.5', '2.6'),
        similarRequests(type),
        (creative, texts, terms, version, choices) => {
          const row = adsetRowOf({
            campaignName: texts.campaignName,
            advertiserName: texts.advertiserName,
            reEngagement: true,
            deepLink: `myapp://x?id={click_id}&b={bundle}${texts.deep}`,
            viewUrl: `https://view.example/v?id={click_id}&c={campaign_name}&ip={ip}&ua={ua}${texts.view}`,
            creatives: [creative],
          });
          const bid = bidder({ ...row, app: { ...row.app, name: texts.name } });
          for (const choice of choices) {
            const body = requestOf(type, choice);
            const bidId = uuidv7();
            const limited = { ...exchange, ...terms, answerBytesMax: NEVER_REACHED_BYTES };
            const plain = bid(body, limited, version, bidId);
            expect(bid(body, { ...exchange, ...terms }, version, bidId)).toEqual(plain);
            if (typeof plain !== 'string') bids += 1;
          }
        },
      ),
    );
    expect(bids).toBeGreaterThan(100);
  },
);
