import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { compileSnapshot } from '../snapshot/compile.ts';
import { type CompiledCaps, type Digest, subjectOf } from '../model/frequency.ts';
import { type CappedBid, FrequencyCaps } from './frequency-caps.ts';

const MIB = 1024 ** 2;
const START_MS = Date.UTC(2026, 4, 4, 12);
const OPEN_MS = 60_000;
const personOf = (number: number): Digest => ({ high: number, low: number * 7919 });

/** Ad sets of one campaign with these caps, each as the snapshot has it. */
function capped(adsetCaps: FrequencyCap[][], campaignCaps: FrequencyCap[] = []) {
  const campaignId = uuidv7();
  const rows = adsetCaps.map((caps) => ({ ...adsetRowOf({}), campaignId, caps, campaignCaps }));
  const { candidates } = compileSnapshot(rows);
  return rows.map(({ adsetId }) => candidates.find((one) => one.adsetId === adsetId)!);
}

/** A bidder whose clock the test sets, and what it did: one row for each impression. */
function bidderOf(candidates: ReturnType<typeof capped>, frequency: FrequencyCaps) {
  frequency.setCandidates(candidates);
  return {
    /** Bids for a person unless the caps forbid it. */
    bid(adset: number, person: number, nowMs: number, openMs = OPEN_MS): CappedBid | null {
      const { caps } = candidates[adset]!;
      if (frequency.noBidReason(caps!, personOf(person), nowMs, 0) !== null) return null;
      const bid = bidOf(caps!, person);
      frequency.sent(bid, caps!, nowMs, openMs);
      return bid;
    },
    end(bid: CappedBid, isImpression: boolean, atMs: number): void {
      frequency.ended({ ...bid, isImpression, atMs });
    },
  };
}

function bidOf({ adsetSubject, campaignSubject }: CompiledCaps, person: number): CappedBid {
  return { bid: subjectOf(uuidv7()), person: personOf(person), adsetSubject, campaignSubject };
}

const DAY = 1440;

test('an ad set bids for a person until its cap is reached, and again once the time is over', () => {
  const candidates = capped([[{ impressions: 2, minutes: 60 }]]);
  const { bid, end } = bidderOf(candidates, new FrequencyCaps(MIB));
  for (const minute of [0, 10]) end(bid(0, 1, START_MS + minute * 60_000)!, true, START_MS + minute * 60_000);
  expect(bid(0, 1, START_MS + 59 * 60_000)).toBeNull();
  expect(bid(0, 2, START_MS + 59 * 60_000)).not.toBeNull();
  // A rolling hour, up to two seconds longer.
  expect(bid(0, 1, START_MS + 60 * 60_000)).toBeNull();
  expect(bid(0, 1, START_MS + 60 * 60_000 + 2000)).not.toBeNull();
  expect(bid(0, 1, START_MS + 60 * 60_000 + 2000)).toBeNull();
});

test('a bid under way counts until it is lost or expires', () => {
  const candidates = capped([[{ impressions: 1, minutes: DAY }]]);
  const { bid, end } = bidderOf(candidates, new FrequencyCaps(MIB));
  const first = bid(0, 1, START_MS)!;
  expect(bid(0, 1, START_MS + 1000)).toBeNull();
  end(first, false, START_MS + 1000);
  expect(bid(0, 1, START_MS + 2000)).not.toBeNull();
  expect(bid(0, 1, START_MS + 60_000)).toBeNull();
  expect(bid(0, 1, START_MS + 2000 + OPEN_MS + 1000)).not.toBeNull();
});

test('a bid does not expire before the notices of its time are counted', () => {
  let countedMs = START_MS;
  const candidates = capped([[{ impressions: 1, minutes: DAY }]]);
  const { bid } = bidderOf(candidates, new FrequencyCaps(MIB, () => countedMs));
  expect(bid(0, 1, START_MS)).not.toBeNull();
  expect(bid(0, 1, START_MS + 2 * OPEN_MS)).toBeNull();
  countedMs = START_MS + 2 * OPEN_MS;
  expect(bid(0, 1, START_MS + 2 * OPEN_MS)).not.toBeNull();
});

test('an impression counts once, whichever notices and outcomes tell it', () => {
  const candidates = capped([[{ impressions: 2, minutes: DAY }]]);
  const frequency = new FrequencyCaps(MIB);
  const { bid, end } = bidderOf(candidates, frequency);
  const first = bid(0, 1, START_MS)!;
  for (let time = 0; time < 3; time += 1) end(first, true, START_MS + time * 1000);
  expect(frequency.counts()).toMatchObject({ impressions: 1, openBids: 0 });
  expect(bid(0, 1, START_MS + 5000)).not.toBeNull();
});

test('impressions that are counted again count at their own time, and once', () => {
  const [first] = capped([[{ impressions: 2, minutes: DAY }]]);
  const frequency = new FrequencyCaps(MIB);
  const { bid, end } = bidderOf([first!], frequency);
  const HOUR_MS = 3_600_000;
  const bids = new Map([0, 1, 30].map((hours) => [hours, bidOf(first!.caps!, 1)]));
  for (const hours of [0, 1, 30, 30, 0]) end(bids.get(hours)!, true, START_MS - hours * HOUR_MS);
  expect(frequency.counts().impressions).toBe(3);
  expect(bid(0, 1, START_MS + 22 * HOUR_MS)).toBeNull();
  expect(bid(0, 1, START_MS + 23 * HOUR_MS + 2000)).not.toBeNull();
});

test('bids expire although the clock was ahead for a moment', () => {
  const { bid } = bidderOf(capped([[{ impressions: 1, minutes: DAY }]]), new FrequencyCaps(MIB));
  expect(bid(0, 1, START_MS + DAY * 60_000)).not.toBeNull();
  expect(bid(0, 2, START_MS)).not.toBeNull();
  expect(bid(0, 2, START_MS + 1000)).toBeNull();
  expect(bid(0, 2, START_MS + OPEN_MS + 1000)).not.toBeNull();
});

test('a campaign counts the impressions of all its ad sets', () => {
  const candidates = capped([[], [{ impressions: 1, minutes: 60 }]], [{ impressions: 2, minutes: DAY }]);
  const { bid, end } = bidderOf(candidates, new FrequencyCaps(MIB));
  end(bid(0, 1, START_MS)!, true, START_MS);
  end(bid(1, 1, START_MS)!, true, START_MS);
  expect([bid(0, 1, START_MS), bid(1, 1, START_MS)]).toEqual([null, null]);
  expect(bid(0, 2, START_MS)).not.toBeNull();
});

test('two ad sets of a campaign in one request count both', () => {
  const [candidate] = capped([[]], [{ impressions: 2, minutes: DAY }]);
  const frequency = new FrequencyCaps(MIB);
  frequency.setCandidates([candidate!]);
  const reasons = [0, 1, 2].map((placed) =>
    frequency.noBidReason(candidate!.caps!, personOf(1), START_MS, placed),
  );
  expect(reasons).toEqual([null, null, 'capped']);
});

test('a person without an id gets bids without a cap, or none by choice', () => {
  const caps = [{ impressions: 1, minutes: DAY }];
  const rows = (['bid', 'skip'] as const).map((peopleWithoutId) => ({
    ...adsetRowOf({}),
    caps,
    peopleWithoutId,
  }));
  const { candidates } = compileSnapshot(rows);
  const frequency = new FrequencyCaps(MIB);
  const reasonOf = (adsetId: string) =>
    frequency.noBidReason(candidates.find((one) => one.adsetId === adsetId)!.caps!, null, START_MS, 0);
  expect(rows.map(({ adsetId }) => reasonOf(adsetId))).toEqual([null, 'no_person_key']);
});

test('while too many bids are under way, ad sets with caps do not bid', () => {
  const candidates = capped([[{ impressions: 1, minutes: DAY }]]);
  const frequency = new FrequencyCaps(4 * 1024);
  const { bid } = bidderOf(candidates, frequency);
  const { openBidsMax } = frequency.counts();
  for (let person = 0; person < openBidsMax; person += 1) expect(bid(0, person, START_MS)).not.toBeNull();
  const { caps } = candidates[0]!;
  expect(frequency.noBidReason(caps!, personOf(-1), START_MS, 0)).toBe('overloaded');
  frequency.sentElsewhere(bidOf(caps!, -1), START_MS, OPEN_MS);
  expect([frequency.isFull, frequency.counts().unheld]).toEqual([true, 1]);
  expect(bid(0, 9999, START_MS + OPEN_MS + 1000)).not.toBeNull();
});

test('the oldest impressions are forgotten first, and counted', () => {
  const candidates = capped([[{ impressions: 1, minutes: DAY }]]);
  const frequency = new FrequencyCaps(64 * 1024);
  const { bid, end } = bidderOf(candidates, frequency);
  const { impressionsMax } = frequency.counts();
  for (let person = 0; person <= impressionsMax; person += 1)
    end(bid(0, person, START_MS + person)!, true, START_MS + person);
  expect(frequency.counts()).toMatchObject({ impressions: impressionsMax, forgotten: 1 });
  expect(bid(0, 0, START_MS + 60_000)).not.toBeNull();
  expect(bid(0, 1, START_MS + 60_000)).toBeNull();
});

/** What may happen to a bidder, in any order. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('bid' as const), adset: fc.nat(2), person: fc.nat(2) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('impression' as const), of: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('loss' as const), of: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), of: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(40) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { minLength: 1, maxLength: 120 },
);

const caps = fc
  .uniqueArray(
    fc.record({ impressions: fc.integer({ min: 1, max: 6 }), minutes: fc.integer({ min: 1, max: 4 }) }),
    {
      maxLength: 3,
      selector: ({ minutes }) => minutes,
    },
  )
  .map((list) => list.toSorted((a, b) => a.minutes - b.minutes))
  .filter((list) => list.every(({ impressions }, at) => at === 0 || impressions > list[at - 1]!.impressions));

/** What a bidder has that reads the counts of another one. */
function restarted(before: FrequencyCaps, nowMs: number): FrequencyCaps {
  const after = new FrequencyCaps(MIB);
  for (const { counter, bid, at } of before.stored().impressions()) after.restoreImpression(counter, bid, at);
  for (const { bid, ...held } of before.stored().open()) after.restoreOpen(bid, { ...held, nowMs });
  return after;
}

test('no order of bids, notices, losses, expiries and restarts passes a cap', () => {
  fc.assert(
    fc.property(fc.tuple(caps, caps, caps), caps, steps, (ofAdsets, ofCampaign, all) => {
      const candidates = capped([...ofAdsets], ofCampaign);
      let frequency = new FrequencyCaps(MIB);
      let bidder = bidderOf(candidates, frequency);
      const bid: typeof bidder.bid = (...of) => bidder.bid(...of);
      const end: typeof bidder.end = (...of) => bidder.end(...of);
      let nowMs = START_MS;
      const open: { bid: CappedBid; adset: number; person: number; untilMs: number }[] = [];
      const shown: { bid: CappedBid; adset: number; person: number; atMs: number }[] = [];
      for (const step of all) {
        const alive = open.filter(({ untilMs }) => untilMs > nowMs);
        if (step.kind === 'wait') nowMs += step.seconds * 1000;
        else if (step.kind === 'restart')
          bidder = bidderOf(candidates, (frequency = restarted(frequency, nowMs)));
        else if (step.kind === 'repeat') {
          const one = shown[step.of % Math.max(1, shown.length)];
          if (one) end(one.bid, true, nowMs);
        } else if (step.kind === 'bid') {
          if (candidates[step.adset]!.caps === null) continue;
          const sent = bid(step.adset, step.person, nowMs);
          if (sent) open.push({ ...step, bid: sent, untilMs: nowMs + OPEN_MS });
        } else {
          // Notices come while the bid is open.
          const one = alive[step.of % Math.max(1, alive.length)];
          if (!one) continue;
          open.splice(open.indexOf(one), 1);
          end(one.bid, step.kind === 'impression', nowMs);
          if (step.kind === 'impression') shown.push({ ...one, atMs: nowMs });
        }
      }
      for (const { atMs, adset, person } of shown) {
        const within = (minutes: number, isOne: (other: number) => boolean) =>
          shown.filter(
            (one) =>
              one.person === person &&
              isOne(one.adset) &&
              one.atMs > atMs - minutes * 60_000 &&
              one.atMs <= atMs,
          ).length;
        for (const { impressions, minutes } of ofAdsets[adset]!)
          expect(within(minutes, (other) => other === adset)).toBeLessThanOrEqual(impressions);
        for (const { impressions, minutes } of ofCampaign)
          expect(within(minutes, () => true)).toBeLessThanOrEqual(impressions);
      }
    }),
  );
});

test('a person who is below all caps is bid for', () => {
  fc.assert(
    fc.property(caps, fc.array(fc.nat(300), { maxLength: 30 }), (ofAdset, gaps) => {
      fc.pre(ofAdset.length > 0);
      const candidates = capped([[...ofAdset]]);
      const { bid, end } = bidderOf(candidates, new FrequencyCaps(MIB));
      let nowMs = START_MS;
      const shown: number[] = [];
      for (const seconds of gaps) {
        nowMs += seconds * 1000;
        const sent = bid(0, 1, nowMs);
        // Two seconds are the granularity.
        const isBelow = ofAdset.every(
          ({ impressions, minutes }) =>
            shown.filter((atMs) => atMs >= nowMs - minutes * 60_000 - 2000).length < impressions,
        );
        if (isBelow) expect(sent).not.toBeNull();
        if (!sent) continue;
        end(sent, true, nowMs);
        shown.push(nowMs);
      }
    }),
  );
});
