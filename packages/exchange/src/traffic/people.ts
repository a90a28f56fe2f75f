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
}

const CARRIERS = ['Northline', 'Vela Mobile', 'Bluewire', 'Tandem', 'Orbita'];
/** RFC 5737. */
const DOCUMENTATION_NETS = ['192.0.2', '198.51.100', '203.0.113'];

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
  };
}
