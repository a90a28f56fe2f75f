import { expect, test } from 'vitest';
import { Email } from '../accounts/schema.ts';
import { SsoDomainInput } from '../accounts/single-sign-on.ts';
import { shownAddress } from './domain.ts';

test.each([
  ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
  ['BÜCHER.Example', 'xn--bcher-kva.example', 'bücher.example'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example', 'bücher.example'],
  ['пример.испытание', 'xn--e1afmkfd.xn--80akhbyknj4f', 'пример.испытание'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
  ['mail.münchen.example', 'mail.xn--mnchen-3ya.example', 'mail.münchen.example'],
  ['company.example', 'company.example', 'company.example'],
])('an address at %s is stored at %s and shown at %s', (typed, stored, shown) => {
  expect(Email.parse(`Ada@${typed}`)).toBe(`Ada@${stored}`);
  expect(shownAddress(`Ada@${stored}`)).toBe(`Ada@${shown}`);
});

test.each([' ada@company.example\n', '\u202Aada@company.example\u202C', '\u00A0ada@company.example\u200B'])(
  'the pasted address %j is read without what is around it',
  (typed) => expect(Email.parse(typed)).toBe('ada@company.example'),
);

test.each([
  'ada\u200B@company.example',
  'ada @company.example',
  'Ada <ada@company.example>',
  'ada@company.example\r\nBcc: ben@company.example',
  'ben@',
  'bücher.example',
  'ben@bücher',
  'ben@bü cher.example',
  'ben@bücher.example/x',
  'bén@company.example',
])('%s is no mail address', (text) => expect(Email.safeParse(text).success).toBe(false));

test.each(['x@xn--.example', 'x@xn--999999999.example', 'x@xn--a-ä.example', ''])(
  '%s is shown as it is',
  (text) => {
    expect(shownAddress(text)).toBe(text);
  },
);

test('a mail domain is listed in its ASCII form', () => {
  expect(SsoDomainInput.parse({ domain: ' Bücher.example ' })).toEqual({ domain: 'xn--bcher-kva.example' });
});
