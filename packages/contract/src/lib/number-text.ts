/** No-break space between thousands, which keeps a number on one line. */
const SPACE = '\u00a0';

/** A number as all screens, messages and sentences write it: `decimals` decimal places, no-break spaces between thousands. Pure. */
export function numberText(value: number, decimals = 0): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, SPACE);
  const digits = fraction ? `${grouped}.${fraction}` : grouped;
  return value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** An amount with two decimal places: `$4 218.41`. Pure. */
export function dollarsText(dollars: number): string {
  const digits = numberText(Math.abs(dollars), 2);
  return dollars < 0 && /[1-9]/.test(digits) ? `-$${digits}` : `$${digits}`;
}
