/** A decimal number, exactly: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  digits: bigint;
  /** At least 0. */
  scale: number;
}

/** Longest text of a number, so that a text from outside costs little. */
const CHARS_MAX = 60;
/** Largest exponent, and most decimal places; amounts and times are far below them. */
const EXPONENT_MAX = 30;
/** A plus sign in a URL arrives as a space. */
const NUMBER = /^([+-]?)(\d{0,40})(?:\.(\d{0,30}))?(?:e([+ -]?\d{1,3}))?$/i;

/**
 * Reads a decimal number with a sign of its own and an exponent (`-9.99`, `.5`, `1.2E-4`), exactly. Null for anything else: thousands
 * separators, a decimal comma, hexadecimal digits, exponents beyond 30.
 */
export function decimalOf(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', exponentText = '0'] =
    text.length > CHARS_MAX ? [] : (NUMBER.exec(text) ?? []);
  if (sign === undefined || whole + fraction === '') return null;
  const exponent = Number(exponentText.replace(' ', '+'));
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const magnitude = BigInt(whole + fraction);
  const digits = sign === '-' ? -magnitude : magnitude;
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The decimal number divided by a hundred, as an amount in cents is in units. */
export function hundredthOf({ digits, scale }: Decimal): Decimal {
  return { digits, scale: scale + 2 };
}

/** The product of two decimal numbers. */
export function timesDecimal(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

/** The decimal number times `factor`, a power of ten, rounded half away from zero to an integer. */
export function roundedTimes({ digits, scale }: Decimal, factor: bigint): bigint {
  const divisor = 10n ** BigInt(scale);
  const product = digits * factor;
  const magnitude = product < 0n ? -product : product;
  const rounded = (magnitude + divisor / 2n) / divisor;
  return product < 0n ? -rounded : rounded;
}

/** The largest integer that is at most the decimal number times `factor`, a power of ten. The number must not be negative. */
export function floorTimes({ digits, scale }: Decimal, factor: bigint): bigint {
  return (digits * factor) / 10n ** BigInt(scale);
}

/** The decimal number in digits, without an exponent and superfluous zeros: `-9.99`, `0.00012`. */
export function decimalText({ digits, scale }: Decimal): string {
  const magnitude = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = magnitude.slice(0, magnitude.length - scale);
  let end = magnitude.length;
  while (end > whole.length && magnitude[end - 1] === '0') end -= 1;
  const fraction = magnitude.slice(whole.length, end);
  const text = scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
  return digits < 0n ? `-${text}` : text;
}
