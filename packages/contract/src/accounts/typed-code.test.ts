import { expect, test } from 'vitest';
import { OperatorLogin } from '../operator-accounts/schema.ts';
import { CodeInput } from './sign-in.ts';

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  [' 123\u00A0456\n', '123456'],
  ['123\u202F456\u200B', '123456'],
  ['12 34 56', '123456'],
  ['123-456', '123456'],
  ['123–456', '123456'],
  ['１２３　４５６', '123456'],
  ['١٢٣ ٤٥٦', '123456'],
  ['۱۲۳۴۵۶', '123456'],
  ['१२३ ४५६', '123456'],
  ['১২৩৪৫৬', '123456'],
  ['๑๒๓๔๕๖', '123456'],
  ['၁၂၃၄၅၆', '123456'],
  ['𝟏𝟐𝟑𝟒𝟓𝟔', '123456'],
  ['𞥑𞥒𞥓𞥔𞥕𞥖', '123456'],
  ['123\u2212456', '123456'],
  ['123ー456', '123456'],
  ['123·456', '123456'],
  ['123_456', '123456'],
  ['1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣', '123456'],
  ['\u202E123456\u202C', '123456'],
  ['\u200F123\u2028456\r\n', '123456'],
  ['٠٩٨٧٦٥', '098765'],
  ['ab1cd-ef2gh-ij3kl-mn4op-qr5st', 'ab1cdef2ghij3klmn4opqr5st'],
  ['AB1CD EF2GH IJ3KL MN4OP QR5ST', 'AB1CDEF2GHIJ3KLMN4OPQR5ST'],
])('a code typed as %j is read as %s, of people and of operators', (typed, code) => {
  expect(CodeInput.parse({ code: typed })).toEqual({ code });
  expect(OperatorLogin.parse({ login: 'ada', password: 'x', code: typed })).toMatchObject({ code });
});

test.each(['', '12345', '- - -', '1'.repeat(41)])('%j is no code', (code) => {
  expect(CodeInput.safeParse({ code }).success).toBe(false);
  expect(OperatorLogin.safeParse({ login: 'ada', password: 'x', code }).success).toBe(false);
});
