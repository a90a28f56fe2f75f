import { type Circle, parseCity, parsePostalPrefix } from '@bidwell/contract/targets/place-values';
import type { PlacementKind } from '@bidwell/contract/targets/fields';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import type { TargetNames } from './target-names.ts';
import { joinWords } from './phrases.ts';

const SHORT = 4;

/** A city of a target as people write it: Portland (US-OR). */
export function cityLabel(text: string): string {
  const city = parseCity(text);
  return city ? `${city.name} (${city.region ?? city.country})` : text;
}

/** The beginning of postal codes of a target as people write it: US 900…. */
export function postalLabel(text: string): string {
  const postal = parsePostalPrefix(text);
  return postal ? `${postal.country} ${postal.prefix}…` : text;
}

/** A circle in words: 25 km of 52.52, 13.405. */
const circleWords = ({ lat, lon, km }: Circle): string => `${km} km of ${lat}, ${lon}`;

const kindWords: Record<PlacementKind, string> = {
  interstitial: 'interstitial',
  rewarded: 'rewarded',
  other: 'other',
};

/** The regions, cities, postal codes and circles of one side of a target, as parts of a sentence. */
function placesOf(target: TargetSettings, side: 'include' | 'exclude', names: TargetNames): string[] {
  const list = (values: readonly string[], labelOf: (value: string) => string, before: string) =>
    values.length > 0 ? [`${before}${joinWords(values.map(labelOf), 'or', SHORT)}`] : [];
  return [
    ...list(target[`region_${side}`], names.region, 'in '),
    ...list(target[`city_${side}`], cityLabel, 'in '),
    ...list(target[`postal_${side}`], postalLabel, 'in postal codes '),
    ...list(target[`radius_${side}`].map(circleWords), (words) => words, 'within '),
  ];
}

/** What a target includes and excludes by place, with the places to include on their own, carrier, placement and id, as parts of a sentence. */
export function placePhrases(
  target: TargetSettings,
  names: TargetNames,
): { places: string[]; included: string[]; excluded: string[] } {
  const { carrier_include: carriers, carrier_exclude: otherCarriers, placement_kinds: kinds } = target;
  return {
    places: placesOf(target, 'include', names),
    included: [
      ...(carriers.length > 0 ? [`with the carrier ${joinWords(carriers, 'or', SHORT)}`] : []),
      ...idWords(target),
      ...(kinds.length > 0
        ? [
            `in ${joinWords(
              kinds.map((kind) => kindWords[kind]),
              'or',
            )} placements`,
          ]
        : []),
    ],
    excluded: [
      ...placesOf(target, 'exclude', names).map((place) => `not ${place}`),
      ...(otherCarriers.length > 0 ? [`not with the carrier ${joinWords(otherCarriers, 'or', SHORT)}`] : []),
    ],
  };
}

function idWords({ device_id: choice }: TargetSettings): string[] {
  return choice === 'any' ? [] : [`${choice} an advertising ID`];
}

/** The places of a target for its row in the table, after its countries; '' for none. */
export function placeSummary(target: TargetSettings, names: TargetNames): string {
  const parts = [
    ...placesOf(target, 'include', names),
    ...placesOf(target, 'exclude', names).map((place) => `not ${place}`),
  ];
  return parts.map((part) => `, ${part}`).join('');
}

/** The carriers and the id of a target for its row in the table. */
export function carrierSummary(target: TargetSettings): string[] {
  const { carrier_include: include, carrier_exclude: exclude } = target;
  return [
    joinWords(include, 'or', SHORT),
    exclude.length > 0 ? `without ${joinWords(exclude, 'or', SHORT)}` : '',
    ...idWords(target),
  ];
}

/** The kinds of placements of a target for its row in the table; '' for all. */
export function kindSummary({ placement_kinds: kinds }: TargetSettings): string {
  return kinds.length === 0 ? '' : `; ${joinWords(kinds.map((kind) => kindWords[kind]))} placements`;
}

const sides = [
  ['region', 'regions'],
  ['city', 'cities'],
  ['postal', 'postal codes'],
  ['carrier', 'carriers'],
] as const;

/** Places that contradict each other: all of them have to match. */
export function placeErrors(
  target: TargetSettings,
  names: TargetNames,
): { text: string; reachesNoOne: boolean }[] {
  const errors: { text: string; reachesNoOne: boolean }[] = [];
  for (const [kind, words] of sides) {
    const [include, exclude] = [target[`${kind}_include`], target[`${kind}_exclude`]];
    if (include.length > 0 && include.every((value) => exclude.includes(value)))
      errors.push({ reachesNoOne: true, text: `All ${words} to include are excluded too.` });
  }
  const isReached = (country: string) =>
    (target.location_include.length === 0 || target.location_include.includes(country)) &&
    !target.location_exclude.includes(country);
  for (const [kind, words] of sides.slice(0, 3)) {
    const include = target[`${kind as 'region' | 'city' | 'postal'}_include`];
    const unreached = [...new Set(include.map((value) => value.slice(0, 2)))].filter(
      (country) => !isReached(country),
    );
    if (unreached.length === 0) continue;
    const reachesNoOne = include.every((value) => unreached.includes(value.slice(0, 2)));
    errors.push({
      reachesNoOne,
      text: `The target has ${words} of ${joinWords(unreached.map(names.country))}, but not the country.`,
    });
  }
  return errors;
}
