/** The seconds over which the highest rate and the longest lag are taken. */
const WINDOW_SECONDS = 60;

/** The highest of the numbers of the last minute. */
export class HighestOfMinute {
  readonly #highest = new Float64Array(WINDOW_SECONDS);
  readonly #second = new Float64Array(WINDOW_SECONDS).fill(-1);

  add(value: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const at = second % WINDOW_SECONDS;
    this.#highest[at] = this.#second[at] === second ? Math.max(this.#highest[at]!, value) : value;
    this.#second[at] = second;
  }

  /** 0 where there were none. */
  at(nowMs: number): number {
    const since = Math.floor(nowMs / 1000) - WINDOW_SECONDS;
    let highest = 0;
    for (let at = 0; at < WINDOW_SECONDS; at += 1)
      if (this.#second[at]! > since) highest = Math.max(highest, this.#highest[at]!);
    return highest;
  }
}

/** People whose bids are counted within one second. */
const PEOPLE_MAX = 100_000;

/** How many bids a second this bidder sends to one person at most. */
export class BidsToOnePerson {
  readonly #highest = new HighestOfMinute();
  readonly #bids = new Map<number, number>();
  #second = 0;

  /** `person` is a number of the person. */
  add(person: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second || this.#bids.size >= PEOPLE_MAX) this.#bids.clear();
    this.#second = second;
    const bids = (this.#bids.get(person) ?? 0) + 1;
    this.#bids.set(person, bids);
    this.#highest.add(bids, nowMs);
  }

  /** The highest number of the last minute. */
  perSecond(nowMs: number): number {
    return this.#highest.at(nowMs);
  }
}
