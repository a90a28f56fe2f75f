import { join } from 'node:path';
import { CAP_LIMITS } from '@bidwell/contract/frequency/caps';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { Unavailable } from '../../platform/errors.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Bus } from '../../platform/nats/bus.ts';
import type { Step } from '../../platform/startup.ts';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { RequestCaps } from '../auction/auction.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { readDigest, subjectOf } from '../model/frequency.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type CappedBid, FrequencyCaps, outcomeOf } from './frequency-caps.ts';
import { frequencyFile } from './frequency-file.ts';
import { type FrequencyPublisher, COLLECT_MS, subscribeFrequency } from './frequency-messages.ts';
import { readImpressions } from './impression-store.ts';
import { PauseWatch } from './pause-watch.ts';
import { BidsToOnePerson, HighestOfMinute, overshootMax } from './overshoot.ts';
import { createPersonKeys } from '../privacy/person-key.ts';
import { requestCaps } from './request-caps.ts';

/** Dependencies of {@link startFrequency}. */
export interface FrequencyDeps {
  dataDir: string;
  /** Memory for counts. */
  frequencyMaxBytes: number;
  /** The secret from which the key of people's keys is derived, the same in all bidders. */
  personSecret: string;
  clickhouse: ClickHouse;
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  registry: Registry;
  snapshot: { current(): Snapshot };
  /** Until when all notices are counted, Unix ms. */
  countedMs: () => number;
  /** Messages between processes, and the publisher of this one; null where there are none. */
  bus: Bus | null;
  publisher: FrequencyPublisher | null;
  /** Current number of bidders, including this one. */
  bidders: () => number;
  /** The clock of the machine, Unix ms, which also runs while the process does not. */
  clock?: () => number;
}

/** The frequency caps of a bidder, with their file. */
export interface Frequency {
  /** The caps as they apply to one request. */
  capsFor(this: void, request: ParsedRequest, nowMs: number): RequestCaps;
  /** Counts a bid that is about to be sent. */
  sent(ref: BidRef, candidate: Candidate, reservationMs: number): void;
  /** Ends the bids of events that were counted. */
  ended(events: readonly DeliveryEvent[]): void;
  /** Why caps may be exceeded, in sentences. */
  faults(): string[];
  /** Ends a bid of this bidder by its outcome. */
  settled(outcome: { bidId: string; charged: boolean }, nowMs: number): void;
  /** Stores the counts a last time. */
  stop(): Promise<void>;
}

const NO_CAPS: RequestCaps = { noBidReason: () => null, personKey: () => undefined };
const STORE_EVERY_MS = 60_000;
/** Notices may be counted this much later than they came. */
const COUNTING_MS = 15 * 60_000;
/** How often it is noticed whether the process was frozen, and for how long ad sets with caps wait after that for the counts, ms. */
const WATCH_EVERY_MS = 1000;
const CATCH_UP_MS = 30_000;
const RETRY_MS = 500;
/** How long the start of a bidder waits for its counts of before. */
const RESTORE_MS = 10_000;

/** Restores the counts of this bidder and counts on. What was counted since the file was stored is read from the events. */
export async function startFrequency(deps: FrequencyDeps): Promise<Frequency> {
  const { dataDir, clickhouse, clickhouseReady, log, now, snapshot, personSecret } = deps;
  const frequency = new FrequencyCaps(deps.frequencyMaxBytes, deps.countedMs);
  const personKeys = createPersonKeys(personSecret);
  const file = frequencyFile(join(dataDir, 'frequency', 'counts.bin'), personSecret);
  const sharing = share(deps, frequency);
  registerMetrics(deps.registry, frequency, sharing, now);
  frequency.setCandidates(snapshot.current().candidates);
  const storedAtMs = await file.restore(frequency, now().getTime());
  const recount = async (knownMs: number): Promise<void> => {
    await clickhouseReady.done;
    // Ad sets that are paused may need them later.
    const oldestMs = now().getTime() - CAP_LIMITS.minutesMax * 60_000;
    const sinceMs = Math.max(oldestMs, knownMs - COUNTING_MS);
    const max = frequency.counts().impressionsMax;
    await readImpressions(clickhouse, { sinceMs, max }, (outcome) => frequency.ended(outcome));
  };
  // Without a file and caps there is nothing to count.
  const recounted =
    storedAtMs === null && frequency.neededSeconds === 0 ? Promise.resolve() : recount(storedAtMs ?? 0);
  recounted.catch((err: unknown) =>
    log.error({ err }, 'impressions for frequency caps could not be counted again'),
  );
  await Promise.race([recounted.catch(() => {}), pause(RESTORE_MS, undefined, { ref: false })]);
  sharing?.onReconnected((knownMs) => {
    recount(knownMs).catch((err: unknown) =>
      log.error({ err }, 'impressions of other bidders could not be counted again'),
    );
  });
  const watch = new PauseWatch(deps.clock ?? Date.now);
  /** How many times the counts are being brought up to date. */
  let behind = 0;
  /** Counts what was charged while this process did not run. Until then ad sets with caps do not bid for people. */
  const catchUp = async (knownMs: number): Promise<void> => {
    behind += 1;
    const untilMs = performance.now() + CATCH_UP_MS;
    for (;;)
      try {
        await inTime(
          recount(knownMs),
          Math.max(0, untilMs - performance.now()),
          'The events take too long',
          Unavailable,
        );
        break;
      } catch (err) {
        if (performance.now() < untilMs) await pause(RETRY_MS, undefined, { ref: false });
        else {
          log.error(
            { err },
            'impressions for frequency caps could not be counted after a pause of the process',
          );
          break;
        }
      }
    behind -= 1;
  };
  const notice = (): void => {
    const frozenMs = watch.frozenMs();
    // Alone, it has missed nothing.
    if (frozenMs === 0 || !sharing || frequency.neededSeconds === 0) return;
    log.warn({ frozenMs }, 'the process was frozen: ad sets with frequency caps wait for the counts');
    void catchUp(now().getTime() - frozenMs);
  };
  const watching = setInterval(notice, WATCH_EVERY_MS).unref();
  const upToDate: Pick<FrequencyCaps, 'noBidReason'> = {
    noBidReason: (caps, person, nowMs, placed) =>
      frequency.noBidReason(caps, person, nowMs, placed) ??
      (person !== null && behind > 0 ? 'overloaded' : null),
  };
  let isStored = false;
  let forgotten = { total: 0, isLately: false };
  const store = async (): Promise<void> => {
    const nowMs = now().getTime();
    frequency.expire(nowMs);
    const { impressions, openBids, forgotten: total } = frequency.counts();
    forgotten = { total, isLately: total > forgotten.total };
    // Most installations have no caps.
    if (!isStored && impressions + openBids === 0) return;
    await file.save(frequency, nowMs);
    isStored = true;
  };
  const storing = repeat(STORE_EVERY_MS, 'store counts of frequency caps', log, store);
  return {
    capsFor: (request, nowMs) => {
      frequency.setCandidates(snapshot.current().candidates);
      // Most installations have no caps.
      if (frequency.neededSeconds === 0) return NO_CAPS;
      // Requests that waited while the process was frozen come before its timers.
      notice();
      return requestCaps(request, nowMs, { frequency: upToDate, personKeys });
    },
    sent({ bidId, personKey }, { caps }, reservationMs) {
      const person = personKey === undefined ? null : readDigest(personKey);
      if (!caps || !person) return;
      const { adsetSubject, campaignSubject } = caps;
      const bid = { bid: subjectOf(bidId), person, adsetSubject, campaignSubject };
      frequency.sent(bid, caps, now().getTime(), reservationMs);
      sharing?.sent(bid, reservationMs);
    },
    ended(events) {
      for (const event of events) {
        const outcome = outcomeOf(event);
        if (outcome) frequency.ended(outcome);
      }
    },
    faults() {
      if (frequency.neededSeconds === 0) return [];
      const bidders = deps.bidders();
      const isAlone = bidders > 1 && !deps.bus?.isUp();
      return [
        ...(isAlone
          ? [
              `Messages of other bidders do not arrive: this bidder counts alone for frequency caps, and people may see ads up to ${bidders} times as often.`,
            ]
          : []),
        ...(frequency.isFull
          ? [
              'The memory of bids under way is full, and ad sets with frequency caps do not bid: raise FREQUENCY_MAX_BYTES, and ask exchanges for loss notices.',
            ]
          : []),
        ...(forgotten.isLately
          ? [
              'The memory of frequency caps is full, and impressions are forgotten: raise FREQUENCY_MAX_BYTES.',
            ]
          : []),
      ];
    },
    settled: ({ bidId, charged }, nowMs) => frequency.settled(bidId, charged, nowMs),
    async stop() {
      clearInterval(watching);
      await storing.stop();
      await store();
    },
  };
}

/** Bids and outcomes that are exchanged with other bidders. */
interface Sharing {
  sent(bid: CappedBid, durationMs: number): void;
  /** Calls `listener` when messages arrive again after an interruption, with when they last did, Unix ms. */
  onReconnected(listener: (knownMs: number) => void): void;
  /** The longest time that messages of the last minute took, ms, with the time for which they are collected. */
  lagMs(nowMs: number): number;
  /** The most bids of this bidder to one person within a second, of the last minute. */
  bidsPerSecond(nowMs: number): number;
  /** How far people may exceed a cap: what all bidders may send to one person before they know of each other's bids. */
  overshootMax(nowMs: number): number;
  dropped(): number;
}

/** Starts to share bids and outcomes with other bidders; null where there are none. */
function share(
  { bus, publisher, log, now, bidders }: FrequencyDeps,
  frequency: FrequencyCaps,
): Sharing | null {
  if (!bus || !publisher) return null;
  const lags = new HighestOfMinute();
  const rate = new BidsToOnePerson();
  let receivedAtMs = now().getTime();
  subscribeFrequency(
    bus,
    { log, now },
    {
      sent: ({ durationMs, ...bid }) => frequency.sentElsewhere(bid, now().getTime(), durationMs),
      ended: (outcome) => frequency.ended(outcome),
      received(lagMs) {
        receivedAtMs = now().getTime();
        lags.add(lagMs, receivedAtMs);
      },
    },
  );
  const lagMs = (nowMs: number): number => {
    // Without a connection nothing arrives since the last message.
    const cutOffMs = bus.isUp() ? 0 : nowMs - Math.max(receivedAtMs, publisher.publishedAtMs);
    return Math.max(lags.at(nowMs), cutOffMs) + COLLECT_MS;
  };
  const bidsPerSecond = (nowMs: number): number => rate.perSecond(nowMs);
  return {
    sent(bid, durationMs) {
      rate.add(bid.person.high * 2 ** 20 + (bid.person.low >>> 12), now().getTime());
      publisher.sent({ ...bid, durationMs });
    },
    onReconnected(listener) {
      let isFirst = bus.isUp();
      bus.onUp(() => {
        if (!isFirst) listener(Math.max(receivedAtMs, publisher.publishedAtMs));
        isFirst = false;
      });
    },
    lagMs,
    bidsPerSecond,
    overshootMax: (nowMs) =>
      overshootMax({ bidders: bidders(), bidsPerSecond: bidsPerSecond(nowMs), lagMs: lagMs(nowMs) }),
    dropped: () => publisher.dropped,
  };
}

function registerMetrics(
  registry: Registry,
  frequency: FrequencyCaps,
  sharing: Sharing | null,
  now: () => Date,
): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registerGauge(registry, `bidwell_frequency_${name}`, help, value);
  gauge(
    'impressions',
    'Impressions in the memory of frequency caps, one for the ad set and one for the campaign',
    () => frequency.counts().impressions,
  );
  gauge(
    'impressions_max',
    'How many of them FREQUENCY_MAX_BYTES allows',
    () => frequency.counts().impressionsMax,
  );
  gauge(
    'open_bids',
    'Bids of ad sets with frequency caps whose outcome is not known',
    () => frequency.counts().openBids,
  );
  gauge(
    'open_bids_max',
    'How many such bids the memory allows; beyond it ad sets with caps do not bid (overloaded)',
    () => frequency.counts().openBidsMax,
  );
  gauge(
    'forgotten',
    'Impressions that were forgotten since the start while a cap may have needed them, for want of memory',
    () => frequency.counts().forgotten,
  );
  if (!sharing) return;
  gauge(
    'unheld',
    'Bids of other bidders that did not count since the start, because the memory of bids under way was full',
    () => frequency.counts().unheld,
  );
  const nowMs = (): number => now().getTime();
  gauge(
    'lag_seconds',
    'The longest time of the last minute after which this bidder knew of bids and outcomes of others',
    () => sharing.lagMs(nowMs()) / 1000,
  );
  gauge('person_bids_per_second', 'The most bids to one person within a second, of the last minute', () =>
    sharing.bidsPerSecond(nowMs()),
  );
  gauge(
    'overshoot_max',
    'By how many impressions a person may exceed a cap: bidders, times bids to one person within a second, times lag in full seconds, minus one',
    () => sharing.overshootMax(nowMs()),
  );
  gauge('unshared', 'Bids and outcomes that were not shared, because NATS was unavailable for long', () =>
    sharing.dropped(),
  );
}
