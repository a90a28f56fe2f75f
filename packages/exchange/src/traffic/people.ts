import {
  type Random,
  hashOf,
  integerBetween,
  pick,
  pickWeighted,
  seededRandom,
  uuidFrom,
} from '../random.ts';
import type { Country } from './countries.ts';
import { ANDROID_DEVICES, type DeviceKind, IOS_DEVICES } from './devices.ts';

/** A person with a device, who recurs in the traffic. */
export interface Person {
  country: Country;
  os: 'ios' | 'android';
  device: DeviceKind;
  osVersion: string;
  language: string;
  /** An IP address reserved for documentation. */
  ip: string;
  carrier: string;
  limitsTracking: boolean;
  advertisingId: string;
  /** Where the GDPR applies, whether the person consents to personal ads; true elsewhere. */
  consents: boolean;
  /** Uses many apps. */
  isRegular: boolean;
}

/** People of each country, for each unit of its weight. */
export const PEOPLE_PER_WEIGHT = 2000;
/** The first people of each country, for each unit of its weight: they use many apps. */
const REGULARS_PER_WEIGHT = 40;

/** Number of people of a country who use many apps: the first ones. */
export const regularsOf = ({ weight }: Country): number => weight * REGULARS_PER_WEIGHT;

const CARRIERS = ['Northline', 'Vela Mobile', 'Bluewire', 'Tandem', 'Orbita'];
/** RFC 5737. */
const DOCUMENTATION_NETS = ['192.0.2', '198.51.100', '203.0.113'];

/** Share of people in countries of the GDPR who consent. */
const CONSENTING_SHARE = 0.85;

/** The person with this index in a country; deterministic for a seed and index. */
export function personOf(worldSeed: number, country: Country, index: number): Person {
  const random: Random = seededRandom(hashOf(`${worldSeed}/${country.code}/${index}`));
  const os = random() < country.iosShare ? 'ios' : 'android';
  const device = pickWeighted(random, os === 'ios' ? IOS_DEVICES : ANDROID_DEVICES, ({ weight }) => weight);
  // The first version is the most frequent one.
  const version = Math.floor(random() ** 2 * device.osVersions.length);
  return {
    country,
    os,
    device,
    osVersion: device.osVersions[version]!,
    language: pick(random, country.languages),
    ip: `${pick(random, DOCUMENTATION_NETS)}.${integerBetween(random, 1, 254)}`,
    carrier: pick(random, CARRIERS),
    limitsTracking: random() < (os === 'ios' ? 0.62 : 0.12),
    advertisingId: os === 'ios' ? uuidFrom(random).toUpperCase() : uuidFrom(random),
    consents: !country.gdpr || random() < CONSENTING_SHARE,
    isRegular: index < regularsOf(country),
  };
}

/** The advertising id that others get to know of a person; null for a person who forbids it. */
export function knownIdOf({ limitsTracking, consents, advertisingId }: Person): string | null {
  return limitsTracking || !consents ? null : advertisingId;
}

/** Share of the people who use many apps that have an advertised app, too. */
const OWNERS_SHARE = 0.4;

/** Whether a person has the app with this name: of the people who use many apps some do. */
export function ownsApp({ isRegular, advertisingId }: Person, app: string): boolean {
  return isRegular && hashOf(`${app} of ${advertisingId}`) / 2 ** 32 < OWNERS_SHARE;
}

/** Share of the people who have an advertised app that were not in it lately. */
const AWAY_SHARE = 0.7;

/** Whether a person has the app with this name, and was not in it lately. */
export function isAwayFrom(person: Person, app: string): boolean {
  return ownsApp(person, app) && hashOf(`away from ${app}: ${person.advertisingId}`) / 2 ** 32 < AWAY_SHARE;
}

/** The people of a country who have an app. */
export function ownersOf(worldSeed: number, country: Country, { name, os }: OwnedApp): readonly Person[] {
  return Array.from({ length: regularsOf(country) }, (_, index) =>
    personOf(worldSeed, country, index),
  ).filter((person) => person.os === os && ownsApp(person, name));
}

/** An app that people have. */
export interface OwnedApp {
  name: string;
  os: Person['os'];
}
