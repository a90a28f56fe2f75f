/** Digits before the decimal point; a field's limit on the amount is far smaller. */
const WHOLE_DIGITS_MAX = 12;

/**
 * Parses a typed or pasted amount of money: null without digits, undefined if it cannot be read. If there is both a point and a
 * comma, the last one is the decimal separator: `1,234.50` and `1.234,50` are the same. Alone, a point is decimal, and so is a
 * comma unless three digits follow (`1,234`). Spaces, apostrophes and dollar signs are ignored. Further decimal places are cut
 * off. Pure.
 */
export function readAmount(typed: string): number | null | undefined {
  const text = plain(typed);
  if (!/^-?[\d.,]*$/.test(text)) return undefined;
  if (!/\d/.test(text)) return null;
  const at = decimalAt(text);
  if (at === undefined) return undefined;
  const sign = text.startsWith('-') ? '-' : '';
  const whole = text.slice(0, at).replaceAll(/\D/g, '');
  if (whole.length > WHOLE_DIGITS_MAX) return undefined;
  return Number(`${sign}${whole || '0'}.${text.slice(at + 1, at + 3) || '0'}`);
}

/** Whether a text is an amount whose last group of thousands is still being typed: `1,234,5`. Pure. */
export function isUnfinishedAmount(typed: string): boolean {
  const text = plain(typed);
  return UNFINISHED.test(text) && readAmount(typed) === undefined;
}

/** Why a typed text is no amount that can be saved: it cannot be read, or is above 0 and below a cent; undefined for one. Pure. */
export function amountFault(typed: string): 'unreadable' | 'below_cent' | undefined {
  const dollars = readAmount(typed);
  if (dollars === undefined) return 'unreadable';
  return dollars === 0 && /[1-9]/.test(typed) ? 'below_cent' : undefined;
}

/**
 * A typed amount as its field shows it until the focus leaves: with a dollar sign in front, without further decimal places. Three
 * of them stay, because a comma may follow, which makes them thousands. Pure.
 */
export function typedAmount(typed: string): string {
  const text = typed.replaceAll('$', '').trimStart();
  if (text === '') return '';
  return `$${text.replace(/^([^.,]*[.,]\d\d)\d{2,}$/, '$1')}`;
}

/** Thousands in groups of three digits. A separator too many makes no number: `12..50` is not 1250. */
const IN_GROUPS = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/;
/** The same while the last group is typed. */
const UNFINISHED = /^-?[1-9]\d{0,2}(?:(?:,\d{3})+,\d{0,2}|(?:\.\d{3})+\.\d{0,2})$/;

const plain = (typed: string) => typed.replaceAll(/[$\s'’]/g, '');

/** Position of the decimal separator, the length without one; undefined if the separators make no number. */
function decimalAt(text: string): number | undefined {
  const separators = text.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return text.length;
  const count = separators.filter((separator) => separator === last).length;
  const isOnlyKind = count === separators.length;
  if (isOnlyKind && count > 1) return IN_GROUPS.test(text) ? text.length : undefined;
  if (isOnlyKind) return /^-?[1-9]\d{0,2},\d{3}$/.test(text) ? text.length : text.indexOf(last);
  const at = text.indexOf(last);
  return count === 1 && IN_GROUPS.test(text.slice(0, at)) ? at : undefined;
}
