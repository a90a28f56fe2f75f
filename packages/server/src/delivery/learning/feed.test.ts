import { pino } from 'pino';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { type Bus, versioned } from '../../platform/nats/bus.ts';
import { type Nats, openNats } from '../../platform/nats/connection.ts';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { COUNTS_VERSION, type LearningFeed, createLearningFeed } from './feed.ts';
import { type LearningCounts, LearningSums } from './counts.ts';
import { Learning } from './learning.ts';
import { eventually } from '@bidwell/testing/eventually';

const ref = sampleRef();
const placement = { format: 'Banner 320x50', bundle: ref.bundle, country: ref.country };
const offer = { exchange: ref.exchange, country: 'US', format: 'Banner 320x50', floorCpmMicros: 100_000 };

const eventOf = (kind: DeliveryEvent['kind'], of: BidRef = ref) =>
  deliveryEvent(of, kind, { spendMicros: kind === 'billing' ? 3000 : 0 });

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });

/** A process that learns, with its totals. */
function learner(feed: LearningFeed) {
  const learning = new Learning();
  const sums = new LearningSums();
  feed.subscribe((counts) => {
    learning.learn(counts, Date.now(), () => null);
    sums.merge(counts);
  });
  const totals = (): { placed: number; won: number; impressions: number; clicks: number } => {
    const { rates, prices } = sums.take();
    sums.merge({ rates, prices });
    const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
      rows.reduce((sum, row) => sum + of(row), 0);
    return {
      placed: total(prices, ({ placed }) => placed),
      won: total(prices, ({ won }) => won),
      impressions: total(rates, ({ impressions }) => impressions),
      clicks: total(rates, ({ clicks }) => clicks),
    };
  };
  return {
    feed,
    totals,
    rate: () => learning.predict(placement).rateOf(ref),
    price: () => learning.wins.shadedCpmMicros(offer, 9_000_000, () => 0.5),
  };
}

describe('a process by itself', () => {
  const open: LearningFeed[] = [];
  afterEach(() => {
    for (const feed of open.splice(0)) feed.close();
  });

  test('learns from a batch at once when it is full, and otherwise within a moment', async () => {
    const feed = createLearningFeed(null, log);
    open.push(feed);
    const bidder = learner(feed);
    for (let count = 0; count < 5000; count += 1) feed.count(eventOf('impression'));
    await eventually(() => expect(bidder.totals().impressions).toBe(5000));
    feed.count(eventOf('click'));
    expect(bidder.totals().clicks).toBe(0);
    await eventually(() => expect(bidder.totals().clicks).toBe(1));
  });

  test('ignores messages that are too long, not valid or of another version, with one line in the log each', () => {
    const received: ((payload: Uint8Array) => void)[] = [];
    const bus: Bus = {
      isUp: () => true,
      publish: () => true,
      subscribe: (_subject, listener) => void received.push(listener),
      onUp: () => {},
    };
    const feed = createLearningFeed(bus, log);
    open.push(feed);
    const heard: LearningCounts[] = [];
    feed.subscribe((counts) => heard.push(counts));
    lines.length = 0;
    const send = (version: number, content: string): void =>
      received.forEach((listener) => listener(versioned(version, Buffer.from(content))));
    for (let time = 0; time < 3; time += 1) {
      send(COUNTS_VERSION + 1, '[]');
      send(COUNTS_VERSION, '[["one"]]');
      send(COUNTS_VERSION, '[["sample","Video","US",100,1,0]]');
      send(COUNTS_VERSION, '[["sample","Video","US",5,-1,0]]');
      send(COUNTS_VERSION, 'no JSON');
      send(COUNTS_VERSION, ' '.repeat(300_000));
      received.forEach((listener) => listener(new Uint8Array(0)));
    }
    expect(heard).toEqual([]);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'messages of another process are ignored: of version 2, not 1',
      'messages of another process are ignored: not valid',
      'messages of another process are ignored: too long',
      'messages of another process are ignored: of version 0, not 1',
    ]);
  });
});

const server = await natsServer();

describe.runIf(server)('two bidders and a counter', async () => {
  if (!server) return;
  let running = server;
  const connections: Nats[] = [];
  const connected = (): LearningFeed => {
    const nats = openNats(`nats://127.0.0.1:${server.port}`, log);
    connections.push(nats);
    return createLearningFeed(nats, log);
  };
  const [one, other] = [learner(connected()), learner(connected())];
  const counter = connected();
  const allUp = async (isUp: boolean): Promise<void> =>
    eventually(() => expect(connections.map((nats) => nats.isUp())).toEqual([isUp, isUp, isUp]));
  await allUp(true);
  afterAll(async () => {
    for (const feed of [one.feed, other.feed, counter]) feed.close();
    for (const nats of connections) await nats.close();
    await running.stop();
  });
  const bothHave = async (totals: object): Promise<void> => {
    for (const bidder of [one, other]) await eventually(() => expect(bidder.totals()).toMatchObject(totals));
  };

  test('both learn the same: every event of the counter, and every bid of the other', async () => {
    for (let count = 0; count < 600; count += 1) {
      const bid = { ...ref, bidCpmMicros: 1_000_000 + (count % 60) * 100_000 };
      (count % 3 === 0 ? one : other).feed.placed(bid);
      if (bid.bidCpmMicros < 3_000_000) continue;
      counter.count(eventOf('billing', bid));
      counter.count(eventOf('impression', bid));
      if (count % 20 === 0) counter.count(eventOf('click', bid));
    }
    const before = one.rate();
    await bothHave({ placed: 600, won: 400, impressions: 400, clicks: 20 });
    expect(one.rate()).toBe(other.rate());
    expect(one.rate()).toBeGreaterThan(before);
    expect(one.price()).toBe(other.price());
    expect(one.price()).toBeLessThan(4_000_000);
  });

  test('while NATS is down each learns from itself, and from the others once it is back', async () => {
    await running.stop();
    await allUp(false);
    const { placed, clicks } = one.totals();
    for (let count = 0; count < 50; count += 1) one.feed.placed(ref);
    counter.count(eventOf('click'));
    await eventually(() => expect(one.totals()).toMatchObject({ placed: placed + 50, clicks }));
    expect(other.totals()).toMatchObject({ placed, clicks });
    running = (await natsServer({ port: server.port }))!;
    await allUp(true);
    await bothHave({ placed: placed + 50, clicks: clicks + 1 });
  });
});
