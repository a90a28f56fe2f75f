import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import { limits } from '@bidwell/contract/lib/limits';
import { isLearning, learnedOf } from '@bidwell/contract/text/learning-text';
import type { Remedy } from '@bidwell/contract/insight/finding';
import { remedy } from './blockers.ts';
import type { AdsetFacts } from './facts.ts';
import { dollars, inCents } from './finding-words.ts';

/** From this share of a daily budget on, the budget limits spending. */
const USED_SHARE = 0.9;

/** The setting that an ad set's bids follow, below its CPM bid. */
export interface PriceSetting {
  field: 'bet_cpi' | 'cpa' | 'roas' | 'daily_budget_const';
  /** As a sentence names it: `target CPI of $2.00`. */
  name: string;
  /** Its name without its value: `target CPI`. */
  noun: string;
  /** A sentence on what makes it less certain than it looks; '' for none. */
  note: string;
  /** The setting at which impressions are worth `factor` times as much; null where that is not known, or not allowed. */
  raised: (factor: number) => { text: string; value: number } | null;
}

/** The setting that the bids of an ad set follow; null if they follow only the CPM bid. */
export function priceSetting(adset: AdsetFacts): PriceSetting | null {
  const { algorithm, betCpi, cpa, roas, dailyBudget, delivery } = adset;
  if (algorithm === 'Max installs' && dailyBudget) return dailyBudgetSetting(dailyBudget);
  if (algorithm === 'Target CPI' && betCpi) return dollarSetting('bet_cpi', 'target CPI', betCpi);
  const { learning } = delivery;
  if (!learning) return null;
  if (learning.expected_error_percent === null) return assumedSetting(adset);
  const note = isLearning(learning)
    ? ` What its installs are worth is still uncertain, by ${learnedOf(learning)}: wait for more before changing the target.`
    : '';
  if (algorithm === 'Target CPA' && cpa) return { ...dollarSetting('cpa', 'target CPA', cpa), note };
  if (algorithm === 'Target ROAS' && roas) return { ...roasSetting(roas), note };
  return null;
}

/**
 * The setting that raises the bids of an ad set that wins few of them: the setting that they follow, but the daily budget of Max
 * installs only if it is used. While money is left, the price of an install rises by itself, up to the CPM bid.
 */
export function settingOfLostBids(adset: AdsetFacts): PriceSetting | null {
  const { dailyBudget, ranDays, delivery } = adset;
  const setting = priceSetting(adset);
  if (setting?.field !== 'daily_budget_const') return setting;
  const isUsed = ranDays > 0 && delivery.spend >= USED_SHARE * (dailyBudget ?? 0) * ranDays;
  return isUsed ? setting : null;
}

/**
 * Opens the form of an ad set at the setting that limits its bids, with a value filled in that is `factor` times as high, if
 * given.
 */
export function settingRemedy(
  { uuid }: AdsetFacts,
  setting: PriceSetting | null,
  factor: number | null = null,
): Remedy {
  if (!setting) return remedy('Change the bid', 'adset', uuid, 'bet_cpm');
  const raised = factor !== null && setting.note === '' ? setting.raised(factor) : null;
  const label = raised ? `Set the ${setting.noun} to ${raised.text}` : `Change the ${setting.noun}`;
  return remedy(label, 'adset', uuid, setting.field, raised?.value ?? null);
}

function dollarSetting(field: 'bet_cpi' | 'cpa', noun: string, amount: number): PriceSetting {
  return {
    field,
    name: `${noun} of ${dollars(amount)}`,
    noun,
    note: '',
    raised(factor) {
      const value = inCents(amount * factor);
      return value > limits.cpiMaxDollars ? null : { text: dollars(value), value };
    },
  };
}

/** A lower target buys more: the value of an impression is its revenue divided by the target. */
function roasSetting(roas: number): PriceSetting {
  return {
    field: 'roas',
    name: `target ROAS of ${roas}%`,
    noun: 'target ROAS',
    note: '',
    raised(factor) {
      const value = Math.floor(roas / factor);
      return value < limits.roasMin ? null : { text: `${value}%`, value };
    },
  };
}

/** Nothing is known of the goal: bids follow the assumed value of an install. */
function assumedSetting({ algorithm: algo, betCpm, betCpi, cpa }: AdsetFacts): PriceSetting | null {
  const assumed = assumedInstallPrice({ algo, bet_cpm: betCpm, bet_cpi: betCpi, cpa });
  if (assumed === null) return null;
  return {
    ...dollarSetting('bet_cpi', 'target cost per install', assumed),
    name: `assumed value of ${dollars(assumed)} per install`,
    note: ' No conversion came in the last 30 days from which its value could be learned.',
  };
}

/**
 * Its installs cost the price that makes the daily budget last; how much more it would buy with another one is not
 * proportional.
 */
function dailyBudgetSetting(dailyBudget: number): PriceSetting {
  return {
    field: 'daily_budget_const',
    name: `daily budget of ${dollars(dailyBudget)}`,
    noun: 'daily budget',
    note: '',
    raised: () => null,
  };
}
