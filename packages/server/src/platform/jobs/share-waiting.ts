type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Puts work that only answers a question, named by its key, through a concurrency limit: who asks what another one still
 * waits to ask shares that answer. An answer that is being worked out already is not shared: it may not know what was before
 * the question.
 */
export function shareWaiting(limit: Limit): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>) => {
    const known = waiting.get(key);
    if (known) return known as Promise<T>;
    let isWaiting = true;
    const answer = limit(() => {
      isWaiting = false;
      waiting.delete(key);
      return work();
    });
    if (isWaiting) waiting.set(key, answer);
    return answer;
  };
}
