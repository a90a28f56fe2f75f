import type { ReferenceItem } from '@bidwell/contract/reference/schema';
import { compareNames } from '../../lib/format/compare-names.ts';

interface CategoryGroup {
  group: string;
  items: { value: string; label: string }[];
}

/** The IAB categories that most advertised apps are in, games first. */
const COMMON = [
  'IAB9-30',
  'IAB9-5',
  'IAB9-7',
  'IAB9-25',
  'IAB22',
  'IAB13',
  'IAB1',
  'IAB14',
  'IAB7',
  'IAB8',
  'IAB20',
  'IAB5',
  'IAB17',
  'IAB1-6',
  'IAB14-1',
] as const;

/**
 * The IAB categories in groups for a select: the ones of the company's own apps (`used`, the most used first), common ones,
 * and the others by first tier, both tiers sorted by name. A category is in the first group that it fits. Pure.
 */
export function groupCategories(
  categories: readonly ReferenceItem[],
  used: readonly string[],
): CategoryGroup[] {
  const names = new Map(categories.map(({ value, name }) => [value, name]));
  const options = (values: readonly string[]) =>
    values.flatMap((value) => {
      const label = names.get(value);
      return label === undefined ? [] : [{ value, label }];
    });
  const common = COMMON.filter((value) => !used.includes(value));
  const first = [
    { group: 'In your apps', items: options(used) },
    { group: 'Common for apps', items: options(common) },
  ];
  const taken = new Set<string>([...used, ...common]);
  return [...first, ...byFirstTier(categories, taken)].filter(({ items }) => items.length > 0);
}

/** The categories that are not taken by first tier; the first tier itself comes before its parts. */
function byFirstTier(categories: readonly ReferenceItem[], taken: ReadonlySet<string>): CategoryGroup[] {
  const groups = new Map<string, CategoryGroup>();
  for (const { value, name } of categories) {
    const tier = value.split('-')[0]!;
    const group = groups.get(tier) ?? { group: name, items: [] };
    groups.set(tier, group);
    if (!taken.has(value)) group.items.push({ value, label: name });
  }
  const isTier = ({ value }: { value: string }) => Number(!value.includes('-'));
  for (const { items } of groups.values())
    items.sort((a, b) => isTier(b) - isTier(a) || compareNames(a.label, b.label));
  return [...groups.values()].sort((a, b) => compareNames(a.group, b.group));
}
