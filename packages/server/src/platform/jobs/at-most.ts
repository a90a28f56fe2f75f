type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work at once for at most `count` callers; others wait, first come, first served. */
export function atMost(count: number): InTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= count) await new Promise<void>((turn) => waiting.push(turn));
    else running += 1;
    try {
      return await work();
    } finally {
      // Whoever waits takes this place over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * The same for work that only answers a question, told from others by its key: whoever asks what another still waits to
 * ask shares its answer. An answer that is being worked out already is not shared: it may not know what was before the
 * question.
 */
export function sharedInTurn(inTurn: InTurn): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>) => {
    const known = waiting.get(key);
    if (known) return known as Promise<T>;
    let isWaiting = true;
    const answer = inTurn(() => {
      isWaiting = false;
      waiting.delete(key);
      return work();
    });
    if (isWaiting) waiting.set(key, answer);
    return answer;
  };
}
