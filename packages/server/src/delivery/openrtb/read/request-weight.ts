import type { ExchangeRules } from '@bidwell/contract/operator/exchange-rules';
import { numberOf, objectOf } from '../json.ts';

/** BidSwitch sends at least one in twenty; a larger weight is taken for this one, so that no single request decides an estimate. */
const WEIGHT_MAX = 100;

/**
 * How many requests a parsed one stands for, where the exchange leaves out others of its kind and says so (`ext.wt`): a whole number, which
 * on average is the weight. 1 where it says nothing, or nothing that can be true. `random` is from 0 to below 1.
 */
export function requestWeight(body: unknown, rules: ExchangeRules, random: () => number): number {
  if (!rules.request_weight) return 1;
  const stated = numberOf(objectOf(objectOf(body)['ext'])['wt']);
  if (!(stated > 1)) return 1;
  return Math.floor(Math.min(stated, WEIGHT_MAX) + random());
}
