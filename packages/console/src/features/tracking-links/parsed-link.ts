import { TRACKING_MACROS } from '@bidwell/contract/tracking-links/macros';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';
import { nearestName } from '@bidwell/contract/lib/nearest-name';

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

/** The macro that was probably meant: equal except for case and punctuation, or at most two letters away. */
export const nearestMacro = (name: string): string | undefined =>
  nearestName(name, Object.keys(TRACKING_MACROS));
