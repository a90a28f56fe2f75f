/** Digits of a chunk's size. */
const SIZE_DIGITS_MAX = 8;
/** Chunks after which their size is checked, and the least bytes that they have on average: a tiny one costs as much as a large one. */
const CHUNKS_MIN = 1000;
const CHUNK_BYTES_MIN = 64;

const CR = 0x0d;
const LF = 0x0a;

type Expected = 'size' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'end-cr' | 'end-lf' | 'done';

/**
 * Reads a body that comes in chunks (RFC 9112, 7.1), split at any byte. Extensions of chunks and trailers are refused: nothing needs them, and
 * readers of HTTP differ in them.
 */
export class ChunkReader {
  readonly #parts: Buffer[] = [];
  readonly #bytesMax: number;
  #expected: Expected = 'size';
  #size = 0;
  #digits = 0;
  #chunks = 0;
  #bytes = 0;

  /** `bytesMax` is the most bytes that are kept; the rest of a longer body is dropped. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether the body is whole. */
  get isDone(): boolean {
    return this.#expected === 'done';
  }

  /** Bytes of the body so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The whole body. */
  body(): Buffer {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
  }

  /** Reads on from a position. Returns the position after what belongs to the body; -1 where it is not of this form. */
  read(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && this.#expected !== 'done') {
      if (this.#expected === 'data') {
        const end = Math.min(bytes.length, at + this.#size);
        this.#take(bytes.subarray(at, end));
        this.#size -= end - at;
        at = end;
        if (this.#size === 0) this.#expected = 'data-cr';
      } else if (this.#step(bytes[at]!)) at += 1;
      else return -1;
    }
    return at;
  }

  #take(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#bytesMax) this.#parts.push(part);
  }

  /** Reads a byte outside of the data. False where it is not allowed there. */
  #step(byte: number): boolean {
    switch (this.#expected) {
      case 'size':
        if (byte === CR) return this.#expect('size-lf', this.#digits > 0);
        return this.#addDigit(hexDigit(byte));
      case 'size-lf':
        return this.#expect(this.#size === 0 ? 'end-cr' : 'data', byte === LF && this.#isLargeEnough());
      case 'data-cr':
        return this.#expect('data-lf', byte === CR);
      case 'data-lf':
        this.#digits = 0;
        return this.#expect('size', byte === LF);
      case 'end-cr':
        return this.#expect('end-lf', byte === CR);
      default:
        return this.#expect('done', byte === LF);
    }
  }

  #expect(next: Expected, isAllowed: boolean): boolean {
    this.#expected = next;
    return isAllowed;
  }

  #addDigit(digit: number): boolean {
    this.#size = this.#digits === 0 ? digit : this.#size * 16 + digit;
    this.#digits += 1;
    return digit >= 0 && this.#digits <= SIZE_DIGITS_MAX;
  }

  #isLargeEnough(): boolean {
    this.#chunks += 1;
    return this.#chunks <= CHUNKS_MIN || this.#bytes >= this.#chunks * CHUNK_BYTES_MIN;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
