import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import { type Bus, subscribeTo, versioned } from '../../platform/nats/bus.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { COUNTS_VERSION, decodeCounts, encodeCounts } from './counts-message.ts';
import { type LearningCounts, LearningSums } from './counts.ts';

const SUBJECT = 'bidwell.learn';

/** Events and bids are added up until one of these is reached; then this process learns from the sums. */
const BATCH_MS = 200;
const BATCH_MAX = 5000;
/** Interval in which sums are published to the other processes, and the most sums at once: about a megabyte. */
const PUBLISH_MS = 1000;
const PUBLISHED_MAX = 5000;
/** After a connect the other processes get this long to connect too. */
const CONNECTED_MS = 2000;
/** Most sums that wait to be published, and most that wait to be learned. */
const WAITING_MAX = 50_000;
/** Sums of each kind that are learned, or published, in one go: half a millisecond, after which bid requests are handled. */
const SLICE = 100;

/** Carries what is learned from, events and bids added up, to all processes. */
export interface LearningFeed {
  /** Adds a counted event. */
  count(event: DeliveryEvent): void;
  /** Adds a sent bid. */
  placed(ref: BidRef): void;
  /** Calls `listener` with the sums of this process and of the others, each once. */
  subscribe(listener: (counts: LearningCounts) => void): void;
  /** Calls `listener` with the sums of this process alone, each once. It must be quick. */
  subscribeOwn(listener: (counts: LearningCounts) => void): void;
  /** Publishes what was added so far, and ends. */
  close(): void;
}

/**
 * Creates the feed; `bus` is null where there are no other processes. Sums of an interruption of NATS are published once it
 * is back, as far as they are not too many. Only this process's own interruption leaves it without those of others.
 */
export function createLearningFeed(bus: Bus | null, log: Logger): LearningFeed {
  const listeners: ((counts: LearningCounts) => void)[] = [];
  const learning = learningQueue(log, (counts) => {
    for (const listener of listeners) listener(counts);
  });
  const ownListeners: ((counts: LearningCounts) => void)[] = [];
  const publisher = bus ? sumsPublisher(bus, log) : null;
  const batch = new LearningSums();
  let added = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const endBatch = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (added === 0) return;
    added = 0;
    const counts = batch.take();
    for (const listener of ownListeners) listener(counts);
    learning.add(counts);
    publisher?.add(counts);
  };
  const addedOne = (): void => {
    if (closed) return;
    added += 1;
    if (added >= BATCH_MAX) endBatch();
    else timer ??= setTimeout(endBatch, BATCH_MS).unref();
  };
  if (bus)
    subscribeTo(bus, { subject: SUBJECT, version: COUNTS_VERSION, log }, (content) => {
      const counts = decodeCounts(content);
      if (counts) learning.add(counts);
      return counts !== null;
    });
  return {
    count(event) {
      batch.addEvent(event);
      addedOne();
    },
    placed(ref) {
      batch.addBid(ref);
      addedOne();
    },
    subscribe: (listener) => void listeners.push(listener),
    subscribeOwn: (listener) => void ownListeners.push(listener),
    close() {
      endBatch();
      closed = true;
      publisher?.close();
      learning.close();
    },
  };
}

/** Passes sums on in small parts, between which bid requests are handled. */
function learningQueue(log: Logger, learn: (counts: LearningCounts) => void) {
  let waiting: LearningCounts[] = [];
  let size = 0;
  let isScheduled = false;
  let isFull = false;
  const next = (): void => {
    isScheduled = false;
    const counts = waiting.shift();
    if (!counts) return;
    size -= sizeOf(counts);
    schedule();
    learn(counts);
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(next);
  };
  return {
    add(counts: LearningCounts): void {
      const { rates, prices } = counts;
      const wasFull = isFull;
      isFull = size + sizeOf(counts) > WAITING_MAX;
      if (isFull && !wasFull) log.warn('more is counted than this process can learn');
      if (isFull) return;
      size += sizeOf(counts);
      for (let from = 0; from < Math.max(rates.length, prices.length); from += SLICE)
        waiting.push({ rates: rates.slice(from, from + SLICE), prices: prices.slice(from, from + SLICE) });
      schedule();
    },
    close(): void {
      waiting = [];
    },
  };
}

function sizeOf({ rates, prices }: LearningCounts): number {
  return rates.length + prices.length;
}

/** Publishes sums once a second, in small parts like {@link learningQueue}. Sums that cannot be published wait. */
function sumsPublisher(bus: Bus, log: Logger) {
  const outgoing = new LearningSums();
  let pausedUntilMs = -Infinity;
  bus.onUp(() => (pausedUntilMs = performance.now() + CONNECTED_MS));
  const publish = (max: number): void => {
    if (!bus.isUp()) return;
    for (const content of encodeCounts(outgoing.take(max)))
      bus.publish(SUBJECT, versioned(COUNTS_VERSION, content));
  };
  const publishing = repeat(PUBLISH_MS, 'publish what bidders learn from', log, async () => {
    if (performance.now() < pausedUntilMs) return;
    for (let left = PUBLISHED_MAX; left > 0 && outgoing.size > 0 && bus.isUp(); left -= SLICE) {
      publish(SLICE);
      await new Promise((resume) => setImmediate(resume));
    }
  });
  return {
    add(counts: LearningCounts): void {
      const sums = outgoing.merge(counts, WAITING_MAX);
      if (sums > 0) log.warn({ sums }, 'too many sums wait for NATS: other bidders do not learn them');
    },
    close(): void {
      publish(PUBLISHED_MAX);
      void publishing.stop();
    },
  };
}
