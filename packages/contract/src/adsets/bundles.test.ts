import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AdsetInput } from './schema.ts';
import { bundleError, normaliseBundle, parseBundles } from './bundles.ts';

describe('typed bundles', () => {
  test('are separated by comma, space, ampersand, semicolon, colon and line break', () => {
    const { bundles, error } = parseBundles('com.a,com.b com.c&com.d;com.e:com.f\ncom.g\r\n , 123456789');
    expect(error).toBeNull();
    expect(bundles).toEqual(['com.a', 'com.b', 'com.c', 'com.d', 'com.e', 'com.f', 'com.g', '123456789']);
  });

  test('are lowercased, deduplicated, and lose a trailing dot', () => {
    expect(parseBundles('Com.A com.a. COM.A, com.b.').bundles).toEqual(['com.a', 'com.b']);
  });

  test.each([
    ['ком.приложение', 'Only latin characters are allowed'],
    ['com.foo+bar', 'Only latin characters are allowed'],
    ['com..foo', 'Too many dots in one line'],
    ['com.foo..', 'Too many dots in one line'],
  ])('%s is an error', (text, error) => {
    expect(parseBundles(text)).toEqual({ bundles: [], error });
  });

  test('keep the existing entries of a list, even if they could not be typed', () => {
    const known = ['com.foo+bar'];
    expect(parseBundles('com.foo+bar\ncom.new', known)).toEqual({
      bundles: ['com.foo+bar', 'com.new'],
      error: null,
    });
    expect(parseBundles('com.foo+bar com.other+one', known).error).toBe('Only latin characters are allowed');
  });

  test('nothing is an empty list', () => {
    for (const text of ['', ' ', ',,;', '.', '\n'])
      expect(parseBundles(text)).toEqual({ bundles: [], error: null });
  });
});

describe('the API', () => {
  const lists = AdsetInput.pick({ black_list_bundles: true, white_list_bundles: true, bundle_bids: true });

  test('checks lists and bids by the same rules', () => {
    const read = lists.parse({
      black_list_bundles: ['Com.Foo_Bar', ' com.foo_bar. ', 'com.foo-bar'],
      white_list_bundles: null,
      bundle_bids: { 'COM.A.': 1, 'com.b': 2 },
    });
    expect(read).toEqual({
      black_list_bundles: ['com.foo_bar', 'com.foo-bar'],
      white_list_bundles: [],
      bundle_bids: { 'com.a': 1, 'com.b': 2 },
    });
  });

  test.each([
    ['', 'Required'],
    ['com.приложение', 'Only latin characters are allowed'],
    ['com.a com.b', 'Only latin characters are allowed'],
    ['com..a', 'Too many dots in one line'],
    ['x'.repeat(151), 'At most 150 characters'],
  ])('reports what is wrong with "%s"', (bundle, message) => {
    const inList = lists.safeParse({ black_list_bundles: ['com.fine', bundle] });
    expect(inList.error?.issues).toMatchObject([{ path: ['black_list_bundles', 1], message }]);
    expect(lists.safeParse({ bundle_bids: { [bundle]: 1 } }).success).toBe(false);
  });
});

describe('for any input,', () => {
  const bundleLike = fc.string({
    unit: fc.constantFrom(...'aZ9._- ,;&:\n"\uFEFFж'.split('')),
    maxLength: 60,
  });
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), bundleLike);
  const wellFormed = (bundles: string[]) => {
    expect(new Set(bundles).size).toBe(bundles.length);
    for (const bundle of bundles) {
      expect(bundle).toBe(bundle.toLowerCase());
      expect(bundle).not.toMatch(/^$|\.$|\s/);
    }
  };

  test('typed text gives valid bundles, which parse to themselves', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { bundles, error } = parseBundles(text);
        wellFormed(bundles);
        expect(parseBundles(bundles.join('\n'))).toEqual({ bundles, error: null });
        if (error) expect(bundles).toEqual([]);
      }),
    );
  });

  test('a valid bundle is unchanged', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bundle = normaliseBundle(text);
        if (bundleError(bundle) === null) expect(normaliseBundle(bundle)).toBe(bundle);
      }),
    );
  });
});

test('bundles with an underscore or a dash can be typed', () => {
  expect(parseBundles('com.my_game.app, com.my-game')).toEqual({
    bundles: ['com.my_game.app', 'com.my-game'],
    error: null,
  });
});
