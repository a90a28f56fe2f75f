const SLOT_MS = 30_000;
/** Fewer requests than this say nothing about the load. */
const REQUESTS_MIN = 100;

/** Counts which part of the bid requests of the last 30 to 60 seconds was shed. Reads no clock. */
export class ShedShare {
  #slotMs = -Infinity;
  #now = { requests: 0, shed: 0 };
  #before = { requests: 0, shed: 0 };

  /** Counts a request. `nowMs` is monotonic. */
  count(isShed: boolean, nowMs: number): void {
    this.#turn(nowMs);
    this.#now.requests += 1;
    if (isShed) this.#now.shed += 1;
  }

  /** In percent; null where there were too few requests to say. */
  percent(nowMs: number): number | null {
    this.#turn(nowMs);
    const requests = this.#now.requests + this.#before.requests;
    return requests < REQUESTS_MIN ? null : ((this.#now.shed + this.#before.shed) / requests) * 100;
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#slotMs < SLOT_MS) return;
    this.#before = nowMs - this.#slotMs < 2 * SLOT_MS ? this.#now : { requests: 0, shed: 0 };
    this.#now = { requests: 0, shed: 0 };
    this.#slotMs = nowMs;
  }
}
