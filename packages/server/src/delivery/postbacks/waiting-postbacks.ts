import { addToSum } from '../../platform/group-by.ts';
import type { SharedIntake } from '../event-log/shared-intake.ts';
import type { LoggedPostback } from './received-postback.ts';

/** How long a postback waits for the event that it is about at most. */
const WAIT_MS = 3_600_000;

/** Bytes of postbacks that wait, of all companies and of one. */
export interface UncountedLimits {
  bytesMax: number;
  bytesMaxEach: number;
}

/** Whether a postback is decided with the events known now; `afterMs` is as for {@link Uncounted.beforeLookUp}. */
export type IsFinal = (postback: LoggedPostback, afterMs?: number) => boolean;

interface Waiting {
  /** When it was looked up first, by the monotonic clock. */
  sinceMs: number;
  companyId: string;
  bytes: number;
}

/**
 * Postbacks about an event that is not stored, in a process that is not the only tracker: another tracker may have acknowledged
 * the event and not have handed it on yet. Each company has a limit, as in a `FairQueue`: beyond it, its own postbacks are
 * decided at once, and beyond the common limit, the postbacks of the company with the most.
 */
export class Uncounted {
  readonly #trackers: Pick<SharedIntake, 'countedByAllMs'> | null;
  readonly #now: () => Date;
  readonly #limits: UncountedLimits;
  readonly #waiting = new Map<string, Waiting>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  /** `trackers` is null where this process is the only one. */
  constructor(
    trackers: Pick<SharedIntake, 'countedByAllMs'> | null,
    now: () => Date,
    limits: UncountedLimits,
  ) {
    this.#trackers = trackers;
    this.#now = now;
    this.#limits = limits;
  }

  /**
   * To be called before the look-up. The function that is returned tells whether a postback whose event it does not find has none:
   * all trackers have handed on the events that they acknowledged until `afterMs` after it arrived, it has waited for an hour, or
   * there is no room to wait. Otherwise the postback waits, until {@link remove} is called.
   */
  async beforeLookUp(postbacks: readonly LoggedPostback[]): Promise<IsFinal> {
    const trackers = this.#trackers;
    if (!trackers) return () => true;
    const beganMs = performance.now();
    const isKnown = postbacks.some(({ id }) => this.#waiting.has(id));
    // As a length of time, which does not depend on the clock.
    const lagMs = isKnown ? this.#now().getTime() - (await trackers.countedByAllMs()) : Infinity;
    const nowMs = this.#now().getTime();
    return (postback, afterMs = 0) => {
      const known = this.#waiting.get(postback.id);
      if (beganMs - lagMs > (known?.sinceMs ?? beganMs) + afterMs || nowMs - postback.atMs > WAIT_MS)
        return true;
      if (!known) return !this.#admit(postback, beganMs);
      const mustLeave = this.#bytes > this.#limits.bytesMax && this.#hasMost(known.companyId);
      if (mustLeave) this.remove(postback.id);
      return mustLeave;
    };
  }

  /** To be called once a postback is decided. */
  remove(id: string): void {
    const known = this.#waiting.get(id);
    if (!known) return;
    const { companyId, bytes } = known;
    this.#waiting.delete(id);
    this.#bytes -= bytes;
    const left = this.#bytesOf.get(companyId)! - bytes;
    if (left === 0) this.#bytesOf.delete(companyId);
    else this.#bytesOf.set(companyId, left);
  }

  #admit(postback: LoggedPostback, sinceMs: number): boolean {
    const { companyId } = postback;
    const bytes = Buffer.byteLength(JSON.stringify(postback));
    const ofCompany = (this.#bytesOf.get(companyId) ?? 0) + bytes;
    const { bytesMax, bytesMaxEach } = this.#limits;
    // Beyond the place of all, the company with the most gives up its own at its next look-up.
    if (ofCompany > bytesMaxEach || (this.#bytes + bytes > bytesMax && this.#hasMost(companyId)))
      return false;
    this.#waiting.set(postback.id, { sinceMs, companyId, bytes });
    addToSum(this.#bytesOf, companyId, bytes);
    this.#bytes += bytes;
    return true;
  }

  #hasMost(companyId: string): boolean {
    const own = this.#bytesOf.get(companyId) ?? 0;
    return [...this.#bytesOf.values()].every((bytes) => bytes <= own);
  }
}
