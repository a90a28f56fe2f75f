import { setTimeout as pause } from 'node:timers/promises';
import type { Counter } from 'prom-client';
import type { Http } from '../platform/http/server.ts';
import { v4 as uuidv4 } from 'uuid';
import { type PostbackQueue, openPostbackQueue } from './postbacks/postback-queue.ts';
import { installCountsSince } from './postbacks/postback-store.ts';
import { registerPostbacks } from './postbacks/postbacks.ts';
import { type RemovedOfDevice, removeDevice } from './postbacks/erasure/erase-device.ts';
import { testClick } from './postbacks/test-postback.ts';
import { postbackKeys } from './skadnetwork/postbacks/apple-keys.ts';
import { registerInstallPostbacks } from './skadnetwork/postbacks/postback-routes.ts';
import {
  type RejectedPostbacks,
  startRejectedPostbacks,
} from './skadnetwork/postbacks/rejected-postbacks.ts';
import { createStoredEvents } from './event-log/stored-events.ts';
import { registerTrackers } from './trackers/routes.ts';
import type { ClosedIntake } from './event-log/shared-intake.ts';
import { newBidId } from './openrtb/bid.ts';
import { loadAudiences, registerAudienceMetrics } from './audiences/loaded-audiences.ts';
import { startMatchReport } from './audiences/match-report.ts';
import { coalesce } from '../platform/concurrency/coalesce.ts';
import { registerGauge } from '../platform/telemetry/metrics.ts';
import { type AdsetFaults, createAdsetFaults } from './snapshot/adset-faults.ts';
import { type LearningFeed, createLearningFeed } from './learning/feed.ts';
import { startBidSampler, type BidSampler } from './funnel/bid-sample.ts';
import { InstallPrices } from './learning/install-price.ts';
import { InstallRates } from './learning/install-rates.ts';
import { expectedChargeMicros } from './learning/expected-charge.ts';
import { valuationOf } from './learning/valuation.ts';
import { Learning } from './learning/learning.ts';
import { RATE_HALF_LIFE_MS } from './learning/plausibility.ts';
import { createCounters } from './metrics.ts';
import type { BidCounters } from './exchanges/bid-counts.ts';
import { registerEventMetrics } from './exchanges/exchange-metrics.ts';
import { startPublisherAppReport, type PublisherAppReport } from './exchanges/publisher-apps.ts';
import { ExchangeMinutes, type ExchangeReport, startExchangeReport } from './exchanges/exchange-minutes.ts';
import { OversizedCreatives, startOversizedReport } from './exchanges/oversized-creatives.ts';
import { addressPlaces } from './openrtb/address-place.ts';
import { registerOpenRtb } from './openrtb/routes.ts';
import { type GeoIp, openGeoIp } from '../platform/geoip/geoip.ts';
import { ShedShare } from './openrtb/admission.ts';
import { type Frequency, startFrequency } from './frequency/frequency.ts';
import { FrequencyPublisher } from './frequency/frequency-messages.ts';
import { Budgets } from './pacing/budgets.ts';
import { postgresLeases } from './pacing/lease-store.ts';
import { type BidOutcome, tagOf } from './pacing/leases.ts';
import { reservationsMax } from './pacing/reservations.ts';
import { publishOutcomes, subscribeOutcomes } from './pacing/outcome-messages.ts';
import { type Leasing, startLeasing } from './pacing/leasing.ts';
import { type Traffic, createTraffic } from './pacing/traffic-profile.ts';
import type { Step } from '../platform/startup.ts';
import { snapshotFiles } from './snapshot/snapshot-files.ts';
import { type SnapshotService, createSnapshotService } from './snapshot/service.ts';
import { type BiddingStop, followBiddingStop } from './snapshot/bidding-stop.ts';
import { followChanges, type BiddingChange } from './snapshot/changes.ts';
import type { Candidate } from './model/candidate.ts';
import { type Replays, funnelOf, replaysOf } from './replays.ts';
import { startLearning, type ValueLearning } from './start-learning.ts';
import { spendCorrector, reconcileBookedSpend, reconcileNewCountries } from './correct-spend.ts';
import { type Certify, certifier } from './certify.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { withTimeout } from '../platform/concurrency/time-limits.ts';
import type { Funnel } from './funnel/recorder.ts';
import type { SigningDeps } from './openrtb/signed-response.ts';
import { SignedBids, startSigningReport } from './skadnetwork/signed-bids.ts';
import { SigningThread } from './skadnetwork/signing-thread.ts';
import type { SkadnetworkSettings } from './skadnetwork/signable.ts';
import { type Forecaster, type ForecasterDeps, createForecaster } from './forecast/forecaster.ts';
import { startPriceRecorder } from './forecast/price-recorder.ts';

const FORECAST_STOP_MS = 1000;

/** Delivery, the half of the server that spends money: its routes, and the calls of other modules. */
export interface Delivery extends Replays, ForecastCalls {
  snapshot: SnapshotService;
  faults: AdsetFaults;
  /** Registers the bidder and starts to lease its budgets. */
  registerBidder(http: Http): Promise<void>;
  registerTrackers(http: Http): void;
  /** Reloads the companies' funds and renews this bidder's leases. */
  reloadFunds(): Promise<void>;
  /** Applies a committed change of this process, and notifies the other processes. */
  changed(kinds: readonly BiddingChange[]): void;
  /** Runs the contract cases of an exchange; see {@link certifier}. */
  certify: Certify;
  /** The id of a test click of a company, whose postbacks are decided and not stored. */
  testClickId(this: void, companyId: string): string;
  /** Resolves when all postbacks so far are decided, and postbacks that do not count are stored. */
  postbacksDecided(): Promise<void>;
  /** Resolves when the bid requests so far are counted in the delivery funnel, and sampled bids and apps stored. */
  funnelStored(): Promise<void>;
  /** Resolves when the audiences of the snapshot are in memory, or could not be loaded. */
  audiencesLoaded(): Promise<void>;
  /** Resolves when the counts of exchanges in this process are stored. */
  exchangesReported(): Promise<void>;
  /** Whether PostgreSQL responded to this bidder in the last ten seconds. */
  hasFreshLease(): boolean;
  /** Why this bidder sends no bids because of the trackers of all processes; null where they accept notices. */
  closedIntake(): ClosedIntake | null;
  /** How far the counting of notices is behind for this bidder, ms; null where that is not known. */
  countingLagMs(): number | null;
  /** Why people may see ads more often than frequency caps allow, in sentences. */
  frequencyFaults(): string[];
  /** Which part of the last minute's bid requests this bidder shed, in percent; null where there were too few to say. */
  shedPercent(): number | null;
  /** Books spend of stored events that PostgreSQL has not, or has lost. */
  reconcileBookedSpend(): Promise<void>;
  /** Adds what was spent earlier in the day to daily budgets of countries that are new. */
  reconcileNewCountries(): Promise<void>;
  /** Takes a step in lowering booked spend whose events are not stored, see `createSpendCorrector`. */
  correctBookedSpend(): Promise<void>;
  /** Removes a part of the stored data of a device, see {@link removeDevice}. */
  removeDevice(erasureId: string, id: string, keysBefore: Date): Promise<RemovedOfDevice>;
  /** All events that trackers acknowledged before this instant are counted, Unix ms; see {@link SharedIntake}. */
  countedByAllMs(): Promise<number>;
  /** Stops accepting events, and gives back unspent leases. Each step has a timeout. */
  close(): Promise<void>;
}

/** How long the start waits for the rates of installs before they are loaded in the background. */
const RATES_WAIT_MS = 1000;

/**
 * Starts delivery: loads the snapshot, and books spend that was never booked. Steps whose database is unavailable are
 * retried in the background; a bidder then takes its snapshot from disk.
 */
export async function createDelivery(deps: DeliveryDeps): Promise<Delivery> {
  const { db, startup, clickhouseReady, log } = deps;
  const counters = createCounters(deps.registry);
  const faults = adsetFaultsOf(deps, counters.faults);
  const files = deps.snapshotFolder !== null ? snapshotFiles(deps.snapshotFolder, log) : null;
  const audiences = deps.bids
    ? loadAudiences({ files: deps.files, log, bytesMax: deps.audienceBytesMax })
    : null;
  if (audiences) registerAudienceMetrics(deps.registry, audiences);
  const snapshot = createSnapshotService(db, log, faults, deps.encryption, files, audiences);
  const loaded = await loadSnapshot(deps, snapshot);
  const traffic = createTraffic(db);
  const bidder: BidderParts = {};
  const budgets = budgetsOf(deps, traffic, bidder);
  const bidderId = uuidv4();
  const tag = tagOf(bidderId);
  const shedShare = new ShedShare();
  const learning = new Learning();
  const valuationParts = {
    learning,
    installPrices: new InstallPrices(),
    paceOf: (candidate: Candidate, country?: string) => budgets.paceOf(candidate, country),
    random: deps.random,
  };
  await startup.attempt('reconcile booked spend', () => reconcileBookedSpend(deps, snapshot), [
    loaded,
    clickhouseReady,
  ]);
  const reloadFunds = coalesce(async () => {
    budgets.setFunds(await deps.funds());
    await bidder.leasing?.renewed();
  });
  const funded = await startup.attempt('load company funds', reloadFunds, [loaded]);
  const following = followOtherProcesses(deps, snapshot, reloadFunds);
  const biddingStop = await followStop(deps, loaded);
  const { bus } = deps;
  if (bus) deps.booking.publishTo((outcomes) => publishOutcomes(bus, outcomes));
  const publisher = bus && new FrequencyPublisher(bus, deps.now);
  deps.booking.onCappedEvents((events) => {
    bidder.frequency?.ended(events);
    publisher?.endedBy(events);
  });
  const feed = createLearningFeed(bus, log);
  const goals = (bidder.valueLearner = await startLearning(deps, { learning, traffic, snapshot, feed }));
  const forecasting = startForecasting(deps, { ...valuationParts, snapshot, feed, goals });
  const postbacks = deps.tracks ? await openPostbacks(deps, feed, counters.postbacks) : null;
  deps.onCounted((events) => {
    for (const event of events) feed.count(event);
  });
  const exchanges = reportExchanges(deps, counters.bidCounters);
  return {
    snapshot,
    faults,
    async registerBidder(http) {
      const leasing = startLeases(deps, { bidderId, budgets, traffic, snapshot });
      bidder.leasing = leasing;
      await prepareFirstRequest(deps, leasing, funded);
      const bidders = (): number => leasing.bidders();
      const countedMs = (): number => budgets.countedMs;
      const frequency = await startFrequency({ ...deps, snapshot, countedMs, publisher, bidders });
      bidder.frequency = frequency;
      const { funnel: counter } = counters;
      const { capsFor } = frequency;
      const counting = funnelOf(deps, { snapshot, budgets, valuationParts, bidders, counter, capsFor });
      bidder.funnel = counting;
      const bidSampler = startBidSampler({ ...deps, bidders });
      bidder.bidSampler = bidSampler;
      bidder.publisherApps = startPublisherAppReport(deps);
      const oversized = new OversizedCreatives();
      bidder.oversized = startOversizedReport({ ...deps, oversized });
      if (audiences) bidder.matches = startMatchReport({ ...deps, counts: audiences.counts });
      bidder.signing = startSigning(deps, snapshot, counters.unsigned);
      const geoIp =
        deps.geoIpDatabase === null ? null : await openGeoIp({ ...deps, path: deps.geoIpDatabase });
      if (geoIp) bidder.geoIp = geoIp;
      registerOpenRtb(http, {
        ...deps,
        signing: bidder.signing.deps,
        ...counters,
        funnel: counting,
        publisherApps: bidder.publisherApps.apps,
        shedShare,
        addressPlaces: geoIp && addressPlaces(geoIp.lookup),
        biddingStop: biddingStop ?? { isStopped: () => false },
        hasFreshLease: () => leasing.isFresh(),
        snapshot,
        faults,
        oversized,
        budgets,
        traffic,
        domain: new URL(deps.publicUrl).hostname,
        bidders,
        newBidId: () => newBidId(tag),
        valuationOf: (request, nowMs) => valuationOf(request, nowMs, valuationParts),
        capsFor,
        expectedChargeMicros: (ref) => expectedChargeMicros(ref, learning.wins),
        onBid: (ref, candidate, reservationMs) => {
          frequency.sent(ref, candidate, reservationMs);
          feed.placed(ref);
          counting.sent(ref);
          bidSampler.sent(ref);
        },
      });
    },
    registerTrackers: (http) => addTrackers(http, deps, { counters, snapshot, postbacks }),
    ...replaysOf(deps, { snapshot, budgets: deps.bids ? budgets : null, valuationParts }),
    reloadFunds,
    changed: (kinds) => applyChanges(kinds, { snapshot, biddingStop, reloadFunds, following }),
    reconcileBookedSpend: () => reconcileBookedSpend(deps, snapshot),
    reconcileNewCountries: () => reconcileNewCountries(deps, snapshot),
    correctBookedSpend: spendCorrector(deps, snapshot),
    removeDevice: (erasureId, id, keysBefore) => removeDevice(deps, erasureId, id, keysBefore),
    countedByAllMs: () => deps.intake.countedByAllMs(),
    ...biddingState(deps, bidder, shedShare),
    certify: certifier({ ...deps, snapshot }),
    testClickId: (companyId) => deps.signer.clickIdFor(testClick(companyId, deps.now().getTime())),
    postbacksDecided: async () => postbacks?.flushed(),
    audiencesLoaded: async () => audiences?.settled(),
    funnelStored: () => stored(bidder),
    exchangesReported: () => exchanges.flush(),
    ...forecasting.calls,
    async close() {
      await closeDelivery(deps, { snapshot, biddingStop, following, postbacks, feed, exchanges, ...bidder });
      await forecasting.close();
      await audiences?.close();
    },
  };
}

/** Leases budgets and finds trackers, so that both are there at the first request. */
async function prepareFirstRequest(
  { startup, intake, log }: DeliveryDeps,
  leasing: Leasing,
  funded: Step,
): Promise<void> {
  await startup
    .attempt('lease budgets', () => leasing.renewed(), [funded])
    .catch((err: unknown) => log.error({ err }, 'the first lease failed; retrying every second'));
  await startup.attempt('find trackers', () => intake.renew(), [funded]);
}

/** The state on which the readiness of a bidder depends; empty in a process that does not bid. */
function biddingState(
  { bids, intake }: DeliveryDeps,
  bidder: BidderParts,
  shedShare: ShedShare,
): Pick<Delivery, 'closedIntake' | 'hasFreshLease' | 'countingLagMs' | 'frequencyFaults' | 'shedPercent'> {
  return {
    shedPercent: () => shedShare.percent(performance.now()),
    frequencyFaults: () => bidder.frequency?.faults() ?? [],
    closedIntake: () => (bids ? intake.closed() : null),
    hasFreshLease: () => bidder.leasing?.isFresh() ?? false,
    countingLagMs: () => bidder.leasing?.lagMs() ?? null,
  };
}

/** Resolves when the bid requests so far are counted, and all that a bidder stores of its bids is stored. */
async function stored({
  funnel,
  bidSampler,
  publisherApps,
  signing,
  oversized,
  matches,
}: BidderParts): Promise<void> {
  await Promise.all([
    funnel?.stored(),
    bidSampler?.flush(),
    publisherApps?.flush(),
    signing?.flush(),
    oversized?.flush(),
    matches?.flush(),
  ]);
}

/** Reports the faults of ad sets to their owners. */
function adsetFaultsOf(
  { log, now, notifyOwner, publicUrl }: DeliveryDeps,
  counter: Counter<'fault'>,
): AdsetFaults {
  return createAdsetFaults({
    log,
    now,
    counter,
    notify: notifyOwner,
    servesSecure: publicUrl.startsWith('https:'),
  });
}

/** Registers the trackers and, where there is a queue for them, the postbacks. */
function addTrackers(
  http: Http,
  deps: DeliveryDeps,
  {
    counters,
    snapshot,
    postbacks,
  }: {
    counters: ReturnType<typeof createCounters>;
    snapshot: SnapshotService;
    postbacks: Postbacks | null;
  },
): void {
  registerTrackers(http, {
    ...deps,
    counter: counters.trackers,
    unpriced: counters.unpriced,
    priceRules: snapshot.priceRules,
    runningDestination: (adsetId, creativeId) => snapshot.destination(adsetId, creativeId),
  });
  if (!postbacks) return;
  registerPostbacks(http, { ...deps, queue: postbacks });
  registerInstallPostbacks(http, {
    ...deps,
    keys: postbackKeys(deps.installPostbackTestKey),
    rejected: postbacks.rejected,
    counter: counters.installPostbacks,
  });
}

/** Applies a committed change of this process, and notifies the other processes. */
function applyChanges(
  kinds: readonly BiddingChange[],
  {
    snapshot,
    biddingStop,
    reloadFunds,
    following,
  }: {
    snapshot: SnapshotService;
    biddingStop: BiddingStop | null;
    reloadFunds: () => Promise<void>;
    following: ReturnType<typeof followOtherProcesses>;
  },
): void {
  if (kinds.includes('snapshot')) {
    snapshot.invalidate();
    void biddingStop?.refresh().catch(() => {});
  }
  if (kinds.includes('funds')) void reloadFunds().catch(() => {});
  for (const kind of kinds) following?.publish(kind);
}

/** Follows the switch that stops all bidding; null in a process that does not bid. */
async function followStop(
  { db, log, bids, startup }: DeliveryDeps,
  loaded: Step,
): Promise<BiddingStop | null> {
  const biddingStop = bids ? followBiddingStop(db, log) : null;
  await startup.attempt('ask whether bidding is stopped', async () => biddingStop?.refresh(), [loaded]);
  return biddingStop;
}

function budgetsOf(
  { random, memoryMib }: DeliveryDeps,
  { profileOf, clocksOf }: Traffic,
  bidder: BidderParts,
): Budgets {
  return new Budgets(
    {
      random,
      trafficProfileOf: profileOf,
      clocksOf,
      onSettled: (outcome, nowMs) => bidder.frequency?.settled(outcome, nowMs),
    },
    reservationsMax(memoryMib),
  );
}

/** Starts to lease the budgets of a bidder, and to settle its bids. */
function startLeases(
  deps: DeliveryDeps,
  parts: { bidderId: string; budgets: Budgets; traffic: Traffic; snapshot: SnapshotService },
): Leasing {
  const { bidderId, budgets } = parts;
  const leasing = startLeasing({ ...deps, ...parts, store: postgresLeases(deps.db) });
  registerGauge(
    deps.registry,
    'bidwell_counting_lag_seconds',
    'How far the counting of notices is behind, of all trackers; at most 3600',
    () => (leasing.lagMs() ?? NaN) / 1000,
  );
  registerGauge(
    deps.registry,
    'bidwell_reservations',
    'Bids whose outcome is not known, which reserve their price',
    () => budgets.reservations().open,
  );
  registerGauge(
    deps.registry,
    'bidwell_reservations_max',
    'How many such bids the memory of the process allows; beyond it there are no bids (overloaded)',
    () => budgets.reservations().max,
  );
  const settle = (outcome: BidOutcome): void => budgets.settle(outcome, deps.now().getTime());
  deps.booking.listen(bidderId, settle);
  if (deps.bus) subscribeOutcomes(deps.bus, { bidderId, log: deps.log }, settle);
  return leasing;
}

/** Counts the bid requests and events of exchanges by minute, for operators. */
function reportExchanges(
  { db, log, now, postgres, registry, onCounted }: DeliveryDeps,
  counters: BidCounters,
): ExchangeReport {
  const minutes = new ExchangeMinutes(now);
  const countInMetrics = registerEventMetrics(registry);
  onCounted((events) => {
    minutes.count(events);
    countInMetrics(events);
  });
  return startExchangeReport({ db, log, postgres, counters, minutes });
}

/** Loads the snapshot from PostgreSQL; if that is unavailable, from disk until it is available. */
async function loadSnapshot({ startup, postgres }: DeliveryDeps, snapshot: SnapshotService): Promise<Step> {
  let restored = Promise.resolve();
  const loaded = await startup.attempt(
    'load the snapshot',
    async () => {
      await restored;
      await snapshot.load();
    },
    [postgres],
  );
  if (!loaded.isDone()) restored = snapshot.restore();
  await restored;
  return loaded;
}

/** Follows changes that other processes make; null where there are none. */
function followOtherProcesses(
  { db, changesUrl, bus, log }: DeliveryDeps,
  snapshot: SnapshotService,
  reloadFunds: () => Promise<void>,
) {
  if (changesUrl === null) return null;
  return followChanges({
    db,
    url: changesUrl,
    bus,
    log,
    changed: {
      snapshot: () => snapshot.invalidate(),
      funds: () =>
        void reloadFunds().catch((err: unknown) => log.error({ err }, 'company funds could not be loaded')),
    },
  });
}

/** The queue of measurement partners' postbacks, and the count of devices' that are rejected. */
interface Postbacks extends PostbackQueue {
  rejected: RejectedPostbacks;
}

/** Opens the queue of postbacks, with the install rates for its plausibility check, and the count of rejected ones. */
async function openPostbacks(
  deps: DeliveryDeps,
  feed: LearningFeed,
  counter: Counter<'mmp' | 'outcome'>,
): Promise<Postbacks> {
  const { clickhouse, ingest, now, startup, postgres, clickhouseReady } = deps;
  const rates = new InstallRates();
  feed.subscribe((counts) => rates.addClicks(counts.rates, now().getTime()));
  // Until earlier clicks are loaded, a tracker finds few installs plausible.
  const restoreCounts = async (): Promise<void> => {
    const nowMs = now().getTime();
    rates.restoreCounts(await installCountsSince(clickhouse, nowMs - RATE_HALF_LIFE_MS), nowMs);
  };
  const restored = startup.attempt('restore install rates', restoreCounts, [clickhouseReady]);
  restored.catch((err: unknown) => deps.log.error({ err }, 'install rates could not be restored'));
  await Promise.race([restored, pause(RATES_WAIT_MS, undefined, { ref: false })]);
  const rejected = startRejectedPostbacks(deps, now);
  const queue = await openPostbackQueue({
    ...deps,
    ready: Promise.all([postgres.done, clickhouseReady.done]),
    storedEvents: createStoredEvents(clickhouse, ingest),
    otherTrackers: deps.bus && deps.intake,
    rates,
    decided: (mmp, outcome) => counter.inc({ mmp, outcome }),
  });
  return {
    add: (...postback) => queue.add(...postback),
    rejected,
    async flushed() {
      await Promise.all([queue.flushed(), rejected.flush()]);
    },
    async close() {
      await Promise.all([queue.close(), rejected.stop()]);
    },
  };
}

/** Parts that only a process that bids has; a process that forecasts has `valueLearner` too. */
interface BidderParts {
  leasing?: Leasing;
  funnel?: Funnel;
  bidSampler?: BidSampler;
  publisherApps?: PublisherAppReport;
  signing?: Signing;
  oversized?: ReturnType<typeof startOversizedReport>;
  matches?: ReturnType<typeof startMatchReport>;
  frequency?: Frequency;
  geoIp?: GeoIp;
  /** Null in a process that neither bids nor forecasts. */
  valueLearner?: ValueLearning | null;
}

/** Stops the parts in the order in which they depend on each other, each within its timeout. */
async function closeDelivery(
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
  const { funnel, bidSampler, publisherApps, signing, oversized, matches, frequency, geoIp } = parts;
  const counted = Promise.all([
    withTimeout('delivery funnel', STOP_MS.snapshot, log, async () => funnel?.close()),
    withTimeout('database of addresses', STOP_MS.snapshot, log, async () => geoIp?.stop()),
    withTimeout('sample of bids', STOP_MS.snapshot, log, async () => bidSampler?.stop()),
    withTimeout('signed bids', STOP_MS.snapshot, log, async () => signing?.stop()),
    withTimeout('creatives that are too large', STOP_MS.snapshot, log, async () => oversized?.stop()),
    withTimeout('look-ups in audiences', STOP_MS.snapshot, log, async () => matches?.stop()),
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
  await withTimeout('counts of frequency caps', STOP_MS.snapshot, log, async () => frequency?.stop());
  await withTimeout('counts of exchanges', STOP_MS.exchanges, log, () => exchanges.stop());
  if (stopped) await withTimeout('leases', STOP_MS.leases, log, async () => leasing?.leave());
}

/** Signing of a bidder's bids. */
interface Signing {
  deps: SigningDeps;
  /** Resolves when the counts of signed bids so far are stored. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts to sign the bids of this process; its thread starts once there is a key. */
function startSigning(
  deps: Pick<DeliveryDeps, 'db' | 'postgres' | 'log' | 'now'>,
  snapshot: Pick<SnapshotService, 'skadnetwork'>,
  counter: Counter<'reason'>,
): Signing {
  const unsigned = (reason: string, bids: number) => counter.inc({ reason }, bids);
  const thread = new SigningThread(deps.log, unsigned);
  const signedBids = new SignedBids();
  const report = startSigningReport({ ...deps, signedBids });
  let current: SkadnetworkSettings | null = null;
  const settings = (): SkadnetworkSettings => {
    const next = snapshot.skadnetwork();
    if (next !== current) {
      current = next;
      thread.setKeys(next.networks.map(({ id, privateKey }) => [id, privateKey]));
    }
    return next;
  };
  settings();
  return {
    deps: { settings, thread, signedBids, unsigned },
    flush: () => report.flush(),
    async stop() {
      await report.stop();
      await thread.close();
    },
  };
}

/** Calls of delivery about forecasts. */
interface ForecastCalls {
  /** Forecasts ad sets; null in a process that does not serve the API. */
  forecaster: Forecaster | null;
}

/** The parts of a process that forecast, and that store the input of forecasts. */
interface Forecasting {
  calls: ForecastCalls;
  close(): Promise<void>;
}

/** Timeouts of the steps of a shutdown that an unavailable database delays, ms. */
const STOP_MS = { leasing: 1500, snapshot: 500, log: 3000, exchanges: 500, leases: 1500 } as const;

/** Starts to store bids by price and, where the API is served, to hold the request sample. */
function startForecasting(
  deps: DeliveryDeps,
  {
    feed,
    ...parts
  }: Pick<ForecasterDeps, 'snapshot' | 'learning' | 'installPrices' | 'goals'> & { feed: LearningFeed },
): Forecasting {
  const prices = startPriceRecorder(deps);
  feed.subscribeOwn((counts) => prices.add(counts.prices));
  deps.onCounted((events) => {
    for (const event of events) prices.count(event);
  });
  const secure = deps.publicUrl.startsWith('https:');
  const forecaster = deps.forecasts ? createForecaster({ ...deps, ...parts, secure }) : null;
  return {
    calls: { forecaster },
    async close() {
      await withTimeout('forecasts', FORECAST_STOP_MS, deps.log, async () => forecaster?.close());
      await withTimeout('bids by price', FORECAST_STOP_MS, deps.log, () => prices.close());
    },
  };
}
