import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import { type Bus, subscribeTo, versioned } from '../../platform/nats/bus.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { type LearningCounts, LearningSums, type PriceCounts, type RateCounts } from './counts.ts';
import { STEPS } from './win-rates.ts';

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

/** Carries the input for learning, sums of events and bids, to all processes. */
export interface LearningFeed {
  /** Adds a counted event. */
  count(event: DeliveryEvent): void;
  /** Adds a sent bid. */
  placed(ref: BidRef): void;
  /** Calls `listener` with the sums of this process and of the others, each once. */
  subscribe(listener: (counts: LearningCounts) => void): void;
  /** Calls `listener` with the sums of this process alone, each once. It must be quick. */
  subscribeOwn(listener: (counts: LearningCounts) => void): void;
  /** Publishes the sums so far, and ends. */
  close(): void;
}

/**
 * Creates the feed; `bus` is null where there are no other processes. Sums that were added while NATS was unavailable are
 * published once it is back, up to a limit. A process misses the sums of other processes only while its own connection is
 * interrupted.
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

/** Version of the format; also of the scale of price steps. */
export const COUNTS_VERSION = 1;

/** Longest message, bytes: reading one takes a bidder less than a millisecond. */
const BYTES_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 300;

/** A sum as an array: eleven elements for rates, six for prices. */
type Row = (string | number)[];
const RATE_TEXTS = 6;
const RATE_LENGTH = 11;
const PRICE_TEXTS = 3;
const PRICE_LENGTH = 6;

/** Writes sums as messages of at most 64 KiB: JSON arrays of rows. A sum with an overlong text is left out. */
export function encodeCounts({ rates, prices }: LearningCounts): Buffer[] {
  const messages: Buffer[] = [];
  let rows: string[] = [];
  let bytes = 2;
  const end = (): void => {
    if (rows.length > 0) messages.push(Buffer.from(`[${rows.join(',')}]`));
    rows = [];
    bytes = 2;
  };
  const add = (row: Row): void => {
    if (row.some((value) => typeof value === 'string' && value.length > TEXT_CHARS_MAX)) return;
    const text = JSON.stringify(row);
    const length = Buffer.byteLength(text) + 1;
    if (bytes + length > BYTES_MAX) end();
    rows.push(text);
    bytes += length;
  };
  for (const sums of rates) {
    const { companyId, adsetId, creativeId, format, bundle, country } = sums;
    const { impressions, clicks, installs, charges, mediaMicros } = sums;
    add([
      companyId,
      adsetId,
      creativeId,
      format,
      bundle,
      country,
      impressions,
      clicks,
      installs,
      charges,
      mediaMicros,
    ]);
  }
  for (const { exchange, format, country, step, placed, won } of prices)
    add([exchange, format, country, step, placed, won]);
  end();
  return messages;
}

/** Reads what {@link encodeCounts} wrote; null if anything in it is not valid. */
export function decodeCounts(content: Buffer): LearningCounts | null {
  let rows: unknown;
  try {
    rows = JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(rows)) return null;
  const rates: RateCounts[] = [];
  const prices: PriceCounts[] = [];
  for (const row of rows as unknown[]) {
    if (isRow(row, RATE_TEXTS, RATE_LENGTH)) {
      const [companyId, adsetId, creativeId, format, bundle, country] = row as string[];
      const [impressions, clicks, installs, charges, mediaMicros] = row.slice(RATE_TEXTS) as [
        number,
        number,
        number,
        number,
        number,
      ];
      if (impressions < 0 || clicks < 0 || charges < 0 || mediaMicros < 0) return null;
      rates.push({
        companyId: companyId!,
        adsetId: adsetId!,
        creativeId: creativeId!,
        format: format!,
        bundle: bundle!,
        country: country!,
        impressions,
        clicks,
        installs,
        charges,
        mediaMicros,
      });
    } else if (isRow(row, PRICE_TEXTS, PRICE_LENGTH)) {
      const [exchange, format, country, step, placed, won] = row as [
        string,
        string,
        string,
        number,
        number,
        number,
      ];
      if (step < 0 || step >= STEPS || placed < 0 || won < 0) return null;
      prices.push({ exchange, format, country, step, placed, won });
    } else return null;
  }
  return { rates, prices };
}

/** Whether a row has the length, texts first and then integers. */
function isRow(row: unknown, texts: number, length: number): row is Row {
  return (
    Array.isArray(row) &&
    row.length === length &&
    row.every((value, index) =>
      index < texts
        ? typeof value === 'string' && value.length <= TEXT_CHARS_MAX
        : Number.isSafeInteger(value),
    )
  );
}
