import type { FunnelStep } from '@bidwell/contract/text/no-bid-reasons';

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
