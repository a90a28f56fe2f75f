import { ApiError } from './api-error.ts';
import { randomId } from '../random-id.ts';

/** Idempotency keys of requests without a definite response, by request. */
const unanswered = new Map<string, string>();

/**
 * Runs a creating request with an idempotency key. After a lost response or a server error it is unknown whether the
 * entity was created: a retry with the same `request` uses the same key, and the server creates it at most once.
 */
export async function withIdempotencyKey<T>(
  request: string,
  create: (key: string) => Promise<T>,
): Promise<T> {
  const key = unanswered.get(request) ?? randomId();
  unanswered.set(request, key);
  try {
    const created = await create(key);
    unanswered.delete(request);
    return created;
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) unanswered.delete(request);
    throw error;
  }
}
