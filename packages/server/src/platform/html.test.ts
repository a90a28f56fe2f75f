import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Tag, readTags, readWrittenTags } from './html.ts';

function tagsOf(html: string): [string, Record<string, string>, string][] {
  const tags: Tag[] = [];
  readTags(html, (tag) => tags.push(tag));
  return tags.map(({ name, attributes, text }) => [name, Object.fromEntries(attributes), text]);
}

test.each<[string, ReturnType<typeof tagsOf>]>([
  ['<IMG Src=a.png alt>', [['img', { src: 'a.png', alt: '' }, '']]],
  ['<a href="?a=1&amp;b=2&#39;&#x1F600;&nosuch;">', [['a', { href: "?a=1&b=2'😀&nosuch;" }, '']]],
  ["<a title='1 > 0' b=\"'\"/>", [['a', { title: '1 > 0', b: "'" }, '']]],
  ['<a x=1 X=2>', [['a', { x: '1' }, '']]],
  [
    '<!DOCTYPE  HTML SYSTEM "x"><b>',
    [
      ['!doctype html', {}, ''],
      ['b', {}, ''],
    ],
  ],
  ['<!x><?y?><![CDATA[<z>]]>', []],
  ['<!-- <a> --><b>', [['b', {}, '']]],
  ['<!-- <a>', []],
  ['<a href="1', []],
  ['1 < 2 <3 </b><', []],
  ['<script type=x>if (a<b) "<i>"</ScRipt ><i>', [['script', { type: 'x' }, 'if (a<b) "<i>"'], ['i', {}, '']]], // prettier-ignore
  ['<style>a{}</style><style>b{}', [['style', {}, 'a{}'], ['style', {}, 'b{}']]], // prettier-ignore
  ['<title><b></title><textarea><i></textarea>', [['title', {}, ''], ['textarea', {}, '']]], // prettier-ignore
  ['<a &#xD800;="&#xD800;&#x110000;&#0;">', [['a', { '&#xd800;': '\uFFFD\uFFFD\uFFFD' }, '']]],
])('%s', (html, tags) => {
  expect(tagsOf(html)).toEqual(tags);
});

test('tags in a script are text up to its end tag', () => {
  const names: string[] = [];
  readWrittenTags('w("<script src=a></scr"+"ipt>"); w("<img>")', ({ name }) => names.push(name));
  expect(names).toEqual(['script', 'img']);
});

test('any page is parsed without an exception', () => {
  const pieces = [
    '<',
    '</',
    '<!--',
    '-->',
    '<![CDATA[',
    '<script',
    '<style>',
    '>',
    '/>',
    '"',
    "'",
    '=',
    '&',
    '&#',
    'a',
    ' ',
  ];
  const page = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 8 }))); // prettier-ignore
  fc.assert(
    fc.property(page, (parts) => {
      const html = parts.join('');
      expect(tagsOf(html).every(([name]) => html.toLowerCase().includes(name))).toBe(true);
    }),
  );
});

const MEGABYTES = 2;
test.each<[string, (length: number) => string]>([
  ['nested tags that never end', (length) => '<div>'.repeat(length / 5)],
  ['end tags of other elements', (length) => '<b>'.repeat(length / 7) + '</i>'.repeat(length / 7)],
  ['tags that never close', (length) => '<a '.repeat(length / 3)],
  ['a huge attribute', (length) => `<a b="${'x'.repeat(length)}">`],
  ['a huge attribute of entities', (length) => `<a b="${'&amp;'.repeat(length / 5)}">`],
  ['a quote that never closes', (length) => `<a b="${'<i>'.repeat(length / 3)}`],
  [
    'very many attributes',
    (length) => `<a ${Array.from({ length: length / 10 }, (_, n) => `a${n}=b`).join(' ')}>`,
  ],
  ['comments that never end', (length) => '<!--'.repeat(length / 4)],
  ['scripts that never end', (length) => '<script>'.repeat(length / 8)],
  ['ends of scripts that are none', (length) => `<script>${'</scrip'.repeat(length / 7)}`],
  ['entities that are none', (length) => `<a b="${'&'.repeat(length)}">`],
])('two megabytes of %s are read to their end', (_what, pageOf) => {
  const page = pageOf(MEGABYTES * 1024 * 1024);
  let tags = 0;
  readTags(page, () => (tags += 1));
  expect(tags).toBeLessThan(page.length);
});
