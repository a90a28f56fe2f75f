import { PLAYABLE_EXITS, type PlayableExit } from '@bidwell/contract/creatives/playable-exits';
import { type Tag, readTags, readWrittenTags } from '../../../../platform/html.ts';

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
 * Ways out of a page that lead to the store, in the order of `PLAYABLE_EXITS`: links, and what its scripts, also those in
 * attributes and data URLs, call or set. Code that a script unpacks at run time is not read.
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
