import { expect, test } from 'vitest';
import { bytesText } from './bytes.ts';

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1_572_864, '1.5 MiB'],
  [1_048_577, '1.1 MiB'],
  [2 * 1024 ** 3, '2 GiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
