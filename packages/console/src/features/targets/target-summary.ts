import type { Os } from '@bidwell/contract/apps/fields';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { audienceSummary, hasAudiences } from './audience-words.ts';
import type { TargetNames } from './target-names.ts';
import { carrierSummary, kindSummary, placeSummary } from './place-words.ts';
import { connectionWords, deviceWords, joinWords, placeNames, versionWords } from './phrases.ts';

const SHORT = 4;

/** A target's settings by display name, in the groups of the table. */
export function targetSummary(
  os: Os | undefined,
  target: TargetSettings,
  names: TargetNames,
): { label: string; text: string }[] {
  const places = (codes: readonly string[]) => placeNames(codes, names.subRegions, names.country);
  const choice = (include: readonly string[], exclude: readonly string[], all: string) =>
    (include.length > 0 ? joinWords(include, 'and', SHORT) : all) +
    (exclude.length > 0 ? `, without ${joinWords(exclude, 'and', SHORT)}` : '');
  const genres = choice(target.genre_include, target.genre_exclude, 'All genres');
  const exchanges = choice(
    target.exchange_include.map(names.exchange),
    target.exchange_exclude.map(names.exchange),
    'all exchanges',
  );
  const device = [
    deviceWords(os, target.device_types),
    versionWords(target.device_min_os_version, target.device_max_os_version),
    connectionWords(target.device_connection_types, names.connection),
    joinWords(target.device_models.map(names.model), 'or', SHORT),
    ...carrierSummary(target),
  ];
  return [
    { label: 'Device', text: device.filter(Boolean).join(', ') },
    {
      label: 'Location',
      text:
        choice(places(target.location_include), places(target.location_exclude), 'All countries') +
        placeSummary(target, names),
    },
    {
      label: 'Language',
      text: choice(
        target.language_include.map(names.language),
        target.language_exclude.map(names.language),
        'All languages',
      ),
    },
    { label: 'Placement', text: `${genres}; ${exchanges}${kindSummary(target)}` },
    ...(hasAudiences(target) ? [{ label: 'Audiences', text: audienceSummary(target, names) }] : []),
  ];
}
