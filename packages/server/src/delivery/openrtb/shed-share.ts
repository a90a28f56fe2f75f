const SLOT_MS = 30_000;
/** Fewer requests than this say nothing about the load. */
const REQUESTS_MIN = 100;
/** Fewer shed requests than this are a short wait, unless requests are shed all the time. */
const SHED_MIN = 100;
/** A part of the requests that calls for more bidders, in percent. */
const PERCENT_MIN = 1;
/** Slots in a row in which at least that part was shed, after which few shed requests count too: five minutes. */
const SLOTS_LONG = 10;

/** Counts which part of the bid requests of the last 30 to 60 seconds was shed. Reads no clock. */
export class ShedShare {
  #slotMs = -Infinity;
  #now = { requests: 0, shed: 0 };
  #before = { requests: 0, shed: 0 };
  /** Slots that ended in a row with a part shed. */
  #slotsShedding = 0;

  /** Counts a request. `nowMs` is monotonic. */
  count(isShed: boolean, nowMs: number): void {
    this.#turn(nowMs);
    this.#now.requests += 1;
    if (isShed) this.#now.shed += 1;
  }

  /**
   * The part that was shed in percent, where bidders are too few for the requests: at least 1 % and 100 requests in this
   * time, or at least 1 % for five minutes; otherwise null.
   */
  percent(nowMs: number): number | null {
    this.#turn(nowMs);
    const requests = this.#now.requests + this.#before.requests;
    const shed = this.#now.shed + this.#before.shed;
    if (requests < REQUESTS_MIN || (shed < SHED_MIN && this.#slotsShedding < SLOTS_LONG)) return null;
    const percent = percentOf({ requests, shed });
    return percent < PERCENT_MIN ? null : percent;
  }

  #turn(nowMs: number): void {
    if (nowMs - this.#slotMs < SLOT_MS) return;
    const isNext = nowMs - this.#slotMs < 2 * SLOT_MS;
    this.#before = isNext ? this.#now : { requests: 0, shed: 0 };
    this.#slotsShedding = isNext && percentOf(this.#now) >= PERCENT_MIN ? this.#slotsShedding + 1 : 0;
    this.#now = { requests: 0, shed: 0 };
    this.#slotMs = nowMs;
  }
}

function percentOf({ requests, shed }: { requests: number; shed: number }): number {
  return requests === 0 ? 0 : (shed / requests) * 100;
}
