import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bannerMarkup } from './render.ts';

const banner = {
  imageUrl: 'https://dsp.example/m/1.png',
  clickUrl: 'https://dsp.example/t/click/abc',
  pixelUrls: ['https://dsp.example/t/impression/abc', 'https://view.example/v?a=1&b=2'],
  width: 320,
  height: 50,
};

test('addresses are escaped in their attributes, and parse back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (nasty) => {
      const clean = bannerMarkup(banner);
      const url = `https://x/${nasty}`;
      const markup = bannerMarkup({ ...banner, imageUrl: url, clickUrl: url, pixelUrls: [url, url] });
      for (const character of ['<', '>', '"'])
        expect(markup.split(character)).toHaveLength(clean.split(character).length);
      expect([...markup.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, text]) => unescape(text!))).toEqual(
        Array.from({ length: 4 }, () => url),
      );
    }),
  );
});

function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
