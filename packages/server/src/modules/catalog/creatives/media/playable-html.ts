import { limits } from '@bidwell/contract/lib/limits';
import { type Tag, readTags, readWrittenTags } from '../../../../platform/html.ts';
import { PLAYABLE_EXITS, type PlayableExit } from '@bidwell/contract/creatives/playable-exits';

/** A method of an object, as code refers to it: `mraid.open`, `mraid?.open`, `mraid['open']`. */
const method = (object: string, name: string) =>
  new RegExp(`\\b${object}(?:\\??\\.|(?:\\?\\.)?\\[["'\`])${name}\\b`);

const WINDOWS = '(?:window|self|top|parent|document)';
const STORE = '["\'`](?:https?:|market:|itms)';

const inScripts: Partial<Record<PlayableExit, readonly RegExp[]>> = {
  'mraid.open': [method('mraid', 'open')],
  'mraid.openStoreUrl': [method('mraid', 'openStoreUrl')],
  'window.open': [method(WINDOWS, 'open'), new RegExp(`(?<![\\w$.])open\\(${STORE}`)],
  location: [
    new RegExp(`\\b${WINDOWS}\\.location(?:\\.href)?\\s?=(?!=)`),
    new RegExp(`(?<![\\w$.])location(?:\\.href\\s?=(?!=)|\\s?=\\s?${STORE})`),
    /\blocation\.(?:assign|replace)\(/,
  ],
  'ExitApi.exit': [method('ExitApi', 'exit')],
  'FbPlayableAd.onCTAClick': [method('FbPlayableAd', 'onCTAClick')],
  'dapi.openStoreUrl': [method('dapi', 'openStoreUrl')],
  'window.install': [method(WINDOWS, 'install'), /(?<![\w$.])install\(\)/],
  clickTag: [/\bclickTag\b/i],
};

const INLINE_SCRIPT = /^data:(?:text|application)\/(?:javascript|x-javascript|ecmascript)[^,]{0,40};base64,/i;

/**
 * Ways out of a page that lead to the store, in the order of `PLAYABLE_EXITS`: links, and the calls and assignments of
 * its scripts, including scripts in attributes and data URLs. Code that a script unpacks at run time is not read.
 */
export function exitsOf(page: string): PlayableExit[] {
  const found = new Set<PlayableExit>();
  const addLink = ({ name, attributes }: Tag): void => {
    if (name !== 'a' && name !== 'area') return;
    const address = (attributes.get('href') ?? attributes.get('xlink:href') ?? '').trim();
    if (address !== '' && !/^(?:#|javascript:)/i.test(address)) found.add('link');
  };
  const addScript = (script: string, isInPage = true): void => {
    for (const exit of PLAYABLE_EXITS) {
      // A new location is caught by writing the page's text anew, which a data URL hides.
      if (exit === 'location' && !isInPage) continue;
      if (!found.has(exit) && inScripts[exit]?.some((pattern) => pattern.test(script))) found.add(exit);
    }
  };
  readTags(page, (tag) => {
    addLink(tag);
    if (tag.name === 'script') {
      const ofDataUrl = inlineScript(tag.attributes.get('src') ?? '');
      addScript(tag.text);
      addScript(ofDataUrl, false);
      for (const script of [tag.text, ofDataUrl]) readWrittenTags(script, addLink);
    }
    for (const [name, value] of tag.attributes)
      if (name.startsWith('on') || /^\s?javascript:/i.test(value)) addScript(value);
  });
  return PLAYABLE_EXITS.filter((exit) => found.has(exit));
}

/** The script in a data URL; empty for other addresses. */
function inlineScript(address: string): string {
  const start = INLINE_SCRIPT.exec(address)?.[0];
  return start === undefined ? '' : Buffer.from(address.slice(start.length), 'base64').toString('utf8');
}

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
 * External resources that a page would load, as written in the page, deduplicated, at most `limits.externalLoadsMax`. A
 * playable has to be a single file: in an ad it can reach neither other hosts nor files next to it. `mraid.js` does not
 * count, since the app provides it. Addresses that a script builds at run time are not detected, but tags that it
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
