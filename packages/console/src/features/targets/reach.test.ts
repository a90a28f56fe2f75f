import { type TargetSettings, TargetSettings as Settings } from '@bidwell/contract/targets/schema';
import { describe, expect, test } from 'vitest';
import type { TargetNames } from './target-names.ts';
import { reachSentence } from './reach.ts';
import { targetErrors, versionError } from './target-errors.ts';
import { targetSummary } from './target-summary.ts';

const [payers, readers, lapsed] = ['a', 'b', 'c'].map(
  (end) => `00000000-0000-4000-8000-00000000000${end}`,
) as [string, string, string];
const known: Record<string, string> = {
  [payers]: 'Payers',
  [readers]: 'Readers',
  [lapsed]: 'Lapsed',
  DE: 'Germany',
  AT: 'Austria',
  CH: 'Switzerland',
  FR: 'France',
  'DE-BE': 'Berlin',
  'US-CA': 'California',
  en: 'English',
  de: 'German',
  WiFi: 'Wi-Fi',
  Celular4G: 'Cellular 4G',
  sample: 'Sample exchange',
  'SM-S921B': 'Samsung Galaxy S24',
};
const call = (value: string) => known[value] ?? value;
const country = (code2: string, id: number) => ({ id, name: call(code2), code: `${code2}X`, code2 });
const names: TargetNames = {
  ready: true,
  country: call,
  region: call,
  language: call,
  connection: call,
  exchange: call,
  model: call,
  audience: call,
  subRegions: [{ name: 'Alps', countries: [country('AT', 1), country('CH', 2), country('FR', 3)] }],
};
const settings = (some: Partial<TargetSettings> = {}): TargetSettings => Settings.parse(some);

describe('whom a target reaches', () => {
  test('everything chosen', () => {
    const target = settings({
      device_types: ['Mobile'],
      device_min_os_version: '11',
      location_include: ['DE', 'AT'],
      language_include: ['en'],
      device_connection_types: ['WiFi'],
      genre_exclude: ['Games: Casino'],
    });
    expect(reachSentence('android', target, names)).toBe(
      'Android phones and tablets, version 11 or newer, in Germany and Austria, in English, on Wi-Fi; not in casino games.',
    );
  });

  test.each<[string, 'android' | 'ios' | undefined, Partial<TargetSettings>, string]>([
    ['nothing chosen', 'android', {}, 'Android devices, in every country.'],
    ['an iOS app', 'ios', {}, 'iPhones and iPads, in every country.'],
    ['no app yet', undefined, {}, 'Devices, in every country.'],
    [
      'televisions too',
      'android',
      { device_types: ['ConnectedTV', 'Phone'] },
      'Android phones and connected TVs, in every country.',
    ],
    ['iPads alone', 'ios', { device_types: ['Tablet'] }, 'iPads, in every country.'],
    [
      'both spellings of phones',
      'ios',
      { device_types: ['Mobile', 'Phone'] },
      'iPhones and iPads, in every country.',
    ],
    [
      'a range of versions',
      'ios',
      { device_min_os_version: '15.0', device_max_os_version: '17' },
      'iPhones and iPads, versions 15.0 to 17, in every country.',
    ],
    [
      'all but some countries',
      'android',
      { location_exclude: ['DE', 'CH'] },
      'Android devices, in every country except Germany and Switzerland.',
    ],
    [
      'a whole region',
      'android',
      { location_include: ['AT', 'DE', 'FR', 'CH'] },
      'Android devices, in Alps and Germany.',
    ],
    [
      'what is excluded wins',
      'android',
      { location_include: ['DE', 'FR'], location_exclude: ['FR'] },
      'Android devices, in Germany.',
    ],
    [
      'models, networks, genres and exchanges',
      'android',
      {
        device_types: ['Phone'],
        device_models: ['SM-S921B'],
        device_connection_types: ['Cellular', 'Celular4G', 'WiFi'],
        genre_include: ['Games: Puzzle', 'Games: Word', 'Finance'],
        exchange_exclude: ['sample'],
        language_exclude: ['de'],
      },
      'Android phones (only Samsung Galaxy S24), in every country, on Cellular or Wi-Fi, in puzzle and word games and finance apps; not in German, not on Sample exchange.',
    ],
    [
      'audiences',
      'android',
      { audience_include: [[payers, readers], [readers]], audience_exclude: [lapsed] },
      'Android devices, in every country, only people in “Payers” or “Readers”, only people in “Readers”; not people in “Lapsed”.',
    ],
    [
      'places, carriers, placements and ids',
      'android',
      {
        location_include: ['DE'],
        region_include: ['DE-BE'],
        city_include: ['DE:Potsdam', 'DE-BE:Berlin'],
        postal_include: ['DE:10'],
        radius_include: [{ lat: 52.52, lon: 13.405, km: 25 }],
        carrier_include: ['Telekom', '262-1'],
        placement_kinds: ['interstitial', 'rewarded'],
        device_id: 'with',
        region_exclude: ['US-CA'],
        carrier_exclude: ['Verizon'],
      },
      'Android devices, in Germany, only in Berlin, only in Potsdam (DE) or Berlin (DE-BE), only in postal codes DE 10…, only within 25 km of 52.52, 13.405, with the carrier Telekom or 262-1, with an advertising ID, in interstitial or rewarded placements; not in California, not with the carrier Verizon.',
    ],
    [
      'places without countries',
      'android',
      { region_include: ['US-CA'], city_include: ['US:Los Angeles'] },
      'Android devices, in California, only in Los Angeles (US).',
    ],
  ])('%s', (_name, os, some, sentence) => {
    expect(reachSentence(os, settings(some), names)).toBe(sentence);
  });

  test('many are counted', () => {
    const location_include = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];
    expect(reachSentence('ios', settings({ location_include }), names)).toBe(
      'iPhones and iPads, in A1, A2, A3, A4 and 2 more.',
    );
  });
});

test('the summary of the table names devices, places, languages and placements', () => {
  const target = settings({
    device_types: ['Phone'],
    device_connection_types: ['WiFi'],
    location_include: ['DE', 'AT', 'SE', 'NO', 'FI'],
    language_exclude: ['de'],
    exchange_include: ['sample'],
  });
  expect(targetSummary('android', target, names)).toEqual([
    { label: 'Device', text: 'Android phones, Wi-Fi' },
    { label: 'Location', text: 'Germany, Austria, SE and 2 more' },
    { label: 'Language', text: 'All languages, without German' },
    { label: 'Placement', text: 'All genres; Sample exchange' },
  ]);
});

test('the summary of the table names places, carriers, kinds of placements, the id and audiences', () => {
  const target = settings({
    region_include: ['US-CA'],
    city_exclude: ['US:Los Angeles'],
    carrier_exclude: ['Verizon'],
    device_id: 'without',
    placement_kinds: ['rewarded'],
    audience_include: [[payers, readers]],
    audience_exclude: [lapsed],
  });
  expect(targetSummary('android', target, names)).toEqual([
    { label: 'Device', text: 'Android devices, without Verizon, without an advertising ID' },
    { label: 'Location', text: 'All countries, in California, not in Los Angeles (US)' },
    { label: 'Language', text: 'All languages' },
    { label: 'Placement', text: 'All genres; all exchanges; rewarded placements' },
    { label: 'Audiences', text: 'people in “Payers” or “Readers”, not people in “Lapsed”' },
  ]);
});

describe('what contradicts itself', () => {
  const models = [
    { vendor: 'Apple', value: 'iPhone15,2', name: 'iPhone 14 Pro' },
    { vendor: 'Samsung', value: 'SM-S921B', name: 'Galaxy S24' },
  ];
  const errors = (some: Partial<TargetSettings>) => targetErrors('android', settings(some), names, models);

  test('no error in a consistent target', () => {
    expect(errors({ location_include: ['DE'], location_exclude: ['FR'], device_os: ['Android'] })).toEqual(
      [],
    );
  });

  test('a value in both lists, and all of them', () => {
    expect(errors({ location_include: ['DE', 'FR'], location_exclude: ['FR'] })).toEqual([
      { reachesNoOne: false, text: 'France is in both lists of countries: the exclusion takes precedence.' },
    ]);
    expect(errors({ language_include: ['de'], language_exclude: ['de', 'en'] })).toEqual([
      { reachesNoOne: true, text: 'All languages to include are excluded too.' },
    ]);
  });

  test('a place in a country that is not reached, and a list that is excluded', () => {
    const text = 'The target has regions of Germany, but not the country.';
    expect(errors({ location_include: ['FR'], region_include: ['DE-BE'] })).toEqual([
      { reachesNoOne: true, text },
    ]);
    expect(errors({ location_exclude: ['DE'], region_include: ['DE-BE', 'US-CA'] })).toEqual([
      { reachesNoOne: false, text },
    ]);
    expect(errors({ audience_include: [[payers], [readers]], audience_exclude: [readers] })).toEqual([
      { reachesNoOne: true, text: '“Readers”: included, and left out too.' },
    ]);
    expect(errors({ city_include: ['DE:Berlin'], city_exclude: ['DE:Berlin'] })).toEqual([
      { reachesNoOne: true, text: 'All cities to include are excluded too.' },
    ]);
  });

  test('another system than the app’s', () => {
    expect(errors({ device_os: ['ios'] })).toMatchObject([{ reachesNoOne: true }]);
    expect(errors({ device_models: ['iPhone15,2'] })).toMatchObject([{ reachesNoOne: true }]);
    expect(errors({ device_models: ['iPhone15,2', 'SM-S921B', 'unheard of'] })).toMatchObject([
      { reachesNoOne: false },
    ]);
  });

  test('versions upside down', () => {
    expect(errors({ device_min_os_version: '12', device_max_os_version: '11' })).toMatchObject([
      { reachesNoOne: true },
    ]);
  });

  test.each([
    ['12', '11', true],
    ['12.1', '12', false],
    ['12.4', '12.3', true],
    ['9', '10', false],
    ['10', '10.0', false],
    ['', '10', false],
    ['10', null, false],
  ])('from %s to %s', (min, max, wrong) => {
    expect(versionError(min, max) !== undefined).toBe(wrong);
  });
});
