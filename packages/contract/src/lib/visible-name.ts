/** Characters of the scripts in which a joiner between two letters changes how they are written. */
const SHAPED =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}';
const EMOJI = '\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?';

/** The black flag with the tags `gbeng`, `gbsct` and `gbwls`; with others it is drawn as if these were not there. */
const FLAGS_OF_REGIONS = ['gbeng', 'gbsct', 'gbwls']
  .map((tags) => tags.replaceAll(/./g, (tag) => String.fromCodePoint(0xe0000 + tag.charCodeAt(0))))
  .map((tags) => `\\u{1F3F4}${tags}\\u{E007F}`)
  .join('|');

/** Sequences in which a character that is invisible alone has a visible effect (Unicode TS 51 and TR 31). */
const SEQUENCES = [
  FLAGS_OF_REGIONS,
  `${EMOJI}(?:\\u200D${EMOJI})*`,
  '[0-9#*]\\uFE0F\\u20E3',
  // A form of a Chinese character that a name is written with.
  '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
  `(?<=[${SHAPED}])[\\u200C\\u200D](?=[${SHAPED}])`,
].join('|');
const VISIBLE_SEQUENCES = new RegExp(SEQUENCES, 'gu');
/**
 * Control characters, line separators, characters that no font has, nearly invisible spaces, and all that Unicode calls ignorable,
 * which includes the marks of direction.
 */
const HIDDEN_CHARACTERS =
  '[\\p{Cc}\\p{Cs}\\p{Co}\\p{Noncharacter_Code_Point}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u200A\\u2800\\uFFF9-\\uFFFB]';
const HIDDEN = new RegExp(HIDDEN_CHARACTERS, 'u');
const SEQUENCE_OR_HIDDEN = new RegExp(`(${SEQUENCES})|${HIDDEN_CHARACTERS}`, 'gu');

/**
 * Whether all of a name is visible, so that it cannot look like another one: it has no control characters, no marks that
 * change the direction of text, and no characters of zero width except within an emoji, between letters that it shapes, and after
 * a Chinese character whose form it selects.
 */
export function isVisibleName(name: string): boolean {
  return !HIDDEN.test(name.replaceAll(VISIBLE_SEQUENCES, ''));
}

/** The visible part of a text, see {@link isVisibleName}. */
export function visiblePartOf(text: string): string {
  return text.replaceAll(SEQUENCE_OR_HIDDEN, (_match, sequence: string | undefined) => sequence ?? '');
}
