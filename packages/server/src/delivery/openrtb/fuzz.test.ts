import { CREATIVE_TYPES } from '@bidwell/contract/creatives/schema';
import fc from 'fast-check';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp({ MODERATION: 'auto' });

/** Complete requests for every format. */
const native = {
  ver: '1.2',
  eventtrackers: [{ event: 1, methods: [1, 2] }],
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, w: 1200, wmin: 600, h: 627, hmin: 313, mimes: ['image/png'] } },
    { id: 3, img: { type: 1, w: 80, h: 80 } },
    { id: 4, data: { type: 2, len: 140 } },
  ],
};
const imps = [
  {
    banner: {
      w: 320,
      h: 50,
      format: [{ w: 320, h: 50 }],
      api: [3, 5],
      btype: [4],
      battr: [1],
      mimes: ['image/png'],
    },
  },
  { banner: { w: 320, h: 480, api: [5, 6] }, instl: 1 },
  {
    video: {
      mimes: ['video/mp4'],
      minduration: 5,
      maxduration: 60,
      protocols: [2, 3, 7],
      w: 720,
      h: 1280,
      skip: 1,
    },
    rwdd: 1,
  },
  { native: { request: JSON.stringify(native), ver: '1.2', battr: [13] } },
];
const requests = imps.map((imp) =>
  JSON.stringify({
    id: 'request-1',
    imp: [{ id: '1', bidfloor: 0.5, bidfloorcur: 'USD', secure: 0, tagid: 'slot', ...imp }],
    app: {
      id: '17',
      name: 'Publisher',
      bundle: 'com.publisher.game',
      cat: ['IAB9-30'],
      storeurl: 'https://play.google.com/store/apps/details?id=com.publisher.game',
    },
    device: {
      ua: 'Mozilla/5.0 (Linux; Android 12; Pixel 6)',
      ip: '203.0.113.9',
      os: 'Android',
      osv: '12.1',
      model: 'Pixel 6',
      language: 'en',
      devicetype: 4,
      connectiontype: 2,
      ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
      geo: { country: 'USA' },
    },
    user: { id: 'u', consent: 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA', geo: { country: 'USA' } },
    regs: { coppa: 0, gdpr: 0, ext: { us_privacy: '1---' } },
    cur: ['USD'],
    bcat: ['IAB25'],
    badv: ['blocked.example'],
    tmax: 300,
    at: 1,
    ext: { nbr: 1 },
  }),
);

const slug = `fuzz-${uuidv4().slice(0, 8)}`;
const { data: exchange } = await app.operator('PUT', `/ssps/${slug}`, { name: 'Fuzz' });
const company = await app.freshCompany();
for (const creative of CREATIVE_TYPES) await makeRunningCampaign(app, company, { creative, amount: 100_000 });
await app.settled();

const send = (body: Buffer) =>
  app.http.inject({
    method: 'POST',
    url: exchange.path,
    headers: { 'content-type': 'application/json', 'x-openrtb-version': '2.6' },
    payload: body,
  });

/** Asserts that a response is valid OpenRTB. Returns its status. */
async function checked(body: Buffer): Promise<number> {
  const response = await send(body);
  const status = response.statusCode;
  expect([200, 204, 400]).toContain(status);
  if (status !== 200) {
    expect(response.body).toBe('');
    return status;
  }
  const parsed = response.json();
  expect(parsed.id).toEqual(expect.any(String));
  expect(parsed.id).not.toBe('');
  if (parsed.seatbid === undefined) {
    expect(parsed).toMatchObject({ nbr: expect.any(Number), ext: { reason: expect.any(String) } });
    return status;
  }
  for (const bid of parsed.seatbid[0].bid) {
    expect(bid.price).toBeGreaterThan(0);
    for (const field of ['id', 'impid', 'adm', 'crid', 'nurl', 'burl']) expect(bid[field]).not.toBe('');
    for (const field of ['w', 'h'] as const)
      if (bid[field] !== undefined) expect(bid[field]).toBeGreaterThan(0);
    if (bid.mtype === 4) JSON.parse(bid.adm);
    if (bid.mtype === 2) expect(bid.adm).toMatch(/^<\?xml [\s\S]*<\/VAST>$/);
  }
  return status;
}

test.each([0, 1, 2, 3])('request %i gets a bid unchanged', async (index) => {
  const response = await send(Buffer.from(requests[index]!));
  expect(response.json().seatbid?.[0].bid).toHaveLength(1);
});

test('every request with any of its bytes changed gets a valid response', async () => {
  const change = fc.record({
    request: fc.constantFrom(...requests),
    position: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('"{}[],:0-9eE.\\ntf'))),
    how: fc.constantFrom('replace', 'insert', 'remove', 'cut'),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ request, position, byte, how }) => {
      const bytes = Buffer.from(request);
      const at = Math.floor(position * bytes.length);
      const rest = how === 'insert' ? bytes.subarray(at) : bytes.subarray(at + 1);
      const middle = how === 'remove' || how === 'cut' ? [] : [byte];
      await checked(
        Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), how === 'cut' ? Buffer.alloc(0) : rest]),
      );
    }),
    runs(1500),
  );
});

test('every request with any of its values replaced gets a valid response', async () => {
  const strange = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      '',
      '0',
      0,
      -1,
      1,
      1e308,
      -1e308,
      0.1,
      true,
      [],
      {},
      [[]],
      'constructor',
      '__proto__',
      'NaN',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...requests), fc.nat(), strange, async (request, pick, value) => {
      const parsed = JSON.parse(request) as unknown;
      const paths = pathsOf(parsed);
      const [holder, key] = paths[pick % paths.length]!;
      holder[key] = value;
      await checked(Buffer.from(JSON.stringify(parsed)));
    }),
    runs(1500),
  );
});

type Holder = Record<string, unknown>;

/** Locations of all nested values, each as its parent and key. */
function pathsOf(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...pathsOf(holder[key])]);
}
