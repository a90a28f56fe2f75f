import type { Micros } from '@bidwell/contract/money';
import type { Bitset } from '../model/bitset.ts';
import { hasBit, nextBit } from '../model/bitset.ts';
import type { Prediction } from '../model/valuation.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import type { Valuation } from '../model/valuation.ts';
import { valueCpmMicros } from './price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { NO_BID_REASONS, further } from '../model/no-bid-reasons.ts';

/** Ad sets that may bid on an imp with creatives of the same format and floor. */
export interface Bidders {
  candidates: readonly Candidate[];
  /** Ad sets whose targeting and creatives fit. */
  fitting: Bitset;
  /** Creative formats of the creatives that fit. */
  creativeFormats: ReadonlySet<CreativeFormat>;
  /** Minimum bid. */
  floorCpmMicros: Micros;
  prediction: Prediction;
}

/** Inputs common to all groups. */
export interface Question {
  bundle: string;
  valuation: Valuation;
  random: () => number;
  /** No-bid reason of an ad set for a bid of this value; null if it bids. */
  noBidReason: (candidate: Candidate, valueCpmMicros: Micros) => NoBidReason | null;
  /** Ad sets with an exhausted budget, checked only when no other ad set bids, for the reason. Null when none is known. */
  exhausted: Bitset | null;
}

export interface Highest {
  candidate: Candidate;
  creativeFormats: ReadonlySet<CreativeFormat>;
  valueCpmMicros: Micros;
  floorCpmMicros: Micros;
}

/** The ad set with the highest value, ties broken at random; if none bids, the latest of the no-bid reasons. */
export function highestBidder(groups: readonly Bidders[], question: Question): Highest | NoBidReason {
  const highest = highestOf(groups, question, false);
  if (typeof highest !== 'string' || !question.exhausted) return highest;
  const exhausted = highestOf(groups, question, true);
  return typeof exhausted === 'string' ? further(highest, exhausted) : exhausted;
}

/** The highest bidder among the exhausted ad sets (`areExhausted`), or among the others. */
function highestOf(
  groups: readonly Bidders[],
  { bundle, valuation, random, noBidReason, exhausted }: Question,
  areExhausted: boolean,
): Highest | NoBidReason {
  let reason: NoBidReason = NO_BID_REASONS[0];
  let best: Highest | null = null;
  let bestValue = 0;
  let ties = 0;
  for (const { candidates, fitting, creativeFormats, floorCpmMicros, prediction } of groups) {
    for (let index = nextBit(fitting, 0); index >= 0; index = nextBit(fitting, index + 1)) {
      if (exhausted && hasBit(exhausted, index) !== areExhausted) continue;
      const candidate = candidates[index]!;
      // Candidates are in descending order of `ceilingCpmMicros`: none of the following can bid more.
      if (candidate.ceilingCpmMicros < bestValue) break;
      if (candidate.ceilingCpmMicros < floorCpmMicros) {
        reason = further(reason, 'floor');
        break;
      }
      const value = valueCpmMicros(candidate, bundle, prediction, valuation, bestValue);
      if (value === null || value < bestValue) continue;
      const refused = value <= 0 || value < floorCpmMicros ? 'floor' : noBidReason(candidate, value);
      if (refused) {
        reason = further(reason, refused);
        continue;
      }
      ties = value > bestValue ? 1 : ties + 1;
      // Each of n equal bids wins with probability 1/n.
      if (ties > 1 && random() * ties >= 1) continue;
      best = { candidate, creativeFormats, valueCpmMicros: value, floorCpmMicros };
      bestValue = value;
    }
  }
  return best ?? reason;
}
