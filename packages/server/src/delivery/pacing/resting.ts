import type { Bitset } from '../model/bitset.ts';
import { createBitset, clearBit, setBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';

/** Bitset of the ad sets that are out of budget and skipped by auctions, by index in the followed snapshot. */
export class Resting {
  #followed: readonly Candidate[] = [];
  #bits = createBitset(0);

  /** Follows another snapshot, with no ad set marked. */
  follow(candidates: readonly Candidate[]): void {
    this.#followed = candidates;
    this.#bits = createBitset(candidates.length);
  }

  /** Marks an ad set; does nothing for one of another snapshot. */
  add(candidate: Candidate): void {
    if (this.#followed[candidate.index] === candidate) setBit(this.#bits, candidate.index);
  }

  delete(candidate: Candidate): void {
    if (this.#followed[candidate.index] === candidate) clearBit(this.#bits, candidate.index);
  }

  /** Null when `candidates` is not the followed list. */
  among(candidates: readonly Candidate[]): Bitset | null {
    return candidates === this.#followed ? this.#bits : null;
  }
}
