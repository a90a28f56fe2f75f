import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { bidRequest, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { eventually } from '@bidwell/testing/eventually';
import { adsetRowOf } from '@bidwell/testing/pacing/candidates';
import { testApp } from '@bidwell/testing/test-app';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Bus } from '../../platform/nats/bus.ts';
import { readBidRequest } from '../openrtb/read/read-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import { pathOf } from '../trackers/sample-ref.ts';
import { type Digest, subjectOf } from '../model/frequency.ts';
import type { BidRef } from '../model/event.ts';
import type { CappedOutcome } from './frequency-caps.ts';
import { FrequencyPublisher } from './frequency-messages.ts';
import { readImpressions } from './impression-store.ts';
import { FROZEN_MS } from './pause-watch.ts';
import { startFrequency } from './frequency.ts';

const app = await testApp({ MODERATION: 'auto' });
const device = { os: 'Android', osv: '14', geo: { country: 'USA' } };
const personal = () => ({ device: { ...device, ifa: uuidv4() } });
const day = (impressions: number) => [{ impressions, minutes: 1440 }];

/** Tells the server that a bid was shown, or lost. */
async function notify(bid: { burl: string; lurl: string }, kind: 'burl' | 'lurl'): Promise<void> {
  const { statusCode } = await app.http.inject({ method: 'GET', url: pathOf(bid[kind], '1') });
  expect(statusCode).toBe(200);
  await app.settled();
}

test('a person who saw the ad as often as the cap allows gets no bid', async () => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange, { adset: { frequency_caps: day(2) } });
  const person = personal();
  for (let time = 0; time < 2; time += 1) await notify(await exchange.bid(person), 'burl');
  expect(await exchange.bid(person)).toBeNull();
  expect(await exchange.bid(personal())).not.toBeNull();
  const response = await exchange.send({ ...person, ext: { nbr: 1 } });
  expect(response.json()).toMatchObject({ nbr: 9 });
});

test('a bid under way counts, and a lost one no more', async () => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange, { adset: { frequency_caps: day(1) } });
  const person = personal();
  const bid = await exchange.bid(person);
  expect(await exchange.bid(person)).toBeNull();
  await notify(bid, 'lurl');
  const second = await exchange.bid(person);
  await notify(second, 'burl');
  await notify(second, 'burl');
  expect(await exchange.bid(person)).toBeNull();
});

test('an ad set with a lower bid takes the place of one whose cap is reached', async () => {
  const exchange = await freshExchange(app);
  await campaignOn(app, exchange, { adset: { bet_cpm: 5, frequency_caps: day(1) } });
  await campaignOn(app, exchange, { adset: { bet_cpm: 3 } });
  const person = personal();
  expect([(await exchange.bid(person)).price, (await exchange.bid(person)).price]).toEqual([5, 3]);
});

test('a person without an id gets bids, or none where the ad set skips them', async () => {
  const exchange = await freshExchange(app);
  const { company, adsetUuid } = await campaignOn(app, exchange, { adset: { frequency_caps: day(1) } });
  for (let time = 0; time < 3; time += 1) expect(await exchange.bid({ device })).not.toBeNull();
  await company.call('PUT', `/adset/${adsetUuid}`, { people_without_id: 'skip' });
  await app.settled();
  expect(await exchange.bid({ device })).toBeNull();
  expect(await exchange.bid(personal())).not.toBeNull();
});

test('the cap of a campaign counts all of its ad sets', async () => {
  const exchange = await freshExchange(app);
  const { company, campaignUuid, adsetUuid } = await campaignOn(app, exchange);
  const { data: other } = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  await company.call('PUT', `/adset/${other.uuid}`, { status: 'Active', bet_cpm: 2 });
  await company.call('PUT', `/campaign/${campaignUuid}`, {
    adset_uuids: [adsetUuid, other.uuid],
    frequency_caps: day(3),
  });
  await app.settled();
  const imps = ['1', '2'].map((id) => ({ id, banner: { w: 320, h: 50 }, bidfloor: 0.5 }));
  const person = personal();
  const bidsOf = async () => {
    const response = await exchange.send({ ...person, imp: imps });
    return response.statusCode === 204 ? 0 : response.json().seatbid[0].bid.length;
  };
  expect([await bidsOf(), await bidsOf(), await bidsOf()]).toEqual([2, 1, 0]);
});

test('impressions are stored with the key of the person, and read again', async () => {
  const exchange = await freshExchange(app);
  const { adsetUuid, campaignUuid } = await campaignOn(app, exchange, { adset: { frequency_caps: day(5) } });
  const person = personal();
  const bids: { id: string; burl: string; lurl: string }[] = [];
  for (let time = 0; time < 3; time += 1) {
    const bid = await exchange.bid(person);
    bids.push(bid);
    await notify(bid, 'burl');
  }
  await notify(await exchange.bid(person), 'lurl');
  const read = async () => {
    const outcomes: CappedOutcome[] = [];
    await readImpressions(app.ctx.clickhouse, { sinceMs: 0, max: 1000 }, (outcome) => outcomes.push(outcome));
    return outcomes.filter(({ adsetSubject }) => adsetSubject.low === subjectOf(adsetUuid).low);
  };
  await eventually(async () => expect(await read()).toHaveLength(3));
  const outcomes = await read();
  const inOrder = (digests: readonly Digest[]) => digests.toSorted((a, b) => a.high - b.high);
  expect(inOrder(outcomes.map(({ bid }) => bid))).toEqual(inOrder(bids.map(({ id }) => subjectOf(id))));
  const [first] = outcomes;
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      person: first!.person,
      adsetSubject: subjectOf(adsetUuid),
      campaignSubject: subjectOf(campaignUuid),
      isImpression: true,
    });
});

/** A bidder of its own, next to the server's, whose ad set has a cap of two a day; `bus` are the messages between bidders. */
async function secondBidder(bus: Bus | null) {
  const exchange = await freshExchange(app);
  const { adsetUuid, campaignUuid } = await campaignOn(app, exchange, {
    adset: { frequency_caps: day(2) },
  });
  const snapshot = compileSnapshot([
    { ...adsetRowOf({}), adsetId: adsetUuid, campaignId: campaignUuid, caps: day(2) },
  ]);
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-frequency-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const person = personal();
  const machine = { nowMs: 0 };
  const started = async () => {
    const registry = new Registry();
    const frequency = await startFrequency({
      dataDir,
      frequencyMaxBytes: 1024 ** 2,
      personSecret: app.ctx.config.signingSecret,
      clickhouse: app.ctx.clickhouse,
      clickhouseReady: { done: Promise.resolve(), isDone: () => true },
      log: pino({ level: 'silent' }),
      now: app.ctx.now,
      registry,
      snapshot: { current: () => snapshot },
      countedMs: () => Infinity,
      bus,
      publisher: bus && new FrequencyPublisher(bus, app.ctx.now),
      bidders: () => 2,
      clock: () => machine.nowMs,
    });
    const request = readBidRequest({ ...bidRequest(), ...person }, exchange.slug)!;
    const [candidate] = snapshot.candidates;
    const capsNow = () => frequency.capsFor(request, app.ctx.now().getTime());
    return {
      reason: () => capsNow().noBidReason(candidate!.caps!, 0),
      bid: () =>
        frequency.sent({ bidId: uuidv4(), personKey: capsNow().personKey() } as BidRef, candidate!, 60_000),
      async overshootMax() {
        const { values } = await registry.getSingleMetric('bidwell_frequency_overshoot_max')!.get();
        return values[0]!.value;
      },
      stop: () => frequency.stop(),
    };
  };
  const shown = async () => notify(await exchange.bid(person), 'burl');
  return { started, shown, machine };
}

test('a bidder that starts without a file, or with an older one, counts the impressions of the events', async () => {
  const { started, shown } = await secondBidder(null);
  await shown();
  const first = await started();
  expect(first.reason()).toBeNull();
  await first.stop();
  await shown();
  const second = await started();
  expect(second.reason()).toBe('capped');
  await second.stop();
});

test('a bidder that was frozen counts what was shown meanwhile before its ad sets with caps bid again', async () => {
  const lost: Bus = { isUp: () => true, publish: () => true, subscribe: () => {}, onUp: () => {} };
  const { started, shown, machine } = await secondBidder(lost);
  await shown();
  const bidder = await started();
  expect(bidder.reason()).toBeNull();
  await shown();
  machine.nowMs += 2 * FROZEN_MS;
  expect(bidder.reason()).toBe('overloaded');
  await expect.poll(() => bidder.reason(), { timeout: 20_000 }).toBe('capped');
  await bidder.stop();
});

test('while messages of other bidders do not arrive, a cap may be exceeded by what each sends in that time', async () => {
  let isUp = true;
  const bus: Bus = { isUp: () => isUp, publish: () => isUp, subscribe: () => {}, onUp: () => {} };
  const { started } = await secondBidder(bus);
  const bidder = await started();
  const { now } = app.clock;
  onTestFinished(() => void (app.clock.now = now));
  bidder.bid();
  expect(await bidder.overshootMax()).toBe(1);
  isUp = false;
  app.clock.now = new Date(now.getTime() + 5000);
  // Two bidders, a bid a second, and a delay of more than five seconds.
  expect(await bidder.overshootMax()).toBe(2 * 6 - 1);
  await bidder.stop();
});
