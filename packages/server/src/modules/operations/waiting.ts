import type { Context } from '../../context.ts';
import { companiesBelowZero, topUpsWaiting } from '../money/public.ts';
import { countWaiting } from '../moderation/public.ts';

/** What waits for operators, of all companies. */
export interface Waiting {
  /** Versions of ads. */
  reviews: number;
  topUps: number;
  companiesBelowZero: number;
}

/** Counts what waits for operators. */
export async function readWaiting(ctx: Context): Promise<Waiting> {
  const [reviews, topUps, belowZero] = await Promise.all([
    countWaiting(ctx),
    topUpsWaiting(ctx),
    companiesBelowZero(ctx),
  ]);
  return { reviews, topUps, companiesBelowZero: belowZero };
}
