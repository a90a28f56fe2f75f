import { type JsonObject, arrayOf, integerOf, numberOf } from '../json.ts';
import type { FlexRatio, Size } from '../../model/bid-request.ts';

const SIDE_MAX = 20_000;
const CODES_MAX = 100;

/** Reads `w` and `h`; null unless both are valid. */
export function readSize(holder: JsonObject): Size | null {
  const width = integerOf(holder['w'], 0);
  const height = integerOf(holder['h'], 0);
  return width > 0 && height > 0 && width <= SIDE_MAX && height <= SIDE_MAX ? { width, height } : null;
}

/** Reads an aspect ratio (OpenRTB 2.6, 3.2.10 `wratio`, `hratio`, `wmin`); null without a valid one. */
export function readRatio(format: JsonObject): FlexRatio | null {
  const width = integerOf(format['wratio'], 0);
  const height = integerOf(format['hratio'], 0);
  if (width <= 0 || height <= 0 || width > SIDE_MAX || height > SIDE_MAX) return null;
  return { width, height, widthMin: Math.max(0, integerOf(format['wmin'], 0)) };
}

/** Reads a list of integer codes; other values are left out. */
export function readCodes(value: unknown): readonly number[] {
  const codes = arrayOf(value, CODES_MAX);
  if (codes.every(Number.isInteger)) return codes as readonly number[];
  return codes.map(numberOf).filter(Number.isInteger);
}
