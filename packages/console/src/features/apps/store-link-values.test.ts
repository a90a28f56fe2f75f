import type { ParsedStoreLink } from '@bidwell/contract/apps/schema';
import { expect, test } from 'vitest';
import { editedFields, fieldsToFill, missingHint } from './store-link-values.ts';

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

test('an empty form gets all values of the store page', () => {
  expect(fieldsToFill(empty, parsed, null)).toEqual({
    bundle_id: 'com.example.candy',
    name: 'Candy Crush Saga',
    description: 'Sweets',
    icon_link: 'https://example.com/icon.png',
    advertiser_domain: 'sweets.example',
    iab_category: 'IAB9-5',
    rating: 4.7,
  });
});

test('input of the user stays, values guessed from the link are replaced', () => {
  const now = { ...empty, bundle_id: '553834731', name: 'My title', rating: 0, description: 'Mine' };
  const filled = fieldsToFill(now, parsed, { bundle_id: '553834731', name: 'Candy Crush' });
  expect(filled).toEqual({
    bundle_id: 'com.example.candy',
    icon_link: 'https://example.com/icon.png',
    advertiser_domain: 'sweets.example',
    iab_category: 'IAB9-5',
  });
  expect(
    fieldsToFill({ ...now, name: 'Candy Crush' }, parsed, { bundle_id: '1', name: 'Candy Crush' }),
  ).toMatchObject({
    name: 'Candy Crush Saga',
  });
});

test('a field that is emptied while the store page is read stays empty', () => {
  const requested = { ...empty, advertiser_domain: 'own.example' };
  const edited = editedFields(requested, empty);
  expect(fieldsToFill(empty, parsed, null, edited)).not.toHaveProperty('advertiser_domain');
  expect(fieldsToFill(empty, parsed, null, edited)).toMatchObject({ name: 'Candy Crush Saga' });
});

test('the hint names the fields that are still empty', () => {
  expect(missingHint(parsed)).toBe('Filled in from the link. Still to fill in: size, measurement partner.');
  const guessed = { ...parsed, missing: ['advertiser_domain'] } as ParsedStoreLink;
  expect(missingHint(guessed)).toBe('Filled in from the link.');
  expect(missingHint({ ...guessed, bundle_id: '553834731' })).toBe(
    'Filled in from the link. Still to fill in: advertiser domain.',
  );
  expect(missingHint({ ...parsed, missing: [] })).toBe('Filled in from the link.');
});
