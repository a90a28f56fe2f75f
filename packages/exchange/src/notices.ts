import type { Mmp } from '@bidwell/contract/app';
import { cpmToImpressionMicros } from '@bidwell/contract/money';
import type { AuctionResult } from './auction.ts';
import type { Sight } from './behaviour.ts';
import { SHOWN_SHARE, clickProbability, installProbability } from './behaviour.ts';
import type { Bid } from './bid-response.ts';
import type { Counts } from './counts.ts';
import type { HttpClient } from './http-client.ts';
import type { AuctionFacts } from './macros.ts';
import { fillAuctionMacros } from './macros.ts';
import { readMarkup } from './markup.ts';
import { filledCallback, installPostback, readTrackedClick } from './measurement.ts';
import type { NoticeManners } from './personality.ts';
import type { Random } from './random.ts';
import { logNormal } from './random.ts';

/** Where installs are reported. `mmp` is used when the tracking link's host does not tell the partner. */
export interface PostbackAddress {
  mmp: Mmp;
  secret: string;
}

/** What the time after an auction needs of the world. */
export interface NoticeDeps {
  http: HttpClient;
  /** Base address of the server under test. */
  url: string;
  postback: PostbackAddress | undefined;
  random: Random;
  now: () => number;
  /** Waits this many milliseconds; rejects when the exchange stops. */
  delay: (ms: number) => Promise<void>;
  counts: Counts;
  /** Creative files already loaded: devices keep them. */
  seenImages: Set<string>;
  manners: NoticeManners;
}

/** A bid and how its auction ended. */
export interface Ended {
  bid: Bid;
  result: AuctionResult;
  requestId: string;
  sight: Sight;
  os: 'ios' | 'android';
}

/** Tells the bidder that it lost: its lurl, with the reason and the price to beat. */
export async function tellLoss(ended: Ended, deps: NoticeDeps): Promise<void> {
  if (deps.manners.outcomes) await notify(ended.bid.lossUrl, factsOf(ended), deps);
}

/**
 * What follows a win, in a person's time: nurl at once; then, mostly, the impression (image, pixels of the server under
 * test, burl), perhaps a click through its redirect, perhaps an install and its postback. Addresses of third parties are
 * never called. Rejects when the exchange stops; what was told by then stays told.
 */
export async function followWin(ended: Ended, deps: NoticeDeps): Promise<void> {
  const { bid, sight } = ended;
  const { random, counts } = deps;
  if (deps.manners.outcomes) await notify(bid.winUrl, factsOf(ended), deps);
  if (random() >= SHOWN_SHARE) return;
  await deps.delay(logNormal(random, 400, 0.6));
  const clickUrl = await show(ended, deps);
  if (!clickUrl || random() >= clickProbability(sight)) return;
  await deps.delay(logNormal(random, 2500, 0.6));
  const answer = await call(clickUrl, deps);
  if (!answer) return;
  counts.clicks++;
  const click = answer.location ? readTrackedClick(answer.location) : null;
  if (!click || !deps.postback || random() >= installProbability(sight)) return;
  await deps.delay(INSTALL_MS_MIN + logNormal(random, 9000, 0.7));
  const mmp = click.mmp ?? deps.postback.mmp;
  const install = { clickId: click.clickId, atMs: deps.now(), os: ended.os, country: sight.country };
  const called = click.callback && filledCallback(click.callback, install);
  const address =
    called && isOnServer(called, deps.url)
      ? called
      : `${deps.url}/postback/${mmp}/${deps.postback.secret}?${installPostback(mmp, install).toString()}`;
  if (await call(address, deps)) counts.installs++;
}

/** The quickest that an app is found, loaded and opened. */
const INSTALL_MS_MIN = 12_000;

/** Of those who watch a quarter of a video, how many watch the next one. */
const WATCHED_ON_SHARE = 0.9;

/** Shows the ad and bills it; answers where its link leads when that is on the server under test. */
async function show(ended: Ended, deps: NoticeDeps): Promise<string | null> {
  const { counts, seenImages } = deps;
  const facts = factsOf(ended, deps.now());
  const { shownUrls, playedUrls, clickUrl } = readMarkup(fillAuctionMacros(ended.bid.markup, facts));
  for (const url of shownUrls) {
    if (!isOnServer(url, deps.url) || seenImages.has(url)) continue;
    const loaded = await call(url, deps);
    // Trackers are asked each time, files once.
    if (loaded && !new URL(url).pathname.startsWith('/t/')) seenImages.add(url);
  }
  for (const url of playedUrls) {
    if (deps.random() >= WATCHED_ON_SHARE || !isOnServer(url, deps.url)) break;
    await call(url, deps);
  }
  counts.impressions++;
  if (await notify(ended.bid.billingUrl, facts, deps)) {
    counts.spendMicros += cpmToImpressionMicros(ended.result.clearingCpmMicros, ended.bid.id);
  }
  return clickUrl && isOnServer(clickUrl, deps.url) ? clickUrl : null;
}

/** Sends a notice as this exchange does: late, twice or not at all. True when the server took it. */
async function notify(template: string, facts: AuctionFacts, deps: NoticeDeps): Promise<boolean> {
  if (template === '') return false;
  const { lostShare, repeatedShare, delayMs } = deps.manners;
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

/** Calls an address of the server under test; null, and counted as a failure, when it does not answer below 400. */
async function call(address: string, { http, url, counts }: NoticeDeps) {
  if (!isOnServer(address, url)) {
    counts.foreignAddresses++;
    return null;
  }
  try {
    const answer = await http.get(address);
    if (answer.status < 400) return answer;
  } catch {
    // Counted below: a notice that fails is not sent again.
  }
  counts.noticeFailures++;
  return null;
}

/** True for addresses on the server's own origin; `localhost` and the loopback addresses are one machine. */
export function isOnServer(address: string, serverUrl: string): boolean {
  return URL.canParse(address) && originOf(address) === originOf(serverUrl);
}

function originOf(address: string): string {
  return new URL(address).origin.replace(/\/\/(localhost|127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost');
}

function factsOf({ bid, result, requestId }: Ended, impressionAtMs?: number): AuctionFacts {
  return {
    requestId,
    bidId: bid.id,
    impId: bid.impId,
    seatId: bid.seatId,
    adId: bid.adId,
    bidCpmMicros: bid.priceCpmMicros,
    clearingCpmMicros: result.clearingCpmMicros,
    minToWinCpmMicros: result.minToWinCpmMicros,
    lossReason: result.won ? 0 : result.lossReason,
    impressionAtMs,
  };
}
