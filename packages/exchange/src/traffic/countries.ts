import { iso31661 } from 'iso-3166';

/** Properties of a country's traffic. */
export interface Country {
  /** ISO 3166-1 alpha-3. */
  code: string;
  /** Share of the traffic, relative to other countries. */
  weight: number;
  languages: readonly string[];
  /** Minutes east of UTC, where most of its people live. */
  utcOffsetMinutes: number;
  /** Share of iOS among its devices. */
  iosShare: number;
  /** Price of an impression, relative to the United States. */
  priceLevel: number;
  gdpr: boolean;
  /** Share of 5G among the cellular connections. */
  fiveGShare: number;
}

const country = (
  code: string,
  weight: number,
  languages: readonly string[],
  utcOffsetMinutes: number,
  shares: { ios: number; price: number; fiveG: number },
  gdpr = false,
): Country => ({
  code,
  weight,
  languages,
  utcOffsetMinutes,
  iosShare: shares.ios,
  priceLevel: shares.price,
  fiveGShare: shares.fiveG,
  gdpr,
});

export const COUNTRIES: readonly Country[] = [
  country('USA', 24, ['en', 'en', 'en', 'es'], -360, { ios: 0.56, price: 1, fiveG: 0.55 }),
  country('BRA', 13, ['pt'], -180, { ios: 0.19, price: 0.24, fiveG: 0.2 }),
  country('IND', 13, ['en', 'hi', 'ta'], 330, { ios: 0.06, price: 0.14, fiveG: 0.3 }),
  country('DEU', 8, ['de', 'de', 'de', 'tr', 'en'], 60, { ios: 0.38, price: 0.62, fiveG: 0.4 }, true),
  country('GBR', 8, ['en'], 0, { ios: 0.51, price: 0.72, fiveG: 0.4 }, true),
  country('MEX', 7, ['es'], -360, { ios: 0.24, price: 0.26, fiveG: 0.2 }),
  country('FRA', 6, ['fr'], 60, { ios: 0.37, price: 0.5, fiveG: 0.35 }, true),
  country('IDN', 6, ['id', 'id', 'en'], 420, { ios: 0.11, price: 0.15, fiveG: 0.1 }),
  country('JPN', 6, ['ja'], 540, { ios: 0.62, price: 0.85, fiveG: 0.5 }),
  country('TUR', 5, ['tr'], 180, { ios: 0.21, price: 0.18, fiveG: 0.05 }),
  country('ESP', 4, ['es', 'es', 'ca'], 60, { ios: 0.25, price: 0.4, fiveG: 0.35 }, true),
  country('ITA', 4, ['it'], 60, { ios: 0.29, price: 0.4, fiveG: 0.35 }, true),
  country('CAN', 4, ['en', 'en', 'fr'], -300, { ios: 0.58, price: 0.8, fiveG: 0.5 }),
  country('POL', 3, ['pl'], 60, { ios: 0.13, price: 0.3, fiveG: 0.3 }, true),
  country('KOR', 3, ['ko'], 540, { ios: 0.3, price: 0.7, fiveG: 0.65 }),
  country('AUS', 3, ['en'], 600, { ios: 0.6, price: 0.85, fiveG: 0.5 }),
];

/** Relative app usage by local hour: lowest at 4, a first peak at noon, highest at 21. Its mean is about 1. */
const hourLevels = [
  0.62, 0.4, 0.27, 0.2, 0.18, 0.25, 0.5, 0.8, 0.95, 1, 1.03, 1.08, 1.2, 1.18, 1.08, 1.06, 1.12, 1.24, 1.4,
  1.6, 1.76, 1.82, 1.54, 1.05,
];
const levelMean = hourLevels.reduce((sum, level) => sum + level, 0) / 24;

/** Relative activity at this UTC offset and instant, interpolated between hours; 1 is the daily average. */
export function activityAt(atMs: number, utcOffsetMinutes: number): number {
  const hour = (((atMs / 3_600_000 + utcOffsetMinutes / 60) % 24) + 24) % 24;
  const from = hourLevels[Math.floor(hour)]!;
  const to = hourLevels[(Math.floor(hour) + 1) % 24]!;
  return (from + (to - from) * (hour % 1)) / levelMean;
}

const weightSum = COUNTRIES.reduce((sum, { weight }) => sum + weight, 0);

/** Relative traffic of the whole exchange at an instant; 1 is the daily average. */
export function trafficLevelAt(atMs: number): number {
  const level = COUNTRIES.reduce(
    (sum, { weight, utcOffsetMinutes }) => sum + weight * activityAt(atMs, utcOffsetMinutes),
    0,
  );
  return level / weightSum;
}

/** Relative app usage by day of the week, from Sunday on: highest at the weekend. */
const weekdayLevels = [1.26, 0.9, 0.88, 0.88, 0.92, 1.04, 1.28];
const weekdayMean = weekdayLevels.reduce((sum, level) => sum + level, 0) / 7;

/** Relative traffic by day of the week of UTC; 1 is the weekly average. */
export function weekdayLevelAt(atMs: number): number {
  return weekdayLevels[new Date(atMs).getUTCDay()]! / weekdayMean;
}

const shortCodes = new Map(iso31661.map(({ alpha3, alpha2 }) => [alpha3 as string, alpha2 as string]));

/** The ISO 3166-1 alpha-2 code of a country by its alpha-3 code. */
export function shortCodeOf(alpha3: string): string {
  return shortCodes.get(alpha3) ?? alpha3;
}
