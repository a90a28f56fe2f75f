import { limits } from '@bidwell/contract/lib/limits';
import { type Tag, readTags, readWrittenTags } from '../../../../platform/html.ts';

/** Elements that load a resource. `<a href>` is not among them: it is a click destination. */
const LOADING_ELEMENTS = new Set([
  'script',
  'img',
  'link',
  'iframe',
  'source',
  'video',
  'audio',
  'embed',
  'input',
]);
const ADDRESS_ATTRIBUTES = ['src', 'href', 'poster'];
const ADDRESS_CHARS_MAX = 300;
const cssLoad = /(?:url\(\s*["']?|@import\s+["'])([^"')\s]{1,300})/giu;
const inAnyText = [
  /url\(\s*["']?((?:https?:)?\/\/[^"')\s]{1,300})/giu,
  /\b(?:fetch|import|importScripts|sendBeacon|EventSource|WebSocket)\(\s*["'`]((?:(?:http|ws)s?:)?\/\/[^"'`\s]{1,300})/giu,
  /\.open\(\s*["'`]\w{1,10}["'`]\s*,\s*["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/giu,
  /\.src\s*=\s*["'`]((?:https?:)?\/\/[^"'`\s]{1,300})/giu,
];

/**
 * External resources that a page would load, as written in the page, deduplicated, at most `limits.externalLoadsMax`.
 * A playable has to be a single file: in an ad it can reach neither other hosts nor files beside it. `mraid.js` does
 * not count, since the app provides it. Addresses that a script builds at run time are not detected, but tags that it
 * writes are.
 */
export function externalLoadsOf(page: string): string[] {
  const found = new Set<string>();
  const add = (text: string | undefined): void => {
    const address = (text ?? '').trim();
    if (isExternal(address) && found.size < limits.externalLoadsMax) found.add(address);
  };
  const addTag = ({ name, attributes }: Tag): void => {
    if (!LOADING_ELEMENTS.has(name)) return;
    for (const attribute of ADDRESS_ATTRIBUTES) add(cut(attributes.get(attribute)));
  };
  const styles: string[] = [];
  const scripts: string[] = [];
  const values: string[] = [];
  readTags(page, (tag) => {
    addTag(tag);
    if (tag.name === 'style') styles.push(tag.text);
    if (tag.name === 'script') scripts.push(tag.text);
    for (const value of tag.attributes.values()) if (value.includes('//')) values.push(value);
  });
  for (const script of scripts) readWrittenTags(script, addTag);
  for (const style of styles) for (const [, address] of style.matchAll(cssLoad)) add(address);
  for (const pattern of inAnyText)
    for (const text of [...styles, ...scripts, ...values])
      for (const [, address] of text.matchAll(pattern)) add(address);
  return [...found];
}

/** The first characters of an address; a character of two code units stays whole. */
function cut(address = ''): string {
  return Array.from(address.slice(0, 2 * ADDRESS_CHARS_MAX))
    .slice(0, ADDRESS_CHARS_MAX)
    .join('');
}

function isExternal(address: string): boolean {
  if (address === '' || address.startsWith('#')) return false;
  if (/^(data|blob|about|javascript|mailto|tel|sms):/i.test(address)) return false;
  return !/^(\.?\/)?mraid\.js([?#]|$)/i.test(address);
}
