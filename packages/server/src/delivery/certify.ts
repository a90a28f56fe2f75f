import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import type { Certification, CertifiedCase } from '@bidwell/contract/operator/certification';
import {
  type CaseCheck,
  type ExchangeCase,
  type NoticeCase,
  caseChecks,
  casesOf,
  filledNotice,
  preparedCase,
} from '@bidwell/contract/operator/exchange-cases';
import type { ReceivedResponse } from '@bidwell/contract/operator/exchange-judge';
import { profileOf, unknownFields, unknownRules } from '@bidwell/contract/operator/exchange-profiles';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import { toDollars, toMicros } from '@bidwell/contract/lib/money';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { type Http, createHttp } from '../platform/http/server.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { PublisherApps } from './exchanges/publisher-apps.ts';
import { InstallPrices } from './learning/install-price.ts';
import { Learning } from './learning/learning.ts';
import { valuationOf } from './learning/valuation.ts';
import { createCounters } from './metrics.ts';
import type { DeliveryEvent } from './model/event.ts';
import type { PriceRules } from './model/price-rules.ts';
import { sampleAdsets } from './model/sample-adsets.ts';
import { ShedShare } from './openrtb/admission.ts';
import { registerOpenRtb } from './openrtb/routes.ts';
import { compileSnapshot } from './snapshot/compile.ts';
import { type Ssp, loadSsp } from './snapshot/exchange-store.ts';
import type { SnapshotService } from './snapshot/service.ts';
import { type Accept, acceptor } from './trackers/accept.ts';
import { encryptedPrice } from './trackers/encrypted-price.ts';
import { createInvalidTrafficDetector } from './trackers/invalid-traffic.ts';
import { createSigner } from './trackers/signer.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Responds to the cases of an exchange's profile with a sample advertiser; null if there is no such exchange. */
export type Certify = (slug: string) => Promise<Certification | null>;

type CertifyDeps = Pick<
  DeliveryDeps,
  'db' | 'log' | 'now' | 'random' | 'publicUrl' | 'assetUrl' | 'verification' | 'tcfVendorId'
> & { snapshot: Pick<SnapshotService, 'rates' | 'priceRules'> };

/**
 * Runs the cases of profiles against a server of their own: the bidder's route and the reading of notices, as in production,
 * with a sample advertiser. Its requests arrive over HTTP on a local port. No budget is reserved, and nothing is counted,
 * stored or charged. Calls for the same exchange at the same time share a run.
 */
export function certifier(deps: CertifyDeps): Certify {
  const running = new Map<string, Promise<Certification | null>>();
  return (slug) => {
    const own = running.get(slug);
    if (own) return own;
    const run = certify(slug, deps).finally(() => running.delete(slug));
    running.set(slug, run);
    return run;
  };
}

async function certify(slug: string, deps: CertifyDeps): Promise<Certification | null> {
  const ssp = await loadSsp(deps.db, slug);
  if (!ssp) return null;
  const { profile = 'openrtb' } = ssp;
  const sample = await startSample(ssp, deps);
  try {
    const [first] = casesOf(profile);
    // The first request compiles the markup, which no exchange waits for again.
    if (first) await sample.send(first);
    const cases: CertifiedCase[] = [];
    for (const one of casesOf(profile)) cases.push(await certified(profile, one, sample, deps));
    const profiled = profileOf(profile);
    return {
      slug,
      profile,
      at: deps.now().toISOString(),
      cases: [...connectionCases(profile, sample), ...cases],
      not_documented: [...unknownFields(profiled), ...unknownRules(profiled)],
    };
  } finally {
    await sample.close();
  }
}

/** A server with the sample advertiser, and what its trackers would have stored. */
interface Sample {
  /** Ids of the sample creatives. */
  banner: string;
  send(one: ExchangeCase): Promise<ReceivedResponse>;
  /** The event of a notice's address; null where it is none of this server's. */
  notice(address: string, kind: NoticeCase['notice']): Promise<DeliveryEvent | null>;
  priceRules: PriceRules;
  /** How long it keeps idle connections open, ms, and whether a second request used the connection of the first. */
  keepAliveMs: number;
  reusesConnections(): boolean;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 4;
const LOCAL = '127.0.0.1';

async function startSample(stored: Ssp, deps: CertifyDeps): Promise<Sample> {
  const { publicUrl, log } = deps;
  // Without the limit of requests and the billing ids of companies: the sample advertiser is none of them.
  const ssp: Ssp = { ...stored, open: true, requestsPerSecond: null, billing: new Map(), isReviewed: false };
  const snapshot = compileSnapshot(sampleAdsets());
  const counters = createCounters(new Registry());
  const signer = createSigner(randomBytes(32).toString('hex'), publicUrl);
  const priceRules = deps.snapshot.priceRules(ssp.slug);
  const events: DeliveryEvent[] = [];
  const ingest = {
    record: async (event: DeliveryEvent) => {
      events.push(event);
      return 'stored' as const;
    },
  };
  const valuationParts = {
    learning: new Learning(),
    installPrices: new InstallPrices(),
    paceOf: () => null,
    random: deps.random,
  };
  const http = await createHttp(
    {
      publicUrl,
      port: 0,
      assetOrigin: null,
      captcha: { kind: 'off' },
      trustProxy: 0,
      connectionsMax: CONNECTIONS_MAX,
    },
    log,
  );
  registerOpenRtb(http, {
    ...deps,
    ...counters,
    signer,
    ingest,
    snapshot: {
      current: () => snapshot,
      ssp: (slug) => (slug === ssp.slug ? ssp : undefined),
      rates: deps.snapshot.rates,
      running: () => undefined,
    },
    budgets: { noBidReason: () => null, exhaustedAmong: () => null, reserve: () => 0 },
    traffic: { count: () => {}, countUnwanted: () => {} },
    expectedChargeMicros: () => 0,
    faults: { report: (_fault, _adset, err) => log.warn({ err }, 'a sample bid could not be made') },
    oversized: { add: () => {} },
    funnel: { offer: () => {}, passes: () => true },
    publisherApps: new PublisherApps(),
    shedShare: new ShedShare(),
    addressPlaces: null,
    signing: {
      settings: () => ({ networks: [], exchanges: [] }),
      thread: { sign: () => {} },
      signedBids: { bid: () => {}, count: () => {} },
      unsigned: () => {},
    },
    detectInvalidTraffic: createInvalidTrafficDetector(),
    intake: { closed: () => null },
    biddingStop: { isStopped: () => false },
    hasFreshLease: () => true,
    bidders: () => 1,
    domain: new URL(publicUrl).hostname,
    newBidId: uuidv7,
    valuationOf: (request, nowMs) => valuationOf(request, nowMs, valuationParts),
    onBid: () => {},
  });
  await http.listen({ port: 0, host: LOCAL });
  const accept = acceptor({
    ingest,
    signer,
    priceRules: () => priceRules,
    now: deps.now,
    counter: counters.trackers,
    unpriced: counters.unpriced,
  });
  return {
    banner: snapshot.candidates.find(({ creatives: [one] }) => one!.type === 'Banner')!.creatives[0]!.uuid,
    priceRules,
    keepAliveMs: http.server.keepAliveTimeout,
    ...connectionTo(http, ssp.slug),
    notice: (address, kind) => noticeEvent(address, kind, accept, events),
  };
}

/** Sends requests to the server on one connection that stays open. */
function connectionTo(http: Http, slug: string): Pick<Sample, 'send' | 'reusesConnections' | 'close'> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = http.server.address() as AddressInfo;
  let requests = 0;
  let reused = 0;
  return {
    async send(one) {
      const { response, isReused } = await post(one, { agent, port, path: `/openrtb/${slug}` });
      requests += 1;
      if (isReused) reused += 1;
      return response;
    },
    reusesConnections: () => reused === requests - 1,
    async close() {
      agent.destroy();
      await http.close();
    },
  };
}

const CALL_TIMEOUT_MS = 5000;
const RESPONSE_BYTES_MAX = 2_000_000;
const unzip = promisify(gunzip);

async function post(
  { request, headers, gzip }: ExchangeCase,
  { agent, port, path }: { agent: Agent; port: number; path: string },
): Promise<{ response: ReceivedResponse; isReused: boolean }> {
  const text = JSON.stringify(request);
  const body = gzip ? gzipSync(text) : Buffer.from(text);
  const beganMs = performance.now();
  const call = httpRequest({
    agent,
    host: LOCAL,
    port,
    path,
    method: 'POST',
    timeout: CALL_TIMEOUT_MS,
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...headers,
    },
  });
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.on('timeout', () => call.destroy(new Error('The sample server did not respond.')));
    call.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const tookMs = performance.now() - beganMs;
        const bytes = Buffer.concat(chunks);
        const encoding = incoming.headers['content-encoding'] ?? '';
        const received = (plain: Buffer): void =>
          resolve({
            response: { status: incoming.statusCode!, encoding, body: plain.toString('utf8'), tookMs },
            isReused: call.reusedSocket,
          });
        if (encoding !== 'gzip') received(bytes);
        else unzip(bytes, { maxOutputLength: RESPONSE_BYTES_MAX }).then(received, reject);
      });
    });
    call.end(body);
  });
}

/** The event that a notice's address stores. */
async function noticeEvent(
  address: string,
  kind: NoticeCase['notice'],
  accept: Accept,
  events: DeliveryEvent[],
): Promise<DeliveryEvent | null> {
  if (!canParseUrl(address)) return null;
  const { pathname, searchParams } = new URL(address);
  const token = pathname.split('/').at(-1)!;
  events.length = 0;
  await accept({
    kind,
    token,
    isQuestion: false,
    value: (name) => searchParams.get(name) ?? undefined,
    mark: '',
  });
  return events[0] ?? null;
}

/** Attempts of a case: on a machine that is busy for a moment, a response may be late. */
const ATTEMPTS_MAX = 3;

async function certified(
  profile: ProfileSlug,
  stated: ExchangeCase,
  sample: Sample,
  deps: CertifyDeps,
): Promise<CertifiedCase> {
  const one = preparedCase(stated, sample);
  let result = await attempted(profile, one, sample, deps);
  for (let attempt = 2; attempt <= ATTEMPTS_MAX && !result.passed; attempt += 1)
    result = await attempted(profile, one, sample, deps);
  return result;
}

async function attempted(
  profile: ProfileSlug,
  one: ExchangeCase,
  sample: Sample,
  { publicUrl }: CertifyDeps,
): Promise<CertifiedCase> {
  const response = await sample.send(one);
  const checks = [...caseChecks(profile, one, response)];
  const bid = firstBid(response);
  if (bid)
    for (const notice of one.notices)
      checks.push(
        ...keyChecks(profile, one, notice, sample),
        ...(await noticeChecks(one, notice, bid, sample)),
      );
  if (one.bid !== null && !bid && !publicUrl.startsWith('https:'))
    checks.push({ text: NEEDS_HTTPS, source: one.source, fault: `PUBLIC_URL is ${publicUrl}.` });
  return {
    title: one.title,
    documented: one.documented,
    passed: checks.every(({ fault }) => fault === null),
    checks,
    request: JSON.stringify(one.request, null, 2),
    response: response.body,
    took_ms: response.tookMs === null ? null : Math.round(response.tookMs * 10) / 10,
  };
}

const NEEDS_HTTPS = 'The imp needs addresses with https.';

const FIELDS = { win: 'nurl', billing: 'burl', loss: 'lurl' } as const;

/** Checks that prices can be read where the exchange encrypts them: without keys, an encrypted price counts as the bid. */
function keyChecks(
  profile: ProfileSlug,
  { source }: ExchangeCase,
  { notice, macros }: NoticeCase,
  { priceRules: { keys } }: Sample,
): CaseCheck[] {
  if (
    macros['AUCTION_PRICE'] === undefined ||
    profileOf(profile).settings.price_format !== 'google-encrypted'
  )
    return [];
  const fault = keys ? null : 'This exchange has no price keys, so bids are charged in place of prices.';
  return [{ text: `The encrypted price of ${FIELDS[notice]} is read.`, source, fault }];
}

/** Checks what a notice stores once the exchange has filled its macros. */
async function noticeChecks(
  { source }: ExchangeCase,
  notice: NoticeCase,
  bid: Record<string, unknown>,
  { notice: eventOf, priceRules: { keys } }: Sample,
): Promise<CaseCheck[]> {
  const field = FIELDS[notice.notice];
  const price = notice.macros['AUCTION_PRICE'];
  const macros = {
    ...notice.macros,
    ...(price && keys && { AUCTION_PRICE: encryptedPrice(toMicros(Number(price)), keys) }),
  };
  const event = await eventOf(filledNotice(String(bid[field]), { macros }), notice.notice);
  const check = (text: string, fault: string | null): CaseCheck => ({ text, source, fault });
  if (!event) return [check(`${field} is read.`, 'Its token is not read.')];
  const { spendMicros, lossReason, minToWinCpmMicros = 0 } = event;
  return [
    check(
      `${field} charges $${toDollars(notice.charged_micros)}.`,
      spendMicros === notice.charged_micros ? null : `It charges $${toDollars(spendMicros)}.`,
    ),
    check(
      notice.loss_code === 0
        ? `${field} has no loss code.`
        : `${field} stores the loss code ${notice.loss_code}.`,
      lossReason === notice.loss_code ? null : `It stores ${lossReason}.`,
    ),
    check(
      notice.min_to_win === 0
        ? `${field} names no price that would have won.`
        : `${field} stores $${notice.min_to_win} as the lowest price that would have won.`,
      minToWinCpmMicros === toMicros(notice.min_to_win)
        ? null
        : `It stores $${toDollars(minToWinCpmMicros)}.`,
    ),
  ];
}

function firstBid({ body }: ReceivedResponse): Record<string, unknown> | null {
  if (body === '') return null;
  const { seatbid } = JSON.parse(body) as { seatbid?: { bid: Record<string, unknown>[] }[] };
  return seatbid?.[0]?.bid[0] ?? null;
}

/** What an exchange demands of connections; nothing where it says nothing about them. */
function connectionCases(profile: ProfileSlug, { keepAliveMs, reusesConnections }: Sample): CertifiedCase[] {
  const rule = profileOf(profile).rules.find(({ rule: name }) => name === 'idle_seconds');
  if (rule?.rule !== 'idle_seconds') return [];
  const { text, source, value } = rule;
  const checks = [
    {
      text,
      source,
      fault: keepAliveMs >= value * 1000 ? null : `They are closed after ${keepAliveMs / 1000} seconds.`,
    },
    {
      text: 'All requests of this report were sent on one connection.',
      source,
      fault: reusesConnections() ? null : 'The server closed the connection.',
    },
  ];
  return [
    {
      title: 'Connections stay open',
      documented: true,
      passed: checks.every(({ fault }) => fault === null),
      checks,
      request: '',
      response: '',
      took_ms: null,
    },
  ];
}
