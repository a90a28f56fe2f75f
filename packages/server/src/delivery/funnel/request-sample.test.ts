import fc from 'fast-check';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { Outline } from '../openrtb/read/outline.ts';
import { readOutlinedIds } from '../openrtb/read/read-device.ts';
import { Draws } from '../forecast/ranges.ts';
import { keysOfDevice } from '../privacy/person-key.ts';
import { digestText } from '../model/frequency.ts';
import { createSample, storeSample } from './request-sample.ts';

const SECRET = 'a secret of the tests of the sample';
const START_MS = Date.parse('2026-05-04T00:00:00Z');
const SPAN_MS = 6 * 3_600_000;

/** A bid request; without a person where `ifa` is empty. */
function bodyOf(ifa: string, device: object = {}) {
  return {
    id: uuidv4(),
    imp: [{ id: '1', banner: { w: 320, h: 50 } }],
    app: { bundle: 'com.publisher' },
    device: { os: 'Android', ifa, ...device },
  };
}

const outline = new Outline();

/** A sample on a clock of its own. */
function sampleAt(bidders = 1, seed = 1) {
  const draws = new Draws(seed);
  const clock = { nowMs: START_MS };
  const sample = createSample({
    now: () => new Date(clock.nowMs),
    bidders: () => bidders,
    personSecret: SECRET,
  });
  const offer = (body: ReturnType<typeof bodyOf>, atMs: number) => {
    clock.nowMs = atMs;
    sample.offer(readBidRequest(body, 'sample')!, body);
    return sample.take();
  };
  /** Whether a request passes by its outline. */
  const passes = (body: object, atMs: number): boolean => {
    clock.nowMs = atMs;
    if (!outline.take(Buffer.from(JSON.stringify(body)))) throw new Error('The request has no outline');
    return sample.passes({ id: outline.text('id'), ssp: 'sample', device: readOutlinedIds(outline) });
  };
  return { offer, passes, draws };
}

/** Some hours of requests at a rate, of people and without a person. */
function hoursSampled({ perSecond, people, seed }: { perSecond: number; people: number; seed: number }) {
  const { offer, draws } = sampleAt(1, seed);
  const ids = Array.from({ length: people }, (_unused, index) => (index % 4 === 0 ? '' : uuidv4()));
  const total = Math.round((perSecond * SPAN_MS) / 1000);
  const taken: (ReturnType<typeof offer>[number] & { ifa: string })[] = [];
  const sent = new Map<string, number>();
  for (let index = 0; index < total; index += 1) {
    const ifa = ids[Math.floor(draws.uniform() * people)]!;
    sent.set(ifa, (sent.get(ifa) ?? 0) + 1);
    for (const row of offer(bodyOf(ifa), START_MS + (index / total) * SPAN_MS)) taken.push({ ...row, ifa });
  }
  return { taken, sent, total };
}

test('the sample has all requests of some people, and stands for all requests', () => {
  fc.assert(
    fc.property(
      fc.record({
        perSecond: fc.double({ min: 0.05, max: 1.5, noNaN: true }),
        people: fc.integer({ min: 3000, max: 6000 }),
        seed: fc.integer(),
      }),
      (input) => {
        const { taken, sent, total } = hoursSampled(input);
        const weight = taken.reduce((sum, row) => sum + row.weight, 0);
        expect(Math.abs(weight / total - 1)).toBeLessThan(0.25);
        expect(taken.length).toBeLessThan((0.33 * SPAN_MS) / 1000 + 250);
        const highest = Math.max(...taken.map(({ level }) => level!));
        const stored = new Map<string, number>();
        for (const { ifa, person_level: level } of taken)
          if (ifa !== '' && level! >= highest) stored.set(ifa, (stored.get(ifa) ?? 0) + 1);
        for (const [ifa, requests] of stored) expect(requests).toBe(sent.get(ifa));
      },
    ),
    runs(5),
  );
});

/** Enough requests that only some people are chosen. */
const EARLIER = Array.from({ length: 400 }, () => bodyOf(uuidv4()));

test('requests that pass by their outlines leave the sample as it is when each is offered', () => {
  const device = fc.record({
    ifa: fc.oneof(fc.uuid(), fc.constantFrom('', '00000000-0000-0000-0000-000000000000', 'none')),
    lmt: fc.constantFrom(0, 1),
    ip: fc.constantFrom('', '203.0.113.9', '2001:db8::7'),
    ua: fc.constantFrom('', 'Mozilla/5.0 (Linux; Android 12; Pixel 6)'),
    model: fc.constantFrom('Pixel 6', ' Pixel 7 '),
    ext: fc.record({ ifv: fc.oneof(fc.constant(''), fc.uuid()) }),
  });
  const body = fc
    .record({ id: fc.uuid(), device, user: fc.record({ id: fc.constantFrom('', 'u1', 'u2') }) })
    .map(({ id, device: { ifa, ...rest }, user }) => ({
      ...bodyOf(ifa, { geo: { country: 'USA' }, ...rest }),
      id,
      user,
    }));
  fc.assert(
    fc.property(
      fc.array(body, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 400 }),
      (bodies, everyMs) => {
        const [offered, passed] = [sampleAt(), sampleAt()];
        for (const { offer } of [offered, passed])
          for (const [index, one] of EARLIER.entries()) offer(one, START_MS + index * 20);
        for (const [index, one] of bodies.entries()) {
          const atMs = START_MS + 10_000 + index * everyMs;
          const chosen = offered.offer(one, atMs);
          const left = passed.passes(one, atMs) ? [] : passed.offer(one, atMs);
          const content = (rows: typeof chosen) => rows.map(({ id: _id, ...row }) => row);
          expect(content(left)).toEqual(content(chosen));
        }
      },
    ),
    runs(100),
  );
});

test('bidders choose the same people, whom no one can tell from the keys of their impressions', () => {
  const [one, other] = [sampleAt(4, 1), sampleAt(4, 2)];
  const chosen = [one, other].map(({ offer }) => {
    const found = new Set<string>();
    for (let index = 0; index < 10_000; index += 1) {
      const ifa = `00000000-0000-4000-8000-${String(index % 500).padStart(12, '0')}`;
      for (const { person, level } of offer(bodyOf(ifa), START_MS + index * 1000))
        if (level! > 1) found.add(person!);
    }
    return found;
  });
  expect(chosen[0]!.size).toBeGreaterThan(20);
  expect(chosen[1]).toEqual(chosen[0]);
  const keys = ['events', 'sample'] as const;
  const ids = Array.from(
    { length: 500 },
    (_unused, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  const [inEvents, inSample] = keys.map(
    (purpose) =>
      new Set(ids.map((id) => BigInt(`0x${digestText(keysOfDevice(SECRET, id, purpose)[0]!)}`).toString())),
  );
  for (const person of chosen[0]!)
    expect([inEvents!.has(person), inSample!.has(person)]).toEqual([false, true]);
});

test.each([
  ['limited tracking', { lmt: 1 }, {}],
  ['children', {}, { coppa: 1 }],
])('a request under %s has no person in the sample', (_what, device, regs) => {
  const { offer } = sampleAt();
  const body = { ...bodyOf(uuidv4(), device), regs };
  const [row] = offer(body, START_MS);
  expect(row!.person).toBeUndefined();
  expect(row).toMatchObject({ weight: 1, level: 0 });
});

test('the audiences of people are stored in place of their ids, only of people who may be looked up', async () => {
  const member = uuidv4();
  const [sampled, limited] = [bodyOf(member), bodyOf(member, { lmt: 1 })];
  const { offer } = sampleAt();
  const waiting = [sampled, limited, bodyOf(uuidv4())].flatMap((body) => offer(body, START_MS));
  const inserted: object[] = [];
  await storeSample(
    {
      insert: async (_table, rows) => {
        inserted.push(...rows);
      },
    },
    waiting,
    {
      loaded: () => ['b', 'a'],
      membershipsOf: (id) => ({ of: (uuid) => (id === member && uuid === 'b' ? 'in' : 'out') }),
    },
  );
  expect(inserted).toMatchObject([
    { list_state: 2, looked_up: 'a,b', audiences: ['b'] },
    { list_state: 1, looked_up: 'a,b', audiences: [] },
    { list_state: 2, looked_up: 'a,b', audiences: [] },
  ]);
  expect(JSON.stringify(inserted)).not.toContain(member);
  const columns = inserted.map((row) => Object.keys(row).toSorted());
  expect(columns[1]).toEqual(columns[0]);
});
