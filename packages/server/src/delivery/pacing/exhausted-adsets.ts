import { type Bitset, clearBit, createBitset, hasBit, setBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';

/** Bitset of the ad sets that are out of budget and skipped by auctions, by index in the current snapshot. */
export class ExhaustedAdsets {
  #candidates: readonly Candidate[] = [];
  #bits = createBitset(0);
  #count = 0;

  /** Replaces the ad sets by those of another snapshot, with none marked. */
  replace(candidates: readonly Candidate[]): void {
    this.#candidates = candidates;
    this.#bits = createBitset(candidates.length);
    this.#count = 0;
  }

  /** Marks an ad set; does nothing for one of another snapshot. */
  add(candidate: Candidate): void {
    if (this.#candidates[candidate.index] !== candidate || hasBit(this.#bits, candidate.index)) return;
    setBit(this.#bits, candidate.index);
    this.#count += 1;
  }

  delete(candidate: Candidate): void {
    if (this.#candidates[candidate.index] !== candidate || !hasBit(this.#bits, candidate.index)) return;
    clearBit(this.#bits, candidate.index);
    this.#count -= 1;
  }

  /** Null when none is marked, or `candidates` is not the current list. */
  among(candidates: readonly Candidate[]): Bitset | null {
    return candidates === this.#candidates && this.#count > 0 ? this.#bits : null;
  }
}
