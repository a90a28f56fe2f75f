/** The clock of servers that a test starts one after the other: it stands still between them, and may run faster than time. */
export interface TestClock {
  now(): Date;
  /** Stops it, and moves it on by `ms`. */
  stop(ms?: number): void;
  /** Lets it run: `rate` seconds in each second. */
  run(rate: number): void;
  /** For {@link clockOf} in a server. */
  environment(): Record<string, string>;
}

/** A clock that stands still at an instant, in Unix ms. */
export function createTestClock(atMs: number): TestClock {
  let from = { atMs, realMs: Date.now(), rate: 0 };
  return {
    now: () => new Date(timeOf(from)),
    stop(ms = 0) {
      from = { atMs: timeOf(from) + ms, realMs: Date.now(), rate: 0 };
    },
    run(rate) {
      from = { atMs: timeOf(from), realMs: Date.now(), rate };
    },
    environment: () => ({ TEST_CLOCK: JSON.stringify(from) }),
  };
}

/** The clock of a server, which shows the same as the clock that gave it its environment. */
export function clockOf(environment: NodeJS.ProcessEnv): () => Date {
  const from = JSON.parse(environment['TEST_CLOCK']!) as Parameters<typeof timeOf>[0];
  return () => new Date(timeOf(from));
}

function timeOf({ atMs, realMs, rate }: { atMs: number; realMs: number; rate: number }): number {
  return Math.floor(atMs + (Date.now() - realMs) * rate);
}
