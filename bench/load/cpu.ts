import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** CPU time of all threads of this process so far, in microseconds. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU time of the main thread so far, in microseconds; on systems that do not report it, of all threads. */
export function mainThreadMicros(): number {
  try {
    // Its id is the id of the process; the first number is nanoseconds on a processor.
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return cpuMicros();
  }
}

/** A server whose CPU time is measured. */
interface Measured {
  /** CPU time of its process so far, in microseconds. */
  cpuMicros: () => number | Promise<number>;
  /** Sends requests, and resolves to the number of answers once all the work that they cause is done. */
  load: () => Promise<{ answers: number }>;
}

/** CPU time of a request in microseconds, of the server and of the bare one: medians of rounds, and of their ratios. */
export interface CpuComparison {
  own: number;
  bare: number;
  ratio: number;
}

const ROUNDS = 7;
const IDLE_MS = 500;

/**
 * Measures two servers in turns, so that a change of the machine's speed affects both. Unlike throughput, CPU time hardly
 * depends on what else runs on the machine.
 */
export async function compareCpu(own: Measured, bare: Measured, rounds = ROUNDS): Promise<CpuComparison> {
  const ownFirst = async () => ({ own: await microsPerRequest(own), bare: await microsPerRequest(bare) });
  const bareFirst = async () => ({ bare: await microsPerRequest(bare), own: await microsPerRequest(own) });
  const measured: { own: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(round % 2 === 0 ? await ownFirst() : await bareFirst());
  return medianOf(measured.map((one) => ({ ...one, ratio: one.own / one.bare })));
}

/** The medians of comparisons, each of its own processes: two processes with the same code and data differ by up to a tenth. */
export function medianOf(comparisons: readonly CpuComparison[]): CpuComparison {
  return {
    own: median(comparisons.map((one) => one.own)),
    bare: median(comparisons.map((one) => one.bare)),
    ratio: median(comparisons.map((one) => one.ratio)),
  };
}

/** The work that continues without requests, measured in a pause before the load, is subtracted. */
async function microsPerRequest(server: Measured): Promise<number> {
  const idleFromMs = performance.now();
  const idleFrom = await server.cpuMicros();
  await pause(IDLE_MS);
  const from = await server.cpuMicros();
  const fromMs = performance.now();
  const idlePerMs = (from - idleFrom) / (fromMs - idleFromMs);
  const { answers } = await server.load();
  const used = (await server.cpuMicros()) - from - idlePerMs * (performance.now() - fromMs);
  return used / answers;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
