import { type FunnelExit, type FunnelStep, exitsOf } from '../text/no-bid-reasons.ts';

const STEPS: readonly FunnelStep[] = [
  'open',
  'targeted',
  'placed',
  'uncapped',
  'funded',
  'above_floor',
  'chosen',
  'sent',
];

/**
 * The steps from a bid request to a bid, in the order in which the delivery funnel counts them. Each has the reasons for
 * which requests leave the funnel there; every sampled request leaves at exactly one, or gets a bid.
 */
export const FUNNEL_STEPS: readonly { step: FunnelStep; exits: readonly FunnelExit[] }[] = STEPS.map(
  (step) => ({
    step,
    exits: exitsOf(step),
  }),
);

/** All exits, in the order of the steps. */
export const FUNNEL_EXITS: readonly FunnelExit[] = FUNNEL_STEPS.flatMap(({ exits }) => exits);

const steps = new Map<FunnelExit, FunnelStep>(
  FUNNEL_STEPS.flatMap(({ step, exits }) => exits.map((exit) => [exit, step] as const)),
);

/** The step that a request does not reach when it leaves by an exit. */
export function stepOf(exit: FunnelExit): FunnelStep {
  return steps.get(exit)!;
}
