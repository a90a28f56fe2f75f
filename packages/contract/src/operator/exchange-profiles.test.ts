import { expect, test } from 'vitest';
import {
  exchangeProfiles,
  guessedProfile,
  profileChangesOf,
  rulesOf,
  unknownFields,
  unknownRules,
} from './exchange-profiles.ts';
import { PROFILE_SLUGS, RULE_NAMES } from './exchange-rules.ts';
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
    expect(profileChangesOf({ ...SspInput.parse({ name, ...settings }), profile: slug })).toEqual([]);
  },
);

test('settings without a fact are listed as unknown', () => {
  const unity = exchangeProfiles.find(({ slug }) => slug === 'unity')!;
  expect(unknownFields(unity)).toEqual(['price_macro', 'answer_bytes_max', 'seat']);
});

test('an exchange of an earlier profile has the settings that its documentation now contradicts', () => {
  const unity = (over: object = {}) => ({
    ...SspInput.parse({ name: 'Unity', ...over }),
    profile: 'unity' as const,
  });
  const change = { field: 'charge_on', setting: 'win', documented: 'billing' };
  expect(profileChangesOf(unity({ charge_on: 'win' }))).toMatchObject([change]);
  // Settings that follow the documentation, settings that an operator changed, and other exchanges have no changes.
  expect(profileChangesOf(unity())).toEqual([]);
  expect(profileChangesOf(unity({ charge_on: 'first' }))).toEqual([]);
  expect(profileChangesOf({ ...unity({ charge_on: 'win' }), profile: 'openrtb' })).toEqual([]);
});

test('a new exchange has the profile of its id, alone or before a dash, or of its name', () => {
  expect(guessedProfile({ slug: 'unity', name: 'Any' })).toBe('unity');
  expect(guessedProfile({ slug: 'unity-us', name: 'Any' })).toBe('unity');
  expect(guessedProfile({ slug: 'x', name: 'unity / ironsource' })).toBe('unity');
  expect(guessedProfile({ slug: 'unityads', name: 'Any' })).toBe('openrtb');
});

test.each(exchangeProfiles)('the rules of $name have a source each, and are found by name', (profile) => {
  const rules = rulesOf(profile.slug);
  expect(new Set(profile.rules.map(({ rule }) => rule)).size).toBe(profile.rules.length);
  for (const { rule, value, text, source } of profile.rules) {
    expect(rules[rule]).toBe(value);
    expect(text).toMatch(/\.$/);
    expect(new URL(source).protocol).toBe('https:');
  }
  const named = new Set<string>(profile.rules.map(({ rule }) => rule));
  for (const name of RULE_NAMES) if (!named.has(name)) expect(rules[name]).toBeNull();
  for (const name of unknownRules(profile)) expect(rules[name]).toBeNull();
});

test('there is one profile for each slug, and at most one notice of a won bid names the lowest price that wins', () => {
  expect(exchangeProfiles.map(({ slug }) => slug)).toEqual([...PROFILE_SLUGS]);
  for (const { slug } of exchangeProfiles) {
    const macros = rulesOf(slug).min_to_win;
    expect(macros !== null && macros.win !== null && macros.billing !== null).toBe(false);
  }
});
