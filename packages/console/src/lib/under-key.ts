import { ApiError } from './api-error.ts';
import { randomId } from './random-id.ts';

/** The keys of what was asked for and not answered for certain, by what was asked. */
const unanswered = new Map<string, string>();

/**
 * Makes something under an idempotency key. Where the answer was lost, or the server failed, nobody knows whether the
 * thing is made: the same `what`, tried again, goes under the same key, and the server makes it at most once.
 */
export async function underKey<T>(what: string, make: (key: string) => Promise<T>): Promise<T> {
  const key = unanswered.get(what) ?? randomId();
  unanswered.set(what, key);
  try {
    const made = await make(key);
    unanswered.delete(what);
    return made;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) unanswered.delete(what);
    throw error;
  }
}
