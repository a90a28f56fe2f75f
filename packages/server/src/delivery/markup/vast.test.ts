import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SAMPLE_VAST } from '@bidwell/testing/sample-vast';
import { vastMarkup } from './vast.ts';
import { vastVersion } from '../model/bid-request.ts';

/** Names of the elements in an XML document, in order; CDATA counts as text. */
const elementsOf = (xml: string) =>
  [...xml.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').matchAll(/<([A-Za-z]+)/g)].map(([, name]) => name);

test('texts are escaped in their elements, and addresses parse back unchanged', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(']]>', '<a>', '"><b x="', '&amp;', ']]', '>'),
  );
  fc.assert(
    fc.property(
      fc.array(nasty).map((parts) => parts.join('')),
      (text) => {
        const url = `https://x/${text}`;
        const xml = vastMarkup({
          ...SAMPLE_VAST,
          title: text,
          advertiser: text,
          creativeId: text,
          clickUrl: url,
          impressionUrls: [url],
          video: { ...SAMPLE_VAST.video, url },
        });
        expect(elementsOf(xml)).toEqual(elementsOf(vastMarkup({ ...SAMPLE_VAST, impressionUrls: [url] })));
        const read = /<ClickThrough>([\s\S]*?)<\/ClickThrough>/.exec(xml)![1]!;
        const content = [...read.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map(([, part]) => part).join('');
        const allowed = Array.from(url).filter((one) =>
          /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]$/u.test(one),
        );
        expect(content).toBe(allowed.join(''));
      },
    ),
  );
});

test.each([
  [[], '3.0'],
  [[2], '2.0'],
  [[2, 3], '3.0'],
  [[7, 3], '4.0'],
  [[11, 7], '4.1'],
  [[2, 3, 5, 6, 7, 8, 11, 12, 13, 14], '4.2'],
])('protocols %j are answered in VAST %s', (protocols, version) => {
  expect(vastVersion(protocols)!.version).toBe(version);
});

test('wrappers, VAST 1 and DAAST are not supported', () => {
  expect(vastVersion([1, 4, 5, 6, 8, 9, 10, 12, 14])).toBeNull();
});
