import { ApiError } from './api-error.ts';
import { randomId } from './random-id.ts';

/** Idempotency keys of requests without a definite response, by request. */
const unanswered = new Map<string, string>();

/**
 * Runs a creating request with an idempotency key. After a lost response or a server error it is unknown whether the
 * entity was created: a retry with the same `what` uses the same key, and the server creates it at most once.
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
