import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { readBidRequest } from './read-request.ts';
import type { ParsedImageAsset, ParsedRequest } from '../../model/bid-request.ts';

const good = {
  id: 'r',
  imp: [{ id: '1', banner: { w: 320, h: 50 } }],
  app: { bundle: 'com.publisher' },
  device: { os: 'Android' },
};
const read = (over: object = {}): ParsedRequest => readBidRequest({ ...good, ...over }, 'sample')!;
const readImp = (imp: object) => read({ imp: [{ id: '1', ...imp }] }).imps[0]!;

const windowsPhone =
  'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 Edge/15 Mobile';

describe('deviations of real exchanges', () => {
  test('numbers in strings, flags as words, null for absent fields', () => {
    const imp = { id: 7, bidfloor: '0.25', secure: '1', instl: true, pmp: null, video: null };
    const parsed = read({ imp: [{ ...imp, banner: { w: '320', h: '480' } }], at: '1', test: '1', cur: null });
    expect(parsed).toMatchObject({ test: true, auctionType: 1, currency: { code: 'USD', dollars: 1 } });
    expect(parsed.imps).toEqual([
      {
        id: '7',
        banner: {
          sizes: [{ width: 320, height: 480 }],
          screen: null,
          ratios: [],
          blockedTypes: [],
          blockedAttributes: [],
          mimes: [],
          apis: [],
        },
        video: null,
        native: null,
        floorCpmMicros: 250_000,
        floorProblem: null,
        interstitial: true,
        rewarded: false,
        secure: true,
        privateAuction: null,
        billing: null,
        excludedCreatives: null,
        reviewedAt: null,
        expiresAfterSeconds: null,
        skadnetwork: null,
        adAttributionKit: null,
      },
    ]);
  });

  test('a single value in place of a list', () => {
    const parsed = read({
      imp: { id: '1', banner: { format: { w: 300, h: 250 } } },
      cur: 'usd',
      bcat: 'iab25',
    });
    expect(parsed.imps[0]!.banner!.sizes).toEqual([{ width: 300, height: 250 }]);
    expect(parsed).toMatchObject({ currency: { code: 'USD' }, blockedCategories: ['IAB25'] });
  });

  test('sizes of the banner, of its formats, and of the screen for an interstitial', () => {
    const banner = {
      w: 320,
      h: 50,
      format: [{ w: 300, h: 50 }, { w: 0, h: 0 }, { wratio: 2, hratio: 1 }, null],
    };
    expect(readImp({ banner }).banner!.sizes).toEqual([
      { width: 320, height: 50 },
      { width: 300, height: 50 },
    ]);
    const screen = { imp: [{ id: '1', instl: 1, banner: {} }], device: { w: 1080, h: 1920 } };
    expect(read(screen).imps[0]!.banner!).toMatchObject({
      sizes: [],
      screen: { width: 1080, height: 1920 },
    });
    expect(readImp({ banner: {} }).banner!.sizes).toEqual([]);
  });

  test.each([
    [{ bundle: 'com.Publisher.App ' }, 'com.publisher.app'],
    [{ bundle: 'id284882215' }, '284882215'],
    [{ bundle: 284882215 }, '284882215'],
    [{ bundle: 'https://itunes.apple.com/us/app/name/id284882215?mt=8' }, '284882215'],
    [{ storeurl: 'https://play.google.com/store/apps/details?id=com.publisher' }, 'com.publisher'],
    [{ bundle: '', url: 'market://details?id=com.publisher' }, 'com.publisher'],
    [{ storeurl: 'https://itunes.apple.com/app/id%zz' }, ''],
    [{}, ''],
  ])('the bundle of %j is %j', (app, bundle) => {
    expect(read({ app }).app!.bundle).toBe(bundle);
  });

  test.each([
    [
      { os: 'iPhone OS', osv: '15_0_2' },
      { os: 'ios', osVersion: '15.0.2' },
    ],
    [
      { os: '', model: 'iPad8,1', devicetype: 1 },
      { os: 'ios', type: 'Tablet' },
    ],
    [{ ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)' }, { os: 'android' }],
    [
      { os: 'ios', model: 'iPad', devicetype: 1 },
      { os: 'ios', type: 'Tablet' },
    ],
    [{ geo: { country: 'gbr' } }, { country: 'GB' }],
    [{ geo: { country: 'UK' } }, { country: 'GB' }],
    [{ geo: { country: 'us' } }, { country: 'US' }],
    [{ geo: { country: 840 } }, { country: 'US' }],
    [{ geo: { country: '840' } }, { country: 'US' }],
    [{ geo: { country: 4 } }, { country: 'AF' }],
    [{ geo: { country: '004' } }, { country: 'AF' }],
    [{ geo: { country: 'United States' } }, { country: '' }],
    [{ geo: { country: 999 } }, { country: '' }],
    [{ geo: { country: -840 } }, { country: '' }],
    [{ geo: { country: 'nowhere' } }, { country: '' }],
    [{ language: 'en-US' }, { language: 'en' }],
    [{ connectiontype: '2' }, { connection: 'WiFi' }],
    [{ language: 'en_US' }, { language: 'en' }],
    [{ language: 'deu' }, { language: 'de' }],
    [{ language: 'English' }, { language: '' }],
    [{ os: 13 }, { os: 'ios' }],
    [{ os: '2' }, { os: 'android' }],
    [{ os: 'iPadOS' }, { os: 'ios' }],
    [{ os: 'constructor' }, { os: '' }],
    [{ os: 'Windows Phone', ua: windowsPhone }, { os: '' }],
    [{ ua: windowsPhone }, { os: '' }],
    [{ os: 'Tizen', ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)' }, { os: '' }],
    [{ os: 28, ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)' }, { os: '' }],
    [{ os: 'unknown', ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)' }, { os: 'android' }],
    [{ os: 0, ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)' }, { os: 'android' }],
    [{ sua: { platform: { brand: 'Windows' } }, ua: windowsPhone }, { os: '' }],
    [{ os: 'Android', devicetype: 3 }, { type: 'ConnectedTV' }],
    [{ os: 'Android', devicetype: '6' }, { type: 'ConnectedDevice' }],
    [{ os: 'Android', devicetype: 7 }, { type: 'SetTopBox' }],
    [{ os: 'Android', devicetype: 8 }, { type: 'OutOfHome' }],
    [{ os: 'Android', ua: 'Mozilla/5.0 (Linux; Android 9; BRAVIA 4K UR2)' }, { type: 'ConnectedTV' }],
    [{ os: 'Android', devicetype: 9 }, { type: '' }],
    [
      { sua: { platform: { brand: 'Android', version: ['13', '0', '1'] } } },
      { os: 'android', osVersion: '13.0.1' },
    ],
    [{ ipv6: '2001:db8::1' }, { ip: '2001:db8::1' }],
  ])('the device %j', (device, expected) => {
    expect(read({ device }).device).toMatchObject(expected);
  });

  test.each([
    [{ storeurl: 'https://apps.apple.com/app/id284882215' }, {}, 'ios'],
    [{ storeurl: 'https://play.google.com/store/apps/details?id=com.publisher' }, {}, 'android'],
    [{ url: 'https://itunes.apple.com/app/id284882215' }, { ua: windowsPhone }, 'ios'],
    [{ bundle: 'market://details?id=com.publisher' }, {}, 'android'],
    [{ storeurl: 'https://apps.apple.com/app/id284882215' }, { os: 'Android' }, 'android'],
    [{ storeurl: 'https://play.google.com/store/apps/details?id=com.publisher' }, { os: 'Windows' }, ''],
    [{ storeurl: 'https://example.com' }, {}, ''],
  ])('the store of %j with the device %j is of %j', (app, device, os) => {
    expect(read({ app, device }).device.os).toBe(os);
  });

  test.each([
    [{ utcoffset: -480 }, -480],
    [{ utcoffset: '330' }, 330],
    [{ utcoffset: 840 }, 840],
    [{ utcoffset: -721 }, null],
    [{ utcoffset: 841 }, null],
    [{ utcoffset: 5.5 }, null],
    [{ utcoffset: '' }, null],
    [{ utcoffset: null }, null],
    [{}, null],
  ])('minutes ahead of UTC in %o', (geo, minutes) => {
    expect(read({ device: { geo } }).device.utcOffsetMinutes).toBe(minutes);
    expect(read({ user: { geo } }).device.utcOffsetMinutes).toBe(minutes);
  });

  test('the country of the user where the device has none', () => {
    expect(read({ user: { geo: { country: 'USA' } } }).device.country).toBe('US');
  });

  test('a floor that is missing, negative or infinite', () => {
    for (const bidfloor of [null, '', -1, 0])
      expect(readImp({ bidfloor })).toMatchObject({ floorCpmMicros: 0, floorProblem: null });
    expect(readImp({ bidfloor: ' 100.5 ' })).toMatchObject({
      floorCpmMicros: 100_500_000,
      floorProblem: null,
    });
    expect(readImp({ bidfloor: 1e300 }).floorCpmMicros).toBe(1e12);
  });

  test('a floor that is stated and cannot be read is none that a bid may be above', () => {
    for (const floor of ['100,5', '$50', 'x', [50], {}, true]) {
      for (const imp of [
        { bidfloor: floor },
        { video: { mincpmpersec: floor } },
        { video: { durfloors: [{ mindur: 1, bidfloor: 1 }, { bidfloor: floor }] } },
      ])
        expect([imp, readImp(imp).floorProblem]).toEqual([imp, 'floor_unreadable']);
    }
    const ofLength = { bidfloorcur: 'XYZ', video: { durfloors: [{ mindur: 1, bidfloor: 1 }] } };
    expect(readImp(ofLength).floorProblem).toBe('currency');
  });

  test('seats: only the listed ones, and no blocked one', () => {
    for (const over of [{}, { wseat: [] }, { wseat: ['a', 'Bidwell'] }, { bseat: ['a'] }, { wseat: null }])
      expect([over, read(over).seatAllowed]).toEqual([over, true]);
    for (const over of [{ wseat: ['a'] }, { bseat: ['bidwell'] }, { wseat: ['bidwell'], bseat: ['bidwell'] }])
      expect([over, read(over).seatAllowed]).toEqual([over, false]);
  });

  test('normalised blocklists of the publisher', () => {
    const parsed = read({
      badv: ['WWW.Ford.com', '*.x.com', 'https://y.com/z'],
      bapp: ['id123456', 'Com.App'],
    });
    expect(parsed.blockedAdvertisers).toEqual(['ford.com', 'x.com', 'y.com']);
    expect(parsed.blockedApps).toEqual(['123456', 'com.app']);
    expect(readImp({ banner: { btype: ['1', 4, 'x'], mimes: ['IMAGE/JPG'] } }).banner).toMatchObject({
      blockedTypes: [1, 4],
      mimes: ['image/jpeg'],
    });
  });

  test('the remaining time, if given', () => {
    expect(read({ tmax: '120' }).timeLimitMs).toBe(120);
    for (const tmax of [undefined, 0, -5, 'soon', null]) expect(read({ tmax }).timeLimitMs).toBeNull();
  });
});

describe('personal data', () => {
  const device = { os: 'ios', ip: '203.0.113.9', ua: 'Agent', ifa: '6D92078A-8246-4BA4-AE5B-76104861E7DC' };
  const none = { ip: '', userAgent: '', ifa: '' };
  const allowed = { ip: '203.0.113.9', userAgent: 'Agent', ifa: device.ifa };

  test.each([
    ['nothing forbids it', { regs: {} }, allowed],
    ['a child', { regs: { coppa: 1 } }, none],
    ['the GDPR', { regs: { gdpr: 1 } }, none],
    ['the GDPR in an extension', { regs: { ext: { gdpr: 1 } } }, none],
    ['limited tracking', { device: { ...device, lmt: 1 } }, none],
    ['do not track', { device: { ...device, dnt: '1' } }, none],
    [
      'zeros',
      { device: { ...device, ifa: '00000000-0000-0000-0000-000000000000' } },
      { ...allowed, ifa: '' },
    ],
    ...[`{${device.ifa}}`, ` ${device.ifa}\n`, device.ifa.replaceAll('-', '')].map(
      (ifa): [string, object, object] => [
        `an id written as ${JSON.stringify(ifa)}`,
        { device: { ...device, ifa } },
        allowed,
      ],
    ),
    ['no id at all', { device: { ...device, ifa: 'nobody' } }, { ...allowed, ifa: '' }],
  ])('%s', (_name, over, expected) => {
    expect(read({ device, ...over }).device).toMatchObject(expected);
  });
});

test('a request without id or imp is invalid', () => {
  for (const body of [undefined, null, 1, 'x', [], {}, { id: 'r' }, { imp: [{ id: '1' }] }])
    expect(readBidRequest(body, 'sample')).toBeNull();
  expect(readBidRequest({ id: 'r', imp: [] }, 'sample')).toBeNull();
  expect(readBidRequest({ id: 'r', imp: [{ banner: {} }, 'x'] }, 'sample')).toBeNull();
});

test('lists are read up to a limit', () => {
  const many = Array.from({ length: 5000 }, (_unused, index) => ({ id: String(index) }));
  const parsed = read({ imp: many, bcat: many.map(({ id }) => `IAB${id}`) });
  expect(parsed.imps).toHaveLength(50);
  expect(parsed.blockedCategories).toHaveLength(1000);
});

test('texts are read up to a limit, and an id that cannot be echoed is missing', () => {
  const long = 'x'.repeat(256);
  expect(readBidRequest({ ...good, id: long }, 'sample')).toBeNull();
  expect(readBidRequest({ ...good, id: long.slice(1) }, 'sample')).toMatchObject({ id: long.slice(1) });
  expect(
    read({
      imp: [
        { id: long, banner: {} },
        { id: '2', banner: {} },
      ],
    }).imps,
  ).toMatchObject([{ id: '2' }]);
  const endless = 'a'.repeat(100_000);
  const { app, device, blockedAdvertisers, blockedCategories, supplyChain } = read({
    app: { bundle: `com.${endless}`, name: endless, cat: [endless], genre: endless },
    device: { ua: endless, model: endless, osv: endless, language: endless, ip: endless, os: endless },
    badv: [endless, '/'.repeat(2000) + '\n', 'x.com'],
    bcat: [endless, 'IAB1'],
    source: { schain: { complete: 1, nodes: [{ asi: endless, sid: endless }] } },
  });
  expect(blockedAdvertisers).toEqual(['x.com']);
  expect(blockedCategories).toEqual(['IAB1']);
  const texts = JSON.stringify({ app, device, supplyChain });
  expect(texts.length).toBeLessThan(2500);
});

test('a domain ends where its path begins', () => {
  const named = ['a.com/x\ny', 'b.com?x#y', 'c.com:8080', 'http://d.com#', '//', '####\n'];
  expect(read({ badv: named }).blockedAdvertisers).toEqual(['a.com', 'b.com', 'c.com', 'd.com', '', '']);
});

test('a blocked domain and a blocked app are found however they are written', () => {
  const written = [
    'lumendrift.example.',
    'LumenDrift.Example.',
    '//lumendrift.example',
    'https://www.lumendrift.example./path',
    'lumendrift\u3002example',
    'lumendrift\uff0eexample',
    'lumendrift\uff61example\u3002',
    '*.lumendrift.example',
  ];
  for (const badv of written)
    expect([badv, read({ badv: [badv] }).blockedAdvertisers]).toEqual([badv, ['lumendrift.example']]);
  expect(read({ badv: ['b\u00fccher.example'] }).blockedAdvertisers).toEqual(['xn--bcher-kva.example']);
  expect(read({ bapp: ['com.App.', 'id123456.'] }).blockedApps).toEqual(['com.app', '123456']);
});

test('the supply chain is read at its places in 2.5 and 2.6; it is complete if every seller is named', () => {
  const node = { asi: 'Exchange.example', sid: '1234', hp: 1, rid: 'r' };
  const chain = (nodes: unknown, complete: unknown = 1) => ({ ver: '1.0', complete, nodes });
  const nodes = [{ system: 'exchange.example', sellerId: '1234', requestId: 'r' }];
  for (const source of [{ schain: chain([node]) }, { ext: { schain: chain([node], '1') } }])
    expect(read({ source }).supplyChain).toEqual({ complete: true, nodes });
  for (const [list, complete] of [
    [[node], 0],
    [[], 1],
    [[{ asi: 'x' }], 1],
    [null, 1],
    ['x', 1],
  ] as const)
    // prettier-ignore
    expect(read({ source: { schain: chain(list, complete) } }).supplyChain).toMatchObject({ complete: false });
  for (const source of [null, {}, { schain: 'x' }, { ext: 1 }])
    expect(read({ source }).supplyChain).toBeNull();
});

test('our seat at the exchange decides which bids are ours', () => {
  const readAt = (seat: string, over: object) => readBidRequest({ ...good, ...over }, 'sample', { seat })!;
  expect(readAt('Buyer-7', { wseat: ['buyer-7'] })).toMatchObject({ seat: 'Buyer-7', seatAllowed: true });
  expect(readAt('Buyer-7', { wseat: ['bidwell'] }).seatAllowed).toBe(false);
  expect(readAt('Buyer-7', { bseat: ['BUYER-7'] }).seatAllowed).toBe(false);
});

test('transparency fields are read in the old and the new place', () => {
  const dsa = { dsarequired: '2', pubrender: 1, datatopub: 2 };
  for (const regs of [{ dsa }, { ext: { dsa } }])
    expect(read({ regs }).dsa).toEqual({ required: true, publisherRenders: true });
  expect(read({ regs: { ext: { dsa: { dsarequired: 1 } } } }).dsa).toEqual({
    required: false,
    publisherRenders: false,
  });
  expect(read({ regs: {} }).dsa).toBeNull();
});

const names = [
  'id',
  'imp',
  'banner',
  'format',
  'w',
  'h',
  'mimes',
  'btype',
  'app',
  'bundle',
  'url',
  'storeurl',
  'cat',
  'device',
  'geo',
  'country',
  'ifa',
  'os',
  'osv',
  'language',
  'cur',
  'bidfloor',
  'pmp',
  'regs',
  'ext',
  'user',
  'wseat',
  'badv',
  'bapp',
  'tmax',
  '__proto__',
  'constructor',
];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue(),
    fc.constantFrom(
      'https://itunes.apple.com/app/id%zz',
      'market://details?id=%',
      '1e999',
      1e308,
      -0,
      'http://[',
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 12 }),
  ),
}));

test('reading never throws, for any input', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), value, (request, anything) => {
      readBidRequest(anything, 'sample');
      readBidRequest({ ...request, id: 'r', imp: [{ ...request, id: '1' }] }, 'sample');
    }),
    runs(1000),
  );
});

test('one invalid field does not invalidate the rest', () => {
  const field = fc.constantFrom(...names.filter((name) => name !== 'id' && name !== 'imp'));
  fc.assert(
    fc.property(field, value, (name, wrong) => {
      const parsed = readBidRequest({ ...good, [name]: wrong }, 'sample');
      expect(parsed).toMatchObject({ id: 'r', imps: [{ id: '1', banner: { sizes: [{ width: 320 }] } }] });
      const inImp = readBidRequest({ ...good, imp: [{ ...good.imp[0], [name]: wrong }] }, 'sample');
      expect(inImp).toMatchObject({ id: 'r', imps: [{ id: '1' }] });
    }),
    runs(1000),
  );
});

describe('the advertising id', () => {
  const ifa = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
  const idOf = (over: { device?: object; user?: object; regs?: object }, vendorId: number | null = null) =>
    readBidRequest({ ...good, ...over, device: { os: 'iOS', ifa, ...over.device } }, 'sample', {
      tcfVendorId: vendorId,
    })!.device.ifa;
  const consent = 'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  test('is used if nothing forbids it', () => {
    expect(idOf({})).toBe(ifa);
    expect(idOf({ device: { lmt: 0, ext: { atts: 3 } }, regs: { gdpr: 0, us_privacy: '1YNN' } })).toBe(ifa);
    expect(idOf({ regs: { gpp: 'DBABT~1YNN', gpp_sid: [6] } })).toBe(ifa);
    expect(idOf({ regs: { gpp: 'DBABT~1YYN', gpp_sid: [-1] } })).toBe(ifa);
  });

  test.each([
    [{ device: { lmt: 1 } }],
    [{ device: { lmt: '1' } }],
    [{ device: { dnt: 1 } }],
    [{ device: { ext: { atts: 2 } } }],
    [{ device: { ext: { atts: 0 } } }],
    [{ device: { ifa: '00000000-0000-0000-0000-000000000000' } }],
    [{ regs: { coppa: 1 } }],
    [{ regs: { ext: { coppa: 1 } } }],
    [{ regs: { gdpr: 1 } }],
    [{ regs: { ext: { gdpr: '1' } }, user: { ext: { consent } } }],
    [{ regs: { us_privacy: '1YYN' } }],
    [{ regs: { ext: { us_privacy: '1NYN' } } }],
    [{ regs: { gpp: 'DBABT~1YYN', gpp_sid: [6] } }],
    [{ regs: { ext: { gpp: 'DBABT~1YYN', gpp_sid: ['6'] } } }],
    [{ regs: { gpp_sid: [7] } }],
  ])('is not used with %j', (over) => {
    expect(idOf(over)).toBe('');
  });

  test('is used under the GDPR only with consent to us', () => {
    const bytes = Buffer.alloc(40);
    const set = (bit: number) => (bytes[bit >> 3]! |= 0x80 >> (bit & 7));
    // Version 2; purposes 1 and 7; maximum vendor id 7, consent for vendor 7.
    for (const bit of [4, 152, 158, 226, 227, 228, 236]) set(bit);
    const consentString = bytes.toString('base64url');
    expect(idOf({ regs: { gdpr: 1 }, user: { consent: consentString } }, 7)).toBe(ifa);
    expect(idOf({ regs: { ext: { gdpr: 1 } }, user: { ext: { consent: consentString } } }, 7)).toBe(ifa);
    expect(idOf({ regs: { gdpr: 1 }, user: { consent: '', ext: { consent: consentString } } }, 7)).toBe(ifa);
    expect(idOf({ regs: { gdpr: 1 }, user: { consent: consentString } }, 6)).toBe('');
    // The European section of a GPP string says it too, but not against a string of its own.
    const gpp = `DBABMA~${consentString}`;
    expect(idOf({ regs: { gdpr: 1, gpp } }, 7)).toBe(ifa);
    expect(idOf({ regs: { gdpr: 1, ext: { gpp, gpp_sid: [2] } } }, 7)).toBe(ifa);
    expect(idOf({ regs: { gdpr: 1, gpp }, user: { consent } }, 7)).toBe('');
    expect(idOf({ regs: { gdpr: 1, gpp: consentString } }, 7)).toBe('');
    // Vendor 6 alone was disclosed.
    expect(idOf({ regs: { gdpr: 1 }, user: { consent: `${consentString}.IADAQ` } }, 7)).toBe('');
    expect(idOf({ regs: { gdpr: 1 }, user: { consent: consentString } }, null)).toBe('');
  });
});

test('store genres are read besides the categories of the taxonomy', () => {
  const app = {
    bundle: 'com.publisher',
    cat: ['iab9-30', 'GAME_PUZZLE'],
    genre: 'Puzzle',
    ext: { genre: 7012 },
  };
  expect(read({ app }).app).toMatchObject({
    categories: ['IAB9-30'],
    storeGenres: ['GAME_PUZZLE', 'Puzzle', '7012'],
  });
});

describe('content types', () => {
  const mimesOf = (mimes: unknown) => {
    const assets = [{ id: 1, img: { type: 3, mimes } }];
    const { banner, video, native } = readImp({
      banner: { mimes },
      video: { mimes },
      native: { request: { assets } },
    });
    const [asset] = native!.assets;
    return [banner!.mimes, video!.mimes, (asset as ParsedImageAsset).mimes];
  };
  const images = ['image/png', 'image/jpeg', 'image/gif'];
  test.each<[unknown, string[]]>([
    [['image/jpg'], ['image/jpeg']],
    [['IMAGE/JPEG', ' image/jpg '], ['image/jpeg']],
    [
      ['image/png; q=1', 'image/webp'],
      ['image/png', 'image/webp'],
    ],
    ['image/jpeg,image/png', ['image/jpeg', 'image/png']],
    [['image/jpeg, image/png'], ['image/jpeg', 'image/png']],
    [['image/*'], images],
    [
      ['image/*;q=0.8', 'image/webp'],
      [...images, 'image/webp'],
    ],
    [['*/*'], [...images, 'video/mp4', 'video/quicktime', 'text/html']],
    ['*', [...images, 'video/mp4', 'video/quicktime', 'text/html']],
    [['video/*'], ['video/mp4', 'video/quicktime']],
    [['audio/*'], ['audio/*']],
    [['', null, ' , '], []],
    [null, []],
  ])('%j accepts the same in banners, videos and native images', (mimes, types) => {
    expect(mimesOf(mimes)).toEqual([types, types, types]);
  });
});

describe('video and native', () => {
  test('a video with strings and invalid values is read as far as possible', () => {
    const video = {
      mimes: 'MP4',
      protocols: ['2', '3', null, {}],
      minduration: '5',
      maxduration: -1,
      skip: '1',
      skipafter: '7',
      w: '640',
      h: 360,
      linearity: '1',
      boxingallowed: 0,
      battr: 'x',
    };
    expect(readImp({ video }).video).toEqual({
      mimes: ['video/mp4'],
      secondsMin: 5,
      secondsMax: Infinity,
      exactSeconds: [],
      protocols: [2, 3],
      size: { width: 640, height: 360 },
      skippable: true,
      skipMinSeconds: 0,
      skipAfterSeconds: 7,
      linear: true,
      deliveries: [],
      kbpsMin: 0,
      kbpsMax: Infinity,
      boxing: false,
      fullScreen: false,
      blockedAttributes: [],
      podId: '',
      podSeconds: null,
      podAdsMax: 20,
      floorPerSecondCpmMicros: 0,
      durationFloors: [],
      apis: [],
    });
  });

  test('an app names its measurement SDK in an extension or directly', () => {
    expect(read().hasMeasurementSdk).toBe(false);
    expect(read({ source: { ext: { omidpn: 'Partner', omidpv: '1.4' } } }).hasMeasurementSdk).toBe(true);
    expect(read({ source: { omidpn: 'Partner' } }).hasMeasurementSdk).toBe(true);
    expect(read({ source: { ext: { omidpn: '' } } }).hasMeasurementSdk).toBe(false);
  });

  test('native assets are read by kind', () => {
    const assets = [
      { id: '1', required: '1', title: { len: '25' } },
      { id: 2, img: { wmin: 600, hmin: 314, mimes: ['image/PNG', 'png'] } },
      { id: 3, img: { type: 1, w: 80, h: 80 } },
      { id: 4, data: { type: 2 } },
      { id: 5, video: {} },
      null,
    ];
    const native = { request: JSON.stringify({ native: { assets } }) };
    expect(readImp({ native }).native).toMatchObject({
      wrapped: true,
      eventTrackers: false,
      assets: [
        { id: 1, required: true, kind: 'title', lengthMax: 25 },
        { id: 2, required: false, kind: 'image', widthMin: 600, mimes: ['image/png'] },
        { id: 3, kind: 'icon', width: 80 },
        { id: 4, kind: 'data', type: 2, lengthMax: Infinity },
        { id: 5, kind: 'video' },
        { id: 6, kind: 'other' },
      ],
    });
  });
});
