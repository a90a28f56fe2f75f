/** Reads numbers out of a sequence of bits, as consent strings hold them: the highest bit first. */
export class BitReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get length(): number {
    return this.#bytes.length * 8;
  }
  /** A number of so many bits; bits beyond the end are 0. */
  read(at: number, count: number): number {
    let value = 0;
    for (let bit = at; bit < at + count; bit += 1)
      value = value * 2 + (((this.#bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    return value;
  }
}
