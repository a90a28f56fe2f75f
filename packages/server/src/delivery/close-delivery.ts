import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { ValueLearning } from './restore-learning.ts';
import type { PostbackQueue } from './postbacks/postback-queue.ts';
import type { ExchangeReport } from './exchanges/exchange-report.ts';
import type { PublisherAppReport } from './exchanges/publisher-app-report.ts';
import type { BidSampler } from './funnel/bid-sampler.ts';
import type { Funnel } from './funnel/recorder.ts';
import type { LearningFeed } from './learning/feed.ts';
import type { Leasing } from './pacing/leasing.ts';
import type { BiddingStop } from './snapshot/bidding-stop.ts';
import type { Signing } from './signing.ts';
import type { SnapshotService } from './snapshot/service.ts';

/** Timeouts of the steps of a shutdown that an unavailable database delays, ms. */
const STOP_MS = { leasing: 1500, snapshot: 500, log: 3000, exchanges: 500, leases: 1500 } as const;

/** What a process that bids has beside the others; one that forecasts learns values too. */
export interface BidderParts {
  leasing?: Leasing;
  funnel?: Funnel;
  bidSampler?: BidSampler;
  publisherApps?: PublisherAppReport;
  signing?: Signing;
  /** Null in a process that neither bids nor forecasts. */
  valueLearner?: ValueLearning | null;
}

/** Stops the parts in the order in which they depend on each other, each within its timeout. */
export async function closeDelivery(
  { log, snapshotFolder, ingest }: DeliveryDeps,
  parts: {
    snapshot: SnapshotService;
    biddingStop: BiddingStop | null;
    following: { stop(): Promise<void> } | null;
    postbacks: PostbackQueue | null;
    feed: LearningFeed;
    exchanges: ExchangeReport;
  } & BidderParts,
): Promise<void> {
  const { snapshot, biddingStop, following, postbacks, leasing, feed, exchanges, valueLearner } = parts;
  const { funnel, bidSampler, publisherApps, signing } = parts;
  const counted = Promise.all([
    withTimeout('delivery funnel', STOP_MS.snapshot, log, async () => funnel?.close()),
    withTimeout('sample of bids', STOP_MS.snapshot, log, async () => bidSampler?.stop()),
    withTimeout('signed bids', STOP_MS.snapshot, log, async () => signing?.stop()),
    withTimeout('apps of publishers', STOP_MS.snapshot, log, async () => publisherApps?.stop()),
  ]);
  const learned = withTimeout('values of installs', STOP_MS.snapshot, log, async () => valueLearner?.stop());
  const unfollowed = withTimeout('changes', STOP_MS.leasing, log, async () => {
    await Promise.all([following?.stop(), biddingStop?.stop()]);
  });
  // Embedded databases always respond.
  const logMs = snapshotFolder === null ? Infinity : STOP_MS.log;
  await withTimeout('postbacks', logMs, log, async () => postbacks?.close());
  const stopped = await withTimeout('leasing', STOP_MS.leasing, log, async () => leasing?.stop());
  await unfollowed;
  await Promise.all([counted, learned]);
  await withTimeout('snapshot', STOP_MS.snapshot, log, () => snapshot.close());
  // The last notices are booked before the leases are given back, so that their reservations are freed at once.
  await withTimeout('event log', logMs, log, () => ingest.close());
  feed.close();
  await withTimeout('counts of exchanges', STOP_MS.exchanges, log, () => exchanges.stop());
  if (stopped) await withTimeout('leases', STOP_MS.leases, log, async () => leasing?.leave());
}
