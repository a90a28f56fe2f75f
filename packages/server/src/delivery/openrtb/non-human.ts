import type { InvalidTrafficDetector } from '../trackers/invalid-traffic.ts';
import { objectOf, textOf } from './json.ts';

/** The no-bid reasons of requests that come from programs. */
export type NonHumanReason = 'bot' | 'datacenter';

/**
 * Why a bid request, as it was sent, comes from a program rather than a person; null if nothing says so. Address and user
 * agent are only looked at, so neither consent nor an opt-out matters.
 */
export function nonHumanReason(
  body: unknown,
  { ofBidRequest }: Pick<InvalidTrafficDetector, 'ofBidRequest'>,
): NonHumanReason | null {
  const device = objectOf(objectOf(body)['device']);
  const address = textOf(device['ip']) || textOf(device['ipv6']);
  return ofBidRequest(address.trim(), textOf(device['ua'])) || null;
}
