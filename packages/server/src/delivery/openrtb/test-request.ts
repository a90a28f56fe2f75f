import type {
  ExchangeTest,
  ExchangeTestInput,
  ReadRequest,
  TestedBid,
} from '@bidwell/contract/operator/exchange-test';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_EXITS } from '@bidwell/contract/insight/funnel';
import { toDollars } from '@bidwell/contract/lib/money';
import { addToSum } from '../../platform/group-by.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import type { AuctionBid } from '../auction/auction.ts';
import type { InvalidTrafficDetector } from '../trackers/invalid-traffic.ts';
import { explain } from '../funnel/explain.ts';
import { exitAt } from '../funnel/exits.ts';
import { requestProfileOf } from '../matching/request-profile.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import { type ResponseDeps, responseOf } from './bid.ts';
import { nonHumanReason } from './non-human.ts';
import { parseRequest } from './parse-request.ts';
import { type ReadContext, readBidRequest } from './read/read-request.ts';
import { requestProblems } from './request-problems.ts';
import type { SkadnetworkSettings } from '../skadnetwork/signable.ts';
import { type SignedTest, signedTest } from './test-signing.ts';

/** Dependencies of {@link testRequest}. The signer must be one whose tokens no tracker accepts. */
export interface TestDeps extends Omit<ResponseDeps, 'budgets' | 'faults'> {
  /** Budgets of this bidder; null in a process that does not bid. */
  budgets: Pick<Budgets, 'presentNoBidReason'> | null;
  rates: () => ReadContext['rates'];
  /** What bids are signed for. */
  signing: () => SkadnetworkSettings;
  tcfVendorId: number | null;
  detectInvalidTraffic: Pick<InvalidTrafficDetector, 'ofBidRequest'>;
}

/** Longest time for the check of all ad sets, milliseconds. */
const CHECK_MS = 1000;
/** Above any response: bids are rendered without the templates that real bids share. */
const NO_LIMIT_BYTES = 10_000_000;

const NOT_A_BIDDER =
  'This server does not bid itself. It does not know what budgets are left and which install rates were learned: every ' +
  'ad set counts as one with budget and with the default install rate.';

/**
 * Responds to a sample bid request as a bidder would, and says for each running ad set why it does not bid. Reserves no
 * budget, counts nothing and sends nothing; the bids' tracking URLs are not valid.
 */
export async function testRequest(input: ExchangeTestInput, ssp: Ssp, deps: TestDeps): Promise<ExchangeTest> {
  const body = parsedJson(input.request);
  if (body instanceof Error)
    return unreadable([{ severity: 'error', path: '', message: `This is not JSON: ${body.message}` }], deps);
  const problems = requestProblems(body);
  const { tcfVendorId } = deps;
  const { slug, seat, auctionType } = ssp;
  const request = readBidRequest(body, slug, { seat, auctionType, rates: deps.rates(), tcfVendorId });
  if (!request) return unreadable(problems, deps);
  const notes = deps.budgets ? [] : [NOT_A_BIDDER];
  const nowMs = deps.now().getTime();
  const adsets = await countsOf(request, nowMs, deps);
  const limited = { ...ssp, answerBytesMax: ssp.answerBytesMax ?? NO_LIMIT_BYTES };
  const response =
    nonHumanReason(body, deps.detectInvalidTraffic) ??
    responseOf(request, limited, input.version, nowMs, {
      ...deps,
      budgets: { noBidReason: presentReason(deps), exhaustedAmong: () => null },
      faults: {
        report: (_fault, { campaignName }, error) =>
          void notes.push(`The markup of ${campaignName} could not be made: ${String(error)}`),
      },
    });
  const isBid = typeof response !== 'string';
  const signed = isBid
    ? signedTest(request, response, { settings: deps.signing(), bytesMax: ssp.answerBytesMax, nowMs })
    : null;
  return {
    problems,
    read: readOf(request),
    adsets,
    no_bid_reason: isBid ? null : response,
    bids: isBid && signed ? bidsOf(signed, response.bids, deps) : [],
    response: signed?.json ?? null,
    notes,
  };
}

function parsedJson(text: string): unknown {
  try {
    return parseRequest(text);
  } catch (error) {
    return error;
  }
}

function unreadable(problems: ExchangeTest['problems'], { snapshot }: TestDeps): ExchangeTest {
  const running = snapshot.current().candidates.length;
  return {
    problems,
    read: null,
    adsets: { running, checked: 0, bidding: 0, reasons: [] },
    no_bid_reason: 'unreadable',
    bids: [],
    response: null,
    notes: [],
  };
}

/** The budget check, which changes nothing. Where budgets are not known, all have some. */
function presentReason({ budgets }: TestDeps): ResponseDeps['budgets']['noBidReason'] {
  return (candidate, micros) => budgets?.presentNoBidReason(candidate, micros) ?? null;
}

/** Counts why ad sets do not bid on a request; those that only another one outbids count as bidding. */
async function countsOf(
  request: ParsedRequest,
  nowMs: number,
  deps: TestDeps,
): Promise<ExchangeTest['adsets']> {
  const snapshot = deps.snapshot.current();
  const endMs = performance.now() + CHECK_MS;
  const context = {
    nowMs,
    random: deps.random,
    noBidReason: (candidate: Candidate, micros: number) => presentReason(deps)(candidate, micros, nowMs),
    // A paced ad set counts as one that bids.
    paceOf: () => null,
    valuation: deps.valuationOf(request, nowMs),
    secure: deps.publicUrl.startsWith('https:'),
  };
  const isOver = () => performance.now() > endMs;
  const { exits, checked } = await runYielding(explain(request, snapshot, [], context, { isOver }));
  const counts = new Map<FunnelExit, number>();
  for (const { index } of checked) addToSum(counts, exitAt(exits[index]!), 1);
  const bidding = counts.get('outbid') ?? 0;
  counts.delete('outbid');
  return {
    running: snapshot.candidates.length,
    checked: checked.length,
    bidding,
    reasons: FUNNEL_EXITS.filter((exit) => counts.has(exit)).map((reason) => ({
      reason,
      adsets: counts.get(reason)!,
    })),
  };
}

function readOf(request: ParsedRequest): ReadRequest {
  const { app, device } = request;
  return {
    id: request.id,
    test: request.test,
    bundle: app?.bundle ?? '',
    app_name: app?.name ?? '',
    genres: [...requestProfileOf(request).genres],
    os: device.os,
    os_version: device.osVersion,
    device_type: device.type,
    device_model: device.model,
    connection: device.connection,
    country: device.country,
    language: device.language,
    has_ifa: device.ifa !== '',
    has_ip: device.ip !== '',
    auction_type: request.auctionType === 1 ? 'first' : 'second',
    currency: request.currency?.code ?? null,
    timeout_ms: request.timeLimitMs,
    seat_allowed: request.seatAllowed,
    blocked: {
      advertisers: request.blockedAdvertisers.length,
      apps: request.blockedApps.length,
      categories: request.blockedCategories.length,
    },
    imps: request.imps.map((imp) => ({
      id: imp.id,
      formats: formatsOf(imp),
      floor: imp.floorProblem === null ? toDollars(imp.floorCpmMicros) : null,
      interstitial: imp.interstitial,
      rewarded: imp.rewarded,
      secure: imp.secure,
    })),
  };
}

function formatsOf({ banner, video, native }: ParsedImp): string[] {
  const formats: string[] = [];
  if (banner) {
    const sizes = (banner.screen ? [...banner.sizes, banner.screen] : banner.sizes).map(
      ({ width, height }) => `${width}x${height}`,
    );
    const ratios = banner.ratios.map(({ width, height }) => `${width}:${height}`);
    formats.push(`banner ${[...sizes, ...ratios].join(', ') || 'of any size'}`);
  }
  if (video) {
    const { secondsMin, secondsMax } = video;
    formats.push(`video ${secondsMin}-${secondsMax === Infinity ? '' : secondsMax} s`);
  }
  if (native) formats.push('native');
  return formats;
}

function bidsOf(
  { json, signings }: SignedTest,
  bids: readonly AuctionBid[],
  { assetUrl }: TestDeps,
): TestedBid[] {
  const { seatbid, cur } = JSON.parse(json) as {
    cur: string;
    seatbid: [{ bid: { impid: string; price: number; adm: string; w?: number; h?: number }[] }];
  };
  return seatbid[0].bid.map(({ impid, price, adm, w, h }, index) => {
    const { ref, candidate, creative } = bids[index]!;
    return {
      imp_id: impid,
      price,
      currency: cur,
      company_uuid: ref.companyId,
      campaign_uuid: ref.campaignId,
      campaign: candidate.campaignName,
      adset_uuid: ref.adsetId,
      creative_uuid: creative.uuid,
      creative_type: creative.type,
      width: w ?? creative.file.width,
      height: h ?? creative.file.height,
      markup: adm,
      file_url: `${assetUrl}/m/${creative.file.uuid}.${creative.file.extension}`,
      signing: signings[index] ?? null,
    };
  });
}
