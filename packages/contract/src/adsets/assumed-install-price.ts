import { isOfValue } from './goals.ts';
import type { AdsetInput } from './schema.ts';

/** Expected people with the goal event per install before any event is known. */
const EVENT_RATE_PRIOR = 0.05;
/** Expected installs per impression before any install is known: the prior of the bidder's learning. */
const INSTALLS_PER_IMPRESSION_PRIOR = 0.001;

/**
 * The assumed value of an install for an ad set with Target CPA or Target ROAS before any event of its goal is known, in the
 * unit of the prices; null for the other bid strategies. The target CPI if it is given; otherwise the target CPA times the expected
 * events per install, or what an install costs at the CPM bid by the rates of a new server.
 */
export function assumedInstallPrice({
  algo,
  bet_cpm: cpm,
  bet_cpi: cpi,
  cpa,
}: Pick<AdsetInput, 'algo' | 'bet_cpm' | 'bet_cpi' | 'cpa'>): number | null {
  if (!isOfValue(algo)) return null;
  if (cpi) return cpi;
  return algo === 'Target CPA' ? (cpa ?? 0) * EVENT_RATE_PRIOR : cpm / 1000 / INSTALLS_PER_IMPRESSION_PRIOR;
}
