import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { expect, test } from 'vitest';
import { theme } from './theme.ts';

const { colors, components } = mergeMantineTheme(DEFAULT_THEME, theme);

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const { allowedInitialsColors: initials } = components['Avatar']!.defaultProps as {
  allowedInitialsColors: readonly string[];
};

test.each(initials)('initials in %s can be read on their light background', (name) => {
  const shades = colors[name]!;
  expect(contrast(shades[9], shades[1])).toBeGreaterThanOrEqual(4.5);
});
