import { expect, test } from 'vitest';
import { formsOfId, idsIn } from './erased-ids.ts';

const ID = '38400000-8cf0-11bd-b23e-10b96e40abcd';

test.each([
  ['as it is', ID],
  ['in upper case', ID.toUpperCase()],
  ['after a prefix', `gaid:${ID}`],
  ['before a full stop', `${ID}.`],
  ['within JSON', JSON.stringify({ user: [{ gaid: ID }] })],
  ['percent-encoded', encodeURIComponent(`{"id":"${ID}"}`)],
])('an id in a value is found %s', (_how, value) => {
  expect(idsIn({ other: value })).toContain(formsOfId(ID)[0]);
});

test('names of parameters, words and parts of longer ids are no ids', () => {
  expect([...idsIn({ [ID]: 'purchase_of_coins', click_id: `x${ID}` })]).toEqual([`x${ID}`]);
});

test('a postback of very many texts is compared with a bounded number of them', () => {
  const value = Array.from({ length: 20_000 }, (_, at) => `a.b.c.d.e.f.id${at}`).join(' ');
  expect(idsIn({ value }).size).toBe(1000);
});
