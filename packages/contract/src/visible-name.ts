/** Characters of the scripts in which a joiner between two letters changes how they are written. */
const SHAPED =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}' +
  '\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}' +
  '\\p{Script=Khmer}\\p{Script=Myanmar}';
const EMOJI = '\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?';

/** Sequences in which a character that is invisible alone has a visible effect (Unicode TS 51 and TR 31). */
const VISIBLE_SEQUENCES = new RegExp(
  [
    // A flag of a region, such as that of Wales.
    '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
    `${EMOJI}(?:\\u200D${EMOJI})*`,
    '[0-9#*]\\uFE0F\\u20E3',
    // A form of a Chinese character that a name is written with.
    '(?<=\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
    `(?<=[${SHAPED}])[\\u200C\\u200D](?=[${SHAPED}])`,
  ].join('|'),
  'gu',
);
/** Control characters, line separators, and all that Unicode calls ignorable, which includes the marks of direction. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;

/**
 * Whether all of a name is visible, so that it cannot look like another one: it has no control characters, no marks that
 * change the direction of text, and nothing of zero width except within an emoji, between letters that it shapes, and after
 * a Chinese character whose form it selects.
 */
export function isVisibleName(name: string): boolean {
  return !HIDDEN.test(name.replaceAll(VISIBLE_SEQUENCES, ''));
}
