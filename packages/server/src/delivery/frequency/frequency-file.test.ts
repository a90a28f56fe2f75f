import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { type Digest, compileCaps, subjectOf } from '../model/frequency.ts';
import { FrequencyCaps } from './frequency-caps.ts';
import { frequencyFile } from './frequency-file.ts';

const SECRET = 'a secret of at least thirty-two characters';
const NOW_MS = Date.UTC(2026, 4, 4, 12);
const MIB = 1024 ** 2;
const PEOPLE = 50;
const caps = compileCaps({
  adsetId: uuidv7(),
  campaignId: uuidv7(),
  caps: [{ impressions: 3, minutes: 60 }],
  campaignCaps: [{ impressions: 5, minutes: 1440 }],
})!;
const { adsetSubject, campaignSubject } = caps;
const personOf = (number: number): Digest => ({ high: number, low: number });

async function freshPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-frequency-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'frequency', 'counts.bin');
}

/** Counts of people who saw the ad 0 to 3 times, each with a bid under way as well. */
function counted(): FrequencyCaps {
  const frequency = new FrequencyCaps(MIB);
  for (let person = 0; person < PEOPLE; person += 1)
    for (let time = 0; time <= person % 4; time += 1) {
      const bid = { bid: subjectOf(uuidv7()), person: personOf(person), adsetSubject, campaignSubject };
      frequency.sent(bid, caps, NOW_MS, 60_000);
      if (time < person % 4) frequency.ended({ ...bid, isImpression: true, atMs: NOW_MS });
    }
  return frequency;
}

const reasons = (frequency: FrequencyCaps, nowMs: number) =>
  Array.from({ length: PEOPLE }, (_, person) => frequency.noBidReason(caps, personOf(person), nowMs, 0));

test('a restarted bidder has the impressions and the bids under way of before', async () => {
  const path = await freshPath();
  const before = counted();
  await frequencyFile(path, SECRET).save(before, NOW_MS);
  const after = new FrequencyCaps(MIB);
  expect(await frequencyFile(path, SECRET).restore(after, NOW_MS + 1000)).toBe(NOW_MS);
  expect(after.counts()).toEqual(before.counts());
  // Two impressions and a bid under way are three; a minute later, the bid has expired.
  for (const nowMs of [NOW_MS + 1000, NOW_MS + 62_000, NOW_MS + 3_603_000])
    expect(reasons(after, nowMs)).toEqual(reasons(before, nowMs));
  expect(new Set(reasons(counted(), NOW_MS + 1000))).toEqual(new Set([null, 'capped']));
});

test('bids whose time is over are not restored', async () => {
  const path = await freshPath();
  await frequencyFile(path, SECRET).save(counted(), NOW_MS);
  const after = new FrequencyCaps(MIB);
  await frequencyFile(path, SECRET).restore(after, NOW_MS + 120_000);
  expect(after.counts().openBids).toBe(0);
});

test('less memory has the latest impressions', async () => {
  const path = await freshPath();
  await frequencyFile(path, SECRET).save(counted(), NOW_MS);
  const small = new FrequencyCaps(2048);
  await frequencyFile(path, SECRET).restore(small, NOW_MS);
  const { impressions, impressionsMax, openBids, openBidsMax } = small.counts();
  expect([impressions, openBids]).toEqual([impressionsMax, openBidsMax]);
});

test('a file that is damaged, cut off, of another version or secret, or not there is not read', async () => {
  const path = await freshPath();
  const file = frequencyFile(path, SECRET);
  const restored = (secret = SECRET) => frequencyFile(path, secret).restore(new FrequencyCaps(MIB), NOW_MS);
  expect(await restored()).toBeNull();
  await file.save(counted(), NOW_MS);
  expect(await restored('another secret, just as long as it must be')).toBeNull();
  const bytes = await readFile(path);
  for (const damaged of [
    bytes.subarray(0, -1),
    bytes.subarray(0, 20),
    Buffer.concat([bytes, Buffer.of(0)]),
    Buffer.from(bytes).fill(7, 4, 5),
    Buffer.from(bytes).fill(99, 100, 101),
    Buffer.alloc(0),
  ]) {
    await writeFile(path, damaged);
    expect(await restored()).toBeNull();
  }
  await writeFile(path, bytes);
  expect(await restored()).toBe(NOW_MS);
});
