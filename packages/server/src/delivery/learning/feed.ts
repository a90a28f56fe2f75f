import type { Logger } from 'pino';
import type { Bus } from '../../platform/nats/bus.ts';
import { subscribeTo, versioned } from '../../platform/nats/bus.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { COUNTS_VERSION, decodeCounts, encodeCounts } from './counts-message.ts';
import type { LearningCounts } from './counts.ts';
import { LearningSums } from './counts.ts';

const SUBJECT = 'bidwell.learn';

/** Events and bids are added up until one of these is reached; then this process learns from the sums. */
const BATCH_MS = 200;
const BATCH_MAX = 5000;
/** Interval in which sums are published to the other processes, and the most sums at once: about a megabyte. */
const PUBLISH_MS = 1000;
const PUBLISHED_MAX = 5000;
/** After a connect the other processes get this long to connect too. */
const CONNECTED_MS = 2000;
/** Most sums that wait to be published, and most received ones that wait to be learned. */
const WAITING_MAX = 50_000;
/** Received sums that are learned at once, between bids. */
const SLICE = 100;

/** Carries what is learned from, events and bids added up, to all processes. */
export interface LearningFeed {
  /** Adds a counted event. */
  count(event: DeliveryEvent): void;
  /** Adds a sent bid. */
  placed(ref: BidRef): void;
  /** Calls `listener` with the sums of this process and of the others, each once. */
  subscribe(listener: (counts: LearningCounts) => void): void;
  /** Passes on what was added so far, to the other processes too. */
  flush(): void;
  /** Flushes and ends. */
  close(): void;
}

/**
 * Creates the feed; `bus` is null where there are no other processes. Sums of an interruption of NATS are published once it
 * is back, as far as they are not too many. Only this process's own interruption leaves it without those of others.
 */
export function createLearningFeed(bus: Bus | null, log: Logger): LearningFeed {
  const listeners: ((counts: LearningCounts) => void)[] = [];
  const batch = new LearningSums();
  const outgoing = new LearningSums();
  const incoming = receiver(log, (counts) => learn(counts));
  let added = 0;
  let timer: NodeJS.Timeout | undefined;
  let pausedUntilMs = -Infinity;
  let closed = false;

  const learn = (counts: LearningCounts): void => {
    for (const listener of listeners) listener(counts);
  };
  const endBatch = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (added === 0) return;
    added = 0;
    const counts = batch.take();
    learn(counts);
    const leftOut = bus ? outgoing.merge(counts, WAITING_MAX) : 0;
    if (leftOut > 0)
      log.warn({ sums: leftOut }, 'too many sums wait for NATS: other bidders do not learn them');
  };
  const one = (): void => {
    if (closed) return;
    added += 1;
    if (added >= BATCH_MAX) endBatch();
    else timer ??= setTimeout(endBatch, BATCH_MS).unref();
  };
  const publish = (): void => {
    if (!bus?.isUp() || outgoing.size === 0) return;
    for (const content of encodeCounts(outgoing.take(PUBLISHED_MAX)))
      bus.publish(SUBJECT, versioned(COUNTS_VERSION, content));
  };
  const publishInTurn = (): void => {
    if (performance.now() >= pausedUntilMs) publish();
  };
  const publishing = bus ? setInterval(publishInTurn, PUBLISH_MS).unref() : undefined;
  bus?.onUp(() => (pausedUntilMs = performance.now() + CONNECTED_MS));
  if (bus) subscribeTo(bus, { subject: SUBJECT, version: COUNTS_VERSION, log }, incoming.add);
  return {
    count(event) {
      batch.addEvent(event);
      one();
    },
    placed(ref) {
      batch.addBid(ref);
      one();
    },
    subscribe: (listener) => void listeners.push(listener),
    flush() {
      endBatch();
      publish();
    },
    close() {
      endBatch();
      publish();
      closed = true;
      clearInterval(publishing);
      incoming.close();
    },
  };
}

/** Passes received sums on in small parts, between which bid requests are answered. */
function receiver(log: Logger, learn: (counts: LearningCounts) => void) {
  let waiting: LearningCounts[] = [];
  let rows = 0;
  let isScheduled = false;
  let isFull = false;
  const next = (): void => {
    isScheduled = false;
    const counts = waiting.shift();
    if (!counts) return;
    rows -= counts.rates.length + counts.prices.length;
    learn(counts);
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(next);
  };
  return {
    /** Whether the content is valid. */
    add(content: Buffer): boolean {
      const counts = decodeCounts(content);
      if (!counts) return false;
      const { rates, prices } = counts;
      const wasFull = isFull;
      isFull = rows + rates.length + prices.length > WAITING_MAX;
      if (isFull && !wasFull) log.warn('other processes send more sums than this one can learn');
      if (isFull) return true;
      rows += rates.length + prices.length;
      for (let from = 0; from < Math.max(rates.length, prices.length); from += SLICE)
        waiting.push({ rates: rates.slice(from, from + SLICE), prices: prices.slice(from, from + SLICE) });
      schedule();
      return true;
    },
    close(): void {
      waiting = [];
    },
  };
}
