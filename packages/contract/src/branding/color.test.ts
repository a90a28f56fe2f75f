import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CONTRAST_MIN,
  contrast,
  darkContrast,
  lightContrast,
  mixed,
  paletteOf,
  readableOnDark,
  readableOnLight,
} from './color.ts';

const color = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
])('the contrast of %s and %s is %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2);
  expect(contrast(other, one)).toBeCloseTo(expected, 2);
});

test('the suggested colours can be read, and are the given ones if these can be', () => {
  fc.assert(
    fc.property(color, (given) => {
      const light = readableOnLight(given);
      expect(lightContrast(light)).toBeGreaterThanOrEqual(CONTRAST_MIN);
      expect(readableOnLight(light)).toBe(light);
      expect(darkContrast(readableOnDark(given, light), light)).toBeGreaterThanOrEqual(CONTRAST_MIN);
    }),
  );
});

test('with any accent that is accepted, all texts in its shades can be read in both schemes', () => {
  fc.assert(
    fc.property(color, fc.boolean(), (given, hasOwnDark) => {
      const accent = readableOnLight(given);
      const shades = paletteOf({ accent, accent_dark: hasOwnDark ? readableOnDark(given, accent) : null });
      expect(shades).toHaveLength(10);
      const pairs: [string, string, string][] = [
        ['buttons', '#ffffff', shades[7]!],
        ['buttons under the pointer', '#ffffff', shades[8]!],
        ['links', shades[7]!, '#ffffff'],
        ['links in chosen rows', shades[7]!, shades[0]!],
        ['light buttons', shades[9]!, shades[1]!],
        ['light buttons under the pointer', shades[9]!, shades[2]!],
        ['dark buttons', '#ffffff', shades[6]!],
        ['dark links', shades[4]!, '#242424'],
        ['dark links on cards', shades[4]!, '#2e2e2e'],
        ['dark links in chosen rows', shades[4]!, mixed('#242424', shades[6]!, 0.16)],
        ['dark light buttons', shades[0]!, mixed('#242424', shades[6]!, 0.25)],
        ['dark light buttons under the pointer', shades[0]!, mixed('#242424', shades[6]!, 0.35)],
        ['dark outlines', shades[3]!, '#242424'],
      ];
      const unreadable = pairs.filter(([, text, background]) => contrast(text, background) < CONTRAST_MIN);
      expect(unreadable).toEqual([]);
      // Checkboxes and the mark of the focus need less (1.4.11).
      expect(contrast(shades[7]!, '#ffffff')).toBeGreaterThanOrEqual(3);
      expect(contrast(shades[6]!, '#242424')).toBeGreaterThanOrEqual(3);
    }),
  );
});
