import type {
  ExchangeTest,
  ExchangeTestInput,
  ReadRequest,
  TestedBid,
  RequestProblem,
  TestedSigning,
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
import { countryCodeOf } from '../model/country.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Budgets } from '../pacing/budgets.ts';
import type { Ssp } from '../snapshot/exchange-store.ts';
import { type ResponseDeps, responseOf, type PreparedResponse } from './bid.ts';
import { nonHumanReason } from './non-human.ts';
import { parseRequest } from './read/read-body.ts';
import { type ReadContext, readBidRequest, isUnreadableFloor } from './read/read-request.ts';
import type { SkadnetworkSettings } from '../skadnetwork/signable.ts';
import {
  ADATTRIBUTIONKIT_KEY,
  type SigningTask,
  impressionExtension,
} from '../skadnetwork/impression-extension.ts';
import { type JsonObject, isObject, numberOf, objectOf, textOf } from './json.ts';
import type { UnsignedReason } from '@bidwell/contract/skadnetwork/outcomes';
import { readPrivateKey } from '../skadnetwork/signing-keys.ts';
import { taskOf, withExtensions } from './signed-response.ts';

/** Dependencies of {@link testRequest}. The signer must be one whose tokens no tracker accepts. */
export interface TestDeps extends Omit<ResponseDeps, 'budgets' | 'faults' | 'oversized'> {
  /** Budgets of this bidder; null in a process that does not bid. */
  budgets: Pick<Budgets, 'presentNoBidReason'> | null;
  rates: () => ReadContext['rates'];
  /** The settings for signing bids. */
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
  const { slug, seat, auctionType, rules, billing, isReviewed } = ssp;
  const rates = deps.rates();
  const request = readBidRequest(body, slug, {
    seat,
    auctionType,
    rules,
    billing,
    isReviewed,
    rates,
    tcfVendorId,
  });
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
      oversized: { add: () => {} },
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
  return (candidate, micros, _nowMs, country) =>
    budgets?.presentNoBidReason(candidate, micros, country) ?? null;
}

/** Counts why ad sets do not bid on a request; ad sets that only another one outbids count as bidding. */
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
    ...(deps.capsFor && { caps: deps.capsFor(request, nowMs) }),
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

/** Problems of one request are limited, since a request may repeat one in each imp. */
const PROBLEMS_MAX = 50;
/** Imps that are checked: as many as bidders read. */
const IMPS_MAX = 50;

type Add = (severity: RequestProblem['severity'], path: string, message: string) => void;

/**
 * Compares a bid request with section 3.2 of OpenRTB 2.6, as far as bids in apps depend on it. An error is a violation
 * of a requirement, or prevents every bid; a warning is a violation of a recommendation.
 */
export function requestProblems(body: unknown): RequestProblem[] {
  const problems: RequestProblem[] = [];
  const add: Add = (severity, path, message) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ severity, path, message });
  };
  if (!isObject(body)) {
    add('error', '', 'A bid request is a JSON object.');
    return problems;
  }
  checkTop(body, add);
  checkImps(body['imp'], add);
  checkApp(body, add);
  checkDevice(body['device'], add);
  return problems;
}

function checkTop(body: JsonObject, add: Add): void {
  if (textOf(body['id']) === '') add('error', 'id', 'The request needs an id, a string.');
  else if (typeof body['id'] !== 'string') add('warning', 'id', 'The id should be a string.');
  const { at, tmax, cur } = body;
  if (at !== undefined && ![1, 2].includes(numberOf(at)))
    add('warning', 'at', 'The auction type is 1 (first price) or 2 (second price). Others are read as 2.');
  if (tmax !== undefined && !(numberOf(tmax) > 0))
    add('warning', 'tmax', 'The time limit is a number of milliseconds above 0.');
  if (cur !== undefined && !(Array.isArray(cur) && cur.every((code) => /^[A-Z]{3}$/.test(textOf(code)))))
    add('warning', 'cur', 'Currencies are a list of ISO 4217 codes in capitals.');
}

function checkImps(imps: unknown, add: Add): void {
  if (!Array.isArray(imps) || imps.length === 0)
    return add('error', 'imp', 'The request needs a list with at least one imp.');
  const seen = new Set<string>();
  for (const [index, value] of imps.slice(0, IMPS_MAX).entries()) {
    const path = `imp[${index}]`;
    const imp = objectOf(value);
    const id = textOf(imp['id']);
    if (id === '') add('error', `${path}.id`, 'An imp needs an id, a string.');
    else if (seen.has(id)) add('error', `${path}.id`, 'Another imp of the request has the same id.');
    seen.add(id);
    checkFormats(imp, path, add);
    checkSkadnetwork(objectOf(imp['ext']), `${path}.ext`, add);
    const { bidfloor } = imp;
    if (isUnreadableFloor(bidfloor))
      add('error', `${path}.bidfloor`, 'The floor cannot be read: it is a number of at least 0.');
    else if (bidfloor !== undefined && !(numberOf(bidfloor) >= 0))
      add('warning', `${path}.bidfloor`, 'The floor is a number of at least 0.');
  }
  if (imps.length > IMPS_MAX)
    add('warning', 'imp', `Bidders read the first ${IMPS_MAX} imps of ${imps.length}.`);
}

function checkFormats(imp: JsonObject, path: string, add: Add): void {
  const { banner, video, native, audio } = imp;
  if (!isObject(banner) && !isObject(video) && !isObject(native))
    add(
      'error',
      path,
      isObject(audio)
        ? 'The imp is audio only. Only banners, videos and native ads get bids.'
        : 'An imp needs a banner, video or native object.',
    );
  if (isObject(banner)) {
    const hasSize = numberOf(banner['w']) > 0 && numberOf(banner['h']) > 0;
    if (!hasSize && !Array.isArray(banner['format']))
      add('warning', `${path}.banner`, 'The banner has neither w and h nor format: every size fits.');
  }
  if (isObject(video)) checkVideo(video, `${path}.video`, add);
  if (isObject(native) && textOf(native['request']) === '' && !isObject(native['request']))
    add('error', `${path}.native.request`, 'A native object needs its request.');
}

/** Adds the problems that keep bids from being signed. They never keep bids from being sent. */
function checkSkadnetwork(ext: JsonObject, path: string, add: Add): void {
  const { skadn } = ext;
  if (skadn !== undefined && !isObject(skadn))
    add('warning', `${path}.skadn`, 'The parameters of SKAdNetwork are an object.');
  else if (isObject(skadn)) {
    for (const name of ['versions', 'skadnetids'])
      if (skadn[name] !== undefined && !isTexts(skadn[name]))
        add('warning', `${path}.skadn.${name}`, 'This is a list of strings.');
    if (skadn['versions'] === undefined && textOf(skadn['version']) === '')
      add(
        'warning',
        `${path}.skadn.versions`,
        'The versions of SKAdNetwork that the app supports are missing.',
      );
    if (!/^\d{1,15}$/.test(textOf(skadn['sourceapp'])))
      add(
        'warning',
        `${path}.skadn.sourceapp`,
        'The number of the publisher’s app in the App Store is missing.',
      );
  }
  const kit = ext[ADATTRIBUTIONKIT_KEY];
  if (kit !== undefined && !isObject(kit))
    add('warning', `${path}.${ADATTRIBUTIONKIT_KEY}`, 'The parameters of AdAttributionKit are an object.');
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function checkVideo({ mimes, protocols }: JsonObject, path: string, add: Add): void {
  if (!Array.isArray(mimes) || mimes.length === 0)
    add('error', `${path}.mimes`, 'A video needs the list of content types that its player shows.');
  if (!Array.isArray(protocols) || protocols.length === 0)
    add('warning', `${path}.protocols`, 'The versions of VAST that the player reads are missing.');
}

function checkApp({ app, site }: JsonObject, add: Add): void {
  if (!isObject(app)) {
    const isWeb = isObject(site);
    return add(
      'error',
      isWeb ? 'site' : 'app',
      isWeb
        ? 'The request is for a website. Only apps get bids.'
        : 'The app object is missing. Only apps get bids.',
    );
  }
  if (isObject(site)) add('error', 'site', 'A request has an app or a site, not both.');
  if (textOf(app['bundle']) === '')
    add(
      'warning',
      'app.bundle',
      'The bundle is missing: ad sets that target or exclude apps cannot match it.',
    );
}

function checkDevice(value: unknown, add: Add): void {
  if (!isObject(value))
    return add('warning', 'device', 'The device is missing. Every ad set is for one operating system.');
  if (textOf(value['os']) === '')
    add('warning', 'device.os', 'The operating system is missing. Every ad set is for one.');
  checkTracking(value, add);
  const country = objectOf(value['geo'])['country'];
  if (country === undefined)
    add('warning', 'device.geo.country', 'The country is missing: ad sets that target countries do not bid.');
  else if (countryCodeOf(textOf(country)) === '')
    add(
      'warning',
      'device.geo.country',
      'The country is not known, and counts as missing. Send an ISO 3166-1 alpha-3 code, such as USA.',
    );
  else if (!/^[A-Z]{3}$/.test(textOf(country)))
    add(
      'warning',
      'device.geo.country',
      'The country should be an ISO 3166-1 alpha-3 code in capitals, such as USA.',
    );
}

/** Apple's tracking prompt (IAB Tech Lab, "SKAdNetwork Support"): `atts` and the flags for opting out. */
function checkTracking({ ext, dnt, lmt }: JsonObject, add: Add): void {
  const { atts, ifv } = objectOf(ext);
  if (ifv !== undefined && typeof ifv !== 'string')
    add('warning', 'device.ext.ifv', 'The vendor’s id is a string. Bidders do not read it.');
  if (atts === undefined || atts === null) return;
  if (![0, 1, 2, 3].includes(numberOf(atts)))
    return add(
      'warning',
      'device.ext.atts',
      'The state of the tracking prompt is 0, 1, 2 or 3. Others are read as no permission.',
    );
  const optedOut = numberOf(atts) === 3 ? 0 : 1;
  for (const [name, flag] of Object.entries({ dnt, lmt }))
    if (flag !== undefined && flag !== null && numberOf(flag) !== optedOut)
      add(
        'warning',
        `device.${name}`,
        `With atts ${numberOf(atts)} this is ${optedOut}. Of the two, the one without permission counts.`,
      );
}

/** The response to a sample bid request with its signatures, and how each of its bids is signed; null where the device has no iOS. */
interface SignedTest {
  json: string;
  signings: readonly (TestedSigning | null)[];
}

/** Dependencies of signing a sample: the settings, and the longest response that the exchange reads, null without a limit. */
interface SignDeps {
  settings: SkadnetworkSettings;
  bytesMax: number | null;
  nowMs: number;
}

/**
 * Signs the bids on a sample bid request as a bidder does, but here and now instead of in its thread, and counts nothing. The
 * signatures are valid.
 */
function signedTest(request: ParsedRequest, response: PreparedResponse, deps: SignDeps): SignedTest {
  const { bids, json } = response;
  if (request.device.os !== 'ios') return { json, signings: bids.map(() => null) };
  const tasks = bids.map(
    (bid) =>
      reasonOf(request, deps.settings) ?? taskOf(bid, request.device.osVersion, deps.settings.networks),
  );
  const signed = tasks.every(isReason) ? json : withExtensions(request, response, extensionsOf(tasks, deps));
  const isTooLong = deps.bytesMax !== null && Buffer.byteLength(signed) > deps.bytesMax;
  return {
    json: isTooLong ? json : signed,
    signings: tasks.map((task) => signingOf(!isReason(task) && isTooLong ? 'too_long' : task)),
  };
}

const isReason = (task: SigningTask | UnsignedReason): task is UnsignedReason => typeof task === 'string';

/** Why no bid with the exchange is signed; null where some are. */
function reasonOf(
  { ssp }: ParsedRequest,
  { networks, exchanges }: SkadnetworkSettings,
): UnsignedReason | null {
  if (networks.length === 0) return 'no_network';
  return exchanges.includes(ssp) ? null : 'exchange_off';
}

function extensionsOf(
  tasks: readonly (SigningTask | UnsignedReason)[],
  { settings, nowMs }: SignDeps,
): (string | null)[] {
  return tasks.map((task) => {
    if (isReason(task)) return null;
    const network = settings.networks.find(({ id }) => id === task.network)!;
    return impressionExtension(task, readPrivateKey(network.privateKey), nowMs);
  });
}

function signingOf(task: SigningTask | UnsignedReason): TestedSigning {
  if (isReason(task)) return { skadnetwork: null, adattributionkit: false, unsigned: task };
  return { skadnetwork: task.version, adattributionkit: task.aakSourceApp !== '', unsigned: null };
}
