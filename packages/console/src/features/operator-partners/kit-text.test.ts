import { MMPS } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { expect, test } from 'vitest';
import { kitText, linkNote, linksOf } from './kit-text.ts';

const owner = {
  name: 'Orchard Ads',
  publicUrl: 'https://ads.example',
  logoUrl: 'https://ads.example/logo.svg',
  privacyUrl: 'https://orchard.example/privacy',
  networkIds: ['abcd1234ef.skadnetwork'],
};

test.each(MMPS)('the kit for %s has its links, postbacks and macros, and contacts to fill in', (mmp) => {
  const text = kitText(mmp, owner, {});
  expect(text).toContain(`# Orchard Ads as an ad network at ${PARTNERS[mmp].name}`);
  for (const { value } of linksOf(mmp, owner.publicUrl)) expect(text).toContain(value);
  expect(text).toContain(`https://ads.example/postback/${mmp}/ADVERTISER_SECRET?`);
  expect(text).toContain('`{click_id}`: The signed id of the click');
  expect(text).toContain('Integration: [name, mail address]');
  expect(text).toContain('abcd1234ef.skadnetwork');
  // Placeholders of our own templates are filled in.
  expect(text).not.toMatch(/<(?:app|device|callback)>/);
  // Only macros of links are explained, each once.
  expect(text.match(/`\{click_id\}`:/g)).toHaveLength(1);
});

test('the kit asks for what a partner does not document, and for a privacy policy that is not set', () => {
  expect(kitText('kochava', owner, {})).toContain('Please confirm the macros of: revenue, currency');
  expect(kitText('appsflyer', { ...owner, privacyUrl: null, networkIds: [] }, {})).toContain(
    'Privacy policy: [address]',
  );
});

test('what the operator filled in takes the place of the brackets, and notes for the operator are not sent', () => {
  const text = kitText('appsflyer', owner, {
    integration: ' Ines Roth, ines@orchard.example ',
    support: '  ',
  });
  expect(text).toContain('- Integration: Ines Roth, ines@orchard.example\n');
  expect(text).toContain('- Support for advertisers: [mail address]');
  expect(text).not.toContain('Ask an advertiser');
});

test.each(MMPS.filter((mmp) => PARTNERS[mmp].links.clickHost))(
  'each link of the kit for %s does what the partner documents, with its click id',
  (mmp) => {
    const notes = linksOf(mmp, owner.publicUrl).map(({ value }) => linkNote(mmp, value));
    const name = PARTNERS[mmp].name;
    const both = [
      `As documented, ${name} leads the click to the store, and reads the click id.`,
      `As documented, ${name} takes the view, and reads the click id.`,
    ];
    expect(notes).toEqual([...both, ...both]);
  },
);

test('a link of a partner that documents no hosts says so', () => {
  expect(linksOf('other', owner.publicUrl).map(({ value }) => linkNote('other', value))).toEqual(
    Array.from({ length: 4 }, () => 'Where this link leads is not documented.'),
  );
});
