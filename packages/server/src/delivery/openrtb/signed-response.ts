import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { AuctionBid } from '../auction/auction.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import { type SigningTask, storeViewOf } from '../skadnetwork/impression-extension.ts';
import { type SkadnetworkSettings, reEngagementUrlOf, signableOf } from '../skadnetwork/signable.ts';
import type { SignedBids } from '../skadnetwork/signed-bids.ts';
import type { SigningThread } from '../skadnetwork/signing-thread.ts';
import type { PreparedResponse } from './bid.ts';
import { responseJson } from './response.ts';

/** Dependencies of signing. */
export interface SigningDeps {
  settings: () => SkadnetworkSettings;
  thread: Pick<SigningThread, 'sign'>;
  signedBids: Pick<SignedBids, 'bid' | 'count'>;
  /** Counts a bid that was sent without signatures for which there was no room. */
  unsigned: (reason: 'too_long' | 'failed', bids: number) => void;
}

/** Share of the time that the exchange still waits for which a bid may wait for signatures, and the longest time, ms. */
const WAIT_SHARE = 0.25;
const WAIT_MS_MAX = 50;
/** Below this no thread responds: a bid then takes signatures that are ready, and waits for none. */
const WAIT_MS_MIN = 5;

/** Whether bids with an exchange are signed. */
export function isSignedWith(ssp: string, { settings }: Pick<SigningDeps, 'settings'>): boolean {
  const { networks, exchanges } = settings();
  return networks.length > 0 && exchanges.includes(ssp);
}

/**
 * Counts a request of an iOS app by whether a bid on its first imp could be signed, for as many as it stands for; nothing where the
 * installation signs none.
 */
export function countSignable(
  request: ParsedRequest,
  atMs: number,
  standsFor: number,
  deps: SigningDeps,
): void {
  const { settings, signedBids } = deps;
  if (request.device.os !== 'ios' || !isSignedWith(request.ssp, deps)) return;
  const signable = signableOf(request.imps[0]!, request.device.osVersion, settings().networks);
  signedBids.count(request.ssp, typeof signable === 'string' ? signable : 'signable', atMs, standsFor);
}

/**
 * Passes on the response, with signatures for SKAdNetwork and AdAttributionKit in the bids that can have them: in a later turn of the
 * event loop, or at once if no bid can have one or all signatures are ready. `msLeft` is how long the exchange still waits.
 */
export function withSignatures(
  request: ParsedRequest,
  response: PreparedResponse,
  bytesMax: number | null,
  msLeft: number,
  deps: SigningDeps,
  send: (json: string) => void,
): void {
  const tasks = request.device.os === 'ios' ? tasksOf(request, response.bids, deps) : null;
  if (!tasks) return send(response.json);
  const wanted = tasks.filter((task) => task !== null);
  const waitMs = Math.min(msLeft * WAIT_SHARE, WAIT_MS_MAX);
  deps.thread.sign(wanted, waitMs < WAIT_MS_MIN ? 0 : waitMs, (signed) => {
    let at = 0;
    const extensions = tasks.map((task) => (task === null ? null : signed[at++]!));
    send(signedJson(request, response, bytesMax, extensions, deps));
  });
}

/** The response with these extensions; without them where they are none, make it too long, or cannot be added. */
function signedJson(
  request: ParsedRequest,
  response: PreparedResponse,
  bytesMax: number | null,
  extensions: readonly (string | null)[],
  { signedBids, unsigned }: SigningDeps,
): string {
  const bids = extensions.filter((one) => one !== null).length;
  if (bids === 0) return response.json;
  try {
    const json = withExtensions(request, response, extensions);
    if (bytesMax === null || Buffer.byteLength(json) <= bytesMax) {
      for (const [index, { candidate, ref }] of response.bids.entries())
        if (extensions[index] !== null && !ref.test)
          signedBids.bid(candidate.adsetId, Number(candidate.app.bundle));
      return json;
    }
    unsigned('too_long', bids);
  } catch {
    unsigned('failed', bids);
  }
  return response.json;
}

/** The signing task of each bid; null for a bid that cannot be signed, and null in place of the list if none can be. */
function tasksOf(
  request: ParsedRequest,
  bids: readonly AuctionBid[],
  deps: SigningDeps,
): (SigningTask | null)[] | null {
  if (!isSignedWith(request.ssp, deps)) return null;
  const { networks } = deps.settings();
  let hasTask = false;
  const tasks = bids.map((bid): SigningTask | null => {
    const task = taskOf(bid, request.device.osVersion, networks);
    if (typeof task === 'string') return null;
    hasTask = true;
    return task;
  });
  return hasTask ? tasks : null;
}

/** The signing task of a bid, or the reason why it is not signed. */
export function taskOf(
  { imp, candidate }: Pick<AuctionBid, 'imp' | 'candidate'>,
  iosVersion: string,
  networks: SkadnetworkSettings['networks'],
): SigningTask | Exclude<SkadnetworkOutcome, 'signable'> | 'no_source_identifier' {
  const { sourceIdentifier } = candidate;
  if (sourceIdentifier === null) return 'no_source_identifier';
  const signable = signableOf(imp, iosVersion, networks);
  if (typeof signable === 'string') return signable;
  const itemId = candidate.app.bundle;
  const url = signable.aakSourceApp === '' ? null : reEngagementUrlOf(candidate, iosVersion);
  const storeView = storeViewOf(imp, candidate, url);
  return { ...signable, sourceIdentifier, itemId, reEngages: url !== null, storeView };
}

/** The response with more members in the `ext` of its bids, which are JSON without braces. */
export function withExtensions(
  request: ParsedRequest,
  { bids, texts, isBrief }: PreparedResponse,
  extensions: readonly (string | null)[],
): string {
  const extended = bids.map((bid, index) => ({
    bid,
    json: withExtension(texts[index]!, extensions[index]!),
  }));
  return responseJson(request, extended, isBrief);
}

/** A bid as JSON with more members in its `ext`, which is its last member if it has one. */
function withExtension(bidJson: string, extension: string | null): string {
  if (extension === null) return bidJson;
  // No other member of a bid ends with a brace.
  return bidJson.endsWith('}}')
    ? `${bidJson.slice(0, -2)},${extension}}}`
    : `${bidJson.slice(0, -1)},"ext":{${extension}}}`;
}
