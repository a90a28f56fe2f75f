/** Reads unsigned integers from a bit sequence, most significant bit first, as consent strings encode them. */
export class BitReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get length(): number {
    return this.#bytes.length * 8;
  }
  /** Reads `count` bits from bit `at` on; bits beyond the end are 0. */
  read(at: number, count: number): number {
    let value = 0;
    for (let bit = at; bit < at + count; bit += 1)
      value = value * 2 + (((this.#bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    return value;
  }
}
