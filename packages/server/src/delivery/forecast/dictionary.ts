/** Highest number of values of a dictionary: codes are 16 bits wide. */
const VALUES_MAX = 65_535;

/** Codes for the distinct values of a column, in the order in which they were added. Bounded in number and size. */
export class Dictionary<Value> {
  readonly #codes = new Map<string, number>();
  readonly #charsMax: number;
  readonly #valuesMax: number;
  #chars = 0;
  readonly values: Value[] = [];

  constructor(charsMax: number, valuesMax = VALUES_MAX) {
    this.#charsMax = charsMax;
    this.#valuesMax = valuesMax;
  }

  /** The code of a value, which is new if `key` is; null when the dictionary is full. */
  codeOf(key: string, valueOf: () => Value): number | null {
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.isFull || this.#chars + key.length > this.#charsMax) return null;
    const code = this.values.length;
    this.#codes.set(key, code);
    this.#chars += key.length;
    this.values.push(valueOf());
    return code;
  }

  get isFull(): boolean {
    return this.values.length >= this.#valuesMax || this.#chars >= this.#charsMax;
  }

  /** For each code, 1 where `accepts` its value. */
  table(accepts: (value: Value) => boolean): Uint8Array {
    return Uint8Array.from(this.values, (value) => (accepts(value) ? 1 : 0));
  }
}
