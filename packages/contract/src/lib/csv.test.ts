import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormula } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['==1', "'==1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['a;=1', "a;'=1"],
  [';;＝1;-2', ";;'＝1;'-2"],
  ['a=b', 'a=b'],
  ['com.example', 'com.example'],
  ['', ''],
])('%j is written as %j', (text, cell) => {
  expect(escapeFormula(text)).toBe(cell);
});

test('no cell begins as a formula, with any separator, and no text is lost', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."= + - @ \t \r ＝ ＋ － ＠ ; a '".split(' ')) }),
      (text) => {
        const cell = escapeFormula(text);
        for (const part of cell.split(';')) expect(part).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
        expect(cell.replaceAll(/(^|;)'(?=[=+\-@\t\r＝＋－＠])/g, '$1')).toBe(
          text.replaceAll(/(^|;)'(?=[=+\-@\t\r＝＋－＠])/g, '$1'),
        );
      },
    ),
  );
});
