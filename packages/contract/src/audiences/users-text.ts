import { firstNames } from '../lib/first-names.ts';
import { numberText } from '../lib/number-text.ts';
import type { AudienceUse } from './schema.ts';

const NOUNS = {
  adset: { false: ['ad set', 'ad sets'], true: ['archived ad set', 'archived ad sets'] },
  target: { false: ['target', 'targets'], true: ['archived target', 'archived targets'] },
} as const;

/** What uses an audience, with the first names: `2 ad sets (“A”, “B”) and 1 archived target (“C”)`. Pure. */
export function namedUsersText(users: readonly AudienceUse[]): string {
  const parts = (['adset', 'target'] as const).flatMap((type) =>
    ([false, true] as const).flatMap((isArchived) => {
      const names = users
        .filter((user) => user.type === type && user.is_archived === isArchived)
        .map(({ name }) => name);
      const [one, many] = NOUNS[type][`${isArchived}`];
      const { length } = names;
      return length === 0
        ? []
        : [`${numberText(length)} ${length === 1 ? one : many} (${firstNames(names)})`];
    }),
  );
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}
