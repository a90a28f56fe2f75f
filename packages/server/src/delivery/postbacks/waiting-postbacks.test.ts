import { expect, test } from 'vitest';
import type { LoggedPostback } from './received-postback.ts';
import { Uncounted } from './waiting-postbacks.ts';

const now = new Date('2026-05-04T12:00:00Z');
const nothingCounted = { countedByAllMs: async () => -Infinity };
let count = 0;

/** A postback of 1000 bytes. */
function postbackOf(companyId: string): LoggedPostback {
  const postback = {
    v: 1 as const,
    id: `postback ${(count += 1)}`,
    atMs: now.getTime(),
    companyId,
    mmp: 'adjust' as const,
    parameters: { text: '' },
    installToken: '',
    ip: '',
    clickInAddress: false,
    authorization: '',
  };
  return { ...postback, parameters: { text: 'x'.repeat(1000 - JSON.stringify(postback).length) } };
}

/** How many of some postbacks wait after a look-up that does not find their events. */
async function waitingOf(uncounted: Uncounted, postbacks: readonly LoggedPostback[]): Promise<number> {
  const isFinal = await uncounted.beforeLookUp(postbacks);
  return postbacks.filter((postback) => !isFinal(postback)).length;
}

const manyOf = (companyId: string, length: number) => Array.from({ length }, () => postbackOf(companyId));

test('one company’s flood of postbacks does not delay the postbacks of the others', async () => {
  const uncounted = new Uncounted(nothingCounted, () => now, { bytesMax: 100_000, bytesMaxEach: 10_000 });
  const [flood, few] = [manyOf('flooding', 50), manyOf('quiet', 5)];
  expect(await waitingOf(uncounted, flood)).toBe(10);
  expect(await waitingOf(uncounted, few)).toBe(5);
  expect(await waitingOf(uncounted, few)).toBe(5);
});

test('where all places are taken the company with the most gives way', async () => {
  const uncounted = new Uncounted(nothingCounted, () => now, { bytesMax: 20_000, bytesMaxEach: 15_000 });
  const [most, some, few] = [manyOf('most', 12), manyOf('some', 8), manyOf('few', 3)];
  for (const postbacks of [most, some, few])
    expect(await waitingOf(uncounted, postbacks)).toBe(postbacks.length);
  expect(await waitingOf(uncounted, some)).toBe(8);
  expect(await waitingOf(uncounted, most)).toBe(9);
  expect(await waitingOf(uncounted, few)).toBe(3);
});

test('a decided postback makes room for another one of its company', async () => {
  const uncounted = new Uncounted(nothingCounted, () => now, { bytesMax: 5000, bytesMaxEach: 1000 });
  const [first, second] = manyOf('company', 2);
  expect(await waitingOf(uncounted, [first!])).toBe(1);
  expect(await waitingOf(uncounted, [second!])).toBe(0);
  uncounted.remove(first!.id);
  expect(await waitingOf(uncounted, [second!])).toBe(1);
});
