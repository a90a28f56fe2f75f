import { hashOf, type Random, logNormal, pickWeighted, seededRandom } from './random.ts';

/** What people do in an app: its purchases. */
export type AppModel = 'game' | 'shop' | 'subscription' | 'rides';

/** Where a person comes from, as far as it decides about what they do in the app. */
export interface Person {
  /** In lower case. */
  bundle: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** Something a person does in the app, as the measurement partner reports it. */
export interface InAppEvent {
  name: string;
  /** Time since the install. */
  afterMs: number;
  /** In dollars, negative for a refund; undefined for an event without money. */
  dollars?: number;
  isAdRevenue?: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days after the install in which people use the app. */
const DAYS = 60;
/** Share of people who come back on the first day after the install; on day n it is this times n to the power of {@link FADING}. */
const BACK_ON_FIRST_DAY = 0.3;
const FADING = -0.46;

/** Factor by which people of a publisher's app and a country pay more or less: it differs more than install rates do. */
export function payFactor({ bundle, country }: Person): number {
  return trait(`pay ${bundle}`, 0.3, 2.1) * trait(`pay ${country}`, 0.65, 1.4);
}

/**
 * What a person does in the app after the install, in the order of time: days of use fade like a power of their number, and few
 * people pay, with amounts of a heavy tail. Pure but for `random`.
 */
export function lifeAfterInstall(model: AppModel, person: Person, random: Random): InAppEvent[] {
  const days = [0, ...daysBack(trait(`back ${person.bundle}`, 0.7, 1.35), random)];
  const events = lives[model](days, payFactor(person), random);
  return events.toSorted((a, b) => a.afterMs - b.afterMs);
}

/** The average value of a new person in the first week. */
export interface Worth {
  dollars: number;
  /** Share of people who buy something. */
  buyers: number;
}

const WEEK_MS = 7 * DAY_MS;
/** Lives from which {@link worthOf} is computed: enough for a few percent. */
const LIVES = 4000;
const worths = new Map<AppModel, Worth>();

/** The value of a person from a place, in proportion to their payments. */
export function worthOf(model: AppModel, person: Person): Worth {
  const pay = payFactor(person);
  let worth = worths.get(model);
  if (!worth) worths.set(model, (worth = averageWorth(model)));
  return { dollars: worth.dollars * pay, buyers: Math.min(1, worth.buyers * pay) };
}

/** The expected worth of people with average spending. */
function averageWorth(model: AppModel): Worth {
  const random = seededRandom(hashOf(model));
  const worth = { dollars: 0, buyers: 0 };
  for (let life = 0; life < LIVES; life += 1) {
    const days = [0, ...daysBack(1, random)];
    const week = lives[model](days, 1, random).filter(({ afterMs }) => afterMs < WEEK_MS);
    worth.dollars += week.reduce((sum, { dollars = 0 }) => sum + dollars, 0) / LIVES;
    if (week.some(({ name }) => name === 'purchase')) worth.buyers += 1 / LIVES;
  }
  return worth;
}

type Life = (days: readonly number[], pay: number, random: Random) => InAppEvent[];

const lives: Record<AppModel, Life> = {
  game(days, pay, random) {
    const events: InAppEvent[] = [];
    if (random() < 0.62) events.push({ name: 'tutorial_complete', afterMs: firstMinutes(random, 4) });
    // The revenue of the ads that the game showed on a day, in one event as partners sum it up.
    for (const day of days)
      events.push({
        name: 'ad_revenue',
        afterMs: timeOn(day, random),
        dollars: Number(logNormal(random, 0.29 * Math.sqrt(pay), 0.8).toFixed(4)),
        isAdRevenue: true,
      });
    const prices = [1.99, 4.99, 9.99, 19.99, 49.99, 99.99];
    const weights = [30, 30, 20, 12, 6, 2];
    const price = () => prices[pickWeighted(random, [0, 1, 2, 3, 4, 5], (index) => weights[index]!)]!;
    if (random() < 0.036 * pay) {
      const bought = purchases(days, 0.25, price, random);
      events.push(...bought, ...refunds(bought, 0.05, random));
    }
    return events;
  },
  shop(days, pay, random) {
    const events: InAppEvent[] = [];
    if (random() < 0.48) events.push({ name: 'sign_up', afterMs: firstMinutes(random, 3) });
    for (const day of days.slice(1)) events.push({ name: 'open', afterMs: timeOn(day, random) });
    if (random() < 0.037 * pay) {
      const orders = purchases(days, 0.12, () => logNormal(random, 21, 0.55), random);
      events.push(...orders, ...refunds(orders, 0.09, random));
    }
    return events;
  },
  subscription(days, pay, random) {
    const events: InAppEvent[] = days
      .slice(1)
      .map((day) => ({ name: 'session', afterMs: timeOn(day, random) }));
    if (random() >= 0.12 * pay) return events;
    const trialMs = firstMinutes(random, 6);
    events.push({ name: 'trial_start', afterMs: trialMs });
    if (random() >= 0.28) return events;
    const dollars = random() < 0.4 ? 49.99 : 8.99;
    const monthly = dollars < 10;
    for (let afterMs = trialMs + 3 * DAY_MS; afterMs < DAYS * DAY_MS; afterMs += 30 * DAY_MS) {
      events.push({ name: 'subscribe', afterMs, dollars });
      if (!monthly || random() < 0.3) break;
    }
    return events;
  },
  rides(days, pay, random) {
    const events: InAppEvent[] = [];
    if (random() < 0.4) events.push({ name: 'sign_up', afterMs: firstMinutes(random, 5) });
    for (const day of days.slice(1)) events.push({ name: 'open', afterMs: timeOn(day, random) });
    if (random() >= 0.044 * Math.sqrt(pay)) return events;
    return [...events, ...purchases(days, 0.25, () => logNormal(random, 13, 0.5), random, 'ride')];
  },
};

/** Days after the first on which a person uses the app. */
function daysBack(factor: number, random: Random): number[] {
  const first = BACK_ON_FIRST_DAY * factor;
  const days: number[] = [];
  for (let day = 1; day <= DAYS; day += 1) if (random() < first * day ** FADING) days.push(day);
  return days;
}

/** A first purchase, mostly on the first days, and with a probability one more on each further day of use. */
function purchases(
  days: readonly number[],
  again: number,
  dollarsOf: () => number,
  random: Random,
  name = 'purchase',
): { name: string; afterMs: number; dollars: number }[] {
  const firstMs = logNormal(random, 5 * HOUR_MS, 1.8);
  const later = days.filter((day) => day * DAY_MS > firstMs && random() < again);
  return [firstMs, ...later.map((day) => timeOn(day, random))].map((afterMs) => ({
    name,
    afterMs,
    dollars: Number(dollarsOf().toFixed(2)),
  }));
}

/** For a share of purchases, some days later. */
function refunds(
  bought: readonly { afterMs: number; dollars: number }[],
  share: number,
  random: Random,
): InAppEvent[] {
  return bought
    .filter(() => random() < share)
    .map(({ afterMs, dollars }) => ({
      name: 'refund',
      afterMs: afterMs + (2 + 4 * random()) * DAY_MS,
      dollars: -dollars,
    }));
}

function firstMinutes(random: Random, median: number): number {
  return logNormal(random, median * MINUTE_MS, 0.5);
}

/** A time on the day of use; on the first soon after the install. */
function timeOn(day: number, random: Random): number {
  return day === 0 ? firstMinutes(random, 6) : (day + random()) * DAY_MS;
}

/** A number between `low` and `high`, derived from the text's hash. */
function trait(text: string, low: number, high: number): number {
  return low + (high - low) * seededRandom(hashOf(text))();
}
