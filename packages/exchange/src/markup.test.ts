import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBannerMarkup } from './markup.ts';

test('finds the images and the link, with their entities decoded', () => {
  const html =
    '<a target="_blank" href="https://s/t/click/1?a=1&amp;b=2"><img width="1" src="https://s/m/1.png"></a>' +
    '<IMG src=\'https://s/t/impression/x\' alt=\'\'><img src="data:image/gif;base64,AA"><img src="https://v.example/?q=&quot;&#39;&#x41;">';
  expect(readBannerMarkup(html)).toEqual({
    clickUrl: 'https://s/t/click/1?a=1&b=2',
    imageUrls: ['https://s/m/1.png', 'https://s/t/impression/x', 'https://v.example/?q="\'A'],
  });
});

test('a link that a web view would not open is none', () => {
  expect(readBannerMarkup('<a href="javascript:alert(1)">x</a>').clickUrl).toBeNull();
  expect(readBannerMarkup('').clickUrl).toBeNull();
});

test('never throws, whatever the markup', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      readBannerMarkup(`<img src="${text}"><a href="${text}">`);
    }),
  );
});
