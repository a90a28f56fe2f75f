import { RESERVATION_MS } from './leases.ts';

/** The longest duration for which bids of the last ten to twenty minutes reserved money, by which all older ones are over. */
export class LongestReservation {
  #ms = 0;
  #formerMs = 0;
  #beganAtMs = -Infinity;
  /** What the last request stated. */
  #statedMs = RESERVATION_MS;

  /** Adds a bid that reserves money for `reservationMs`. */
  add(reservationMs: number, nowMs: number): void {
    this.#turn(nowMs);
    this.#ms = Math.max(this.#ms, reservationMs);
  }

  /** Removes all bids: none reserves money. */
  clear(): void {
    this.#ms = 0;
    this.#formerMs = 0;
  }

  /** The longest duration, ms; {@link RESERVATION_MS} where there is none. */
  at(nowMs: number): number {
    this.#turn(nowMs);
    return Math.max(this.#ms, this.#formerMs) || RESERVATION_MS;
  }

  /** Records that a request stated `ms`. */
  state(ms: number): void {
    this.#statedMs = ms;
  }

  /** Whether a bid since the last request may reserve money for longer than the request stated. */
  get isUnderstated(): boolean {
    return Math.max(this.#ms, this.#formerMs) > this.#statedMs;
  }

  #turn(nowMs: number): void {
    // Negative when the clock was set back.
    const passedMs = nowMs - this.#beganAtMs;
    if (passedMs >= 0 && passedMs < RESERVATION_MS) return;
    this.#formerMs = this.#ms;
    this.#ms = 0;
    this.#beganAtMs = nowMs;
  }
}
