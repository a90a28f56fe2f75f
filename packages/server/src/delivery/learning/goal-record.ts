/** Where an install came from, as far as its value depends on it. The operating system follows from the publisher's app. */
export interface Place {
  adsetId: string;
  /** Publisher's app. */
  bundle: string;
  country: string;
}

/** Installs of an ad set in a publisher's app and a country, of about the same age. */
export interface InstallGroup extends Place {
  installs: number;
  /** Their mean age, ms. */
  ageMs: number;
}

/** An action of a person after an install: the goal event, or a part of the revenue. */
export interface Conversion extends Place {
  /** The bid of the install. */
  person: string;
  /** Age of the install now, and at the conversion, ms. */
  ageMs: number;
  delayMs: number;
  /** Revenue in micros, which refunds lower; not read of an event. */
  value: number;
}

/** The stored data of a goal: the installs of one app by all ad sets of its company. */
export interface GoalRecord {
  windowMs: number;
  /** Whether the value is revenue, rather than one for each person with the event. */
  isRevenue: boolean;
  installs: readonly InstallGroup[];
  conversions: readonly Conversion[];
}

/** Age of the oldest installs from which values are learned. */
export const VALUE_HISTORY_MS = 30 * 86_400_000;
/** Half-life of installs and of the events that follow them. */
export const VALUE_HALF_LIFE_MS = 14 * 86_400_000;

/** Weight of an install of an age, and of what followed it: less the older it is. */
export function weightOf(ageMs: number): number {
  return 0.5 ** (Math.max(0, ageMs) / VALUE_HALF_LIFE_MS);
}
