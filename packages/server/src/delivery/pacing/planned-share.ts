import { type Day, dayAt, sharePerSecond } from './pace.ts';

/** How long a planned rate of spending is used. */
const PLAN_EVERY_MS = 10_000;

/** Planned share per second of the money that remains of an evenly paced ad set's day. Planned again every ten seconds. */
export class PlannedShare {
  #share = 0;
  /** By the store's clock. */
  #plannedAtMs = -Infinity;
  /** The company's day. */
  #day: Day & { timeZone: string } = { startMs: 0, endMs: 0, timeZone: '' };

  /** The share at an instant of the store's clock. `trafficProfile` is only called to plan. */
  at(storeMs: number, timeZone: string, trafficProfile: () => readonly number[]): number {
    if (Math.abs(storeMs - this.#plannedAtMs) < PLAN_EVERY_MS) return this.#share;
    const { startMs, endMs, timeZone: current } = this.#day;
    if (storeMs < startMs || storeMs >= endMs || current !== timeZone)
      this.#day = { ...dayAt(storeMs, timeZone), timeZone };
    this.#plannedAtMs = storeMs;
    this.#share = sharePerSecond(trafficProfile(), this.#day, storeMs);
    return this.#share;
  }
}
