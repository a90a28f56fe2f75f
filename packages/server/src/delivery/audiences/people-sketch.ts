import type { Digest } from '../model/frequency.ts';

/** Bits of a digest that choose a register. */
const REGISTER_BITS = 11;
const REGISTERS = 2 ** REGISTER_BITS;
/** Bias correction of HyperLogLog for this number of registers. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/**
 * Estimates how many different people were added, by HyperLogLog: each register has the longest run of zero bits among the digests that
 * chose it. In two of three cases the estimate is within 2.3 %. It has no id, and no digest of one.
 */
export class PeopleSketch {
  readonly #registers: Uint8Array;

  constructor(registers = new Uint8Array(REGISTERS)) {
    this.#registers = registers;
  }

  /** Reads what {@link text} wrote; an empty one from any other text. */
  static parse(text: string): PeopleSketch {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === REGISTERS ? new PeopleSketch(new Uint8Array(bytes)) : new PeopleSketch();
  }

  /** Adds a person by the digest of their id. */
  add({ low, high }: Digest): void {
    const register = low & (REGISTERS - 1);
    const rank = Math.clz32(high) + 1;
    if (rank > this.#registers[register]!) this.#registers[register] = rank;
  }

  /** Adds the people of another sketch. */
  merge(other: PeopleSketch): void {
    for (let at = 0; at < REGISTERS; at += 1)
      if (other.#registers[at]! > this.#registers[at]!) this.#registers[at] = other.#registers[at]!;
  }

  /** How many different people were added, about. */
  count(): number {
    let sum = 0;
    let empty = 0;
    for (const rank of this.#registers) {
      sum += 2 ** -rank;
      if (rank === 0) empty += 1;
    }
    const estimate = (ALPHA * REGISTERS * REGISTERS) / sum;
    // Few people leave registers empty, whose number says more.
    const isSmall = estimate <= 2.5 * REGISTERS && empty > 0;
    return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
  }

  /** The sketch as text, for the database. */
  text(): string {
    return Buffer.from(this.#registers).toString('base64');
  }
}
