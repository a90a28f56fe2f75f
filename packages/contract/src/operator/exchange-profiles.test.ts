import { expect, test } from 'vitest';
import { exchangeProfiles, profileChangesOf, unknownFields } from './exchange-profiles.ts';
import { SspInput, SspSlug } from './schema.ts';

test.each(exchangeProfiles)(
  'the profile of $name is valid and gives a source for each difference',
  (profile) => {
    const { slug, name, settings, facts } = profile;
    expect(SspSlug.safeParse({ slug }).success).toBe(true);
    expect(SspInput.parse({ name, ...settings })).toMatchObject(settings);
    const sourced = facts.map(({ field }) => field);
    expect(sourced).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(new Set(sourced).size).toBe(sourced.length);
    for (const { source } of facts) expect(new URL(source).protocol).toBe('https:');
    expect(sourced).toEqual(expect.arrayContaining(Object.keys(profile.formerSettings ?? {})));
    expect(new Date(profile.readOn).toISOString().slice(0, 10)).toBe(profile.readOn);
    // An exchange that begins with the profile follows its documentation.
    expect(profileChangesOf({ ...SspInput.parse({ name, ...settings }), slug })).toEqual([]);
  },
);

test('settings without a fact are listed as unknown', () => {
  const unity = exchangeProfiles.find(({ slug }) => slug === 'unity')!;
  expect(unknownFields(unity)).toEqual(['price_macro', 'answer_bytes_max', 'seat']);
});

test('an exchange of an earlier profile has the settings that its documentation now contradicts', () => {
  const unity = (over: object = {}) => ({ ...SspInput.parse({ name: 'Unity', ...over }), slug: 'unity' });
  const change = { field: 'charge_on', setting: 'win', documented: 'billing' };
  expect(profileChangesOf(unity({ charge_on: 'win' }))).toMatchObject([change]);
  expect(profileChangesOf({ ...unity({ charge_on: 'win' }), slug: 'unity-us' })).toMatchObject([change]);
  expect(
    profileChangesOf({ ...unity({ charge_on: 'win', name: 'Unity / ironSource' }), slug: 'x' }),
  ).toMatchObject([change]);
  // Settings that follow the documentation, settings that an operator changed, and other exchanges have no changes.
  expect(profileChangesOf(unity())).toEqual([]);
  expect(profileChangesOf(unity({ charge_on: 'first' }))).toEqual([]);
  expect(profileChangesOf({ ...unity({ charge_on: 'win' }), slug: 'unityads' })).toEqual([]);
});
