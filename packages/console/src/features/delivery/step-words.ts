import type { FunnelStep } from '@bidwell/contract/funnel';

/** What the requests of a step have passed. */
export const STEP_NAMES: Record<FunnelStep, string> = {
  open: 'Open to bids',
  targeted: 'Matched by the target',
  placed: 'With a place for a creative',
  funded: 'With budget',
  above_floor: 'Above the floor',
  chosen: 'Highest on this platform',
  sent: 'Bids',
};

/** Loss reason codes of OpenRTB 2.6 (list 5.25), those that exchanges send most. */
const LOSS_NAMES: Readonly<Record<number, string>> = {
  0: 'Won',
  1: 'Internal error of the exchange',
  2: 'Impression opportunity expired',
  3: 'Invalid bid response',
  100: 'Below the floor',
  101: 'Below the price of a deal',
  102: 'Outbid by others',
  103: 'Outbid by a deal',
  104: 'Seat blocked',
  200: 'Creative filtered',
  202: 'Size of the creative not allowed',
  204: 'Advertiser filtered',
  205: 'App of the advertiser filtered',
  206: 'Not secure',
  207: 'Language filtered',
  208: 'Category filtered',
  209: 'Attribute of the creative filtered',
  210: 'Type of ad filtered',
  211: 'Animation too long',
};

/** The meaning of a loss reason code. */
export function lossName(code: number): string {
  return LOSS_NAMES[code] ?? `Code ${code}`;
}
