import { setTimeout as pause } from 'node:timers/promises';

/** One of two ways in which a process can serve the same load. */
export interface Variant {
  switchTo: () => Promise<void>;
  /** CPU time of the process so far, in microseconds. */
  cpuMicros: () => Promise<number>;
  /** Sends requests, and resolves to the number of answers. */
  load: () => Promise<{ answers: number }>;
}

export interface VariantComparison {
  /** CPU time of a request in microseconds, by variant. */
  with: number;
  without: number;
  /** Median over the blocks of rounds. */
  ratio: number;
  /** Standard error of `ratio`. */
  error: number;
}

/** Order of the rounds: what grows or decays with time affects both variants alike. */
const ORDER = ['with', 'without', 'without', 'with'] as const;
const ROUNDS_PER_BLOCK = 5 * ORDER.length;
/** For work that begins after the response. */
const AFTERWARDS_MS = 25;
/** Standard error of a median, in standard errors of a mean, for a normal distribution. */
const MEDIAN_ERROR = 1.253;

/**
 * Compares the CPU time of a request in two variants of one process that differ by few percent. Rounds are short and take
 * turns, so that the machine is equally fast for both; the rounds of a block have one ratio, because what happens rarely,
 * such as garbage collection, happens in a block often enough.
 */
export async function compareVariants(
  variants: Record<'with' | 'without', Variant>,
  blocks: number,
): Promise<VariantComparison> {
  const all = emptySums();
  const ratios: number[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const sums = emptySums();
    for (let round = 0; round < ROUNDS_PER_BLOCK; round += 1) {
      const name = ORDER[round % ORDER.length]!;
      const { answers, micros } = await runRound(variants[name]);
      for (const sum of [sums[name], all[name]]) {
        sum.answers += answers;
        sum.micros += micros;
      }
    }
    ratios.push(microsPerRequest(sums.with) / microsPerRequest(sums.without));
  }
  return {
    with: microsPerRequest(all.with),
    without: microsPerRequest(all.without),
    ratio: ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]!,
    error: (MEDIAN_ERROR * deviation(ratios)) / Math.sqrt(ratios.length),
  };
}

interface Sum {
  answers: number;
  micros: number;
}

function emptySums(): Record<'with' | 'without', Sum> {
  return { with: { answers: 0, micros: 0 }, without: { answers: 0, micros: 0 } };
}

function microsPerRequest({ answers, micros }: Sum): number {
  return micros / answers;
}

async function runRound({ switchTo, cpuMicros, load }: Variant): Promise<Sum> {
  await switchTo();
  const from = await cpuMicros();
  const { answers } = await load();
  await pause(AFTERWARDS_MS);
  return { answers, micros: (await cpuMicros()) - from };
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
