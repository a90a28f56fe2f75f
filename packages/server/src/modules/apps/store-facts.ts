import { limits } from '@bidwell/contract/limits';
import { truncate } from '@bidwell/contract/truncate';

/** What the page of an app in its store says; null for what it does not say, or says in no usable way. */
export interface StorePage {
  bundleId: string | null;
  name: string | null;
  description: string | null;
  iconLink: string | null;
  /** 0 to 5, with one decimal. */
  rating: number | null;
  sizeKb: number | null;
  /** IAB content taxonomy 1.0. */
  category: string | null;
  /** The domain of the developer's website. */
  advertiserDomain: string | null;
}

/** One line of text, cut to the form's limit with a sign that it was. */
export function textFact(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null;
  // Longer than any limit leaves nothing to see, and costs time to clean.
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

/** Stars, of a store where somebody gave any. */
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
