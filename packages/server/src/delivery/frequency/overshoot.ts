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

/** How many bids this bidder sends to one person within a second at most, whenever that second begins. */
export class BidsToOnePerson {
  readonly #highest = new HighestOfMinute();
  /** When each person got bids, Unix ms, of this second of the clock and of the one before. */
  #times = new Map<number, number[]>();
  #timesBefore = new Map<number, number[]>();
  #second = 0;

  /** `person` is a number of the person. */
  add(person: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second || this.#times.size >= PEOPLE_MAX) {
      this.#timesBefore = second - this.#second <= 1 ? this.#times : new Map();
      this.#times = new Map();
      this.#second = second;
    }
    const times = this.#times.get(person) ?? [];
    times.push(nowMs);
    this.#times.set(person, times);
    const before = this.#timesBefore.get(person)?.filter((ms) => ms > nowMs - 1000) ?? [];
    this.#highest.add(before.length + times.length, nowMs);
  }

  /** The highest number of the last minute. */
  perSecond(nowMs: number): number {
    return this.#highest.at(nowMs);
  }
}

/**
 * By how many impressions a person may exceed a cap. Between the bid that reaches the cap and the moment when all bidders know of it, each
 * bidder sends at most `bidsPerSecond` times the lag, rounded up to seconds; the bid that reaches the cap is one of these.
 */
export function overshootMax({
  bidders,
  bidsPerSecond,
  lagMs,
}: {
  bidders: number;
  bidsPerSecond: number;
  lagMs: number;
}): number {
  if (bidders < 2) return 0;
  return Math.max(0, bidders * bidsPerSecond * Math.ceil(lagMs / 1000) - 1);
}
