import type { ReferenceItem } from '@bidwell/contract/reference';

/** IAB categories grouped by first tier for a select; games (IAB9) first, since most apps here are games. */
export function groupCategories(categories: readonly ReferenceItem[]) {
  const groups = new Map<string, { group: string; items: { value: string; label: string }[] }>();
  for (const { value, name } of categories) {
    const parent = value.split('-')[0]!;
    const group = groups.get(parent) ?? { group: name, items: [] };
    groups.set(parent, group);
    group.items.push({ value, label: name });
  }
  const games = groups.get('IAB9');
  return games ? [games, ...[...groups.values()].filter((group) => group !== games)] : [...groups.values()];
}
