import { DIGEST_BYTES } from '../audience-file.ts';
import type { Digest } from '../../model/frequency.ts';

/** More digests than a list may have. */
export class TooManyDigests extends Error {}

const FIRST_CAPACITY = 4096;

/**
 * Collects digests in any order and with repetitions, for at most `countMax` different ones. Its memory is at most about twice what these
 * need: it drops repetitions where it is full.
 */
export class DigestList {
  readonly #countMax: number;
  #values: BigUint64Array;
  #words: Uint32Array;
  #count = 0;
  #dropped = 0;

  constructor(countMax: number) {
    this.#countMax = countMax;
    this.#values = new BigUint64Array(Math.min(FIRST_CAPACITY, countMax + 1));
    this.#words = new Uint32Array(this.#values.buffer);
  }

  /** Throws TooManyDigests. */
  add({ low, high }: Digest): void {
    if (this.#count === this.#values.length) this.#makeRoom();
    this.#words[this.#count * 2] = low;
    this.#words[this.#count * 2 + 1] = high;
    this.#count += 1;
  }

  /** The digests in ascending order, each once, and how many repetitions there were. */
  sorted(): { values: BigUint64Array; repeated: number } {
    this.#compact();
    if (this.#count > this.#countMax) throw new TooManyDigests();
    return { values: this.#values.subarray(0, this.#count), repeated: this.#dropped };
  }

  #makeRoom(): void {
    const capacityMax = Math.ceil(this.#countMax * 1.2) + 1;
    if (this.#values.length < capacityMax) {
      const grown = new BigUint64Array(Math.min(capacityMax, this.#values.length * 2));
      grown.set(this.#values);
      this.#values = grown;
      this.#words = new Uint32Array(grown.buffer);
      return;
    }
    this.#compact();
    if (this.#count > this.#countMax) throw new TooManyDigests();
  }

  #compact(): void {
    const used = this.#values.subarray(0, this.#count).sort();
    let kept = 0;
    for (let at = 0; at < used.length; at += 1)
      if (at === 0 || used[at] !== used[kept - 1]) {
        used[kept] = used[at]!;
        kept += 1;
      }
    this.#dropped += this.#count - kept;
    this.#count = kept;
  }
}

/** The digests of two ascending lists, each once. Throws TooManyDigests. */
export function union(a: BigUint64Array, b: BigUint64Array, countMax: number): BigUint64Array {
  const result = new BigUint64Array(a.length + b.length);
  let count = 0;
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const first = j >= b.length || (i < a.length && a[i]! <= b[j]!) ? a[i]! : b[j]!;
    if (i < a.length && a[i] === first) i += 1;
    if (j < b.length && b[j] === first) j += 1;
    result[count] = first;
    count += 1;
  }
  if (count > countMax) throw new TooManyDigests();
  return result.subarray(0, count);
}

/** The digests of an ascending list that another one does not have. */
export function difference(a: BigUint64Array, b: BigUint64Array): BigUint64Array {
  const result = new BigUint64Array(a.length);
  let count = 0;
  let j = 0;
  for (const value of a) {
    while (j < b.length && b[j]! < value) j += 1;
    if (j < b.length && b[j] === value) continue;
    result[count] = value;
    count += 1;
  }
  return result.subarray(0, count);
}

const SLICE_BYTES = 4 * 1024 ** 2;

/** The bytes of ascending digests as a file has them, in parts. */
export function* bytesOf(values: BigUint64Array): Generator<Uint8Array> {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.length * DIGEST_BYTES);
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
