type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Wraps a concurrency limit for read-only work. Callers with the same key share work that still waits for its turn. Work
 * that has started is not shared, since its result may be older than the call.
 */
export function shareWaiting(limit: Limit): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>) => {
    const known = waiting.get(key);
    if (known) return known as Promise<T>;
    let isWaiting = true;
    const result = limit(() => {
      isWaiting = false;
      waiting.delete(key);
      return work();
    });
    if (isWaiting) waiting.set(key, result);
    return result;
  };
}
