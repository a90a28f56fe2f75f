/**
 * The serving process of the CPU measurements: the bidder's route with ad sets from a file, and no databases, whose work
 * in the background depends on the time and not on the requests.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { deserialize } from 'node:v8';
import pino from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '@bidwell/server/config/config';
import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import { PublisherApps } from '@bidwell/server/delivery/exchanges/publisher-apps';
import { startBidSampler } from '@bidwell/server/delivery/funnel/bid-sample';
import { startFunnel } from '@bidwell/server/delivery/funnel/recorder';
import { createLearningFeed } from '@bidwell/server/delivery/learning/feed';
import { expectedChargeMicros } from '@bidwell/server/delivery/learning/expected-charge';
import { InstallPrices } from '@bidwell/server/delivery/learning/install-price';
import { Learning } from '@bidwell/server/delivery/learning/learning';
import { valuationOf } from '@bidwell/server/delivery/learning/valuation';
import { createCounters } from '@bidwell/server/delivery/metrics';
import type { AdsetRow, Candidate } from '@bidwell/server/delivery/model/candidate';
import { DOLLARS_ONLY } from '@bidwell/server/delivery/model/bid-request';
import { newBidId } from '@bidwell/server/delivery/openrtb/bid';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import { type CompiledCaps, readDigest, subjectOf } from '@bidwell/server/delivery/model/frequency';
import { FrequencyCaps } from '@bidwell/server/delivery/frequency/frequency-caps';
import { requestCaps } from '@bidwell/server/delivery/frequency/request-caps';
import { createPersonKeys } from '@bidwell/server/delivery/privacy/person-key';
import { createInvalidTrafficDetector } from '@bidwell/server/delivery/trackers/invalid-traffic';
import { registerOpenRtb } from '@bidwell/server/delivery/openrtb/routes';
import { newPrivateKey, privatePem } from '@bidwell/server/delivery/skadnetwork/signing-keys';
import { SignedBids } from '@bidwell/server/delivery/skadnetwork/signed-bids';
import { SigningThread } from '@bidwell/server/delivery/skadnetwork/signing-thread';
import { ShedShare } from '@bidwell/server/delivery/openrtb/admission';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import { OversizedCreatives } from '@bidwell/server/delivery/exchanges/oversized-creatives';
import { createHttp } from '@bidwell/server/platform/http/server';
import { plainExchange } from '@bidwell/testing/pacing/candidates';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { noFaults } from '@bidwell/testing/no-faults';
import { handleOrders } from './child.ts';
import { cpuMicros, mainThreadMicros } from './cpu.ts';
import { benchAudiences } from './controls.ts';
import { BENCH_NETWORK, REQUESTS, inventedRequests } from './market.ts';

/**
 * `renew` renews the leases, as the bidder does every second; `funnel` explains a sample of the requests from now on, or no
 * longer; `storeFunnel` stores the counts so far. Answered with the server's state.
 */
export interface BidderOrder {
  renew?: boolean;
  funnel?: boolean;
  storeFunnel?: boolean;
}

export interface BidderState {
  port: number;
  path: string;
  cpuMicros: number;
  mainThreadMicros: number;
  rssBytes: number;
  /** Bids that had no time or no room to be signed, so far. */
  unsigned: number;
  /** Requests without a bid so far, by reason. */
  noBids: Record<string, number>;
}

const PUBLIC_URL = 'https://ads.example.com';
const FUNDS_MICROS = 1e15;
/** The default of FREQUENCY_MAX_BYTES. */
const FREQUENCY_BYTES = 128 * 2 ** 20;
const exchange = { ...plainExchange, slug: 'bench', secret: 'a-secret-of-the-bench', open: false };

const [rowsFile = '', controls = ''] = process.argv.slice(2);
/** With audiences and frequency caps in memory, as a bidder with ad sets that have them. */
const hasControls = controls === 'controls';
let explains = true;
/** How long the funnel was off, and since when it is. Its clock stops meanwhile, so that it saves up no time for explanations. */
let offMs = 0;
let offSinceMs = 0;
const nowOfFunnelMs = () => (explains ? Date.now() : offSinceMs) - offMs;
const rows = deserialize(readFileSync(rowsFile)) as AdsetRow[];
const audiences = hasControls ? await benchAudiences(inventedRequests(REQUESTS)) : undefined;
const snapshot = compileSnapshot(
  rows.map((row, index) => {
    const [, itemId] = /id(\d+)$/.exec(row.app.storeLink) ?? [];
    return { ...row, sourceIdentifiers: [{ itemId: Number(itemId), number: 1110 + (index % 90) }] };
  }),
  audiences,
);
const frequency = new FrequencyCaps(FREQUENCY_BYTES);
frequency.setCandidates(snapshot.candidates);
const personKeys = createPersonKeys('a secret that only the bench has');
const { budgets, renew } = leasedBudgets(snapshot.candidates, FUNDS_MICROS, Date.now());
const learning = new Learning();
const valuationParts = {
  learning,
  installPrices: new InstallPrices(),
  paceOf: (candidate: Candidate) => budgets.paceOf(candidate),
  random: Math.random,
};
const log = pino({ level: 'error' });
const feed = createLearningFeed(null, log);
feed.subscribe((counts) => learning.learn(counts, Date.now(), () => null));
const http = await createHttp(readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' }), log);
const counters = createCounters(new Registry());
const clickhouseReady = { isDone: () => true, done: Promise.resolve() };
const funnel = startFunnel({
  clickhouse: { insert: async () => {} },
  clickhouseReady,
  log,
  now: () => new Date(nowOfFunnelMs()),
  random: Math.random,
  personSecret: 'the secret of a benchmark',
  snapshot: { current: () => snapshot },
  valuationOf: (request, nowMs) => valuationOf(request, nowMs, valuationParts),
  budget: {
    noBidReason: (candidate, micros) => budgets.presentNoBidReason(candidate, micros),
    paceOf: valuationParts.paceOf,
  },
  secure: true,
  bidders: () => 1,
  counter: counters.funnel,
});
const bidSampler = startBidSampler({
  clickhouse: { insert: async () => {} },
  clickhouseReady,
  log,
  now: () => new Date(),
  random: Math.random,
  bidders: () => 1,
});
let unsigned = 0;
const thread = new SigningThread(log, (_reason, bids) => (unsigned += bids));
const network = { id: BENCH_NETWORK, privateKey: privatePem(newPrivateKey()), iabNumber: null };
const signing = { networks: [network], exchanges: [exchange.slug] };
thread.setKeys([[network.id, network.privateKey]]);
registerOpenRtb(http, {
  signing: {
    settings: () => signing,
    thread,
    signedBids: new SignedBids(),
    unsigned: (_reason, bids) => (unsigned += bids),
  },
  addressPlaces: null,
  shedShare: new ShedShare(),
  detectInvalidTraffic: createInvalidTrafficDetector(),
  ...counters,
  funnel: {
    offer(...offered) {
      if (explains) funnel.offer(...offered);
    },
    passes: (request) => !explains || funnel.passes(request),
  },
  publisherApps: new PublisherApps(),
  snapshot: {
    current: () => snapshot,
    ssp: (slug) => (slug === exchange.slug ? exchange : undefined),
    rates: () => DOLLARS_ONLY,
    running: () => undefined,
  },
  ingest: { record: async () => 'stored' },
  oversized: new OversizedCreatives(),
  budgets,
  traffic: { count() {}, countUnwanted() {} },
  expectedChargeMicros: (ref) => expectedChargeMicros(ref, learning.wins),
  newBidId: () => newBidId('0b1dde01'),
  signer: createSigner('a secret that only the bench has', PUBLIC_URL),
  valuationOf: (request, nowMs) => valuationOf(request, nowMs, valuationParts),
  ...(hasControls && { capsFor: (request, nowMs) => requestCaps(request, nowMs, { frequency, personKeys }) }),
  onBid: (ref, { caps }, reservationMs) => {
    countBid(ref, caps, reservationMs);
    feed.placed(ref);
    if (explains) funnel.sent(ref);
    bidSampler.sent(ref);
  },
  faults: noFaults,
  publicUrl: PUBLIC_URL,
  domain: 'ads.example.com',
  assetUrl: PUBLIC_URL,
  verification: null,
  now: () => new Date(),
  random: Math.random,
  log,
  tcfVendorId: null,
  intake: { closed: () => null },
  biddingStop: { isStopped: () => false },
  hasFreshLease: () => true,
  bidders: () => 1,
});
await http.listen({ port: 0, host: '127.0.0.1' });
const { port } = http.server.address() as AddressInfo;

handleOrders(async (order: BidderOrder): Promise<BidderState> => {
  if (order.renew) renew(Date.now());
  if (order.funnel !== undefined) setExplains(order.funnel);
  if (order.storeFunnel) await funnel.stored();
  return {
    port,
    path: `/openrtb/${exchange.slug}/${exchange.secret}`,
    cpuMicros: cpuMicros(),
    mainThreadMicros: mainThreadMicros(),
    rssBytes: process.memoryUsage().rss,
    unsigned,
    noBids: Object.fromEntries(counters.bidCounters.of(exchange.slug).noBids),
  };
});

/** Counts a bid for frequency caps, and ends it: one in ten becomes an impression. */
function countBid(ref: BidRef, caps: CompiledCaps | null, reservationMs: number): void {
  const person = ref.personKey === undefined ? null : readDigest(ref.personKey);
  if (!caps || !person) return;
  const { adsetSubject, campaignSubject } = caps;
  const nowMs = Date.now();
  const bid = { bid: subjectOf(ref.bidId), person, adsetSubject, campaignSubject };
  frequency.sent(bid, caps, nowMs, reservationMs);
  frequency.settled(ref.bidId, Math.random() < 0.1, nowMs);
}

function setExplains(wanted: boolean): void {
  if (wanted === explains) return;
  if (wanted) offMs += Date.now() - offSinceMs;
  else offSinceMs = Date.now();
  explains = wanted;
}
