/**
 * What makes a spreadsheet run a text as a formula: one of these characters at its beginning, also in full width, or after
 * a semicolon, where spreadsheets of many languages begin the next cell.
 */
const FORMULA_CHARACTERS = '=+@\\-\\t\\r＝＋－＠';
const FORMULA_START = new RegExp(`(^|;)(?=[${FORMULA_CHARACTERS}])`, 'g');

/** The same for RE2, which has no look-ahead: what it replaces by `\1'\2`. */
export const FORMULA_START_RE2 = `(^|;)([${FORMULA_CHARACTERS}])`;

/** A text for a cell of a CSV: an apostrophe stands before what a spreadsheet would run as a formula. */
export function harmlessText(text: string): string {
  return text.replace(FORMULA_START, "$1'");
}
