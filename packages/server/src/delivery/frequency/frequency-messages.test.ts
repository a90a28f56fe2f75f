import { pino } from 'pino';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Bus } from '../../platform/nats/bus.ts';
import { subjectOf } from '../model/frequency.ts';
import type { CappedOutcome } from './frequency-caps.ts';
import { FrequencyPublisher, type SentBid, subscribeFrequency } from './frequency-messages.ts';

const log = pino({ level: 'silent' });
const SENT_MS = Date.UTC(2026, 4, 4, 12);

/** A bus whose messages arrive at once, while it is up. */
function busOf() {
  const listeners: ((payload: Uint8Array) => void)[] = [];
  const state = { isUp: true, messages: [] as Uint8Array[], onUp: [] as (() => void)[] };
  const bus: Bus = {
    isUp: () => state.isUp,
    publish(_subject, payload) {
      if (!state.isUp) return false;
      state.messages.push(Buffer.from(payload as Uint8Array));
      for (const listener of listeners) listener(Buffer.from(payload as Uint8Array));
      return true;
    },
    subscribe: (_subject, listener) => void listeners.push(listener),
    onUp: (listener) => void state.onUp.push(listener),
  };
  return { bus, state };
}

/** A publisher, and what a listener got of its messages. */
function connected(receivedMs = SENT_MS + 30) {
  const { bus, state } = busOf();
  const got: { sent: SentBid[]; ended: CappedOutcome[]; lags: number[] } = { sent: [], ended: [], lags: [] };
  subscribeFrequency(
    bus,
    { log, now: () => new Date(receivedMs) },
    {
      sent: (bid) => void got.sent.push(bid),
      ended: (outcome) => void got.ended.push(outcome),
      received: (lagMs) => void got.lags.push(lagMs),
    },
  );
  return { publisher: new FrequencyPublisher(bus, () => new Date(SENT_MS)), got, bus, state };
}

const bidOf = (uuids: readonly string[]) => {
  const [bid, person, adsetSubject, campaignSubject] = uuids.map(subjectOf);
  return { bid: bid!, person: person!, adsetSubject: adsetSubject!, campaignSubject: campaignSubject! };
};
const anyBid = fc.array(fc.uuid(), { minLength: 4, maxLength: 4 }).map(bidOf);
const seconds = fc.nat(4_000_000).map((count) => count * 1000);

test('bids and outcomes arrive as they were sent, in their order', () => {
  const bids = fc.array(fc.record({ bid: anyBid, durationMs: seconds }), { maxLength: 40 });
  const outcomes = fc.array(fc.record({ bid: anyBid, isImpression: fc.boolean(), atMs: seconds }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(bids, outcomes, (sent, ended) => {
      const { publisher, got } = connected();
      const expectedSent = sent.map(({ bid, durationMs }) => ({ ...bid, durationMs }));
      const expectedEnded = ended.map(({ bid, ...rest }) => ({ ...bid, ...rest }));
      for (const bid of expectedSent) publisher.sent(bid);
      for (const outcome of expectedEnded) publisher.ended(outcome);
      publisher.flush();
      expect(got.sent).toEqual(expectedSent);
      expect(got.ended).toEqual(expectedEnded);
      expect(got.lags).toEqual(sent.length + ended.length > 0 ? [30] : []);
    }),
  );
});

test('what comes together is one message, and many bids are several', () => {
  vi.useFakeTimers();
  const { publisher, got, state } = connected();
  const bid = {
    ...bidOf(Array.from({ length: 4 }, (_, index) => `01890000-0000-7000-8000-00000000000${index}`)),
    durationMs: 1000,
  };
  for (let count = 0; count < 10; count += 1) publisher.sent(bid);
  expect(state.messages).toHaveLength(0);
  vi.advanceTimersByTime(20);
  expect([state.messages.length, got.sent.length]).toEqual([1, 10]);
  for (let count = 0; count < 8000; count += 1) publisher.sent(bid);
  vi.advanceTimersByTime(20);
  expect([state.messages.length, got.sent.length]).toEqual([3, 8010]);
  expect(Math.max(...state.messages.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
  vi.useRealTimers();
});

test('what cannot be published is published later, as far as it is not too much', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { publisher, state, got } = connected();
  state.isUp = false;
  const bids = fc.sample(anyBid, 3).map((bid) => ({ ...bid, durationMs: 1000 }));
  for (const bid of bids) {
    publisher.sent(bid);
    publisher.flush();
  }
  expect([publisher.dropped, got.sent.length, publisher.publishedAtMs]).toEqual([0, 0, -Infinity]);
  const reconnect = () => {
    for (const listener of state.onUp) listener();
    vi.advanceTimersByTime(2000);
  };
  reconnect();
  expect(got.sent).toEqual([]);
  state.isUp = true;
  reconnect();
  reconnect();
  expect(got.sent).toEqual(bids);

  state.isUp = false;
  for (let count = 0; count < 120_000; count += 1) publisher.sent(bids[0]!);
  publisher.flush();
  state.isUp = true;
  reconnect();
  expect(got.sent.length).toBeGreaterThan(100_000);
  expect(got.sent.length + publisher.dropped).toBe(3 + 120_000);
});

test.each([
  ['another version', Buffer.concat([Buffer.of(9), Buffer.alloc(8 + 37)])],
  ['a record that is cut off', Buffer.concat([Buffer.of(1), Buffer.alloc(8 + 36)])],
  ['an unknown kind', Buffer.concat([Buffer.of(1), Buffer.alloc(8), Buffer.of(3), Buffer.alloc(36)])],
  ['nothing', Buffer.alloc(0)],
])('a message with %s is ignored', (_name, payload) => {
  const { got, bus } = connected();
  bus.publish('bidwell.frequency', payload);
  expect(got).toEqual({ sent: [], ended: [], lags: [] });
});
