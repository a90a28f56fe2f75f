import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';
import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Http } from '../platform/http/server.ts';
import type { Database } from '../platform/postgres/client.ts';
import { v4 as uuidv4 } from 'uuid';
import { historyOfDay, spendOfAllTime, spendSince } from './events/event-store.ts';
import type { Ingest } from './events/ingest.ts';
import type { PostbackQueue } from './events/postback-queue.ts';
import { openPostbackQueue } from './events/postback-queue.ts';
import { installCountsSince } from './events/postback-store.ts';
import { registerPostbacks } from './events/postbacks.ts';
import { createStoredEvents } from './events/stored-events.ts';
import { registerTrackers } from './events/routes.ts';
import { newBidId } from './openrtb/bid-id.ts';
import { coalesce } from '../platform/jobs/coalesce.ts';
import type { AdsetFaults, FaultNews } from './snapshot/adset-faults.ts';
import { createAdsetFaults } from './snapshot/adset-faults.ts';
import type { SharedIntake } from './events/shared-intake.ts';
import type { Signer } from './events/signing.ts';
import type { Suspicion } from './events/suspicion.ts';
import { InstallPrices } from './learning/install-price.ts';
import { InstallRates } from './learning/install-rates.ts';
import { judgementOf } from './learning/judgement.ts';
import { Learning } from './learning/learning.ts';
import { RATE_HALF_LIFE_MS } from './learning/plausibility.ts';
import type { Verification } from './markup/vast.ts';
import { registerOpenRtb } from './openrtb/routes.ts';
import type { Booking } from './pacing/booking.ts';
import { Budgets } from './pacing/budgets.ts';
import { bookedSpend, postgresLeases, raiseSpend } from './pacing/lease-store.ts';
import { tagOf } from './pacing/leases.ts';
import type { Leasing } from './pacing/leasing.ts';
import { startLeasing } from './pacing/leasing.ts';
import { dayAt } from './pacing/pace.ts';
import { createTraffic } from './pacing/traffic.ts';
import { inTime } from '../platform/jobs/in-time.ts';
import type { Startup, Step } from '../platform/startup.ts';
import { snapshotFiles } from './snapshot/snapshot-files.ts';
import type { SnapshotService } from './snapshot/service.ts';
import { followChanges } from './snapshot/changes.ts';
import { createSnapshotService } from './snapshot/service.ts';
import type { Candidate } from './model/candidate.ts';

/** What delivery is made of. */
export interface DeliveryDeps {
  db: Database;
  clickhouse: ClickHouse;
  ingest: Ingest;
  intake: SharedIntake;
  signer: Signer;
  log: Logger;
  registry: Registry;
  now: () => Date;
  random: () => number;
  publicUrl: string;
  /** Where devices load the files of creatives. */
  assetUrl: string;
  /** Our number in the IAB's list of vendors; null without one: then no consent is to us. */
  tcfVendorId: number | null;
  /** The script that measures videos by the Open Measurement SDK; null for none. */
  verification: Verification | null;
  /** Tells the clicks of programs from those of people. */
  suspicion: Suspicion;
  booking: Booking;
  startup: Startup;
  /** Where PostgreSQL is asked and listened to for what other processes change; null where there is no other. */
  changesUrl: string | null;
  /** Done once the tables of each database are as this version needs them. */
  postgres: Step;
  clickhouseReady: Step;
  /** Where a bidder keeps its snapshot for a start without PostgreSQL; null where PostgreSQL is in this process. */
  snapshotFolder: string | null;
  /** Whether this process answers bid requests. */
  bids: boolean;
  /** Whether it takes events and postbacks. */
  tracks: boolean;
  dataDir: string;
  /** Every company's money before any spend. */
  funds: () => Promise<ReadonlyMap<string, Micros>>;
  /** Tells the owner of an ad set why it does not bid. */
  notifyOwner: (news: FaultNews) => Promise<void>;
}

/** The spending half of the server, started: its routes, and what the rest tells it. */
export interface Delivery {
  snapshot: SnapshotService;
  faults: AdsetFaults;
  /** Registers the bidder and begins to lease what it may spend. */
  registerBidder(http: Http): Promise<void>;
  registerTrackers(http: Http): void;
  /** Reads the companies' funds anew and renews this bidder's leases. */
  reloadFunds(): Promise<void>;
  /** Resolves when all postbacks so far are decided. */
  postbacksDecided(): Promise<void>;
  /** Whether PostgreSQL answered this bidder in the last ten seconds. */
  hasFreshLease(): boolean;
  /** Takes no more events, and gives back what is leased and not spent. Each part is given up when it takes too long. */
  close(): Promise<void>;
}

const TWO_DAYS_MS = 48 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** What is older says little of what an impression promises today. */
const HISTORY_DAYS = 30;
/** What the history of a start may take: the newest days are read first, and they say the most. */
const HISTORY_ROWS_MAX = 100_000;
const HISTORY_BUDGET_MS = 2000;
/** So long a start waits for the rates of installs; then they come while it works. */
const RATES_WAIT_MS = 1000;

/** A stop does not wait longer for what a database that is away holds up; milliseconds. */
const STOP_MS = { leasing: 1500, snapshot: 500, log: 3000, leases: 1500 } as const;

/**
 * Loads the snapshot; spend that was never booked is. What needs a database that is away is made up for; a bidder takes its
 * snapshot from disk then.
 */
export async function createDelivery(deps: DeliveryDeps): Promise<Delivery> {
  const { db, clickhouse, startup, postgres, clickhouseReady } = deps;
  const counters = createCounters(deps.registry);
  const { log, now, notifyOwner } = deps;
  const faults = createAdsetFaults({
    log,
    now,
    counter: counters.faults,
    notify: notifyOwner,
    servesSecure: deps.publicUrl.startsWith('https:'),
  });
  const files = deps.snapshotFolder !== null ? snapshotFiles(deps.snapshotFolder, log) : null;
  const snapshot = createSnapshotService(db, log, faults, files);
  let restored = Promise.resolve();
  const loaded = await startup.attempt(
    'read what may bid',
    async () => {
      await restored;
      await snapshot.load();
    },
    [postgres],
  );
  if (!loaded.isDone()) restored = snapshot.restore();
  await restored;
  const traffic = createTraffic(db);
  const budgets = new Budgets({ random: deps.random, shapeOf: traffic.shapeOf });
  const bidderId = uuidv4();
  const tag = tagOf(bidderId);
  let leasing: Leasing | undefined;
  const learning = new Learning();
  const judging = {
    learning,
    installPrices: new InstallPrices(),
    paceOf: (candidate: Candidate) => budgets.paceOf(candidate),
    random: deps.random,
  };
  await startup.attempt('book what was spent', () => bookMissing(deps, snapshot), [loaded, clickhouseReady]);
  const reloadFunds = coalesce(async () => {
    budgets.setFunds(await deps.funds());
    await leasing?.renewed();
  });
  const funded = await startup.attempt('read what companies have', reloadFunds, [loaded]);
  const following =
    deps.changesUrl === null
      ? null
      : followChanges({
          db,
          url: deps.changesUrl,
          log,
          changed: {
            snapshot: () => snapshot.invalidate(),
            funds: () =>
              void reloadFunds().catch((err: unknown) => log.error({ err }, 'funds could not be read')),
          },
        });
  if (deps.bids) {
    await startup.attempt('learn the shape of traffic', () => traffic.learn(), [postgres]);
    const recall = () => recallHistory(learning, clickhouse, now().getTime());
    await startup.attempt('learn from past events', recall, [clickhouseReady]);
    deps.ingest.onStored((event) => {
      if (!event.ref.test) learning.observe(event, snapshot.cpiMicros(event.ref.adsetId));
    });
  }
  const postbacks = deps.tracks ? await openPostbacks(deps, counters.postbacks) : null;
  return {
    snapshot,
    faults,
    async registerBidder(http) {
      leasing = startLeasing({ ...deps, bidderId, budgets, store: postgresLeases(db), traffic, snapshot });
      deps.booking.listen(bidderId, (outcome) => budgets.settle(outcome, deps.now().getTime()));
      // The first request finds the leases there.
      await startup
        .attempt('lease what may be spent', () => leasing!.renewed(), [funded])
        .catch((err: unknown) => log.error({ err }, 'the first lease failed; it is asked for every second'));
      registerOpenRtb(http, {
        ...deps,
        ...counters,
        snapshot,
        faults,
        budgets,
        traffic,
        domain: new URL(deps.publicUrl).hostname,
        bidders: () => leasing?.bidders() ?? 1,
        newBidId: () => newBidId(tag),
        judge: (request, nowMs) => judgementOf(request, nowMs, judging),
        onBid: (ref) => learning.placed(ref),
      });
    },
    registerTrackers(http) {
      registerTrackers(http, {
        ...deps,
        counter: counters.trackers,
        unpriced: counters.unpriced,
        priceRules: snapshot.priceRules,
        runningDestination: (adsetId) => snapshot.destination(adsetId),
      });
      if (postbacks) registerPostbacks(http, { ...deps, queue: postbacks });
    },
    reloadFunds,
    hasFreshLease: () => leasing?.isFresh() ?? false,
    postbacksDecided: async () => postbacks?.flushed(),
    async close() {
      const unfollowed = inTime('changes', STOP_MS.leasing, log, async () => following?.stop());
      // An engine in this process always answers.
      const logMs = deps.snapshotFolder === null ? Infinity : STOP_MS.log;
      await inTime('postbacks', logMs, log, async () => postbacks?.close());
      const stopped = await inTime('leasing', STOP_MS.leasing, log, async () => leasing?.stop());
      await unfollowed;
      await inTime('snapshot', STOP_MS.snapshot, log, () => snapshot.close());
      // What the last notices end need not be held until it expires.
      await inTime('event log', logMs, log, () => deps.ingest.close());
      if (stopped) await inTime('leases', STOP_MS.leases, log, async () => leasing?.leave());
    },
  };
}

/** Learns from what was stored before this process began. */
async function recallHistory(learning: Learning, clickhouse: ClickHouse, nowMs: number): Promise<void> {
  const startedMs = performance.now();
  let rows = 0;
  for (let day = 0; day < HISTORY_DAYS && rows < HISTORY_ROWS_MAX; day += 1) {
    const history = await historyOfDay(clickhouse, nowMs - day * DAY_MS);
    learning.recall(history);
    rows += history.length;
    if (performance.now() - startedMs > HISTORY_BUDGET_MS) return;
  }
}

/** Opens the queue of postbacks, with what their installs are judged by. */
async function openPostbacks(
  deps: DeliveryDeps,
  counter: Counter<'mmp' | 'outcome'>,
): Promise<PostbackQueue> {
  const { clickhouse, ingest, now, startup, postgres, clickhouseReady } = deps;
  const rates = new InstallRates();
  ingest.onStored(({ kind, ref, atMs, mark }) => {
    if (kind === 'click' && mark === '' && !ref.test) rates.addClick(ref, atMs);
  });
  // Until it knows the clicks of before, a tracker believes few installs.
  const recall = async (): Promise<void> => {
    const nowMs = now().getTime();
    rates.recall(await installCountsSince(clickhouse, nowMs - RATE_HALF_LIFE_MS), nowMs);
  };
  const recalled = startup.attempt('recall the rates of installs', recall, [clickhouseReady]);
  recalled.catch((err: unknown) => deps.log.error({ err }, 'the rates of installs could not be recalled'));
  await Promise.race([recalled, pause(RATES_WAIT_MS, undefined, { ref: false })]);
  return openPostbackQueue({
    ...deps,
    ready: Promise.all([postgres.done, clickhouseReady.done]),
    storedEvents: createStoredEvents(clickhouse, ingest),
    rates,
    decided: (mmp, outcome) => counter.inc({ mmp, outcome }),
  });
}

/** Ad sets whose spend of today is read at once. */
const ADSETS_AT_ONCE = 1000;

/** Books what the events say was spent and no bidder sees yet: after an upgrade, or a backup that was restored. */
async function bookMissing({ db, clickhouse, now }: DeliveryDeps, snapshot: SnapshotService): Promise<void> {
  const nowMs = now().getTime();
  const booked = await bookedSpend(db);
  const missing = (await spendOfAllTime(clickhouse)).filter(
    ({ adsetId, spentMicros }) => (booked.get(adsetId) ?? 0) < spentMicros,
  );
  for (let from = 0; from < missing.length; from += ADSETS_AT_ONCE) {
    const adsets = missing.slice(from, from + ADSETS_AT_ONCE);
    const ids = adsets.map(({ adsetId }) => adsetId);
    const today = new Map<string, Micros>();
    for (const slice of await spendSince(clickhouse, nowMs - TWO_DAYS_MS, ids)) {
      if (slice.quarterMs < dayAt(nowMs, snapshot.timeZone(slice.companyId)).startMs) continue;
      today.set(slice.adsetId, (today.get(slice.adsetId) ?? 0) + slice.spentMicros);
    }
    await raiseSpend(
      db,
      adsets.map(({ adsetId, companyId, spentMicros }) => ({
        adsetId,
        companyId,
        micros: spentMicros,
        dayMicros: today.get(adsetId) ?? 0,
      })),
    );
  }
}

function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  return {
    requests: counter('bidwell_bid_requests_total', 'Bid requests by outcome', ['ssp', 'outcome']),
    noBids: counter('bidwell_no_bids_total', 'Bid requests without a bid, by reason', ['ssp', 'reason']),
    faults: counter('bidwell_adset_faults_total', 'Bids and snapshots that an ad set was left out of', [
      'fault',
    ]),
    supplyChains: counter('bidwell_supply_chains_total', 'Bid requests by what they say of their sellers', [
      'ssp',
      'chain',
    ]),
    trackers: counter('bidwell_tracker_requests_total', 'Notices, impressions and clicks by outcome', [
      'kind',
      'outcome',
    ]),
    unpriced: counter(
      'bidwell_unpriced_notices_total',
      'Notices that may charge and name no price, by reason',
      ['ssp', 'reason'],
    ),
    postbacks: counter('bidwell_postbacks_total', 'Postbacks of measurement partners by outcome', [
      'mmp',
      'outcome',
    ]),
    duration: new Histogram({
      name: 'bidwell_bid_duration_seconds',
      help: 'From the body of a bid request to its answer',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05],
      registers: [registry],
    }),
  };
}
