const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** UTF-16 code units of one character; the longest emoji have 14. Bounds letters with stacked marks. */
const UNITS_PER_CHARACTER_MAX = 16;

/** The number of characters of a text as they are read: an emoji of several code points is one. */
export function countCharacters(text: string): number {
  let count = 0;
  // oxlint-disable-next-line no-unused-vars -- only counted
  for (const _ of graphemes.segment(text)) count += 1;
  return count;
}

/** Whether a text has at most `max` characters as they are read, also of 16 code units each on average. */
export function hasAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= max * UNITS_PER_CHARACTER_MAX && countCharacters(text) <= max;
}
