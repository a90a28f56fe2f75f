import type { JsonObject } from './json.ts';
import { arrayOf, integerOf, numberOf } from './json.ts';
import type { Size } from './request.ts';

const SIDE_MAX = 20_000;
const CODES_MAX = 100;

/** `w` and `h` of whatever has them; null unless both are sizes. */
export function readSize(holder: JsonObject): Size | null {
  const width = integerOf(holder['w'], 0);
  const height = integerOf(holder['h'], 0);
  return width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX ? { width, height } : null;
}

/** The codes of one of OpenRTB's lists; what is no code is left out. */
export function readCodes(value: unknown): number[] {
  return arrayOf(value, CODES_MAX).map(numberOf).filter(Number.isInteger);
}
