import type { TestedSigning } from '@bidwell/contract/operator/exchange-test';
import type { UnsignedReason } from '@bidwell/contract/skadnetwork/outcomes';
import type { ParsedRequest } from '../model/bid-request.ts';
import { type SigningTask, impressionExtension } from '../skadnetwork/impression-extension.ts';
import type { SkadnetworkSettings } from '../skadnetwork/signable.ts';
import { readPrivateKey } from '../skadnetwork/signing.ts';
import type { PreparedResponse } from './bid.ts';
import { taskOf, withExtensions } from './signed-response.ts';

/** The response to a sample bid request with its signatures, and how each of its bids is signed; null where the device has no iOS. */
export interface SignedTest {
  json: string;
  signings: readonly (TestedSigning | null)[];
}

/** What signing of a sample depends on: the settings, and the longest response that the exchange reads, null without a limit. */
interface SignDeps {
  settings: SkadnetworkSettings;
  bytesMax: number | null;
  nowMs: number;
}

/**
 * Signs the bids on a sample bid request as a bidder does, but here and now instead of in its thread, and counts nothing. The
 * signatures are valid.
 */
export function signedTest(request: ParsedRequest, response: PreparedResponse, deps: SignDeps): SignedTest {
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
