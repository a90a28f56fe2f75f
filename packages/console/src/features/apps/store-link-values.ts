import type { ParsedStoreLink } from '@bidwell/contract/apps/schema';
import { type AppValues, emptyApp } from './app-values.ts';

const fields = [
  'bundle_id',
  'name',
  'description',
  'icon_link',
  'advertiser_domain',
  'iab_category',
  'rating',
  'size_in_kb',
] as const;
type Field = (typeof fields)[number];
type Value = string | number | null;

/** Values derived from the link alone, which values of the store page may replace. */
export type LinkGuess = {
  bundle_id: string;
  name: string | null;
  advertiser_domain?: string | null;
} | null;

/** The fields that have another value than they had when a store page was requested: the user edited them since. */
export function editedFields(
  requested: Readonly<Record<Field, Value>>,
  now: Readonly<Record<Field, Value>>,
): readonly Field[] {
  return fields.filter((field) => now[field] !== requested[field]);
}

/**
 * The fields to fill in from a store page: empty ones and guessed ones. What the user entered stays, and so does a field that the
 * user emptied while the page was read.
 */
export function fieldsToFill(
  now: Readonly<Record<Field, Value>>,
  parsed: ParsedStoreLink,
  guessed: LinkGuess,
  edited: readonly Field[] = [],
): Partial<Pick<AppValues, Field>> {
  const guesses: Partial<Record<Field, Value>> = guessed ?? {};
  const free = fields.filter((field) => {
    if (edited.includes(field)) return false;
    const value = now[field];
    return value === '' || value === null || value === guesses[field];
  });
  return Object.fromEntries(
    free.flatMap((field) => (parsed[field] === null ? [] : [[field, parsed[field]] as const])),
  ) as Partial<Pick<AppValues, Field>>;
}

/** Empties the fields that still have their filled-in values. Pure. */
export function filledFields(now: AppValues, filled: Partial<AppValues>): Partial<AppValues> {
  const unchanged = (Object.keys(filled) as (keyof AppValues)[]).filter(
    (field) => now[field] === filled[field],
  );
  return Object.fromEntries(unchanged.map((field) => [field, emptyApp[field]]));
}

/** The fields that a store page fills in or leaves to the user, in the order of the form. */
const labels: Partial<Record<keyof AppValues, string>> = {
  store_link: 'link',
  bundle_id: 'bundle ID',
  name: 'title',
  description: 'description',
  icon_link: 'icon',
  advertiser_domain: 'advertiser domain',
  iab_category: 'category',
  rating: 'rating',
  size_in_kb: 'size',
  mobile_measurement_partner: 'measurement partner',
};

/** Whether a store page was read: otherwise there is only what the link says. Pure. */
export function isPageRead(parsed: ParsedStoreLink): boolean {
  const { description, icon_link: icon, iab_category: category, rating, size_in_kb: size } = parsed;
  return [description, icon, category, rating, size].some((value) => value !== null);
}

/** A sentence, after a store link was read, that lists the fields that are empty now, and says where `hasPage` is false. Pure. */
export function missingHint(now: AppValues, hasPage: boolean): string {
  const left = (Object.keys(labels) as (keyof AppValues)[]).flatMap((field) =>
    now[field] === '' || now[field] === null ? (labels[field] ?? []) : [],
  );
  const filled = hasPage
    ? 'Filled in from the link.'
    : 'The store’s page could not be read: only what the link says is filled in.';
  return left.length === 0 ? filled : `${filled} Still to fill in: ${left.join(', ')}.`;
}
