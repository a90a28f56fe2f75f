import type { ParsedStoreLink } from '@bidwell/contract/app';
import { expect, test } from 'vitest';
import { groupCategories } from './categories.ts';
import { filledIn, missingHint } from './store-link-values.ts';

const parsed: ParsedStoreLink = {
  os: 'ios',
  bundle_id: 'com.example.candy',
  store_link: 'https://apps.apple.com/app/id553834731',
  name: 'Candy Crush Saga',
  icon_link: 'https://example.com/icon.png',
  rating: 4.7,
  size_in_kb: null,
  iab_category: 'IAB9-5',
  description: 'Sweets',
  advertiser_domain: 'sweets.example',
  missing: ['size_in_kb', 'mobile_measurement_partner'],
};
const empty = {
  bundle_id: '',
  name: '',
  description: '',
  icon_link: '',
  advertiser_domain: '',
  iab_category: null,
  rating: null,
  size_in_kb: null,
};

test('an empty form takes all that the store says', () => {
  expect(filledIn(empty, parsed, null)).toEqual({
    bundle_id: 'com.example.candy',
    name: 'Candy Crush Saga',
    description: 'Sweets',
    icon_link: 'https://example.com/icon.png',
    advertiser_domain: 'sweets.example',
    iab_category: 'IAB9-5',
    rating: 4.7,
  });
});

test('what a person wrote stays, and what was guessed from the link does not', () => {
  const now = { ...empty, bundle_id: '553834731', name: 'My title', rating: 0, description: 'Mine' };
  const filled = filledIn(now, parsed, { bundle_id: '553834731', name: 'Candy Crush' });
  expect(filled).toEqual({
    bundle_id: 'com.example.candy',
    icon_link: 'https://example.com/icon.png',
    advertiser_domain: 'sweets.example',
    iab_category: 'IAB9-5',
  });
  expect(
    filledIn({ ...now, name: 'Candy Crush' }, parsed, { bundle_id: '1', name: 'Candy Crush' }),
  ).toMatchObject({
    name: 'Candy Crush Saga',
  });
});

test('the hint names what is left', () => {
  expect(missingHint(parsed)).toBe('Filled in from the link. Left to you: size, measurement partner.');
  expect(missingHint({ ...parsed, missing: [] })).toBe('Filled in from the link.');
});

test('categories stand under their first tier, hobbies with the games first', () => {
  const groups = groupCategories([
    { value: 'IAB1', name: 'Arts & Entertainment' },
    { value: 'IAB1-1', name: 'Books & Literature' },
    { value: 'IAB9', name: 'Hobbies & Interests' },
    { value: 'IAB9-30', name: 'Video & Computer Games' },
  ]);
  expect(groups.map(({ group }) => group)).toEqual(['Hobbies & Interests', 'Arts & Entertainment']);
  expect(groups[0]!.items).toContainEqual({ value: 'IAB9-30', label: 'Video & Computer Games' });
});
