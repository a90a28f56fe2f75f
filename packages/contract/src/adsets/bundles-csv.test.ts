import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundleError } from './bundles.ts';
import { bundlesFromCsv } from './bundles-csv.ts';

/** A report as exchanges and this console export it. */
const report = [
  'Name;Spends;Bundle;Impressions;CTR',
  'Good Game;12,5;com.good.game;123456789;0.03',
  'chess;3;1234567890;65432;0.01',
  'Total;15,5;;123522221;1.0',
  'Old;1;Com.Upper;7;0.1',
  'Old;1;12.5;7;0.1',
].join('\n');

describe('a report as a list of bundles', () => {
  test('is read in the column of bundles alone, and says with their lines what is skipped there', () => {
    expect(bundlesFromCsv(report)).toEqual({
      bundles: ['com.good.game', '1234567890'],
      column: 'Bundle',
      skipped: [
        { line: 5, text: 'Com.Upper' },
        { line: 6, text: '12.5' },
      ],
    });
  });

  test.each([
    ['tabs', report.replaceAll(';', '\t')],
    ['a line that names the separator', `sep=;\n${report}`],
    ['another separator', `sep=|\r\n${report.replaceAll(';', '|').replaceAll('\n', '\r\n')}`],
    ['quotes', report.replaceAll(/[^;\n]+/g, '"$&"')],
    ['commas and quotes', report.replaceAll(/[^;\n]+/g, '"$&"').replaceAll(';', ',')],
    ['a byte order mark', `\uFEFF${report}`],
  ])('is read with %s', (_name, text) => {
    const { bundles, skipped } = bundlesFromCsv(text);
    expect(bundles).toEqual(['com.good.game', '1234567890']);
    expect(skipped.map((cell) => cell.text)).toEqual(['Com.Upper', '12.5']);
  });

  test('with the columns of the report of bundles', () => {
    const text =
      'bundle,spends,clicks,installs,impressions,ctr,cpm,cpi\ncom.bad.game,12.5,34,2,123456,0.03,1.25,6.25\n1234567890,3,5,0,65432,0.01,0.5,\n';
    expect(bundlesFromCsv(text)).toEqual({
      bundles: ['com.bad.game', '1234567890'],
      column: 'bundle',
      skipped: [],
    });
  });

  test('without a header of bundles adds no figures and names', () => {
    expect(bundlesFromCsv('Game,Money,Views\nchess,12.5,123456\ncom.a.b,1e3,7\n')).toEqual({
      bundles: ['com.a.b'],
      column: null,
      skipped: [
        { line: 2, text: 'chess' },
        { line: 2, text: '12.5' },
        { line: 2, text: '123456' },
        { line: 3, text: '1e3' },
        { line: 3, text: '7' },
      ],
    });
  });

  test('counts the lines of the file, also those within quotes', () => {
    const text = 'sep=,\r\n"name","bundle"\r\n"two\r\nlines","no bundle"\r\n\r\n"x","y"\r\n';
    expect(bundlesFromCsv(text).skipped).toEqual([
      { line: 3, text: 'no bundle' },
      { line: 6, text: 'y' },
    ]);
  });
});

describe('a CSV file', () => {
  test.each([
    ['commas', 'com.a,com.b\ncom.c'],
    ['semicolons', 'com.a;com.b\ncom.c'],
    ['tabs', 'com.a\tcom.b\ncom.c'],
    ['several separators', 'com.a;com.b\tcom.c'],
    ['Windows line ends and a last one', 'com.a,com.b\r\ncom.c\r\n'],
    ['a byte order mark', '\uFEFFcom.a,com.b\ncom.c'],
    ['quotes', '"com.a","com.b"\n"com.c"'],
    ['spaces and empty rows', ' com.a , com.b \n\n,,\n com.c'],
  ])('with %s is read', (_name, text) => {
    expect(bundlesFromCsv(text)).toEqual({ bundles: ['com.a', 'com.b', 'com.c'], column: null, skipped: [] });
  });

  test('drops entries in upper case, the words android and ios, and figures', () => {
    const text = 'com.foo_bar,ios\ncom.Upper,android\ncom.a,"12% ""more"""\ncom.a.,com..b,12.5';
    expect(bundlesFromCsv(text)).toEqual({
      bundles: ['com.foo_bar', 'com.a'],
      column: null,
      skipped: [
        { line: 1, text: 'ios' },
        { line: 2, text: 'com.Upper' },
        { line: 2, text: 'android' },
        { line: 3, text: '12% "more"' },
        { line: 4, text: 'com..b' },
        { line: 4, text: '12.5' },
      ],
    });
  });

  test.each([
    ['quotes', "'com.a.b'", 'com.a.b'],
    ['an apostrophe before it', "'com.a.b", 'com.a.b'],
    ['the formula of spreadsheets', '="1234567890"', '1234567890'],
    ['this formula in quotes', '"=""com.a.b"""', 'com.a.b'],
    ['a URL of Google Play', 'https://play.google.com/store/apps/details?id=com.a.b&hl=en_US', 'com.a.b'],
    ['a URL of the App Store', 'https://apps.apple.com/us/app/name/id553834731', '553834731'],
  ])('with an id in %s is read, in the first row too', (_name, cell, id) => {
    expect(bundlesFromCsv(cell)).toEqual({ bundles: [id], column: null, skipped: [] });
    expect(bundlesFromCsv(`bundle\n${cell}\ncom.c`).bundles).toEqual([id, 'com.c']);
  });

  test.each([
    'com.A.b',
    "'com.A.b'",
    '1.23457E+11',
    '1E+11',
    '12345',
    'id12345',
    'com..b',
    'https://example.com/app',
    'https://play.google.com/store/apps/details?id=com.A.b',
  ])('with "%s" as its first row names it as skipped', (cell) => {
    expect(bundlesFromCsv(`${cell}\ncom.c\n`)).toEqual({
      bundles: ['com.c'],
      column: null,
      skipped: [{ line: 1, text: cell }],
    });
  });

  test.each(['Game', 'Game,Win rate %,No.,eCPM (USD)', 'Приложение;7d retention', '名'])(
    'has the header "%s"',
    (header) => {
      expect(bundlesFromCsv(`${header}\ncom.c\n`)).toEqual({ bundles: ['com.c'], column: null, skipped: [] });
    },
  );

  test.each(['Com.Upper', 'com..b', '1E+11', '12345'])(
    'whose header has "bundle" next to "%s" is read below it',
    (cell) => {
      expect(bundlesFromCsv(`bundle,${cell}\ncom.one,com.two\n`)).toEqual({
        bundles: ['com.one'],
        column: 'bundle',
        skipped: [],
      });
    },
  );

  test('whose quotation mark is not closed is refused with its line', () => {
    const at = (line: number) => new RangeError(`The quotation mark in line ${line} is not closed`);
    expect(() => bundlesFromCsv('"com.a\ncom.b\ncom.c\n')).toThrow(at(1));
    expect(() => bundlesFromCsv('sep=,\nbundle,name\ncom.a,"x\ny"\ncom.b,"y\ncom.c,z\n')).toThrow(at(5));
  });

  test('treats separators and line breaks within quotes as text, and quotes within text', () => {
    expect(bundlesFromCsv('"com.a,com.b\ncom.c",com.d').bundles).toEqual(['com.d']);
    expect(bundlesFromCsv('12" screen,com.a\ncom.b').bundles).toEqual(['com.a', 'com.b']);
  });

  test('has at most 500 rows, not counting empty ones', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, row) => `com.app${row}\n`).join('\n');
    expect(bundlesFromCsv(`bundle\n${rows(500)}`).bundles).toHaveLength(500);
    expect(() => bundlesFromCsv(rows(501))).toThrow(new RangeError('A file holds at most 500 rows'));
    expect(() => bundlesFromCsv('a,'.repeat(600_000))).toThrow(RangeError);
  });

  test.each(['bundle', 'bundle_id', 'Bundle ID', 'app', 'app.bundle'])(
    'has a column of bundles below the header "%s"',
    (header) => {
      expect(bundlesFromCsv(`${header}\ncom.one\n553834731\n12345\n`)).toEqual({
        bundles: ['com.one', '553834731', '12345'],
        column: header,
        skipped: [],
      });
    },
  );
});

function isOpen(text: string): boolean {
  try {
    bundlesFromCsv(text);
    return false;
  } catch {
    return true;
  }
}

test('any file gives valid bundles, which parse to themselves as a file', () => {
  const bundleLike = fc.string({
    unit: fc.constantFrom(...'aZ9._- ,;&:\n"\uFEFFж'.split('')),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), bundleLike), (text) => {
      // The closing quote that the text lacks, if any.
      const { bundles } = bundlesFromCsv(isOpen(text) ? `${text}"` : text);
      expect(new Set(bundles).size).toBe(bundles.length);
      expect(bundles.map(bundleError)).toEqual(bundles.map(() => null));
      expect(bundlesFromCsv(bundles.join(','))).toEqual({ bundles, column: null, skipped: [] });
    }),
  );
});
