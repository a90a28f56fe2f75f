/** Gets the members of the bids' `ext` as JSON, in their order; null for a bid that is not signed. */
export type Signed = (extensions: readonly (string | null)[]) => void;

/** The bids of one response that wait. */
interface Receiver {
  /** How many, from `from` on. */
  from: number;
  count: number;
  untilMs: number;
  signed: Signed;
}

/** Bids of one turn of the event loop that wait for their signatures, each response for a time of its own. Times are Unix ms. */
export class SigningBatch {
  readonly lines: string[] = [];
  timer: NodeJS.Timeout | undefined;
  readonly #atMs: number;
  #receivers: Receiver[] = [];

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  add(lines: readonly string[], waitMs: number, signed: Signed): void {
    const { length: from } = this.lines;
    this.lines.push(...lines);
    this.#receivers.push({ from, count: lines.length, untilMs: this.#atMs + waitMs, signed });
  }

  /** How many bids wait. */
  get waiting(): number {
    return this.#receivers.reduce((sum, { count }) => sum + count, 0);
  }

  /** When the first, and when none of those that wait does any more. */
  get nextMs(): number {
    return Math.min(...this.#receivers.map(({ untilMs }) => untilMs));
  }

  get untilMs(): number {
    return Math.max(...this.#receivers.map(({ untilMs }) => untilMs));
  }

  /** Takes out those whose time is over. */
  takeDue(nowMs: number): readonly Receiver[] {
    const due = this.#receivers.filter(({ untilMs }) => untilMs <= nowMs);
    this.#receivers = this.#receivers.filter(({ untilMs }) => untilMs > nowMs);
    return due;
  }

  receive(extensions: readonly (string | null)[]): void {
    for (const { from, count, signed } of this.#receivers) signed(extensions.slice(from, from + count));
  }
}
