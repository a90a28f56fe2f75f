import { limits } from '@bidwell/contract/limits';

/** Tags that load something by themselves, and the attribute that says what. `<a href>` is where a click goes. */
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
 * What a page would load from outside itself, as it is written there, each once, in no more than
 * `limits.externalLoadsMax` entries. A playable is one file: neither another host nor a file beside it is there in an ad.
 * `mraid.js` comes from the app that shows it. What a script puts together at run time is not seen.
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
