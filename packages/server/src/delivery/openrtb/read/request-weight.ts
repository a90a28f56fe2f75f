import type { ExchangeRules } from '@bidwell/contract/operator/exchange-rules';
import { numberOf, objectOf } from '../json.ts';

/** BidSwitch sends at least one in twenty; a larger weight is taken for this one, so that no single request decides an estimate. */
const WEIGHT_MAX = 100;

/**
 * How many requests a parsed one stands for, where the exchange leaves out others of its kind and says so (`ext.wt`), which may be no whole
 * number. 1 where it says nothing, or nothing that can be true.
 */
export function requestWeight(body: unknown, rules: ExchangeRules): number {
  if (!rules.request_weight) return 1;
  const stated = numberOf(objectOf(objectOf(body)['ext'])['wt']);
  return stated > 1 ? Math.min(stated, WEIGHT_MAX) : 1;
}
