import type { Mmp } from '@bidwell/contract/apps/fields';
import { type Micros, cpmToImpressionMicros } from '@bidwell/contract/lib/money';
import type { AuctionResult } from './auction.ts';
import {
  type AdFormat,
  type Impression,
  RETURNS_PER_INSTALL,
  SHOWN_SHARE,
  isReinstall,
  clickProbability,
  installProbability,
  viewThroughProbability,
} from './behaviour.ts';
import type { Bid } from './bid-response.ts';
import type { Counts } from './counts.ts';
import { type PriceKeys, encryptedPrice } from './encrypted-price.ts';
import type { HttpClient } from './http-client.ts';
import { type AuctionFacts, fillAuctionMacros } from './macros.ts';
import { readMarkup } from './markup.ts';
import { type AppModel, type InAppEvent, lifeAfterInstall } from './in-app-behaviour.ts';
import {
  filledCallback,
  inAppPostback,
  installPostback,
  pushQuery,
  returnPostback,
  readTrackedClick,
} from './measurement.ts';
import type { MinToWinMacros } from '@bidwell/contract/operator/exchange-rules';
import type { NoticeBehaviour } from './personality.ts';
import { type Random, logNormal } from './random.ts';
import { shortCodeOf } from './traffic/countries.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Destination of install postbacks. `mmp` is used if the tracking link's host is unknown. */
export interface PostbackAddress {
  mmp: Mmp;
  /** The company's postback secret; of several companies, by the address that a click is redirected to. */
  secret: string | ((redirect: string) => string | undefined);
  /** The purchases of the app at an address, which decide the actions of its people; without it there are none. */
  modelOf?: (redirect: string) => AppModel | undefined;
  /** Whether AppsFlyer also sends messages of its Push API, which count nothing more. */
  push?: boolean;
}

/** Dependencies of {@link followWin} and {@link sendLossNotice}. */
export interface NoticeDeps {
  http: HttpClient;
  /** Base URL of the server under test. */
  url: string;
  postback: PostbackAddress | undefined;
  random: Random;
  now: () => number;
  /** Waits for a number of milliseconds; rejects when the exchange stops. */
  delay: (ms: number) => Promise<void>;
  counts: Counts;
  /** Creative files that were loaded before; devices cache them. */
  seenImages: Set<string>;
  behaviour: NoticeBehaviour;
  /** Keys of an exchange that encrypts prices; absent where they are plain. */
  priceKeys?: PriceKeys | undefined;
}

/** A bid and the result of its auction. */
export interface Ended {
  bid: Bid;
  result: AuctionResult;
  requestId: string;
  /** The highest bid of another buyer at the floor or above; 0 without one. */
  secondCpmMicros?: Micros;
  /** Without the format, which the markup has. */
  impression: Omit<Impression, 'format'>;
  os: 'ios' | 'android';
  /** The device's user agent, which its own calls send: images, trackers, the click. */
  userAgent: string;
}

/** Calls the lurl of a lost bid, with the loss reason and the minimum price to win. */
export async function sendLossNotice(ended: Ended, deps: NoticeDeps): Promise<void> {
  if (deps.behaviour.outcomes) await notify(ended.bid.lossUrl, factsOf(ended, deps, 'loss'), deps);
}

/**
 * Simulates what follows a win, with realistic delays: nurl at once; then usually the impression (image, pixels of the
 * server under test, burl), sometimes a click with its redirect, and sometimes an install with its postback, also without a
 * click. Never calls URLs of third parties. Rejects when the exchange stops; calls made before are not undone.
 */
export async function followWin(ended: Ended, deps: NoticeDeps): Promise<void> {
  const { bid } = ended;
  const { random, counts } = deps;
  if (deps.behaviour.outcomes) await notify(bid.winUrl, factsOf(ended, deps, 'win'), deps);
  if (random() >= SHOWN_SHARE) return;
  const { cachedMs } = deps.behaviour;
  await deps.delay(cachedMs > 0 ? random() * cachedMs : logNormal(random, 400, 0.6));
  const { format, clickUrl, viewUrl } = await show(ended, deps);
  const impression = { ...ended.impression, format };
  if (!clickUrl || random() >= clickProbability(impression)) {
    const probability = viewUrl === null ? 0 : viewThroughProbability(impression);
    if (random() < probability) await reportInstall(viewUrl!, 'impression', ended, deps);
    return;
  }
  await deps.delay(logNormal(random, 2500, 0.6));
  const response = await call(clickUrl, deps, ended.userAgent);
  if (!response) return;
  counts.clicks++;
  if (!response.location) return;
  const factor = readTrackedClick(response.location)?.isReEngagement ? RETURNS_PER_INSTALL : 1;
  if (random() < installProbability(impression) * factor)
    await reportInstall(response.location, 'click', ended, deps);
}

/** Sends the postback of an install, or of the return of a person who has the app, if the partner's `link` that was called before has a click id or a callback. */
async function reportInstall(
  link: string,
  after: 'click' | 'impression',
  { os, impression }: Ended,
  deps: NoticeDeps,
): Promise<void> {
  const { random, counts } = deps;
  const click = readTrackedClick(link);
  if (!click || !deps.postback) return;
  await deps.delay(INSTALL_MS_MIN + logNormal(random, 9000, 0.7));
  const mmp = click.mmp ?? deps.postback.mmp;
  const { clickId, advertisingId } = click;
  const install = { clickId, after, atMs: deps.now(), os, country: impression.country, advertisingId };
  const returns = click.isReEngagement && !isReinstall(random);
  const called = !returns && click.callback ? filledCallback(click.callback, install) : null;
  const parameters = returns ? returnPostback(mmp, install) : installPostback(mmp, install);
  const { secret } = deps.postback;
  const ofCompany = typeof secret === 'string' ? secret : (secret(link) ?? '');
  const address =
    called && isOnServer(called, deps.url)
      ? called
      : `${deps.url}/postback/${mmp}/${ofCompany}?${parameters.toString()}`;
  if (!(await call(address, deps))) return;
  if (!returns) counts.installs++;
  const push = async (event: Pick<InAppEvent, 'name' | 'dollars'>, atMs: number): Promise<void> => {
    if (mmp === 'appsflyer' && deps.postback?.push)
      await call(
        `${deps.url}/postback/${mmp}/${ofCompany}/push?${pushQuery(link, atMs, event).toString()}`,
        deps,
      );
  };
  if (!returns) await push({ name: 'install' }, install.atMs);
  const model = deps.postback.modelOf?.(link);
  if (model && click.clickId !== '')
    await useApp(model, { clickId, advertisingId, os, mmp, ofCompany, impression, push }, deps);
}

/** The first use of an app, whose events are sent as they happen. */
const FIRST_USE_MS = 15 * 60_000;

/** Sends the postbacks of what a person does in the app at its first use. */
async function useApp(
  model: AppModel,
  {
    clickId,
    advertisingId,
    os,
    mmp,
    ofCompany,
    impression,
    push,
  }: {
    clickId: string;
    advertisingId: string;
    os: Ended['os'];
    mmp: Mmp;
    ofCompany: string;
    impression: Ended['impression'];
    push: (event: Pick<InAppEvent, 'name' | 'dollars'>, atMs: number) => Promise<void>;
  },
  deps: NoticeDeps,
): Promise<void> {
  const person = { bundle: impression.bundle.toLowerCase(), country: shortCodeOf(impression.country) };
  let nowMs = 0;
  for (const { afterMs, ...event } of lifeAfterInstall(model, person, deps.random)) {
    if (afterMs > FIRST_USE_MS) return;
    await deps.delay(afterMs - nowMs);
    nowMs = afterMs;
    const atMs = deps.now();
    const postback = inAppPostback(mmp, { clickId, atMs, os, advertisingId }, event);
    if (!(await call(`${deps.url}/postback/${mmp}/${ofCompany}?${postback.toString()}`, deps))) continue;
    deps.counts.appEvents++;
    await push(event, atMs);
  }
}

/** Shortest time from a click or a view to an install: to find, download and open the app. */
export const INSTALL_MS_MIN = 12_000;

/** Share of viewers of a quarter of a video who also watch the next quarter. */
export const WATCHED_ON_SHARE = 0.9;

/** An ad that was shown, with its addresses; null if it has none. */
interface Shown {
  format: AdFormat;
  /** On the server under test. */
  clickUrl: string | null;
  /** The measurement partner's. */
  viewUrl: string | null;
}

/** Shows the ad and sends the billing notice. */
async function show(ended: Ended, deps: NoticeDeps): Promise<Shown> {
  const { counts, seenImages } = deps;
  const facts = factsOf(ended, deps, 'billing', deps.now());
  const { format, shownUrls, playedUrls, clickUrl } = readMarkup(fillAuctionMacros(ended.bid.markup, facts));
  for (const url of shownUrls) {
    if (!isOnServer(url, deps.url) || seenImages.has(url)) continue;
    const loaded = await call(url, deps, ended.userAgent);
    // Trackers are called each time, files once.
    if (loaded && !new URL(url).pathname.startsWith('/t/')) seenImages.add(url);
  }
  for (const url of playedUrls) {
    if (deps.random() >= WATCHED_ON_SHARE || !isOnServer(url, deps.url)) break;
    await call(url, deps, ended.userAgent);
  }
  counts.impressions++;
  const isBilled = deps.behaviour.billing
    ? await notify(ended.bid.billingUrl, facts, deps)
    : shownUrls.some((url) => isOnServer(url, deps.url));
  if (isBilled) {
    counts.spendMicros += cpmToImpressionMicros(ended.result.clearingCpmMicros, ended.bid.id);
  }
  return {
    format,
    clickUrl: clickUrl && isOnServer(clickUrl, deps.url) ? clickUrl : null,
    viewUrl: shownUrls.find((url) => !isOnServer(url, deps.url) && readTrackedClick(url)) ?? null,
  };
}

/** Sends a notice with this exchange's defects: late, repeated or dropped. True if the server accepted it. */
async function notify(template: string, facts: AuctionFacts, deps: NoticeDeps): Promise<boolean> {
  if (template === '') return false;
  const { lostShare, repeatedShare, delayMs } = deps.behaviour;
  if (lostShare > 0 && deps.random() < lostShare) {
    deps.counts.lostNotices++;
    return false;
  }
  if (delayMs > 0) await deps.delay(logNormal(deps.random, delayMs, 0.6));
  const address = fillAuctionMacros(template, facts);
  const taken = (await call(address, deps)) !== null;
  if (repeatedShare > 0 && deps.random() < repeatedShare) await call(address, deps);
  return taken;
}

/** Calls a URL of the server under test, as the exchange or as a device with this user agent. Null, counted as a failure, for an error or a status of 400 or above. */
async function call(address: string, { http, url, counts }: NoticeDeps, userAgent?: string) {
  if (!isOnServer(address, url)) {
    counts.foreignAddresses++;
    return null;
  }
  try {
    const response = await http.get(address, userAgent === undefined ? {} : { 'user-agent': userAgent });
    if (response.status < 400) return response;
  } catch {
    // Counted below; failed notices are not retried.
  }
  counts.noticeFailures++;
  return null;
}

/** True for URLs on the server's origin; `localhost` and loopback addresses count as the same host. */
export function isOnServer(address: string, serverUrl: string): boolean {
  return canParseUrl(address) && originOf(address) === originOf(serverUrl);
}

function originOf(address: string): string {
  return new URL(address).origin.replace(/\/\/(localhost|127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost');
}

/** The facts for a notice. A price is encrypted anew for each, as the exchange does. */
function factsOf(
  { bid, result, requestId, secondCpmMicros }: Ended,
  { behaviour: { minToWin }, priceKeys }: NoticeDeps,
  notice: keyof MinToWinMacros,
  impressionAtMs?: number,
): AuctionFacts {
  const namesSecond = minToWin?.[notice] === SECOND_BID;
  return {
    requestId,
    bidId: bid.id,
    impId: bid.impId,
    seatId: bid.seatId,
    adId: bid.adId,
    bidCpmMicros: bid.priceCpmMicros,
    clearingCpmMicros: result.clearingCpmMicros,
    ...(priceKeys && { priceText: encryptedPrice(result.clearingCpmMicros, priceKeys) }),
    minToWinCpmMicros: namesSecond ? (secondCpmMicros ?? 0) : result.minToWinCpmMicros,
    ...(minToWin && { minToWinMacro: minToWin[notice] }),
    lossReason: result.won ? 0 : result.lossReason,
    impressionAtMs,
  };
}

/** AppLovin's macro of the second highest bid, which is 0 where there was no other. */
const SECOND_BID = '${AUCTION_MINIMUM_BID_TO_WIN}';
