/** Reads unsigned integers from a bit sequence, most significant bit first, as consent strings encode them. */
export class BitReader {
  readonly #bytes: Buffer;
  /** Bits of the sequence. */
  readonly length: number;

  /** Decodes base64url, six bits for each character; other text yields no bits. */
  constructor(text: string) {
    const isReadable = /^[\w-]+$/.test(text);
    // Node.js drops the bits of an incomplete last byte; the padding completes it.
    this.#bytes = Buffer.from(isReadable ? `${text}AAA` : '', 'base64url');
    this.length = isReadable ? text.length * 6 : 0;
  }
  /** Reads `count` bits from bit `at` on; bits beyond the end are 0. */
  read(at: number, count: number): number {
    let value = 0;
    for (let bit = at; bit < at + count; bit += 1)
      value = value * 2 + (((this.#bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    return value;
  }
}
