import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Step } from '../../platform/startup.ts';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { RequestCaps } from '../auction/auction.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { readDigest, subjectOf } from '../model/frequency.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type CappedOutcome, FrequencyCaps } from './frequency-caps.ts';
import { frequencyFile } from './frequency-file.ts';
import { readImpressions } from './impression-store.ts';
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
}

/** The frequency caps of a bidder, with their file. */
export interface Frequency {
  /** The caps as they apply to one request. */
  capsFor(this: void, request: ParsedRequest, nowMs: number): RequestCaps;
  /** Counts a bid that is about to be sent. */
  sent(ref: BidRef, candidate: Candidate, reservationMs: number): void;
  /** Ends the bids of events that were counted. */
  ended(events: readonly DeliveryEvent[]): void;
  /** Ends a bid of this bidder by its outcome. */
  settled(outcome: { bidId: string; charged: boolean }, nowMs: number): void;
  /** Stores the counts a last time. */
  stop(): Promise<void>;
}

const STORE_EVERY_MS = 60_000;
/** Notices may be counted this much later than they came. */
const COUNTING_MS = 15 * 60_000;
/** How long the start of a bidder waits for its counts of before. */
const RESTORE_MS = 10_000;

/** Restores the counts of this bidder and counts on. What was counted since the file was stored is read from the events. */
export async function startFrequency(deps: FrequencyDeps): Promise<Frequency> {
  const { dataDir, clickhouse, clickhouseReady, log, now, snapshot, personSecret } = deps;
  const frequency = new FrequencyCaps(deps.frequencyMaxBytes, deps.countedMs);
  const personKeys = createPersonKeys(personSecret);
  const file = frequencyFile(join(dataDir, 'frequency', 'counts.bin'), personSecret);
  registerMetrics(deps.registry, frequency);
  frequency.setCandidates(snapshot.current().candidates);
  const storedAtMs = await file.restore(frequency, now().getTime());
  const recount = async (): Promise<void> => {
    await clickhouseReady.done;
    const neededMs = now().getTime() - frequency.neededSeconds * 1000;
    const sinceMs = Math.max(neededMs, (storedAtMs ?? 0) - COUNTING_MS);
    const max = frequency.counts().impressionsMax;
    await readImpressions(clickhouse, { sinceMs, max }, (outcome) => frequency.ended(outcome));
  };
  const recounted = frequency.neededSeconds === 0 ? Promise.resolve() : recount();
  recounted.catch((err: unknown) =>
    log.error({ err }, 'impressions for frequency caps could not be counted again'),
  );
  await Promise.race([recounted.catch(() => {}), pause(RESTORE_MS, undefined, { ref: false })]);
  let isStored = false;
  const store = async (): Promise<void> => {
    const nowMs = now().getTime();
    frequency.expire(nowMs);
    const { impressions, openBids } = frequency.counts();
    // Most installations have no caps.
    if (!isStored && impressions + openBids === 0) return;
    await file.save(frequency, nowMs);
    isStored = true;
  };
  const storing = repeat(STORE_EVERY_MS, 'store counts of frequency caps', log, store);
  return {
    capsFor: (request, nowMs) => {
      frequency.setCandidates(snapshot.current().candidates);
      return requestCaps(request, nowMs, { frequency, personKeys });
    },
    sent({ bidId, personKey }, { caps }, reservationMs) {
      const person = personKey === undefined ? null : readDigest(personKey);
      if (!caps || !person) return;
      const { adsetSubject, campaignSubject } = caps;
      const bid = { bid: subjectOf(bidId), person, adsetSubject, campaignSubject };
      frequency.sent(bid, caps, now().getTime(), reservationMs);
    },
    ended(events) {
      for (const event of events) {
        const outcome = outcomeOf(event);
        if (outcome) frequency.ended(outcome);
      }
    },
    settled: ({ bidId, charged }, nowMs) => frequency.settled(bidId, charged, nowMs),
    async stop() {
      await storing.stop();
      await store();
    },
  };
}

/** The outcome of a bid whose event was counted; null where it has no key of a person. */
export function outcomeOf({ kind, atMs, ref }: DeliveryEvent): CappedOutcome | null {
  const person = ref.personKey === undefined ? null : readDigest(ref.personKey);
  if (!person) return null;
  return {
    bid: subjectOf(ref.bidId),
    person,
    adsetSubject: subjectOf(ref.adsetId),
    campaignSubject: subjectOf(ref.campaignId),
    isImpression: kind !== 'loss',
    atMs,
  };
}

function registerMetrics(registry: Registry, frequency: FrequencyCaps): void {
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
}
