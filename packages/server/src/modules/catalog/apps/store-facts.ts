import { limits } from '@bidwell/contract/lib/limits';
import { truncate } from '@bidwell/contract/lib/truncate';

/** Data from an app's page in its store; null where missing or unusable. */
export interface StorePage {
  bundleId: string | null;
  name: string | null;
  description: string | null;
  iconLink: string | null;
  /** Stars from 0 to 5, with one decimal. */
  rating: number | null;
  sizeKb: number | null;
  /** IAB content taxonomy 1.0. */
  category: string | null;
  /** Domain of the developer's website. */
  advertiserDomain: string | null;
}

/** Text on one line, truncated to `lengthMax` with an ellipsis. */
export function textFact(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null;
  // Cleaning very long texts takes time, and the rest is cut off anyway.
  const line = value
    .slice(0, 10_000)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.length <= lengthMax ? line : `${truncate(line, lengthMax - 1).trimEnd()}…`;
}

export function linkFact(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > limits.urlMax || !URL.canParse(value)) return null;
  return new URL(value).protocol === 'https:' ? value : null;
}

/** Stars, above 0 to 5, rounded to one decimal; null if the app has no ratings. */
export function ratingFact(value: unknown): number | null {
  const stars = numberOf(value);
  return stars > 0 && stars <= 5 ? Math.round(stars * 10) / 10 : null;
}

export function sizeKbFact(bytes: unknown): number | null {
  const sizeKb = Math.ceil(numberOf(bytes) / 1024);
  return sizeKb > 0 && sizeKb <= 2 ** 40 ? sizeKb : null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}
