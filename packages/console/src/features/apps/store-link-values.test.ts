import type { ParsedStoreLink } from '@bidwell/contract/apps/schema';
import { expect, test } from 'vitest';
import { type AppValues, emptyApp } from './app-values.ts';
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

test('the hint names the fields that are empty, the link and the bundle among them', () => {
  const full: AppValues = {
    ...emptyApp,
    store_link: 'https://play.google.com/store/apps/details?id=com.example.candy',
    os: 'android',
    bundle_id: 'com.example.candy',
    name: 'Candy',
    description: 'Sweet',
    icon_link: 'https://example.com/icon.png',
    advertiser_domain: 'sweets.example',
    iab_category: 'IAB9-5',
    mobile_measurement_partner: 'AppsFlyer',
    rating: 4.5,
    size_in_kb: 1000,
  };
  expect(missingHint(full, true)).toBe('Filled in from the link.');
  expect(missingHint({ ...full, size_in_kb: null, mobile_measurement_partner: null }, true)).toBe(
    'Filled in from the link. Still to fill in: size, measurement partner.',
  );
  expect(missingHint({ ...full, store_link: '', bundle_id: '', name: '', advertiser_domain: '' }, true)).toBe(
    'Filled in from the link. Still to fill in: link, bundle ID, title, advertiser domain.',
  );
  expect(missingHint({ ...full, size_in_kb: null }, false)).toBe(
    'The store’s page could not be read: only what the link says is filled in. Still to fill in: size.',
  );
});
