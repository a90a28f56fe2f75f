import type { Micros } from '@bidwell/contract/money';
import type { Bits } from '../model/bitset.ts';
import { hasBit, nextBit } from '../model/bitset.ts';
import type { Outlook } from '../model/valuation.ts';
import type { Candidate, Shape } from '../model/candidate.ts';
import type { Judgement } from '../model/valuation.ts';
import { worthCpmMicros } from './price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { NO_BID_REASONS, further } from '../model/no-bid-reasons.ts';

/** Ad sets that may bid on an imp with creatives of the same format and floor. */
export interface Bidders {
  candidates: readonly Candidate[];
  /** Ad sets whose targeting and creatives fit. */
  fitting: Bits;
  /** Shapes of the creatives that fit. */
  shapes: ReadonlySet<Shape>;
  /** Minimum bid. */
  floorCpmMicros: Micros;
  outlook: Outlook;
}

/** Inputs common to all groups. */
export interface Question {
  bundle: string;
  judgement: Judgement;
  random: () => number;
  /** No-bid reason of an ad set for a bid of this value; null if it bids. */
  refusal: (candidate: Candidate, worthCpmMicros: Micros) => NoBidReason | null;
  /** Ad sets with an exhausted budget, checked only when no other ad set bids, for the reason. Null when none is known. */
  resting: Bits | null;
}

export interface Highest {
  candidate: Candidate;
  shapes: ReadonlySet<Shape>;
  worthCpmMicros: Micros;
  floorCpmMicros: Micros;
}

/** The ad set with the highest value, ties broken at random; if none bids, the latest of the no-bid reasons. */
export function highestBidder(groups: readonly Bidders[], question: Question): Highest | NoBidReason {
  const highest = highestOf(groups, question, false);
  if (typeof highest !== 'string' || !question.resting) return highest;
  const atRest = highestOf(groups, question, true);
  return typeof atRest === 'string' ? further(highest, atRest) : atRest;
}

/** The highest bidder among the exhausted ad sets (`atRest`), or among the others. */
function highestOf(
  groups: readonly Bidders[],
  { bundle, judgement, random, refusal, resting }: Question,
  atRest: boolean,
): Highest | NoBidReason {
  let reason: NoBidReason = NO_BID_REASONS[0];
  let best: Highest | null = null;
  let bestWorth = 0;
  let ties = 0;
  for (const { candidates, fitting, shapes, floorCpmMicros, outlook } of groups) {
    for (let place = nextBit(fitting, 0); place >= 0; place = nextBit(fitting, place + 1)) {
      if (resting && hasBit(resting, place) !== atRest) continue;
      const candidate = candidates[place]!;
      // Candidates are in descending order of `ceilingCpmMicros`: none of the following can bid more.
      if (candidate.ceilingCpmMicros < bestWorth) break;
      if (candidate.ceilingCpmMicros < floorCpmMicros) {
        reason = further(reason, 'floor');
        break;
      }
      const worth = worthCpmMicros(candidate, bundle, outlook, judgement, bestWorth);
      if (worth === null || worth < bestWorth) continue;
      const refused = worth <= 0 || worth < floorCpmMicros ? 'floor' : refusal(candidate, worth);
      if (refused) {
        reason = further(reason, refused);
        continue;
      }
      ties = worth > bestWorth ? 1 : ties + 1;
      // Each of n equal bids is kept with probability 1/n.
      if (ties > 1 && random() * ties >= 1) continue;
      best = { candidate, shapes, worthCpmMicros: worth, floorCpmMicros };
      bestWorth = worth;
    }
  }
  return best ?? reason;
}
