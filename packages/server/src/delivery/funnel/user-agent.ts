/** Systems but Apple's mobile ones by how a user agent names them, the most specific first; a version follows the name. */
const SYSTEMS: readonly [name: string, pattern: RegExp][] = [
  ['Android', /android[ /]?(\d{1,3})?/i],
  ['Windows', /windows/i],
  ['macOS', /mac ?os/i],
  ['Linux', /linux/i],
];
/** Browsers; a browser whose user agent also names another one comes before it. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bedg(?:e|a|ios)?[ /](\d{1,3})/i],
  ['Samsung Internet', /\b(?:samsungbrowser|samsung internet)[ /](\d{1,3})/i],
  ['Opera', /\b(?:opr|opera)[ /](\d{1,3})/i],
  ['Firefox', /\b(?:firefox|fxios)[ /](\d{1,3})/i],
  ['Chrome', /\b(?:chrome|crios)[ /](\d{1,3})/i],
  ['Safari', /\b(?:version\/|safari )(\d{1,3})\b/i],
];

const CHARS_MAX = 512;

/**
 * The system and the browser of a user agent, each with its major version: `Android 14, Chrome 120`. A tablet
 * is marked by the word `tablet`. A text of this form is returned as it is. Undefined for anything but a text.
 */
export function shortUserAgent(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, CHARS_MAX);
  const parts = [
    appleSystem(text) ?? named(text, SYSTEMS),
    named(text, BROWSERS),
    /tablet/i.test(text) ? 'tablet' : null,
  ];
  return parts.filter((part) => part !== null).join(', ') || undefined;
}

function appleSystem(text: string): string | null {
  const device = /\b(ipad|iphone|ipod)/i.exec(text)?.[1]?.toLowerCase();
  if (device === undefined) return null;
  const name = device === 'ipad' ? 'iPad' : 'iPhone';
  const version = /\b(?:os|ios)[ /](\d{1,3})/i.exec(text)?.[1];
  return version === undefined ? name : `${name}, iOS ${version}`;
}

function named(text: string, patterns: typeof SYSTEMS): string | null {
  for (const [name, pattern] of patterns) {
    const found = pattern.exec(text);
    if (found) return found[1] === undefined ? name : `${name} ${found[1]}`;
  }
  return null;
}
