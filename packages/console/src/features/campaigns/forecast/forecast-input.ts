import { ForecastInput } from '@bidwell/contract/insight/forecast';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { type GoalField, missingGoal } from '@bidwell/contract/adsets/missing-goal';
import type { AdsetValues } from '../adset-form/adset-values.ts';

/**
 * The input of a forecast for an ad set (`uuid` is null for a new one) of a campaign of a kind, which is known of a saved one; null while a
 * value is missing. Pure.
 */
export function forecastInput(
  values: AdsetValues,
  uuid: string | null,
  campaignKind?: CampaignKind,
): ForecastInput | null {
  if (missingGoal(values) !== null) return null;
  const { data } = ForecastInput.safeParse({ ...values, uuid, campaign_kind: campaignKind });
  return data ?? null;
}

const goalNames: Readonly<Record<GoalField, string>> = {
  bet_cpi: 'a target CPI',
  goal_event: 'a goal event',
  cpa: 'a target CPA',
  roas: 'a target ROAS',
};

/** Asks for what a forecast still lacks, and for nothing else. Pure. */
export function forecastRequest(values: AdsetValues): string {
  const chosen = [
    ...(values.target_id === '' ? ['a target'] : []),
    ...(values.creative_group_ids.length === 0 ? ['creative groups'] : []),
    ...(values.algo === null ? ['a bid strategy'] : []),
  ];
  const missing = missingGoal(values);
  const entered = [
    ...(values.bet_cpm === null ? ['a CPM bid'] : []),
    ...(missing === null ? [] : [goalNames[missing]]),
  ];
  const needs = [
    ...(chosen.length > 0 ? [`choose ${listText(chosen)}`] : []),
    ...(entered.length > 0 ? [`enter ${listText(entered)}`] : []),
  ].join(', and ');
  if (needs === '') return 'Correct the values of the ad set to see what to expect.';
  return `${needs.charAt(0).toUpperCase()}${needs.slice(1)} to see what to expect.`;
}

/** `a, b and c`. Pure. */
export function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)!}`;
}
