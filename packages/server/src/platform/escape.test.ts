import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodedUrl } from './escape.ts';

test.each([
  ['https://view.example/v?a=1&b=%20c', 'https://view.example/v?a=1&b=%20c'],
  ['https://view.example/v?id={gps_adid}', 'https://view.example/v?id=%7Bgps_adid%7D'],
  ['https://view.example/v?share=50%', 'https://view.example/v?share=50%25'],
  ['https://view.example/ü[1]', 'https://view.example/%C3%BC%5B1%5D'],
])('%s is written %s', (url, encoded) => {
  expect(encodedUrl(url)).toBe(encoded);
});

test('any address becomes a valid URI, and stays one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encoded = encodedUrl(text);
      expect(encoded).toMatch(/^([\w\-.~:/?#@!$&'()*+,;=]|%[\dA-Fa-f]{2})*$/);
      expect(encodedUrl(encoded)).toBe(encoded);
    }),
  );
});
