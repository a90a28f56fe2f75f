const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The first `max` UTF-16 code units of a text, or fewer so as not to split a visible character, such as an emoji of
 * several code points; nor does a joiner end it, which is invisible there. Only a first character that is longer is split,
 * between code points.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  // Whether a character ends at the limit depends on the code point after it.
  const last = graphemes.segment(text.slice(0, max + 2)).containing(max)?.index;
  return text.slice(0, last || max).replace(/(?:[\uD800-\uDBFF]|[\u200C\u200D])$/, '');
}

/** The last `max` UTF-16 code units of a text, or one fewer so as not to split a surrogate pair. */
export function ending(text: string, max: number): string {
  return text.slice(-max).replace(/^[\uDC00-\uDFFF]/, '');
}
