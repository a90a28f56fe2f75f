import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import type { Algorithm, CountryGoal, GoalWindow } from '@bidwell/contract/adsets/goals';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';

/** The goals of an ad set as PostgreSQL has them. */
export interface GoalRow {
  event: string | null;
  cpaMicros: Micros | null;
  roasPercent: number | null;
  windowDays: GoalWindow;
  byCountry: readonly CountryGoal[];
}

/**
 * The event or revenue that an ad set buys beyond installs. The value of an install is the expected number of people with
 * the event within the window, or the expected revenue in micros; its price is the media cost in micros that one unit of
 * value may have.
 */
export interface Goal {
  /** The same for goals whose values are comparable: app, event and window. */
  key: string;
  /** Name of the event; null for revenue of all events. */
  event: string | null;
  windowMs: number;
  price: number;
  priceOf: ReadonlyMap<string, number>;
  /** The price of an install that is assumed before anything is known of its value, micros of media cost. */
  priorInstallMicros: number;
}

const DAY_MS = 86_400_000;

interface GoalOf {
  algorithm: Algorithm;
  appId: string;
  goal: GoalRow | undefined;
  cpmMicros: Micros;
  cpiMicros: Micros | null;
}

/** The goal of an ad set without the company's margin; null for an algorithm without one, or where it is not given. */
export function goalOf(
  { algorithm, appId, goal, cpmMicros, cpiMicros }: GoalOf,
  withoutMargin: (micros: number) => number,
): Goal | null {
  if (!goal || (algorithm !== 'Target CPA' && algorithm !== 'Target ROAS')) return null;
  const isEvent = algorithm === 'Target CPA';
  const target = isEvent ? goal.cpaMicros : goal.roasPercent;
  if (!target || (isEvent && !goal.event)) return null;
  // A micro of revenue is worth 100 / ROAS micros of spend.
  const priceOf = (value: number): number =>
    isEvent ? withoutMargin(value) : withoutMargin(1_000_000) / 1_000_000 / (value / 100);
  const event = isEvent ? goal.event : null;
  const prices = { algo: algorithm, bet_cpm: cpmMicros, bet_cpi: cpiMicros, cpa: goal.cpaMicros };
  return {
    key: JSON.stringify([appId, goal.windowDays, event]),
    event,
    // Day n ends n + 1 times 24 hours after the install.
    windowMs: (goal.windowDays + 1) * DAY_MS,
    price: priceOf(target),
    priceOf: new Map(
      goal.byCountry.map(({ country, value }) => [country, priceOf(isEvent ? toMicros(value) : value)]),
    ),
    priorInstallMicros: withoutMargin(assumedInstallPrice(prices)!),
  };
}
