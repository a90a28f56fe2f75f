/** A bitset of ad sets: bit n is the ad set with index n in the snapshot. */
export type Bitset = Int32Array;

/** Creates an empty bitset for `size` ad sets. */
export function createBitset(size: number): Bitset {
  return new Int32Array(Math.ceil(size / 32));
}

export function setBit(bits: Bitset, index: number): void {
  bits[index >>> 5]! |= 1 << (index & 31);
}

/** Sets the first `size` bits of an empty bitset. */
export function setAll(bits: Bitset, size: number): void {
  bits.fill(-1);
  if (size % 32 > 0) bits[bits.length - 1] = 2 ** (size % 32) - 1;
}

export function clearBit(bits: Bitset, index: number): void {
  bits[index >>> 5]! &= ~(1 << (index & 31));
}

export function hasBit(bits: Bitset, index: number): boolean {
  return (bits[index >>> 5]! & (1 << (index & 31))) !== 0;
}

/** Difference: removes from `target` the bits that are in `other`. */
export function subtract(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word += 1) target[word]! &= ~other[word]!;
}

/** Union: adds to `target` the bits that are in `other`. */
export function union(target: Bitset, other: Bitset): void {
  for (let word = 0; word < target.length; word += 1) target[word]! |= other[word]!;
}

export function isEmpty(bits: Bitset): boolean {
  for (let word = 0; word < bits.length; word += 1) if (bits[word] !== 0) return false;
  return true;
}

/**
 * An intersection of bitsets that is computed word by word, as far as it is read: the auction mostly ends after a few of
 * the ad sets, which are in descending order of their highest bids.
 */
export class Intersection {
  readonly #kept: Bitset[] = [];
  readonly #removed: Bitset[] = [];

  /** Keeps only the members that are in `bits`. */
  keep(bits: Bitset): void {
    this.#kept.push(bits);
  }

  /** Removes the members that are in `bits`. */
  remove(bits: Bitset): void {
    this.#removed.push(bits);
  }

  /** The part of `bits`, which are the word of another bitset at this index, that is in the intersection. */
  within(word: number, bits: number): number {
    const kept = this.#kept;
    const removed = this.#removed;
    let rest = bits;
    for (let index = 0; index < kept.length && rest !== 0; index += 1) rest &= kept[index]![word]!;
    for (let index = 0; index < removed.length && rest !== 0; index += 1) rest &= ~removed[index]![word]!;
    return rest;
  }

  /** Removes from a bitset the members that are not in the intersection. */
  narrow(bits: Bitset): void {
    for (let word = 0; word < bits.length; word += 1) bits[word] = this.within(word, bits[word]!);
  }
}

/** Index of the lowest set bit of a word other than 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
