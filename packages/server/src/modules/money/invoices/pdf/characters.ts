/**
 * The characters that the fonts of invoices have, as ranges of code points: Latin, Greek, Cyrillic, Armenian and Georgian letters,
 * punctuation and currency signs. A test compares them with the fonts.
 */
const PRINTABLE: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x24f],
  [0x259, 0x259],
  [0x2bb, 0x2dd],
  [0x300, 0x345],
  [0x370, 0x377],
  [0x37a, 0x37f],
  [0x384, 0x38a],
  [0x38c, 0x38c],
  [0x38e, 0x3a1],
  [0x3a3, 0x525],
  [0x531, 0x556],
  [0x559, 0x55f],
  [0x561, 0x587],
  [0x589, 0x58a],
  [0x10a0, 0x10c5],
  [0x10d0, 0x10fc],
  [0x1e00, 0x1efb],
  [0x1f00, 0x1f15],
  [0x2010, 0x2027],
  [0x202f, 0x205f],
  [0x2074, 0x208e],
  [0x20a0, 0x20b5],
  [0x20b8, 0x20ba],
  [0x20bd, 0x20bd],
  [0x2100, 0x2109],
  [0x210b, 0x2149],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
];

const BREAKS = /[\t\n\r]/;

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0)!;
  return PRINTABLE.some(([first, last]) => code >= first && code <= last);
}

/** The characters of a text, other than line breaks, that invoices cannot show; each once. Pure. */
export function unprintable(text: string): string[] {
  return [...new Set(text.normalize('NFC'))].filter(
    (character) => !BREAKS.test(character) && !isPrintable(character),
  );
}

/** A text with the code points of characters that invoices cannot show, such as [U+4E2D], so that none is lost. Pure. */
export function printable(text: string): string {
  const plain = text.normalize('NFC').replaceAll('\r\n', '\n').replaceAll('\t', ' ');
  return plain.replaceAll(/[^\n]/gu, (character) =>
    isPrintable(character)
      ? character
      : `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
