import type { Target, TargetSettings } from '@bidwell/contract/target';

const some = (values: readonly string[], all: string): string => {
  if (values.length === 0) return all;
  return values.length <= 3
    ? values.join(', ')
    : `${values.slice(0, 3).join(', ')} and ${values.length - 3} more`;
};
const without = (values: readonly string[]): string =>
  values.length === 0 ? '' : `, without ${some(values, '')}`;

/** A target's settings in the four groups of the table. */
export function targetSummary(target: TargetSettings): { label: string; text: string }[] {
  return [
    {
      label: 'Device',
      text: [some(target.device_types, 'all devices'), versions(target), some(target.device_models, '')]
        .filter(Boolean)
        .join(', '),
    },
    {
      label: 'Location',
      text: some(target.location_include, 'all countries') + without(target.location_exclude),
    },
    {
      label: 'Language',
      text: some(target.language_include, 'all languages') + without(target.language_exclude),
    },
    {
      label: 'Placement',
      text:
        some([...target.exchange_include, ...target.genre_include], 'all exchanges and genres') +
        without([...target.exchange_exclude, ...target.genre_exclude]),
    },
  ];
}

function versions({ device_min_os_version: min, device_max_os_version: max }: TargetSettings): string {
  if (min && max) return `OS ${min} to ${max}`;
  if (min) return `OS ${min} and newer`;
  return max ? `OS up to ${max}` : '';
}

/** In plain words, whom a target reaches. */
export function reachSentence(os: Target['app']['os'] | undefined, target: TargetSettings): string {
  const people = os === 'ios' ? 'iPhone and iPad users' : os === 'android' ? 'Android users' : 'People';
  const parts = [
    `${people} in ${some(target.location_include, 'every country')}${without(target.location_exclude)}`,
    target.device_types.length > 0 ? `on ${some(target.device_types, '').toLowerCase()} devices` : '',
    versions(target) ? `with ${versions(target)}` : '',
    target.language_include.length > 0 ? `who speak ${some(target.language_include, '')}` : '',
    target.device_connection_types.length > 0 ? `over ${some(target.device_connection_types, '')}` : '',
    target.genre_include.length > 0 ? `in ${some(target.genre_include, '')} apps` : 'in apps of every genre',
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
