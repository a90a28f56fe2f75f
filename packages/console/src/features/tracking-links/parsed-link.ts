import { TRACKING_MACROS } from '@bidwell/contract/tracking-links/macros';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** A parsed URL of a tracking link. */
export interface ParsedLink {
  protocol: string;
  host: string;
  /** Non-empty path segments, not decoded. */
  segments: string[];
  /** Names and raw values, in order. */
  params: { name: string; value: string }[];
}

/** Parses a URL with macros; null when it is no http or https URL. */
export function parseLink(text: string): ParsedLink | null {
  const plain = text.trim().replaceAll(/\{[^{}]*\}/g, 'x');
  if (!canParseUrl(plain)) return null;
  const { protocol, hostname, pathname } = new URL(plain);
  if (!/^https?:$/.test(protocol)) return null;
  const [, query = ''] = /\?([^#]*)/.exec(text) ?? [];
  const params = query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? { name: pair, value: '' } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
  return { protocol, host: hostname, segments: pathname.split('/').filter(Boolean), params };
}

/** The distinct names between braces in a URL. */
export function macrosIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? ''))];
}

/** The macro that was probably meant: equal except for case and punctuation, or within an edit editDistance of two. */
export function nearestMacro(name: string): string | undefined {
  const normalize = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  const normalized = normalize(name);
  return Object.keys(TRACKING_MACROS)
    .map((macro) => ({ macro, edits: editDistance(normalize(macro), normalized) }))
    .filter(({ macro, edits }) => edits <= (macro.length > 4 ? 2 : 0))
    .toSorted((a, b) => a.edits - b.edits)[0]?.macro;
}

/** Levenshtein editDistance of two texts. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
