import type { CompiledAdset } from './candidate.ts';

/** Whether an ad set bids below its value in first-price auctions: where values differ from one impression to the next. */
export function shadesBids({ algorithm, goal }: Pick<CompiledAdset, 'algorithm' | 'goal'>): boolean {
  return algorithm === 'Max installs' || goal !== null;
}
