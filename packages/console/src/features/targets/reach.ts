import type { Os } from '@bidwell/contract/apps/fields';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import type { TargetNames } from './target-names.ts';
import { audiencePhrases } from './audience-words.ts';
import { placePhrases } from './place-words.ts';
import { connectionWords, deviceWords, genreWords, joinWords, placeNames, versionWords } from './phrases.ts';

/** The include list without excluded values. */
export function includedOnly(include: readonly string[], exclude: readonly string[]): string[] {
  return include.filter((value) => !exclude.includes(value));
}

/** The values to name as excluded: none with an include list, which leaves them out already. */
function namedExclusions(include: readonly string[], exclude: readonly string[]): readonly string[] {
  return include.length === 0 ? exclude : [];
}

/**
 * Describes who a target reaches: Android phones and tablets, version 11 or newer, in Germany and Austria, in
 * English, on Wi-Fi; not in casino games.
 */
export function reachSentence(os: Os | undefined, target: TargetSettings, names: TargetNames): string {
  const places = (codes: readonly string[]) => placeNames(codes, names.subRegions, names.country);
  const languages = (codes: readonly string[]) => codes.map(names.language);
  const inclusions = (kind: 'location' | 'language' | 'exchange') =>
    includedOnly(target[`${kind}_include`], target[`${kind}_exclude`]);
  const exclusions = (kind: 'location' | 'language' | 'exchange') =>
    namedExclusions(target[`${kind}_include`], target[`${kind}_exclude`]);

  const byPlace = placePhrases(target, names);
  const byAudience = audiencePhrases(target, names);
  const reached = [
    deviceWords(os, target.device_types) +
      (target.device_models.length > 0
        ? ` (only ${joinWords(target.device_models.map(names.model), 'or')})`
        : ''),
    versionWords(target.device_min_os_version, target.device_max_os_version),
    target.location_include.length > 0
      ? `in ${joinWords(places(inclusions('location')))}`
      : target.location_exclude.length > 0
        ? `in every country except ${joinWords(places(target.location_exclude))}`
        : byPlace.places.length > 0
          ? ''
          : 'in every country',
    // Each list has to match, so that the later ones narrow the first one.
    ...byPlace.places.map((place, at) =>
      at > 0 || target.location_include.length > 0 ? `only ${place}` : place,
    ),
    ...byPlace.included,
    target.language_include.length > 0 ? `in ${joinWords(languages(inclusions('language')), 'or')}` : '',
    target.device_connection_types.length > 0
      ? `on ${connectionWords(target.device_connection_types, names.connection)}`
      : '',
    target.genre_include.length > 0
      ? `in ${genreWords(includedOnly(target.genre_include, target.genre_exclude))}`
      : '',
    target.exchange_include.length > 0
      ? `bought on ${joinWords(inclusions('exchange').map(names.exchange), 'or')}`
      : '',
    ...byAudience.included.map((words) => `only ${words}`),
  ];
  // An app may have several genres, so an excluded genre matters in addition to included ones.
  const excludedGenres = target.genre_exclude;
  const excluded = [
    ...byPlace.excluded,
    exclusions('language').length > 0 ? `not in ${joinWords(languages(exclusions('language')), 'or')}` : '',
    excludedGenres.length > 0 ? `not in ${genreWords(excludedGenres, 'or')}` : '',
    exclusions('exchange').length > 0
      ? `not on ${joinWords(exclusions('exchange').map(names.exchange), 'or')}`
      : '',
    ...byAudience.excluded,
  ];
  const sentence = [reached.filter(Boolean).join(', '), excluded.filter(Boolean).join(', ')];
  return `${capital(sentence.filter(Boolean).join('; '))}.`;
}

/** Capitalises a sentence, except for iPhone, iPad and iOS. */
function capital(text: string): string {
  return text.startsWith('iP') || text.startsWith('iOS')
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}
