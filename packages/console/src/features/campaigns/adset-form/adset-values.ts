import { contradictedGroup } from '@bidwell/contract/audiences/choice';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { ADSET_AMOUNTS, adsetFields } from '@bidwell/contract/adsets/fields';
import { type Adset, AdsetInput, AdsetStatus, type AdsetUpdate } from '@bidwell/contract/adsets/schema';
import {
  type GoalField,
  countryGoalsError,
  goalMessages,
  missingGoal,
} from '@bidwell/contract/adsets/missing-goal';
import { formValuesOf, formsOf } from '@bidwell/contract/lib/fields';
import { z } from 'zod';
import { optionalMoneyError, moneyError } from '../../../lib/format/money-error.ts';
import type { NewBids } from '../../../entities/campaigns/high-bid.ts';

/** Label for no budget limit. */
export const UNLIMITED = ADSET_AMOUNTS.daily_budget_const.none;
const OPTIONAL_AMOUNTS = ['bet_cpi', 'cpa', 'daily_budget_const', 'all_budget_const'] as const;

/** The values of an ad set's form, which may be incomplete. Also the schema of its draft. */
export const AdsetValues = z.object({
  name: z.string(),
  description: z.string(),
  target_id: z.string(),
  tracking_link_id: z.string(),
  creative_group_ids: z.array(z.string()),
  ...formsOf(adsetFields),
  status: AdsetStatus,
});
export type AdsetValues = z.infer<typeof AdsetValues>;

/** The form values of an existing ad set, or the defaults of a new one. */
export function adsetValues(adset?: Adset): AdsetValues {
  return {
    name: adset?.name ?? '',
    description: adset?.description ?? '',
    target_id: adset?.target.uuid ?? '',
    tracking_link_id: adset?.tracking_link.uuid ?? '',
    creative_group_ids: adset?.creative_groups.map(({ uuid }) => uuid) ?? [],
    ...formValuesOf(adsetFields, adset),
    status: adset?.status ?? 'Active',
  };
}

/** Messages by field; empty when the ad set is valid. `isRunning`: whether its campaign is Active. */
export function adsetErrors(values: AdsetValues, isRunning = false): Record<string, string> {
  const errors = issuesByField(AdsetInput.safeParse(values));
  const missing = goalThatLacks(values);
  if (isRunning && missing) errors[missing] = goalMessages[missing];
  const ofCountries = countryGoalsError(values);
  if (ofCountries !== null) errors['goals_by_country'] ??= ofCountries;
  if (contradictedGroup({ include: values.audience_include, exclude: values.audience_exclude }))
    errors['audience_exclude'] ??= audienceMessages.contradiction;
  for (const field of OPTIONAL_AMOUNTS) {
    const { min, max } = ADSET_AMOUNTS[field];
    const amount = values[field];
    const error = field.endsWith('budget_const')
      ? optionalMoneyError(amount, { min, max, choice: UNLIMITED })
      : amount === null
        ? undefined
        : moneyError(amount, { min, max });
    if (error) errors[field] = error;
  }
  return errors;
}

/** The first field that an Active ad set's bid strategy needs and that is empty; null if none is. */
export function goalThatLacks(values: AdsetValues): GoalField | null {
  return values.status === 'Active' ? missingGoal(values) : null;
}

/** The fields that differ from the saved ad set, for an update. */
export function adsetChanges(values: AdsetValues, saved: AdsetValues): AdsetUpdate {
  return changesOf(values, saved) as AdsetUpdate;
}

/** The `values` that differ from saved ones. */
function changesOf<Values extends object>(values: Values, saved: Values): Partial<Values> {
  const fields = Object.keys(values) as (keyof Values)[];
  const changed = fields.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(saved[field]));
  return Object.fromEntries(changed.map((field) => [field, values[field]])) as Partial<Values>;
}

/** The bids that differ from the saved ad set, and what takes their place or multiplies them. */
export function changedBids(values: AdsetValues, saved: AdsetValues | null): NewBids {
  const { bet_cpm, bet_cpi, countries, bid_multipliers } = values;
  const bids = { bet_cpm, bet_cpi, countries, bid_multipliers };
  return { of: values.name, bids: saved ? changesOf(bids, saved) : bids, before: saved };
}

/** The first message of each invalid field. */
export function issuesByField(result: z.ZodSafeParseResult<unknown>): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[String(path[0])] ??= message;
  return errors;
}
