import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unlinked } from './unlinked.ts';

test.each([
  ['Win at https://evil.example/a?b=c', 'Win at https: //evil.\u2060example/a?b=c'],
  ['www.evil.example', 'www.\u2060evil.\u2060example'],
  ['win@evil.example', 'win @ evil.\u2060example'],
  ['@everyone', '@ everyone'],
  ['evil\u3002example', 'evil\u3002\u2060example'],
  ['Spend of $1,204.50 on 3 May, 99.5%, v1.2', 'Spend of $1,204.50 on 3 May, 99.5%, v1.2'],
  ['grace.hopper logged in', 'grace.\u2060hopper logged in'],
  ['Miller & Sons Ltd.', 'Miller & Sons Ltd.'],
])('%s is shown as %s', (text, shown) => {
  expect(unlinked(text)).toBe(shown);
});

test('no text has an address that a program would link', () => {
  const parts = fc.constantFrom(
    'http',
    'https',
    '://',
    ':',
    '//',
    '.',
    '@',
    'www',
    'evil',
    'com',
    '\u3002',
    ' ',
    '1',
    '-',
    '\n',
    'ä',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (chosen) => {
      const shown = unlinked(chosen.join(''));
      expect(shown).not.toMatch(/:[/\\]|\S[.\u3002]\p{L}|\S@|@\S/u);
      expect(shown.replaceAll(/[\s\u2060]/g, '')).toBe(chosen.join('').replaceAll(/\s/g, ''));
    }),
  );
});
