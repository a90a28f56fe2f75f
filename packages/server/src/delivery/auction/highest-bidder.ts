import type { Micros } from '@bidwell/contract/money';
import type { Bits } from '../model/bitset.ts';
import { hasBit, nextBit } from '../model/bitset.ts';
import type { Outlook } from '../model/valuation.ts';
import type { Candidate, Shape } from '../model/candidate.ts';
import type { Judgement } from '../model/valuation.ts';
import { worthCpmMicros } from './price.ts';
import type { NoBidReason } from '../model/no-bid-reasons.ts';
import { NO_BID_REASONS, further } from '../model/no-bid-reasons.ts';

/** Who would bid on an imp, and what is asked of them. */
export interface Bidders {
  candidates: readonly Candidate[];
  /** The ad sets whose targeting and creatives fit. */
  fitting: Bits;
  /** The shapes of creative that they would show. */
  shapes: ReadonlySet<Shape>;
  /** The least that they may bid. */
  floorCpmMicros: Micros;
  outlook: Outlook;
}

/** What all of them are asked. */
export interface Question {
  bundle: string;
  judgement: Judgement;
  random: () => number;
  /** Why an ad set does not bid for what an impression is worth to it; null when it does. */
  refusal: (candidate: Candidate, worthCpmMicros: Micros) => NoBidReason | null;
  /** Ad sets without money: they are asked only where nobody else bids, for the reason. Null when none is known. */
  resting: Bits | null;
}

export interface Highest {
  candidate: Candidate;
  shapes: ReadonlySet<Shape>;
  worthCpmMicros: Micros;
  floorCpmMicros: Micros;
}

/** The one to whom the impression is worth most, ties settled by chance; where nobody bids, the reason of who came furthest. */
export function highestBidder(groups: readonly Bidders[], question: Question): Highest | NoBidReason {
  const highest = highestOf(groups, question, false);
  if (typeof highest !== 'string' || !question.resting) return highest;
  const atRest = highestOf(groups, question, true);
  return typeof atRest === 'string' ? further(highest, atRest) : atRest;
}

/** Of those that rest, or of the others. */
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
      // Whoever follows bids no more than this one may.
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
      // Of n equal bids each stays with one chance in n.
      if (ties > 1 && random() * ties >= 1) continue;
      best = { candidate, shapes, worthCpmMicros: worth, floorCpmMicros };
      bestWorth = worth;
    }
  }
  return best ?? reason;
}
