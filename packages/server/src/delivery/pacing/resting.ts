import type { Bits } from '../model/bitset.ts';
import { bitsFor, clearBit, setBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';

/** Ad sets that auctions need not ask, by their places in the snapshot that is followed. */
export class Resting {
  #followed: readonly Candidate[] = [];
  #bits = bitsFor(0);

  /** Another snapshot is followed: none of it rests. */
  follow(candidates: readonly Candidate[]): void {
    this.#followed = candidates;
    this.#bits = bitsFor(candidates.length);
  }

  /** Nothing happens to an ad set of another snapshot. */
  add(candidate: Candidate): void {
    if (this.#followed[candidate.index] === candidate) setBit(this.#bits, candidate.index);
  }

  delete(candidate: Candidate): void {
    if (this.#followed[candidate.index] === candidate) clearBit(this.#bits, candidate.index);
  }

  /** Null when these are not the ad sets that are followed. */
  among(candidates: readonly Candidate[]): Bits | null {
    return candidates === this.#followed ? this.#bits : null;
  }
}
