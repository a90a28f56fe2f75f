/**
 * The actions of people of the sample exchange after an install in the weeks of the learning bench, and their expected values.
 */
import { type Person, payFactor } from '@bidwell/exchange/in-app-behaviour';
import { COUNTRIES, shortCodeOf } from '@bidwell/exchange/traffic/countries';
import { type Random, hashOf, logNormal, seededRandom } from '@bidwell/exchange/random';

const priceLevels = new Map(COUNTRIES.map(({ code, priceLevel }) => [shortCodeOf(code), priceLevel]));
/** Price of an impression relative to the United States, by ISO 3166-1 alpha-2 code. */
const priceLevelOf = (country: string): number => priceLevels.get(country) ?? 1;

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WINDOW_MS = 8 * DAY_MS;
/** Spread of the factor by which the purchases of a publisher's people change at the drift. */
const DRIFT_SIGMA = 0.35;

/** Share of people who purchase, by what their publisher and country multiply; and what they pay, in dollars; in the United States. */
const PURCHASE_RATE = 0.085;
const PURCHASE_DOLLARS = 7;
/**
 * Powers of a country's price level, by which its people purchase, and pay when they do. AppsFlyer's "The State of In-App Spending"
 * (2016) has a monthly revenue per person of $0.61 in North America, $0.27 in India and $0.16 in Latin America, and shares of
 * people who pay of 5.2 % in all countries and 3.1 % in India; price levels are 1, 0.14 and 0.25.
 */
const RATE_POWER = 0.25;
const DOLLARS_POWER = 0.45;
/** Spread of the revenue of people who pay: the tenth that pays most pays 43 % of all. */
const REVENUE_SIGMA = 1.1;
/** Median of the hours from the install to the purchase, and its spread: half come on the first day, some after a week. */
const PURCHASE_HOURS = 20;
const PURCHASE_HOURS_SIGMA = 1.3;

/** Delay of a purchase after the install, ms. */
export const drawPurchaseDelayMs = (random: Random): number =>
  logNormal(random, PURCHASE_HOURS, PURCHASE_HOURS_SIGMA) * HOUR_MS;

/** Share of the purchases that come within the window. */
const WITHIN_WINDOW = (() => {
  const random = seededRandom(1);
  const draws = 20_000;
  let within = 0;
  for (let draw = 0; draw < draws; draw += 1) if (drawPurchaseDelayMs(random) < WINDOW_MS) within += 1;
  return within / draws;
})();

/** What the people of each publisher's app and country are worth: another draw of the same spread for each seed. */
export class PurchaseWorld {
  readonly #seed: number;
  readonly #driftsAtMs: number;
  readonly #factors = new Map<string, number>();

  constructor(seed: number, driftsAtMs: number) {
    this.#seed = seed;
    this.#driftsAtMs = driftsAtMs;
  }

  /** Probability that a person who installs at this time ever purchases. */
  chanceOf({ bundle, country }: Person, atMs: number): number {
    const before =
      PURCHASE_RATE *
      this.#once(
        `pay ${bundle} ${country}`,
        () =>
          payFactor({ bundle: `${this.#seed} ${bundle}`, country: `${this.#seed} ${country}` }) *
          priceLevelOf(country) ** RATE_POWER,
      );
    if (atMs < this.#driftsAtMs) return before;
    const drift = this.#once(`drift ${bundle}`, () =>
      logNormal(this.#randomOf(`drift ${bundle}`), 1, DRIFT_SIGMA),
    );
    return Math.min(1, before * drift);
  }

  /** Expected people who purchase within the window, of one install. */
  peopleOf(person: Person, atMs: number): number {
    return this.chanceOf(person, atMs) * WITHIN_WINDOW;
  }

  /** Expected revenue of a person who purchases, in dollars: people of some publishers pay four times as much as of others. */
  dollarsOf({ bundle, country }: Person): number {
    return this.#once(`amount ${bundle} ${country}`, () => {
      const factor = (text: string, low: number, high: number) => low + (high - low) * this.#randomOf(text)();
      const place = factor(`amount ${bundle}`, 0.4, 1.6) * factor(`amount ${country}`, 0.6, 1.4);
      return PURCHASE_DOLLARS * place * priceLevelOf(country) ** DOLLARS_POWER;
    });
  }

  drawDollars(random: Random, person: Person): number {
    return logNormal(random, this.dollarsOf(person) * Math.exp(-(REVENUE_SIGMA ** 2) / 2), REVENUE_SIGMA);
  }

  #randomOf(text: string): Random {
    return seededRandom(hashOf(`${this.#seed} ${text}`));
  }

  #once(key: string, compute: () => number): number {
    let factor = this.#factors.get(key);
    if (factor === undefined) this.#factors.set(key, (factor = compute()));
    return factor;
  }
}
