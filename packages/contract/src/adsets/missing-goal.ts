import type { AdsetInput } from './schema.ts';
import { limits } from '../lib/limits.ts';
import { adsetMessages } from './messages.ts';

/** The goal fields of an ad set's bid strategy. */
export type Goals = Pick<AdsetInput, 'algo' | 'bet_cpi' | 'goal_event' | 'cpa' | 'roas'>;

/** A field without which a bid strategy does not bid. */
export type GoalField = Exclude<keyof Goals, 'algo'>;

/** Messages of {@link missingGoal}, by field. */
export const goalMessages: Readonly<Record<GoalField, string>> = {
  bet_cpi: adsetMessages.cpiRequired,
  goal_event: adsetMessages.goalEventRequired,
  cpa: adsetMessages.cpaRequired,
  roas: adsetMessages.roasRequired,
};

/** The first field that an ad set's bid strategy needs and that is empty; null if none is. */
export function missingGoal({
  algo,
  bet_cpi: cpi,
  goal_event: event,
  cpa,
  roas,
}: Omit<Goals, 'algo'> & { algo: Goals['algo'] | null }): GoalField | null {
  if (algo === 'Target CPI') return cpi ? null : 'bet_cpi';
  if (algo === 'Target ROAS') return roas ? null : 'roas';
  if (algo !== 'Target CPA') return null;
  return event ? (cpa ? null : 'cpa') : 'goal_event';
}

/** Why the goals of countries do not fit the bid strategy; null if they do. */
export function countryGoalsError({
  algo,
  goals_by_country: goals,
}: Pick<AdsetInput, 'goals_by_country'> & { algo: Goals['algo'] | null }): string | null {
  const isOutside =
    algo === 'Target ROAS' && goals.some(({ value }) => value < limits.roasMin || value > limits.roasMax);
  return isOutside ? adsetMessages.roasRange : null;
}
