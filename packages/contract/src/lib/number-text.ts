/** No-break space between thousands, which keeps a number on one line. */
const SPACE = '\u00a0';

/** A number as all screens, messages and sentences write it: `decimals` decimal places, no-break spaces between thousands. Pure. */
export function numberText(value: number, decimals = 0): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = groupsOf(whole).join(SPACE);
  const digits = fraction ? `${grouped}.${fraction}` : grouped;
  return value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** Digits in groups of three from the right; text without digits, as for very large numbers, stays as it is. */
function groupsOf(digits: string): string[] {
  if (/\D/.test(digits)) return [digits];
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}

/** An amount with two decimal places: `$4 218.41`. Pure. */
export function dollarsText(dollars: number): string {
  const digits = numberText(Math.abs(dollars), 2);
  return dollars < 0 && /[1-9]/.test(digits) ? `-$${digits}` : `$${digits}`;
}
