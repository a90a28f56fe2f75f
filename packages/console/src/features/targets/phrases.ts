import type { Os } from '@bidwell/contract/apps/fields';
import type { SubRegion } from '@bidwell/contract/reference/schema';

/** Joins names with commas and `word` before the last; beyond `max` the others are counted. */
export function joinWords(names: readonly string[], word: 'and' | 'or' = 'and', max = 5): string {
  const shown = names.length > max ? names.slice(0, max - 1) : names;
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  if (parts.length <= 1) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${more > 0 ? 'and' : word} ${parts.at(-1)}`;
}

/** Country names; a sub-region whose countries are all selected is named once instead, once these are known. */
export function placeNames(
  codes: readonly string[],
  subRegions: readonly SubRegion[] | undefined,
  nameOf: (code: string) => string,
): string[] {
  if (!subRegions) return codes.map(nameOf);
  const left = new Set(codes);
  const whole: string[] = [];
  for (const { name, countries } of subRegions) {
    if (countries.length < 3 || !countries.every(({ code2 }) => left.has(code2))) continue;
    whole.push(name);
    for (const { code2 } of countries) left.delete(code2);
  }
  return [...whole, ...[...left].map(nameOf)];
}

const screens = {
  ConnectedTV: 'connected TVs',
  ConnectedDevice: 'connected devices',
  SetTopBox: 'set-top boxes',
  OutOfHome: 'out-of-home screens',
};
const kinds: Record<Os, Record<string, string>> = {
  android: { Phone: 'Android phones', Tablet: 'Android tablets', Computer: 'Android computers', ...screens },
  ios: { Phone: 'iPhones', Tablet: 'iPads', Computer: 'iOS computers', ...screens },
};

/** The devices of an operating system: `Mobile` means phone or tablet, no selection means every device. */
export function deviceWords(os: Os | undefined, types: readonly string[]): string {
  const chosen = new Set(types.flatMap((type) => (type === 'Mobile' ? ['Phone', 'Tablet'] : [type])));
  if (os === undefined) return chosen.size === 0 ? 'devices' : joinWords([...chosen].map(plural));
  if (chosen.size === 0) return os === 'ios' ? 'iPhones and iPads' : 'Android devices';
  if (os === 'android' && chosen.has('Phone') && chosen.has('Tablet') && chosen.size === 2)
    return 'Android phones and tablets';
  return joinWords(
    Object.entries(kinds[os])
      .filter(([type]) => chosen.has(type))
      .map(([, words]) => words),
  );
}

const plural = (type: string) => (screens as Record<string, string>)[type] ?? `${type.toLowerCase()}s`;

/** A range of versions; '' for all versions. */
export function versionWords(min: string | null | undefined, max: string | null | undefined): string {
  if (min && max) return min === max ? `version ${min}` : `versions ${min} to ${max}`;
  if (min) return `version ${min} or newer`;
  return max ? `version ${max} or older` : '';
}

/** Genres as kinds of apps, such as casino and puzzle games, finance apps. */
export function genreWords(genres: readonly string[], word: 'and' | 'or' = 'and'): string {
  const lower = genres.map((genre) => genre.toLowerCase());
  const games = lower.filter((genre) => genre.startsWith('games: ')).map((genre) => genre.slice(7));
  const others = lower.filter((genre) => genre !== 'games' && !genre.startsWith('games: '));
  const parts = [
    lower.includes('games')
      ? 'games of every kind'
      : games.length > 0
        ? `${joinWords(games, word)} games`
        : '',
    others.length > 0 ? `${joinWords(others, word)} apps` : '',
  ];
  return joinWords(parts.filter(Boolean), word);
}

/** Connection types; Cellular includes the single network generations, which are omitted then. */
export function connectionWords(types: readonly string[], nameOf: (type: string) => string): string {
  const wide = types.includes('Cellular');
  return joinWords(types.filter((type) => !(wide && type.startsWith('Celular'))).map(nameOf), 'or');
}
