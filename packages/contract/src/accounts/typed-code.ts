/** Separators in codes: spaces, dashes and invisible characters, dots, lines, signs of minus and bullets. */
const GROUPING = /[\s._·•∙−ー─━\p{Pd}\p{Cf}\p{M}]/gu;

/**
 * A code as it was typed or pasted, without the separators that apps and people add: spaces, dashes, dots and invisible characters. Letters
 * of full width, and digits of any script, become ASCII. Pure.
 */
export function ungroupedCode(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(GROUPING, '')
    .replaceAll(/\p{Nd}/gu, asciiDigit);
}

/** A decimal digit of any script as an ASCII digit: in Unicode the ten digits of a script follow each other from its zero. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0)!;
  let zero = point;
  while (zero > point - 10 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}
