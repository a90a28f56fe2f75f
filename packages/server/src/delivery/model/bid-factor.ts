import {
  type BidMultiplier,
  boundedProduct,
  highestProduct,
  type MultiplierDimension,
} from '@bidwell/contract/adsets/multipliers';
import { withoutIdPrefix } from '@bidwell/contract/adsets/bundles';
import type { Memberships, StoredAudience } from './audience.ts';
import type { HoursZone } from '@bidwell/contract/adsets/hours';

/** The multipliers of an ad set, compiled. */
export interface BidFactors {
  /** Factors by value, of the dimensions that the ad set has; factors of audiences from the highest down. */
  byValue: Partial<Record<MultiplierDimension, ReadonlyMap<string, number>>>;
  /** Whose time the hours are in, and the company's time zone. */
  zone: HoursZone;
  timeZone: string;
  /** The audiences that have factors. */
  audiences: readonly StoredAudience[];
  /** The highest product of a bid. */
  highest: number;
}

/** Compiles the multipliers of an ad set; null where it has none. */
export function bidFactorsOf(
  multipliers: readonly BidMultiplier[],
  zone: HoursZone,
  timeZone: string,
  audiences: readonly StoredAudience[] = [],
): BidFactors | null {
  if (multipliers.length === 0) return null;
  const byValue: Partial<Record<MultiplierDimension, Map<string, number>>> = {};
  for (const { dimension, value, factor } of multipliers.toSorted((a, b) => b.factor - a.factor)) {
    const key = dimension === 'bundle' ? withoutIdPrefix(value) : value;
    (byValue[dimension] ??= new Map()).set(key, factor);
  }
  return { byValue, zone, timeZone, audiences, highest: highestProduct(multipliers) };
}

/** What a bid's factor depends on. */
export interface FactorInput {
  country: string;
  exchange: string;
  bundle: string;
  /** Key of the format, see `formatKeyOf`. */
  format: string;
  /** The type of the device, and the groups of types that it is in. */
  deviceTypes: readonly string[];
  /** The hour of the day, 0 to 23, for the ad set. */
  hourOf: (factors: BidFactors) => number;
  /** The person's audiences; null for a person who cannot be looked up. */
  memberships: () => Memberships | null;
}

/** The product of an ad set's factors for a bid, within the bounds of one factor. */
export function factorOf(factors: BidFactors, input: FactorInput): number {
  const { country, exchange, bundle, format, device_type: deviceType, hour, audience } = factors.byValue;
  let product = country?.get(input.country) ?? 1;
  product *= exchange?.get(input.exchange) ?? 1;
  product *= bundle?.get(input.bundle) ?? 1;
  if (format) product *= format.get(typeOfFormat(input.format)) ?? 1;
  if (deviceType) product *= firstOf(deviceType, input.deviceTypes);
  if (hour) product *= hour.get(String(input.hourOf(factors))) ?? 1;
  if (audience) product *= highestOf(audience, input.memberships());
  return boundedProduct([product]);
}

/** The highest factor of the audiences that a person is in; 1 without any, and where the bidder does not have them in memory. */
function highestOf(factors: ReadonlyMap<string, number>, memberships: Memberships | null): number {
  if (!memberships) return 1;
  for (const [uuid, factor] of factors) if (memberships.of(uuid) === 'in') return factor;
  return 1;
}

/** The creative type of the key of a format: `Banner` of `Banner 320x50`. */
function typeOfFormat(format: string): string {
  const end = format.indexOf(' ');
  return end < 0 ? format : format.slice(0, end);
}

/** The factor of the first of a request's values that has one: its own type before the group. */
function firstOf(factors: ReadonlyMap<string, number>, values: readonly string[]): number {
  for (const value of values) {
    const factor = factors.get(value);
    if (factor !== undefined) return factor;
  }
  return 1;
}
