/** Runs work at once for at most `count` callers; others wait, first come, first served. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
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
