/**
 * Glyphs as strokes on a grid of height 10, each with its width and an SVG path. Ads drawn with them look the same on
 * every machine, regardless of its fonts.
 */
const glyphs: Record<string, readonly [width: number, path: string]> = {
  A: [7.4, 'M0 10L3.7 0L7.4 10M1.4 6.6H6'],
  B: [6, 'M0 0V10H3.4A2.6 2.6 0 0 0 3.4 4.8H0M0 0H3A2.4 2.4 0 0 1 3 4.8'],
  C: [7.2, 'M7.2 2.3A4.1 5 0 1 0 7.2 7.7'],
  D: [7.2, 'M0 0V10H2.4A4.8 5 0 0 0 2.4 0Z'],
  E: [5.4, 'M5.4 0H0V10H5.4M0 4.8H4.6'],
  F: [5.2, 'M5.2 0H0V10M0 4.9H4.4'],
  G: [7.6, 'M7.2 2.3A4.1 5 0 1 0 7.6 6.4V5.5H4.6'],
  H: [6.6, 'M0 0V10M6.6 0V10M0 4.9H6.6'],
  I: [0.2, 'M0.1 0V10'],
  J: [4.4, 'M4.4 0V7.2A2.5 2.8 0 0 1 0 8.4'],
  K: [6.2, 'M0 0V10M6 0L0 6.2M2.3 3.9L6.2 10'],
  L: [5, 'M0 0V10H5'],
  M: [8.2, 'M0 10V0L4.1 6.6L8.2 0V10'],
  N: [6.8, 'M0 10V0L6.8 10V0'],
  O: [8.2, 'M0 5A4.1 5 0 1 1 8.2 5A4.1 5 0 1 1 0 5Z'],
  P: [6.2, 'M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0'],
  R: [6.4, 'M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0M3.4 5.6L6.4 10'],
  S: [
    6,
    'M5.8 1.6C5 .4 3.9 0 3 0C1.4 0 .3 1 .3 2.5C.3 5.6 6 4.3 6 7.4C6 9 4.7 10 3.1 10C1.9 10 .7 9.5 0 8.2',
  ],
  T: [6.6, 'M0 0H6.6M3.3 0V10'],
  U: [6.6, 'M0 0V6.6A3.3 3.4 0 0 0 6.6 6.6V0'],
  V: [7, 'M0 0L3.5 10L7 0'],
  W: [10.4, 'M0 0L2.6 10L5.2 1.4L7.8 10L10.4 0'],
  X: [6.4, 'M0 0L6.4 10M6.4 0L0 10'],
  Y: [6.8, 'M0 0L3.4 5L6.8 0M3.4 5V10'],
  Z: [6.2, 'M0 0H6.2L0 10H6.2'],
  ' ': [2.6, ''],
  '.': [0.2, 'M.1 9.8V10'],
  ',': [0.6, 'M.5 9.6L0 11.4'],
};

const SPACING = 2.4;

/** Width of a text whose capitals have this height. Throws RangeError for a character without a glyph. */
export function textWidth(text: string, height: number): number {
  const widths = letters(text).map(([width]) => width);
  return ((widths.reduce((sum, width) => sum + width, 0) + SPACING * (widths.length - 1)) * height) / 10;
}

export interface Lettering {
  /** Horizontal position of the text's left end, or of its middle if centred. */
  x: number;
  /** Vertical position of the top of the capitals. */
  y: number;
  /** Height of the capitals. */
  height: number;
  colour: string;
  /** Stroke width relative to the height: 0.1 is light, 0.2 bold. */
  weight: number;
  centred?: boolean;
}

/** SVG of a line of text in capitals. */
export function lettering(text: string, { x, y, height, colour, weight, centred }: Lettering): string {
  const left = centred ? x - textWidth(text, height) / 2 : x;
  let at = 0;
  const paths = letters(text).map(([width, path]) => {
    const placed = path && `<path d="${path}" transform="translate(${at} 0)"/>`;
    at += width + SPACING;
    return placed;
  });
  const style = `fill="none" stroke="${colour}" stroke-width="${weight * 10}" stroke-linecap="round" stroke-linejoin="round"`;
  return `<g transform="translate(${left} ${y}) scale(${height / 10})" ${style}>${paths.join('')}</g>`;
}

function letters(text: string) {
  return Array.from(text.toUpperCase(), (character) => {
    const glyph = glyphs[character];
    if (!glyph) throw new RangeError(`There is no letter for "${character}"`);
    return glyph;
  });
}
