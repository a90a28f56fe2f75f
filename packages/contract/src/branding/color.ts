/** Red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

/** The least contrast of text with its background (WCAG 2.2 AA, 1.4.3). */
export const CONTRAST_MIN = 4.5;

/** The least contrast of controls and of the mark of the focus with their background (WCAG 2.2 AA, 1.4.11). */
const CONTROL_CONTRAST_MIN = 3;

/** `#rrggbb`. */
export const HEX_COLOR = /^#[\da-f]{6}$/i;

const WHITE = '#ffffff';
const BLACK = '#000000';
/** Background of pages, and of cards, in the dark scheme. */
const DARK_PAGE = '#242424';
const DARK_CARD = '#2e2e2e';
/** Steps in which a colour is darkened or lightened until it can be read. */
const STEP = 0.01;

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2). Pure. */
function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2). Pure. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** A colour with a share, 0 to 1, of another one. Pure. */
export function mixed(color: string, other: string, share: number): string {
  const to = rgbOf(other);
  const channels = rgbOf(color).map((from, index) => Math.round(from + (to[index]! - from) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Backgrounds of the dark colour scheme on which text in the accent stands: cards, and rows that are chosen. */
const darkBackgrounds = (accent: string): string[] => [DARK_CARD, mixed(DARK_PAGE, fillOnDark(accent), 0.16)];

/** The lightest background of the light scheme under text in the accent that is not white: rows that are chosen. */
const lightTint = (accent: string): string => mixed(accent, WHITE, 0.95);

/** The contrast of an accent as text, and under white text, in the light scheme: the least of both. Pure. */
export function lightContrast(accent: string): number {
  return Math.min(contrast(accent, WHITE), contrast(accent, lightTint(accent)));
}

/** The least contrast of a colour as text in the dark scheme, whose buttons and chosen rows have the accent. Pure. */
export function darkContrast(color: string, accent: string): number {
  return Math.min(...darkBackgrounds(accent).map((background) => contrast(color, background)));
}

/** The first colour from `color` towards black that can be read in the light scheme. Pure. */
export function readableOnLight(color: string): string {
  return towards(BLACK, color, (candidate) => lightContrast(candidate) >= CONTRAST_MIN);
}

/** The first colour from `color` towards white that can be read in the dark scheme. Pure. */
export function readableOnDark(color: string, accent: string): string {
  return towards(WHITE, color, (candidate) => darkContrast(candidate, accent) >= CONTRAST_MIN);
}

/** The accent as the background of white text in the dark scheme, where a dark one could not be seen. Pure. */
export function fillOnDark(accent: string): string {
  return towards(WHITE, accent, (candidate) => contrast(candidate, DARK_PAGE) >= CONTROL_CONTRAST_MIN);
}

/** The first colour from `color` towards `end` that has the required contrast, else `end`. */
function towards(end: string, color: string, isEnough: (color: string) => boolean): string {
  for (let share = 0; share < 1; share += STEP) {
    const candidate = mixed(color, end, share);
    if (isEnough(candidate)) return candidate;
  }
  return end;
}

/** The colours of a brand. */
export interface BrandColors {
  /** Buttons, which are lighter in the dark scheme where they could not be seen, and links in the light scheme. */
  accent: string;
  /** Links in the dark scheme; null for the accent, lightened until it can be read. */
  accent_dark: string | null;
}

/**
 * The ten shades of the console's accent, mostly from light to dark. The eighth is the accent; the fifth is text and the seventh
 * the background of buttons in the dark scheme; the console reads the others as backgrounds, and as text on these. Pure.
 */
export function paletteOf({ accent, accent_dark }: BrandColors): string[] {
  const onDark = accent_dark ?? readableOnDark(accent, accent);
  return [
    lightTint(accent),
    mixed(accent, WHITE, 0.86),
    mixed(accent, WHITE, 0.7),
    mixed(onDark, WHITE, 0.25),
    onDark,
    mixed(onDark, accent, 0.35),
    fillOnDark(accent),
    accent,
    mixed(accent, BLACK, 0.12),
    mixed(accent, BLACK, 0.35),
  ].map((color) => color.toLowerCase());
}
