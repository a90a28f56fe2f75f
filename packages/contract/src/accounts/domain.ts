import { canParseUrl } from '../lib/can-parse-url.ts';

/** A domain as the name servers and the mail know it: in lower case, with umlauts and other scripts in their ASCII form (RFC 5891). A text that is no domain stays. Pure. */
export function asciiDomain(text: string): string {
  // A text with these characters would be more than the host of a URL.
  if (!/[^\0-\x7f]/.test(text) || /[\s/?#@:\\%]/.test(text) || !canParseUrl(`http://${text}`)) return text;
  return new URL(`http://${text}`).hostname;
}

/** A mail address with its domain as {@link asciiDomain}. Pure. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + asciiDomain(address.slice(at + 1));
}

/** A mail address as people read it, with its domain in its own script. Pure. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const labels = address.slice(at + 1).split('.');
  return address.slice(0, at + 1) + labels.map(shownLabel).join('.');
}

function shownLabel(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  const shown = decodePunycode(label.slice(4));
  // Only a text that decodes to the same label.
  return shown !== null && asciiDomain(shown) === label.toLowerCase() ? shown : label;
}

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;

/** The text of Punycode (section 6.2 of RFC 3492); null if it is not Punycode. */
function decodePunycode(text: string): string | null {
  const last = text.lastIndexOf('-');
  const points = Array.from(text.slice(0, Math.max(last, 0)), (character) => character.codePointAt(0)!);
  let [n, i, bias, at] = [128, 0, 72, last + 1];
  while (at < text.length) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(text[at] ?? '!', BASE);
      if (Number.isNaN(digit)) return null;
      at += 1;
      // Digits of Punycode are a to z, then 0 to 9.
      const value = digit < 10 ? digit + 26 : digit - 10;
      i += value * weight;
      const t = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (value < t) break;
      weight *= BASE - t;
    }
    const length = points.length + 1;
    bias = adapted(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10_ff_ff) return null;
    points.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...points);
}

/** The bias after a delta (section 6.1 of RFC 3492). */
function adapted(given: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(given / (isFirst ? 700 : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + 38));
}
