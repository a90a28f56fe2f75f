import type { Micros } from '@bidwell/contract/lib/money';
import { type Bitset, type Intersection, lowestBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Prediction, Valuation } from '../model/valuation.ts';
import { valueCpmMicros } from './price.ts';
import type { FormatGroup } from './shortlist.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { further } from '../model/further-reason.ts';

/** Inputs common to all groups. */
export interface Question {
  /** In descending order of `ceilingCpmMicros`. */
  candidates: readonly Candidate[];
  /** Ad sets whose targeting fits. */
  targeting: Intersection;
  /** Ad sets that may not bid on the imp because of insecure URLs; null where it does not matter. */
  insecure: Bitset | null;
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
  group: FormatGroup;
  valueCpmMicros: Micros;
}

/**
 * The ad set with the highest value among those that target the request and have a creative of a group, ties broken at
 * random. If none bids, the latest of the no-bid reasons; null if there is no such ad set.
 */
export function highestBidder(
  groups: readonly FormatGroup[],
  question: Question,
): Highest | NoBidReason | null {
  const search = new Search(question);
  for (const group of groups) search.visit(group, false);
  if (!search.best && question.exhausted) for (const group of groups) search.visit(group, true);
  return search.best ?? search.reason;
}

/** The highest bidder so far, and the latest of the no-bid reasons; null as long as no ad set fits. */
class Search {
  readonly #question: Question;
  best: Highest | null = null;
  reason: NoBidReason | null = null;
  #bestValue = 0;
  #ties = 0;
  /** Whether the floor is among the no-bid reasons. */
  #isFloorKnown = false;

  constructor(question: Question) {
    this.#question = question;
  }

  /** Visits the ad sets of a group with an exhausted budget (`areExhausted`), or the others. */
  visit(group: FormatGroup, areExhausted: boolean): void {
    const { candidates, targeting, insecure, exhausted, valuation } = this.#question;
    let prediction: Prediction | null = null;
    const predict = () => (prediction ??= valuation.predict(group.format));
    for (let word = 0; word * 32 < candidates.length; word += 1) {
      // Candidates are in descending order of `ceilingCpmMicros`: none of the following can bid more.
      const { ceilingCpmMicros } = candidates[word * 32]!;
      if (ceilingCpmMicros < this.#bestValue) return;
      if (ceilingCpmMicros < group.floorCpmMicros && this.#isFloorKnown) return;
      let rest = wordOf(group, word);
      if (exhausted) rest &= areExhausted ? exhausted[word]! : ~exhausted[word]!;
      if (insecure) rest &= ~insecure[word]!;
      if (rest !== 0) rest = targeting.within(word, rest);
      for (; rest !== 0; rest &= rest - 1) {
        const candidate = candidates[word * 32 + lowestBit(rest)]!;
        if (candidate.ceilingCpmMicros < this.#bestValue) return;
        if (candidate.ceilingCpmMicros < group.floorCpmMicros) {
          this.#isFloorKnown = true;
          return this.#reject('floor');
        }
        this.#consider(candidate, group, predict);
      }
    }
  }

  #consider(candidate: Candidate, group: FormatGroup, predict: () => Prediction): void {
    const { bundle, valuation, noBidReason, random } = this.#question;
    const value = valueCpmMicros(candidate, bundle, predict, valuation, this.#bestValue);
    if (value === null || value < this.#bestValue) return;
    const rejection = value <= 0 || value < group.floorCpmMicros ? 'floor' : noBidReason(candidate, value);
    if (rejection) return this.#reject(rejection);
    this.#ties = value > this.#bestValue ? 1 : this.#ties + 1;
    // Each of n equal bids wins with probability 1/n.
    if (this.#ties > 1 && random() * this.#ties >= 1) return;
    this.best = { candidate, group, valueCpmMicros: value };
    this.#bestValue = value;
  }

  #reject(reason: NoBidReason): void {
    this.reason = further(this.reason ?? 'unreadable', reason);
  }
}

/** A word of the union of a group's ad sets. */
function wordOf({ slots }: FormatGroup, word: number): number {
  let bits = slots[0]!.adsets[word]!;
  for (let index = 1; index < slots.length; index += 1) bits |= slots[index]!.adsets[word]!;
  return bits;
}
