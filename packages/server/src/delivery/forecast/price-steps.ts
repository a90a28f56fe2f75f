import type { Micros } from '@bidwell/contract/lib/money';
import { LOWEST_CPM_MICROS, STEP } from '../learning/win-rates.ts';

const LOWEST_LOG = Math.log(LOWEST_CPM_MICROS / 1e6);
const STEP_LOG = Math.log(STEP);

/** Logarithm of the middle price of a step, in dollars. */
export const logPriceOf = (step: number): number => LOWEST_LOG + (step + 0.5) * STEP_LOG;

/** The step of a price, whole for the middle price of a step; not limited to the steps that there are. */
export const exactStepOf = (cpmMicros: Micros): number =>
  (Math.log(Math.max(1, cpmMicros) / 1e6) - LOWEST_LOG) / STEP_LOG - 0.5;
