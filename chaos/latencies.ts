import { setTimeout as wait } from 'node:timers/promises';

/** Latencies in ms of calls that are made at a fixed rate, whatever the latency of earlier ones, while `work` runs. */
export async function latenciesDuring(
  work: Promise<unknown>,
  everyMs: number,
  call: () => Promise<unknown>,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const calls: Promise<void>[] = [];
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  const startedMs = performance.now();
  for (let n = 0; !state.isDone; n += 1) {
    const dueMs = startedMs + n * everyMs;
    await Promise.race([done, wait(Math.max(0, dueMs - performance.now()))]);
    if (!state.isDone) calls.push(call().then(() => void latenciesMs.push(performance.now() - dueMs)));
  }
  await done;
  await Promise.all(calls);
  return latenciesMs;
}

/** The value that this share of the values does not exceed; NaN of no values. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN;
}
