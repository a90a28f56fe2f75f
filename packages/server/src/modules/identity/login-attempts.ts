import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { RateLimited } from '../../platform/errors.ts';
import { lruCache } from '../../platform/lru-cache.ts';

const WINDOW_MS = 10 * 60_000;
/** Attempts per window for one login from one address. */
const ATTEMPTS_MAX = 10;
/** Attempts per window for one login from all addresses before responses are delayed. */
const PROMPT_ATTEMPTS = 20;
const DELAY_STEP_MS = 250;
const DELAY_MS_MAX = 4000;
/** Most counters in memory. Filling them is expensive, since each attempt at a login takes a solved captcha. */
const REMEMBERED_MAX = 100_000;

interface Count {
  attempts: number;
  endsAtMs: number;
}

/**
 * Counts guesses of a secret by subject (a login) and address. After ten attempts in ten minutes an
 * address is rejected. Attempts from other addresses cannot lock a person out; they only delay the responses.
 */
export class LoginAttempts {
  readonly #counts = lruCache<string, Count>(REMEMBERED_MAX);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Counts an attempt and returns the delay of its response in ms. Throws RateLimited beyond the address's limit. */
  count(subject: string, address: string): number {
    const nowMs = this.#now().getTime();
    const own = this.#add(`${subject} ${address}`, nowMs);
    if (own.attempts > ATTEMPTS_MAX) throw tooManyAttempts(own.endsAtMs - nowMs);
    return delayMsAfter(this.#add(subject, nowMs).attempts);
  }

  /** Resets the address's count after a correct secret. */
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

/** Delay of the response to the nth attempt in a window: none up to 20, then 250 ms more for each, up to 4 s. */
export function delayMsAfter(attempts: number): number {
  return Math.min(Math.max(attempts - PROMPT_ATTEMPTS, 0) * DELAY_STEP_MS, DELAY_MS_MAX);
}

function tooManyAttempts(leftMs: number): RateLimited {
  const seconds = Math.ceil(leftMs / 1000);
  return new RateLimited(accountApiMessages.attemptsFor(seconds), seconds);
}
