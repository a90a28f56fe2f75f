import type { Bitset } from '../model/bitset.ts';
import { createBitset, clearBit, setBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';

/** Bitset of the ad sets that are out of budget and skipped by auctions, by index in the current snapshot. */
export class ExhaustedAdsets {
  #candidates: readonly Candidate[] = [];
  #bits = createBitset(0);

  /** Replaces the ad sets by those of another snapshot, with none marked. */
  replace(candidates: readonly Candidate[]): void {
    this.#candidates = candidates;
    this.#bits = createBitset(candidates.length);
  }

  /** Marks an ad set; does nothing for one of another snapshot. */
  add(candidate: Candidate): void {
    if (this.#candidates[candidate.index] === candidate) setBit(this.#bits, candidate.index);
  }

  delete(candidate: Candidate): void {
    if (this.#candidates[candidate.index] === candidate) clearBit(this.#bits, candidate.index);
  }

  /** Null when `candidates` is not the current list. */
  among(candidates: readonly Candidate[]): Bitset | null {
    return candidates === this.#candidates ? this.#bits : null;
  }
}
