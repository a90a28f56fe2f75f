import { NO_BID_REASONS, type NoBidReason } from '@bidwell/contract/text/no-bid-reasons';

const ranks = new Map<NoBidReason, number>(NO_BID_REASONS.map((reason, rank) => [reason, rank]));

/** The later of two reasons in the order of {@link NO_BID_REASONS}. */
export function further(a: NoBidReason, b: NoBidReason): NoBidReason {
  return ranks.get(a)! >= ranks.get(b)! ? a : b;
}
