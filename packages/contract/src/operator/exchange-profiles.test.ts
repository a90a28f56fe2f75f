import { expect, test } from 'vitest';
import { exchangeProfiles, unknownFields } from './exchange-profiles.ts';
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
  },
);

test('settings without a fact are listed as unknown', () => {
  const unity = exchangeProfiles.find(({ slug }) => slug === 'unity')!;
  expect(unknownFields(unity)).toEqual(['price_macro', 'price_format', 'answer_bytes_max', 'seat']);
});
