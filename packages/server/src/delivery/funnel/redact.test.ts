import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { redacted } from './redact.ts';

const nativeRequest = {
  ver: '1.2',
  privacy: 1,
  assets: [{ id: 1, required: 1, title: { len: 25 } }],
  eventtrackers: [{ event: 1, methods: [1] }],
};

/** A request with everything that bidding reads, and with fields that identify a person. */
const REQUEST = {
  id: 'request-1',
  at: 1,
  tmax: 120,
  cur: ['USD'],
  bcat: ['IAB25'],
  badv: ['https://www.rival.example/path?a=b', '//other\u3002example'],
  bapp: ['com.rival'],
  wseat: ['Bidwell'],
  wlang: ['en'],
  imp: [
    {
      id: '1',
      banner: { w: 320, h: 50, format: [{ w: 300, h: 50 }], btype: [1], battr: [3], mimes: ['image/png'] },
      bidfloor: 0.5,
      bidfloorcur: 'USD',
      tagid: 'placement-1',
      pmp: { private_auction: 1, deals: [{ id: 'deal-1', wseat: ['Bidwell'] }] },
      ext: { is_rewarded: 1 },
      exp: 300,
    },
    { id: '2', video: { mimes: ['video/mp4'], maxduration: 30, protocols: [2, 3], w: 640, h: 360, skip: 1 } },
    { id: '3', native: { ver: '1.2', request: JSON.stringify(nativeRequest) } },
    { id: '4', native: { request: { native: nativeRequest } } },
    { id: '5', banner: { w: 320, h: 50 }, bidfloor: '$50' },
    { id: '6', banner: { w: 320, h: 50 }, bidfloor: [{}] },
  ],
  app: {
    id: 'app-1',
    name: 'Puzzle of Words',
    bundle: 'com.publisher',
    storeurl: 'https://play.google.com/store/apps/details?id=com.publisher&hl=en',
    url: 'https://user:password@example.com/path?email=a@example.com',
    domain: 'publisher.example',
    cat: ['IAB9-30', 'GAME_PUZZLE'],
    publisher: { id: 'publisher-1', name: 'Publisher' },
    ext: { genre: 'Puzzle' },
  },
  device: {
    os: 'Android',
    osv: '14',
    ua: 'Mozilla/5.0 (Linux; Android 14; SM-S911B Build/UP1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36',
    model: 'SM-S911B',
    devicetype: 4,
    connectiontype: 2,
    language: 'en',
    w: 360,
    h: 780,
    ip: '203.0.113.9',
    ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
    ext: { ifv: '11111111-8246-4ba4-ae5b-76104861e7dc' },
    geo: { country: 'USA', region: 'CA', city: 'Los Angeles', lat: 52.5, lon: 13.4, zip: '10115' },
  },
  user: { id: 'a-user', geo: { country: 'USA' } },
  source: {
    schain: { complete: 1, nodes: [{ asi: 'exchange.example', sid: '1234', hp: 1 }] },
    ext: { omidpn: 'Partner' },
  },
  regs: { coppa: 0, ext: { dsa: { dsarequired: 2, pubrender: 1 } } },
};

describe('the sample of a request', () => {
  test('is bid on as the request itself', () => {
    const { device, ...request } = readBidRequest(REQUEST, 'sample')!;
    const { device: storedDevice, ...stored } = readBidRequest(redacted(REQUEST, 'operators'), 'sample')!;
    const chain = stored.supplyChain;
    expect(stored).toEqual({ ...request, supplyChain: chain });
    expect(chain).toMatchObject({
      complete: true,
      nodes: [{ system: 'exchange.example', sellerId: '1234' }],
    });
    expect(storedDevice).toEqual({
      ...device,
      ip: '',
      postalCode: '101',
      ifa: '',
      ifv: '',
      userId: '',
      listId: '',
      idState: 'absent',
      userAgent: 'Android 14, Chrome 138',
    });
  });

  test('stays the same when it is filtered again', () => {
    const stored = redacted(REQUEST, 'operators');
    expect(redacted(stored, 'operators')).toEqual(stored);
    expect(redacted(stored, 'advertisers')).toEqual(redacted(REQUEST, 'advertisers'));
  });

  test('has no deals, seats, sellers, ids of the exchange or extensions for advertisers', () => {
    const shown = JSON.stringify(redacted(REQUEST, 'advertisers'));
    for (const hidden of [
      'pmp',
      'deal-1',
      'seat',
      'exchange.example',
      '"ext"',
      'placement-1',
      'app-1',
      'publisher-1',
      'Los Angeles',
      '101',
    ])
      expect(shown).not.toContain(hidden);
    expect(shown).toContain('Puzzle of Words');
  });

  test.each([
    [{ url: 'https://a@example.com/b?c' }, { url: 'example.com' }],
    [{ url: 'a.person@example.com' }, { url: 'example.com' }],
    [{ url: 'not a url' }, {}],
    [
      { storeurl: 'https://apps.apple.com/us/app/name/id284882215?mt=8&token=secret' },
      { storeurl: 'https://apps.apple.com/us/app/id284882215' },
    ],
    [
      { bundle: 'https://play.google.com/store/apps/details?id=com.a&token=secret' },
      { bundle: 'https://play.google.com/store/apps/details?id=com.a' },
    ],
    [{ bundle: 'a@example.com' }, {}],
    [{ name: 'a.person@example.com', ver: { secret: 1 }, cat: [['secret'], 'IAB1'] }, { cat: ['IAB1'] }],
  ])('of the app %j is %j', (app, expected) => {
    expect(redacted({ app }, 'operators')).toEqual({ app: expected });
  });

  test.each([
    [
      'Mozilla/5.0 (iPad; CPU OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 Mobile/15E148 Safari/604.1',
      'iPad, iOS 17, Safari 17',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 16_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/120.0.1',
      'iPhone, iOS 16, Chrome 120',
    ],
    ['Mozilla/5.0 (Linux; Android 9; Tablet 10) Chrome/99.0', 'Android 9, Chrome 99, tablet'],
    ['MyGame/3.2 user-4711', undefined],
  ])('the user agent %s is %s', (ua, short) => {
    const once = redacted({ device: { ua } }, 'advertisers');
    expect(once).toEqual({ device: short === undefined ? {} : { ua: short } });
    expect(redacted(once, 'advertisers')).toEqual(once);
  });
});

describe('a secret at a place that is not listed', () => {
  const SECRET = 'secret-7f3a';
  const key = fc
    .string({ minLength: 1, maxLength: 12 })
    .map((name) => `x${name}`)
    .filter((name) => name !== 'x');
  /** Objects of a request, in which something may be hidden. */
  const objectsOf = (value: unknown): Record<string, unknown>[] => {
    if (typeof value !== 'object' || value === null) return [];
    const inner = Object.values(value).flatMap(objectsOf);
    return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
  };
  const hidden = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(SECRET),
      fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
      fc.dictionary(fc.oneof(key, fc.constantFrom('id', 'ext', 'name', 'imp')), tie('value'), {
        minKeys: 1,
        maxKeys: 3,
      }),
    ),
  })).value;

  test('is in no sample, at any path', () => {
    const places = objectsOf(REQUEST).length;
    fc.assert(
      fc.property(fc.nat(places - 1), key, hidden, (place, name, value) => {
        const request = structuredClone(REQUEST);
        objectsOf(request)[place]![name] = value;
        for (const audience of ['advertisers', 'operators'] as const)
          expect(JSON.stringify(redacted(request, audience))).not.toContain(SECRET);
      }),
      runs(500),
    );
  });

  test('is not in a native request within the request', () => {
    const request = {
      ...nativeRequest,
      ext: { SECRET },
      assets: [{ id: 1, data: { type: 1, ext: SECRET } }],
    };
    for (const value of [request, JSON.stringify(request)])
      expect(JSON.stringify(redacted({ imp: [{ native: { request: value } }] }, 'operators'))).not.toContain(
        SECRET,
      );
  });

  test('is not in the place of a value', () => {
    fc.assert(
      fc.property(fc.constantFrom('w', 'bidfloor', 'instl', 'secure'), key, (field, name) => {
        const request = { imp: [{ banner: { [field]: { [name]: SECRET } }, [field]: { [name]: SECRET } }] };
        expect(JSON.stringify(redacted(request, 'operators'))).not.toContain(SECRET);
      }),
    );
  });
});
