import { limits } from '../lib/limits.ts';
import { adsetMessages } from './messages.ts';
import { messages } from '../text/messages.ts';

/** Bundles from typed or pasted text; `error` is set if the text breaks the entry rules. */
export interface ParsedBundles {
  bundles: string[];
  error: string | null;
}

const typed = /^[a-z0-9 ,;&:._\-\n\r\t]*$/i;
const separators = /[,\s&;:]+/;

/**
 * Parses typed bundle ids, separated by comma, space, ampersand, semicolon or colon. Ids are lower-cased and deduplicated,
 * and a trailing dot is trimmed. `known` lists bundles from a file or the API, which are exempt from the entry rules. `_`
 * and `-` are allowed because real ids contain them.
 */
export function parseBundles(text: string, known: Iterable<string> = []): ParsedBundles {
  const accepted = new Set(known);
  const entries = text.split(separators);
  const written = entries.filter((entry) => !accepted.has(entry)).join(' ');
  if (!typed.test(written)) return { bundles: [], error: adsetMessages.bundleAlphabet };
  if (written.includes('..')) return { bundles: [], error: adsetMessages.bundleDots };
  return { bundles: distinctBundles(entries), error: null };
}

/** The form in which bundles are stored and compared: lower case, without a trailing dot. */
export function normaliseBundle(bundle: string): string {
  const name = bundle.trim().toLowerCase();
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Removes the `id` prefix that some exchanges put before App Store numbers; other bundles stay as they are. */
export function withoutIdPrefix(bundle: string): string {
  return bundle.startsWith('id') ? (/^id(\d{5,12})$/.exec(bundle)?.[1] ?? bundle) : bundle;
}

/**
 * Validates a bundle id from an API call, after {@link normaliseBundle}. Returns an error message, or null if it is valid.
 * `_` and `-` are allowed because real ids contain them.
 */
export function bundleError(bundle: string): string | null {
  if (bundle === '') return messages.required;
  if (bundle.length > limits.bundleMax) return `At most ${limits.bundleMax} characters`;
  if (!/^[a-z0-9._-]+$/.test(bundle)) return adsetMessages.bundleAlphabet;
  return bundle.includes('..') || bundle.endsWith('.') ? adsetMessages.bundleDots : null;
}

/** Bundles in the form of {@link normaliseBundle}, without empty ones and repetitions. */
export function distinctBundles(bundles: readonly string[]): string[] {
  return [...new Set(bundles.map(normaliseBundle).filter(Boolean))];
}
