import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';
import type { Micros } from '@bidwell/contract/money';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Http } from '../platform/http/server.ts';
import type { Database } from '../platform/postgres/client.ts';
import { historySince, spendOfAllTime, spendSince } from './events/event-store.ts';
import type { Ingest } from './events/ingest.ts';
import { chargesAt } from './events/price.ts';
import { registerPostbacks } from './events/postbacks.ts';
import { registerTrackers } from './events/routes.ts';
import { coalesce } from './coalesce.ts';
import type { Signer } from './events/signing.ts';
import { InstallPrices } from './learning/install-price.ts';
import { judgementOf } from './learning/judgement.ts';
import { Learning } from './learning/learning.ts';
import type { Suspicion } from './events/suspicion.ts';
import { registerOpenRtb } from './openrtb/routes.ts';
import { Budgets } from './pacing/budgets.ts';
import type { SnapshotService } from './snapshot/service.ts';
import { createSnapshotService } from './snapshot/service.ts';
import type { Candidate } from './snapshot/types.ts';

/** What delivery is made of. */
export interface DeliveryDeps {
  db: Database;
  clickhouse: ClickHouse;
  ingest: Ingest;
  signer: Signer;
  log: Logger;
  registry: Registry;
  now: () => Date;
  random: () => number;
  publicUrl: string;
  /** Our number in the IAB's list of vendors; null without one: then no consent is to us. */
  tcfVendorId: number | null;
  /** Tells the clicks of programs from those of people. */
  suspicion: Suspicion;
  /** Every company's ledger balance less what it spent and the ledger does not have yet. */
  balances: () => Promise<ReadonlyMap<string, Micros>>;
}

/** The spending half of the server, started: its routes, and what the rest tells it. */
export interface Delivery {
  snapshot: SnapshotService;
  registerBidder(http: Http): void;
  registerTrackers(http: Http): void;
  /** Reads the companies' balances anew, with all events until now. What bids hold back stays held back. */
  reloadBalances(): Promise<void>;
}

const TWO_DAYS_MS = 48 * 3_600_000;
/** What is older says little of what an impression promises today. */
const LEARNT_FROM_MS = 30 * 24 * 3_600_000;

/** Loads the snapshot and the budgets, and lets stored events settle what bids held back. */
export async function createDelivery(deps: DeliveryDeps): Promise<Delivery> {
  const snapshot = await createSnapshotService(deps.db, deps.log, deps.now);
  const budgets = new Budgets();
  const ever = new Map((await spendOfAllTime(deps.clickhouse)).map((row) => [row.adsetId, row.spentMicros]));
  const recent = await spendSince(deps.clickhouse, deps.now().getTime() - TWO_DAYS_MS);
  budgets.load({ ever, recent, balances: await deps.balances() });
  const learning = new Learning();
  learning.recall(await historySince(deps.clickhouse, deps.now().getTime() - LEARNT_FROM_MS));
  const judging = {
    learning,
    installPrices: new InstallPrices(),
    ahead: (candidate: Candidate, nowMs: number) => budgets.aheadOfPlan(candidate, nowMs),
    random: deps.random,
  };
  deps.ingest.onStored((event) => {
    const { kind, ref, spendMicros, atMs } = event;
    if (ref.test) return;
    learning.observe(event, snapshot.cpiMicros(ref.adsetId));
    if (kind === 'loss') budgets.release(ref.bidId);
    if (chargesAt(ref.chargeOn, kind))
      budgets.settle({ ...ref, timeZone: snapshot.timeZone(ref.companyId) }, spendMicros, atMs);
  });
  const reloadBalances = coalesce(() =>
    budgets.reloadBalances(async () => {
      // Spend that waits in the event log is in no balance yet.
      await deps.ingest.flushed();
      return deps.balances();
    }),
  );
  const counters = createCounters(deps.registry);
  return {
    snapshot,
    registerBidder(http) {
      registerOpenRtb(http, {
        ...deps,
        ...counters,
        snapshot,
        budgets,
        judge: (request, nowMs) => judgementOf(request, nowMs, judging),
        onBid: (ref) => learning.placed(ref),
      });
    },
    registerTrackers(http) {
      registerTrackers(http, { ...deps, counter: counters.trackers });
      registerPostbacks(http, { ...deps, counter: counters.postbacks });
    },
    reloadBalances,
  };
}

function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  return {
    requests: counter('bidwell_bid_requests_total', 'Bid requests by outcome', ['ssp', 'outcome']),
    noBids: counter('bidwell_no_bids_total', 'Bid requests without a bid, by reason', ['ssp', 'reason']),
    trackers: counter('bidwell_tracker_requests_total', 'Notices, impressions and clicks by outcome', [
      'kind',
      'outcome',
    ]),
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
