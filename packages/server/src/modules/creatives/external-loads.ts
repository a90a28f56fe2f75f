import { limits } from '@bidwell/contract/limits';

/** Tags that load a resource, with their attributes. `<a href>` is not among them: it is a click destination. */
const tag = /<(script|img|link|iframe|source|video|audio|embed|input)\s([^<>]*)/giu;
const attribute =
  /(?<![\w-])(?:src|href|poster)\s*=\s*(?:"([^"]{1,300})|'([^']{1,300})|([^\s"'>]{1,300}))/giu;
const cssLoad = /(?:url\(\s*["']?|@import\s+["'])([^"')\s]{1,300})/giu;
const styleBlock = /<style\b[^<>]*>([^<]*)/giu;
const inAnyText = [
  /url\(\s*["']?((?:https?:)?\/\/[^"')\s]{1,300})/giu,
  /\b(?:fetch|import|importScripts|sendBeacon|EventSource|WebSocket)\(\s*["'`]((?:(?:http|ws)s?:)?\/\/[^"'`\s]{1,300})/giu,
  /\.open\(\s*["'`]\w{1,10}["'`]\s*,\s*["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/giu,
  /\.src\s*=\s*["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/giu,
];

/**
 * External resources that a page would load, as written in the page, deduplicated, at most `limits.externalLoadsMax`.
 * A playable has to be a single file: in an ad it can reach neither other hosts nor files beside it. `mraid.js` does
 * not count, since the app provides it. Addresses that a script builds at run time are not detected.
 */
export function externalLoadsOf(page: string): string[] {
  const found = new Set<string>();
  const add = (text: string | undefined): void => {
    const address = (text ?? '').trim().replaceAll('&amp;', '&');
    if (isExternal(address) && found.size < limits.externalLoadsMax) found.add(address);
  };
  for (const [, , attributes] of page.matchAll(tag))
    for (const [, double, single, bare] of attributes!.matchAll(attribute)) add(double ?? single ?? bare);
  for (const [, css] of page.matchAll(styleBlock))
    for (const [, address] of css!.matchAll(cssLoad)) add(address);
  for (const pattern of inAnyText) for (const [, address] of page.matchAll(pattern)) add(address);
  return [...found];
}

function isExternal(address: string): boolean {
  if (address === '' || address.startsWith('#')) return false;
  if (/^(data|blob|about|javascript|mailto|tel|sms):/i.test(address)) return false;
  return !/^(\.?\/)?mraid\.js([?#]|$)/i.test(address);
}
