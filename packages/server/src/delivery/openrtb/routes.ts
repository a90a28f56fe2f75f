import type { FastifyInstance } from 'fastify';
import type { RawCall } from '../../platform/http/door/call.ts';
import { doorOf, registerFrontRoute } from '../../platform/http/door/front-route.ts';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import { atEndOfTurn } from '../../platform/concurrency/at-end-of-turn.ts';
import { inStages } from '../../platform/concurrency/in-stages.ts';
import type { Arrivals } from '../../platform/http/door/arrivals.ts';
import type { Tally } from '../../platform/telemetry/metrics.ts';
import type { BidCounters } from '../exchanges/bid-counts.ts';
import type { PublisherApps } from '../exchanges/publisher-apps.ts';
import type { Funnel } from '../funnel/recorder.ts';
import type { InvalidTrafficDetector } from '../trackers/invalid-traffic.ts';
import type { SharedIntake } from '../event-log/shared-intake.ts';
import type { BiddingStop } from '../snapshot/bidding-stop.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import { type NoBidReason, nbrOf } from '@bidwell/contract/text/no-bid-reasons';
import type { ParsedRequest } from '../model/bid-request.ts';
import { Admission, isAdmitted, type ShedShare } from './admission.ts';
import { EarlyNoBids } from './early-no-bid.ts';
import { type FeedbackDeps, recordFeedback } from './feedback.ts';
import { type BidDeps, type PreparedResponse, bidOn, timeLimitMs } from './bid.ts';
import type { AddressPlaces } from './address-place.ts';
import { nonHumanReason } from './non-human.ts';
import type { BidRef } from '../model/event.ts';
import type { Traffic } from '../pacing/traffic-profile.ts';
import { type RequestSegment, UNKNOWN_SEGMENT } from '../shaping/request-values.ts';
import { type Choice, READ, TrafficShaper } from '../shaping/shaper.ts';
import { outlinedSegment } from './outlined-segment.ts';
import { Outline } from './read/outline.ts';
import { type OutlinedDevice, readOutlinedDevice, readOutlinedIds } from './read/read-device.ts';
import { parseRequest, ACCEPTED_ENCODINGS, BODY_BYTES_MAX, readBody } from './read/read-body.ts';
import { readPublisher } from './read/read-publisher.ts';
import { readBidRequest, requestWeight } from './read/read-request.ts';
import { type OpenRtbVersion, responseVersion } from './response.ts';
import { type SigningDeps, countSignable, isSignedWith, withSignatures } from './signed-response.ts';

/** Dependencies of the bidder's route. */
export interface BidderDeps extends BidDeps, FeedbackDeps {
  log: Logger;
  snapshot: BidDeps['snapshot'] & FeedbackDeps['snapshot'];
  signer: BidDeps['signer'];
  now: () => Date;
  /** Our id in the IAB's Global Vendor List; null without one. */
  tcfVendorId: number | null;
  bidCounters: Pick<BidCounters, 'of'>;
  /** While it is closed, notices could not be stored and no bids are made. */
  intake: Pick<SharedIntake, 'closed'>;
  /** Requests of programs get no bid. */
  detectInvalidTraffic: Pick<InvalidTrafficDetector, 'ofBidRequest'>;
  /** Completes the places of requests; absent without a database of addresses. */
  addressPlaces: AddressPlaces | null;
  /** While operators have stopped all bidding, requests get 204 without being read. */
  biddingStop: Pick<BiddingStop, 'isStopped'>;
  /** Whether this bidder has leases of budgets; without them nothing can be bid, and requests are not read either. */
  hasFreshLease: () => boolean;
  /** Labels ssp and chain (complete, incomplete, absent). */
  supplyChains: Tally;
  /** Current number of bidders, including this one; they share each exchange's rate limit. */
  bidders: () => number;
  /** Explains a sample of the requests. */
  funnel: Pick<Funnel, 'offer' | 'passes'>;
  traffic: Pick<Traffic, 'count' | 'countUnwanted'>;
  /** The expected charge for a bid, in micros, by which the requests above an exchange's limit are chosen. */
  expectedChargeMicros: (bid: BidRef) => number;
  /** Remembers the apps that bids were sent for. */
  publisherApps: Pick<PublisherApps, 'add'>;
  /** Which part of the requests is shed. */
  shedShare: Pick<ShedShare, 'count'>;
  /** Signs bids for SKAdNetwork and AdAttributionKit. */
  signing: SigningDeps;
}

/** A bid request whose exchange is admitted. */
interface Arrival {
  ssp: Ssp;
  /** When it can have arrived at the earliest, Unix ms, and by the monotonic clock. */
  atMs: number;
  beganMs: number;
  /** Until when it is worth an auction, by the monotonic clock. */
  usefulUntilMs: number;
  call: RawCall;
  /** Null if it cannot be decompressed. */
  body: Buffer | null;
  /**
   * For how many requests it counts in the share of requests of iOS apps whose bids could be signed. More than one: it is read for that alone,
   * and the funnel has it already.
   */
  standsFor: number;
}

/** A bid request that is read, as it was sent and as parsed. */
interface ReadRequest {
  json: unknown;
  parsed: ParsedRequest;
  /** How many requests it stands for, with the ones that the exchange did not send. */
  weight: number;
  chosen: Chosen;
}

/** Why a bid request is read. */
interface Chosen {
  choice: Choice;
  /** What was known of it before; null where its value is not learned. */
  segment: RequestSegment | null;
}

const READ_ANYWAY: Chosen = { choice: READ, segment: null };

interface DecidedRequest extends ReadRequest {
  version: OpenRtbVersion;
  outcome: PreparedResponse | NoBidReason;
}

const PREFIX = '/openrtb/';
/** Shorter responses are compressed for exchanges that demand it only. */
const ZIPPED_FROM_BYTES = 1024;
/** A body that takes longer is later than any time limit, and keeps out others of its exchange. */
const BODY_MS_MAX = 1000;
/**
 * Connections that are read on although a request of theirs was shed in this turn. To shed takes time, too: with thousands of
 * connections nothing else would be done.
 */
const SHED_AT_ONCE = 64;
/** One in as many requests of iOS apps that no ad set can bid on is read as a whole, to count whether a bid could be signed. */
const SIGNABLE_OF = 16;

/** Reasons of the bidder, which say nothing of the request. */
const OWN_REASONS: ReadonlySet<NoBidReason> = new Set(['timeout', 'no_tracker', 'event_log', 'overloaded']);

/**
 * Registers POST /openrtb/{ssp}/{secret}. Responds to a bid request with 200 and bids, or 204 without a bid (200 with
 * `nbr` if the request's `ext.nbr` is 1); the no-bid reason is counted. An unreadable request gets 400, an unknown
 * exchange or wrong secret 404, a body that is too large 413, one in an unknown encoding 415, and an unexpected error 500. A request that cannot be
 * responded to in time ({@link Admission}), or that arrives before this process can bid, gets 204 without being read; of those above
 * the rate limit, {@link TrafficShaper} chooses which are read. Requests that arrive together are handled in stages, each for all of them; see {@link inStages}. Only
 * errors are logged.
 */
export function registerOpenRtb(http: FastifyInstance, deps: BidderDeps): void {
  registerFrontRoute(http, {
    method: 'POST',
    prefix: PREFIX,
    template: `${PREFIX}{ssp}/{secret}`,
    bodyBytesMax: BODY_BYTES_MAX,
    bodyMsMax: BODY_MS_MAX,
    respond: bidResponder(deps, doorOf(http).arrivals),
  });
}

function bidResponder(deps: BidderDeps, arrivals: Pick<Arrivals, 'endTurn'>): (call: RawCall) => void {
  const early = new EarlyNoBids();
  const outline = new Outline();
  let signable = 0;
  const shaper = new TrafficShaper(deps);
  const admission = new Admission();
  const reject = atEndOfTurn((calls: readonly RawCall[]) => {
    for (const [index, call] of calls.entries()) {
      if (index >= SHED_AT_ONCE) call.pauseAfterwards();
      answerEmpty(call, 204);
    }
  });

  /** Why a request gets 204 without being read; null if it is read. */
  function shedReason(ssp: Ssp, waitedMs: number, atMs: number, nowMs: number): NoBidReason | null {
    if (deps.biddingStop.isStopped()) return 'bidding_stopped';
    // Getting leases, as at the start, comes before requests that cannot be bid on without them.
    if (!deps.hasFreshLease()) return 'no_lease';
    if (!shaper.admits(ssp, atMs)) return 'too_many_requests';
    return admission.admits(ssp.slug, waitedMs, nowMs) ? null : 'shed';
  }

  function read(arrival: Arrival): ReadRequest | null {
    const { ssp, body, call, usefulUntilMs } = arrival;
    const nowMs = performance.now();
    const isLate = nowMs > usefulUntilMs;
    deps.shedShare.count(isLate, nowMs);
    if (isLate) {
      deps.bidCounters.of(ssp.slug).noBid('shed');
      answerEmpty(call, 204);
      return null;
    }
    const chosen = choose(arrival);
    if (chosen === null) return null;
    const json = body && jsonOf(body);
    const parsed = readBidRequest(json, ssp.slug, {
      seat: ssp.seat,
      auctionType: ssp.auctionType,
      rules: ssp.rules,
      billing: ssp.billing,
      isReviewed: ssp.isReviewed,
      rates: deps.snapshot.rates(),
      tcfVendorId: deps.tcfVendorId,
      isSigned: isSignedWith(ssp.slug, deps.signing),
    });
    if (parsed) {
      const { targetsPlaces } = deps.snapshot.current().matcher;
      deps.addressPlaces?.complete(parsed.device, targetsPlaces, deps.bidCounters.of(ssp.slug));
      const exact = chosen.choice.weight * shaper.standsFor(ssp) * requestWeight(json, ssp.rules);
      // A whole number, which on average is the weight.
      const weight = Math.floor(exact + deps.random());
      return { json, parsed, weight, chosen };
    }
    deps.bidCounters.of(ssp.slug).unreadable += 1;
    learnWorthless(ssp, chosen);
    answerEmpty(call, 400);
    return null;
  }

  /** Whether a request is read as a whole. It is responded to, and null returned, if its outline says that it gets no bid, or if it is skipped. */
  function choose(arrival: Arrival): Chosen | null {
    const { ssp, body } = arrival;
    const isLimited = ssp.requestsPerSecond !== null;
    const mayEndEarly = !deps.intake.closed();
    if (body === null || (!isLimited && !mayEndEarly)) return READ_ANYWAY;
    const isOutlined = outline.take(body);
    const device = isOutlined ? readOutlinedDevice(outline) : null;
    const unwanted = mayEndEarly && device !== null ? unwantedReason(arrival, device) : null;
    if (unwanted !== null) {
      if (unwanted === 'needed') return READ_ANYWAY;
      answerUnread(arrival, unwanted);
      return null;
    }
    if (!isLimited) return READ_ANYWAY;
    const segment = isOutlined ? outlinedSegment(outline, device, deps.snapshot.rates()) : UNKNOWN_SEGMENT;
    const choice = shaper.choose(ssp, segment, deps.now().getTime());
    const { country, os, format } = segment;
    const counts = deps.bidCounters.of(ssp.slug);
    counts.shaping.count(choice.by, `${country}|${os}|${format.label}`, choice.micros);
    if (choice.by !== 'skipped') return { choice, segment };
    counts.noBid('too_many_requests');
    answerNoBid(arrival, 'too_many_requests', isOutlined ? outline.text('id') : '');
    return null;
  }

  /** Responds to a request that is not read as a whole, as the rules of its exchange want it. */
  function answerNoBid({ ssp, body, call }: Arrival, reason: NoBidReason, id: string): void {
    const { rules, slug } = ssp;
    const json = body !== null && rules.bid_feedback ? jsonOf(body) : undefined;
    if (json !== undefined) recordFeedback(json, slug, deps);
    if (!rules.no_bid_body || id === '') return answerEmpty(call, 204);
    const version = responseVersion(call.header('x-openrtb-version'));
    const answer = noBidBody({ id, wantsReason: false }, reason, ssp);
    sendJson(call, {
      version,
      zippedFrom: rules.gzip_responses ? 0 : ZIPPED_FROM_BYTES,
      json: JSON.stringify(answer),
    });
  }

  /** Why a request gets no bid, as far as its outline says, or that it is needed as a whole, to explain or count that; null if it may get one. */
  function unwantedReason(arrival: Arrival, device: OutlinedDevice): NoBidReason | 'needed' | null {
    const { ssp } = arrival;
    const { slug } = ssp;
    const nonHuman = deps.detectInvalidTraffic.ofBidRequest(device.address, device.userAgent);
    if (nonHuman) return nonHuman;
    const reason = early.reasonOf(outline, device, ssp, deps.snapshot.current(), deps.snapshot.rates());
    if (reason === null) return null;
    const identified = { id: outline.text('id'), ssp: slug, device: readOutlinedIds(outline) };
    const lacksId = ssp.rules.no_bid_body && identified.id === '';
    if (lacksId || !deps.funnel.passes(identified)) return 'needed';
    if (device.os !== 'ios' || !isSignedWith(slug, deps.signing)) return reason;
    signable = (signable + 1) % SIGNABLE_OF;
    if (signable > 0) return reason;
    arrival.standsFor = SIGNABLE_OF;
    return 'needed';
  }

  function answerUnread(arrival: Arrival, reason: NoBidReason): void {
    const { ssp, beganMs } = arrival;
    answerNoBid(arrival, reason, outline.text('id'));
    const tmaxMs = outline.number('tmax');
    const limitMs = Math.min(tmaxMs > 0 ? tmaxMs : Infinity, ssp.timeoutMs ?? Infinity);
    admission.observeLimit(ssp.slug, limitMs);
    deps.traffic.countUnwanted();
    const counts = deps.bidCounters.of(ssp.slug);
    const latencyMs = performance.now() - beganMs;
    counts.observe(latencyMs);
    if (latencyMs >= limitMs) counts.late += 1;
    counts.noBid(reason);
  }

  function decide(
    { ssp, atMs, call }: Arrival,
    { json, parsed, weight, chosen }: ReadRequest,
  ): DecidedRequest {
    admission.observeLimit(ssp.slug, timeLimitMs(parsed, ssp));
    const version = responseVersion(call.header('x-openrtb-version'));
    const outcome = outcomeOf({ ssp, atMs }, { json, parsed }, version, deps);
    learn(ssp, chosen, { parsed, outcome });
    return { json, parsed, weight, chosen, version, outcome };
  }

  /** Learns what the bids on a request are worth. */
  function learn(
    ssp: Ssp,
    { choice, segment }: Chosen,
    { parsed, outcome }: Pick<DecidedRequest, 'parsed' | 'outcome'>,
  ): void {
    if (segment === null) return;
    if (parsed.test) return learnWorthless(ssp, { choice, segment });
    let micros = 0;
    if (typeof outcome !== 'string')
      for (const { ref } of outcome.bids) micros += deps.expectedChargeMicros(ref);
    else if (OWN_REASONS.has(outcome)) return;
    shaper.learn(ssp, segment, choice, micros, deps.now().getTime());
  }

  /** Learns that a request brings no charge: it cannot be read, or is a test. */
  function learnWorthless(ssp: Ssp, { choice, segment }: Chosen): void {
    if (segment !== null) shaper.learn(ssp, segment, choice, 0, deps.now().getTime());
  }

  const handle = inStages({
    read,
    decide,
    finish: (arrival, decided) => finish(arrival, decided, deps),
    failed: (arrival, error) => failed(arrival, error, deps),
    worked: (requests, tookMs) => admission.served(requests, tookMs, performance.now()),
    turned: () => arrivals.endTurn(),
  });
  return (call) => {
    const nowMs = performance.now();
    const knownWaitMs = call.waitedMs;
    const isInjected = knownWaitMs === null;
    const waitedMs = knownWaitMs ?? 0;
    const atMs = deps.now().getTime();
    const ssp = exchangeOf(call.url, atMs, deps);
    // Before the first lease it is not known which exchanges there are.
    if (!ssp) return answerEmpty(call, deps.hasFreshLease() ? 404 : 204);
    // An injected request has no connection, in which it could wait, and is never shed.
    const reason = shedReason(ssp, isInjected ? -Infinity : waitedMs, atMs, nowMs);
    const counts = deps.bidCounters.of(ssp.slug);
    if (reason) {
      deps.shedShare.count(reason === 'shed', nowMs);
      if (reason === 'too_many_requests') counts.shaping.unread += 1;
      counts.noBid(reason);
      return reject(call);
    }
    if (ssp.requestsPerSecond !== null) counts.shaping.looked += 1;
    readBody(call, (body) => {
      if (typeof body === 'string') {
        admission.left(ssp.slug);
        if (body === 'aborted') return;
        deps.bidCounters.of(ssp.slug).unreadable += 1;
        return rejectBody(call, body);
      }
      admission.arrived(ssp.slug, performance.now());
      const beganMs = nowMs - waitedMs;
      const usefulUntilMs = isInjected ? Infinity : beganMs + admission.usefulMs(ssp.slug);
      handle({ ssp, atMs: atMs - waitedMs, beganMs, usefulUntilMs, call, body, standsFor: 1 });
    });
  };
}

/** Responds to a request, and counts it; a bid response may wait for its signatures. */
function finish(arrival: Arrival, decided: DecidedRequest, deps: BidderDeps): void {
  const { parsed, outcome } = decided;
  if (typeof outcome === 'string') return finishWith(arrival, decided, null, deps);
  const { ssp, beganMs } = arrival;
  const msLeft = timeLimitMs(parsed, ssp) - (performance.now() - beganMs);
  withSignatures(parsed, outcome, ssp.answerBytesMax, msLeft, deps.signing, (text) => {
    try {
      finishWith(arrival, decided, text, deps);
    } catch (error) {
      failed(arrival, error, deps);
    }
  });
}

/** Responds, with the text of a bid response where there is one. */
function finishWith(arrival: Arrival, decided: DecidedRequest, text: string | null, deps: BidderDeps): void {
  respond(arrival, decided, text);
  count(arrival, decided, deps);
  const { json, parsed, outcome, weight } = decided;
  if (arrival.ssp.rules.bid_feedback) recordFeedback(json, arrival.ssp.slug, deps);
  countSignable(parsed, arrival.atMs, arrival.standsFor, deps.signing);
  if (arrival.standsFor === 1)
    deps.funnel.offer(parsed, json, typeof outcome === 'string' ? outcome : outcome.bids, weight);
}

function failed({ ssp, call }: Arrival, err: unknown, deps: BidderDeps): void {
  deps.bidCounters.of(ssp.slug).failed += 1;
  deps.log.error({ err }, 'a bid request could not be answered');
  if (!call.isAnswered) answerEmpty(call, 500);
}

function rejectBody(call: RawCall, reason: 'too-large' | 'unknown-encoding'): void {
  if (reason === 'too-large') answerEmpty(call, 413);
  else call.answer(415, ['accept-encoding', ACCEPTED_ENCODINGS], null);
}

function answerEmpty(call: RawCall, status: number): void {
  call.answer(status, [], null);
}

/** The JSON of a body; undefined if it is none. */
function jsonOf(body: Buffer): unknown {
  try {
    return parseRequest(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The bids on a request, or the reason why there are none. */
function outcomeOf(
  { ssp, atMs }: Pick<Arrival, 'ssp' | 'atMs'>,
  { json, parsed }: Pick<ReadRequest, 'json' | 'parsed'>,
  version: OpenRtbVersion,
  deps: BidderDeps,
): PreparedResponse | NoBidReason {
  return (
    deps.intake.closed() ??
    nonHumanReason(json, deps.detectInvalidTraffic) ??
    bidOn(parsed, ssp, atMs, version, deps)
  );
}

/** The exchange that a request's URL names, with its secret; null if there is none. */
function exchangeOf(url: string, atMs: number, { snapshot }: BidderDeps): Ssp | null {
  const [slug = '', secret, ...rest] = pathParts(url);
  const ssp = snapshot.ssp(slug);
  return ssp && rest.length === 0 && isAdmitted(ssp, secret, atMs) ? ssp : null;
}

/** Counts the outcome of a request after its response. */
function count(
  { ssp, atMs, beganMs }: Arrival,
  { json, parsed, outcome }: DecidedRequest,
  deps: BidderDeps,
): void {
  const latencyMs = performance.now() - beganMs;
  const counts = deps.bidCounters.of(ssp.slug);
  counts.observe(latencyMs);
  if (outcome === 'timeout' || latencyMs >= timeLimitMs(parsed, ssp)) counts.late += 1;
  const chain = parsed.supplyChain;
  deps.supplyChains.inc(ssp.slug, chain === null ? 'absent' : chain.complete ? 'complete' : 'incomplete');
  if (typeof outcome === 'string') counts.noBid(outcome);
  else {
    counts.answered += 1;
    if (parsed.test) return;
    counts.bids += outcome.bids.length;
    deps.publisherApps.add(parsed.app?.bundle ?? '', ssp.slug, atMs, () => readPublisher(parsed, json));
  }
}

function respond(
  { ssp, call }: Arrival,
  { parsed, version, outcome }: DecidedRequest,
  text: string | null,
): void {
  const zippedFrom = ssp.rules.gzip_responses ? 0 : ZIPPED_FROM_BYTES;
  if (typeof outcome !== 'string') sendJson(call, { version, zippedFrom, json: text ?? outcome.json });
  else if (parsed.wantsReason || ssp.rules.no_bid_body)
    sendJson(call, {
      version,
      zippedFrom,
      json: JSON.stringify(noBidBody(parsed, outcome, ssp)),
    });
  else answerEmpty(call, 204);
}

function pathParts(url: string): string[] {
  const queryAt = url.indexOf('?');
  const path = url.slice(PREFIX.length, queryAt < 0 ? undefined : queryAt);
  const parts = path.split('/');
  return path.includes('%') ? parts.map(decoded) : parts;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Sends JSON, compressed if it has at least `zippedFrom` characters and the exchange accepts gzip. */
function sendJson(
  call: RawCall,
  { version, zippedFrom, json }: { version: string; zippedFrom: number; json: string },
): void {
  const send = (content: string | Buffer, encoding: readonly string[] = []): void =>
    call.answer(
      200,
      ['content-type', 'application/json; charset=utf-8', 'x-openrtb-version', version, ...encoding],
      content,
    );
  if (json.length < zippedFrom || !takesGzip(call)) return send(json);
  gzip(json, { level: 1 }, (error, zipped) =>
    error ? send(json) : send(zipped, ['content-encoding', 'gzip']),
  );
}

function takesGzip(call: RawCall): boolean {
  const accepted = call.header('accept-encoding');
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}

/** Body of a no-bid response with the reason: its OpenRTB code and, for a request that asks for it, our name for it. */
function noBidBody(
  { id, wantsReason }: Pick<ParsedRequest, 'id' | 'wantsReason'>,
  reason: NoBidReason,
  { rules }: Ssp,
): object {
  return {
    id,
    ...(rules.no_bid_body && { seatbid: [] }),
    nbr: nbrOf(reason),
    ...(wantsReason && { ext: { reason } }),
  };
}
