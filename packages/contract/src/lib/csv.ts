/**
 * Characters, including full-width ones, that make a spreadsheet run a cell as a formula: at the start of the text, or
 * after a semicolon, which separates cells in the spreadsheets of many locales.
 */
const FORMULA_CHARACTERS = '=+@\\-\\t\\r＝＋－＠';
const FORMULA_START = new RegExp(`(^|;)(?=[${FORMULA_CHARACTERS}])`, 'g');

/** The same pattern for RE2, which has no lookahead; the replacement is `\1'\2`. */
export const FORMULA_START_RE2 = `(^|;)([${FORMULA_CHARACTERS}])`;

/** Escapes the text of a CSV cell: puts an apostrophe before anything that a spreadsheet would run as a formula. */
export function escapeFormula(text: string): string {
  return text.replace(FORMULA_START, "$1'");
}
