import { LRUCache } from 'lru-cache';
import { RateLimited } from '../../platform/errors.ts';

const WINDOW_MS = 10 * 60_000;
/** Tries in a window that one address has for one login. */
const ATTEMPTS_MAX = 10;
/** Tries in a window, from all addresses together, before a login's answers are slowed down. */
const PROMPT_ATTEMPTS = 20;
const DELAY_STEP_MS = 250;
const DELAY_MS_MAX = 4000;
/** Each of them cost a solved captcha. */
const REMEMBERED_MAX = 100_000;

export const TOO_MANY_ATTEMPTS = 'Too many attempts. Please wait a moment.';

interface Count {
  attempts: number;
  endsAtMs: number;
}

/**
 * Guesses of secrets, counted for each subject (a login, a session) and address: after ten in ten minutes that address has
 * to wait. Nobody can lock a person out from elsewhere: many addresses together only slow a login down.
 */
export class LoginAttempts {
  readonly #counts = new LRUCache<string, Count>({ max: REMEMBERED_MAX });
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Counts an attempt; the milliseconds that its answer should wait. Throws RateLimited beyond the address's limit. */
  count(subject: string, address: string): number {
    const nowMs = this.#now().getTime();
    const own = this.#add(`${subject} ${address}`, nowMs);
    if (own.attempts > ATTEMPTS_MAX)
      throw new RateLimited(TOO_MANY_ATTEMPTS, Math.ceil((own.endsAtMs - nowMs) / 1000));
    return delayMsAfter(this.#add(subject, nowMs).attempts);
  }

  /** The secret was right: earlier attempts of this address no longer count. */
  succeeded(subject: string, address: string): void {
    this.#counts.delete(`${subject} ${address}`);
  }

  #add(key: string, nowMs: number): Count {
    const known = this.#counts.get(key);
    const count = known && known.endsAtMs > nowMs ? known : { attempts: 0, endsAtMs: nowMs + WINDOW_MS };
    count.attempts += 1;
    this.#counts.set(key, count);
    return count;
  }
}

/** How long the answer to a login's nth attempt in a window waits: nothing for 20, then 250 ms more each, up to 4 s. */
export function delayMsAfter(attempts: number): number {
  return Math.min(Math.max(attempts - PROMPT_ATTEMPTS, 0) * DELAY_STEP_MS, DELAY_MS_MAX);
}
