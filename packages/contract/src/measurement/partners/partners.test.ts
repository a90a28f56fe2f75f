import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MMPS } from '../../apps/fields.ts';
import { isTrackingMacro } from '../../tracking-links/macros.ts';
import { clickIdFault } from '../../tracking-links/click-id.ts';
import { misspeltMacros } from '../../tracking-links/url.ts';
import { DEEP_LINK_FACTS, withDeepLink } from './deep-links.ts';
import { POSTBACK_PARAMETERS } from './description.ts';
import { PARTNERS, postbackQueries } from './partners.ts';

const listed = MMPS.filter((mmp) => mmp !== 'other');

test('docs/measurement.md lists the macro of every partner for every parameter, and which ones are not documented', () => {
  const rows = readFileSync(new URL('../../../../../docs/measurement.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  for (const parameter of POSTBACK_PARAMETERS) {
    const expected = listed.map((mmp) => {
      const { macros, undocumented } = PARTNERS[mmp].postbacks;
      const macro = macros[parameter] && `\`${macros[parameter]}\``;
      if (undocumented.includes(parameter)) return macro ? `${macro} ?` : '?';
      return macro ?? '–';
    });
    expect(rows.find(([, name]) => name === `\`${parameter}\``)?.slice(2, -1)).toEqual(expected);
  }
  for (const mmp of listed) {
    const { name, postbacks, sources } = PARTNERS[mmp];
    const facts = [postbacks.method, postbacks.encoding, postbacks.retries].map(({ text, documented }) =>
      documented ? text : '?',
    );
    const from = sources
      .map(
        ({ about, pages }) =>
          `${about}: ${pages.map(({ title, url }) => (url ? `[${title}](${url})` : title)).join(', ')}`,
      )
      .join('<br>');
    expect(rows).toContainEqual(['', name, ...facts, from, '']);
  }
});

test.each(listed)('%s has a page of its own, or of a network, about its links and its postbacks', (mmp) => {
  const linked = PARTNERS[mmp].sources.map(({ about, pages }) => [
    about,
    pages.some(({ url }) => url !== null),
  ]);
  expect(linked.every(([, isLinked]) => isLinked)).toBe(true);
  expect(linked.map(([about]) => about).join()).toMatch(/links.*postbacks/);
});

test.each(MMPS)('the links of %s hold a click id that comes back, and only macros that are filled', (mmp) => {
  const { click, view, device } = PARTNERS[mmp].links;
  for (const template of [click, view])
    for (const query of Object.values(device)) {
      const url = template
        .replace('<app>', 'com.example')
        .replace('<device>', query)
        .replace('<callback>', 'install_callback=x{install_token}');
      expect(clickIdFault(url, mmp)).toBeNull();
      expect(misspeltMacros(url)).toEqual([]);
      for (const [, name = ''] of url.matchAll(/\{(\w+)\}/g)) expect(isTrackingMacro(name)).toBe(true);
    }
});

test.each(MMPS)('the link of re-engagement at %s has the deep link in a parameter of its own', (mmp) => {
  const { click } = PARTNERS[mmp].links;
  const url = withDeepLink(`${click}#x`, mmp);
  expect(url).toMatch(/[?&][^=&]+=\{deep_link\}#x$/);
  expect(withDeepLink(url, mmp)).toBe(url);
  expect(misspeltMacros(url)).toEqual([]);
  if (mmp !== 'other') expect(DEEP_LINK_FACTS[mmp].sources.length).toBeGreaterThan(0);
});

test.each(MMPS)(
  'the postbacks of %s begin with the install, and name each parameter once, the click id among them',
  (mmp) => {
    const queries = postbackQueries(mmp);
    expect(queries[0]!.purpose).toMatch(/^Install/);
    for (const { parameters } of queries) {
      const names = parameters.map(([name]) => name);
      expect(names).toContain('click_id');
      expect(new Set(names).size).toBe(names.length);
    }
  },
);

test("Adjust's callbacks send whole units, and not under the name that has cents", () => {
  const parameters = postbackQueries('adjust').flatMap((query) => query.parameters);
  expect(parameters).toContainEqual(['revenue_float', '{revenue_float}']);
  expect(parameters.map(([name]) => name)).not.toContain('revenue');
});
