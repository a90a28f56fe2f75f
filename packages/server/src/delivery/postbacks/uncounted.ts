import type { SharedIntake } from '../event-log/shared-intake.ts';
import type { LoggedPostback } from './received-postback.ts';

/** How long a postback waits for the click or impression of its bid at most. */
const WAIT_MS = 3_600_000;

/**
 * Postbacks whose click or impression is not stored, in a process that is not the only tracker: another one may have
 * acknowledged it before, and not have handed it on yet.
 */
export class Uncounted {
  readonly #trackers: Pick<SharedIntake, 'countedByAllMs'> | null;
  readonly #now: () => Date;
  /** When postbacks were looked up first, by the monotonic clock. */
  readonly #sinceMs = new Map<string, number>();

  /** `trackers` is null where this process is the only one. */
  constructor(trackers: Pick<SharedIntake, 'countedByAllMs'> | null, now: () => Date) {
    this.#trackers = trackers;
    this.#now = now;
  }

  /**
   * To be called before the look-up. The function that is returned tells whether a postback whose click or impression it does
   * not find has none: all trackers have handed on what they acknowledged before it came, or it has waited for an hour.
   */
  async beforeLookUp(postbacks: readonly LoggedPostback[]): Promise<(postback: LoggedPostback) => boolean> {
    const trackers = this.#trackers;
    if (!trackers) return () => true;
    const beganMs = performance.now();
    const isKnown = postbacks.some(({ id }) => this.#sinceMs.has(id));
    // As a length of time, which does not depend on the clock.
    const lagMs = isKnown ? this.#now().getTime() - (await trackers.countedByAllMs()) : Infinity;
    const nowMs = this.#now().getTime();
    return ({ id, atMs }) => {
      const sinceMs = this.#sinceMs.get(id) ?? beganMs;
      const isFinal = beganMs - lagMs > sinceMs || nowMs - atMs > WAIT_MS;
      if (!isFinal) this.#sinceMs.set(id, sinceMs);
      return isFinal;
    };
  }

  /** To be called once a postback is decided. */
  remove(id: string): void {
    this.#sinceMs.delete(id);
  }
}
