import { escapeFormula } from '@bidwell/contract/lib/csv';
import { runs } from '@bidwell/testing/whole-run';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './table-file.ts';

test.each<[Parameters<typeof csvLine>[0], string]>([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines', ' x'], '"a,b","say ""x""","two\nlines"," x"\r\n'],
  [['=1+1', '-1', 'a;+1'], '"\'=1+1","\'-1","a;\'+1"\r\n'],
  [[-1, 0.1 + 0.2, 1e-9, 1_234_567.000_000_4], '-1,0.3,0,1234567\r\n'],
  [[''], '\r\n'],
])('%j is written as %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test('any cells are written as csv-stringify writes them', () => {
  const pieces = ',;"\'=+-@\t\r\n aé＝'.split('').map((piece) => fc.constant(piece));
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(...pieces)).map((parts) => parts.join('')),
  );
  const cell = fc.oneof(text, fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.constant(null));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 8 }), (cells) => {
      const expected = stringify([cells], {
        record_delimiter: '\r\n',
        quoted_match: /[\r\n]|^\s|\s$/,
        cast: {
          string: (value) => ({
            value: escapeFormula(value),
            ...(escapeFormula(value) !== value && { quoted: true }),
          }),
          number: (value) => String(Number(value.toFixed(6))),
        },
      });
      expect(csvLine(cells)).toBe(expected);
    }),
    runs(1000),
  );
});
