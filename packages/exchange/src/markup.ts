import type { AdFormat } from './behaviour.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** The format of an ad's markup, the URLs that a device would load from it, and its click URL. */
export interface AdContent {
  format: AdFormat;
  /** Images, files and pixels that are loaded when the ad is shown, in order; absolute URLs only. */
  shownUrls: string[];
  /** Progress trackers of a video, from start to end; empty for other formats. */
  playedUrls: string[];
  /** The first link; null without one. */
  clickUrl: string | null;
}

const MARKUP_CHARS_MAX = 200_000;
const URLS_MAX = 50;

/**
 * Parses a banner's HTML, a native ad's JSON, a VAST document or a playable's page. Reads at most 200,000 characters and
 * 50 URLs of a kind. Never throws: unreadable markup yields no URLs.
 */
export function readMarkup(markup: string): AdContent {
  const text = markup.slice(0, MARKUP_CHARS_MAX);
  if (text.startsWith('{')) return readNative(text);
  if (text.includes('<VAST')) return readVast(text);
  return text.includes('mraid.js') ? readPlayable(text) : readBanner(text);
}

function readBanner(text: string): AdContent {
  const images = [...text.matchAll(/<img\s[^<>]{0,500}?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)];
  const link = /<a\s[^<>]{0,500}?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(text);
  return contentOf({
    format: 'banner',
    shown: images.map(([, double, single]) => decodeHtml(double ?? single ?? '')),
    click: decodeHtml(link?.[1] ?? link?.[2] ?? ''),
  });
}

/** OpenRTB Native 1.1 and 1.2: images, both kinds of impression trackers, and the link. */
function readNative(text: string): AdContent {
  const root = parsed(text);
  const native = objectOf(root['native'] ?? root);
  const images = listOf(native['assets']).map((asset) => objectOf(objectOf(asset)['img'])['url']);
  const trackers = listOf(native['eventtrackers']).map((tracker) => objectOf(tracker)['url']);
  return contentOf({
    format: 'native',
    shown: [...images, ...trackers, ...listOf(native['imptrackers'])],
    click: clickOf(objectOf(native['link'])),
  });
}

/** A device opens the link; where that is a deep link of an app, it calls the tracker of the click. */
function clickOf({ url, clicktrackers: trackers }: Record<string, unknown>): unknown {
  return listOf(trackers)[0] ?? url;
}

const played = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

function readVast(text: string): AdContent {
  const within = (element: string): string[] =>
    [...text.matchAll(new RegExp(`<${element}[^<>]*>\\s*<!\\[CDATA\\[([^\\]]*)`, 'g'))].map(
      ([, url]) => url!,
    );
  return contentOf({
    format: 'video',
    shown: [...within('MediaFile'), ...within('Impression')],
    played: played.flatMap((event) => within(`Tracking event="${event}"`)),
    click: within('ClickThrough')[0],
  });
}

/** Reads the URLs from the JSON argument of a playable's wrapper script. */
function readPlayable(text: string): AdContent {
  const end = text.lastIndexOf(')</script>');
  const parameters = parsed(text.slice(text.lastIndexOf(')({', end) + 2, Math.max(0, end)));
  return contentOf({
    format: 'playable',
    shown: [parameters['p'], ...listOf(parameters['i'])],
    click: parameters['c'],
  });
}

function contentOf(found: {
  format: AdFormat;
  shown: unknown[];
  played?: unknown[];
  click: unknown;
}): AdContent {
  const web = (urls: unknown[]) => urls.filter(isWebUrl).slice(0, URLS_MAX);
  return {
    format: found.format,
    shownUrls: web(found.shown),
    playedUrls: web(found.played ?? []),
    clickUrl: isWebUrl(found.click) ? found.click : null,
  };
}

function parsed(json: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(json));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function isWebUrl(address: unknown): address is string {
  return typeof address === 'string' && /^https?:\/\//i.test(address) && canParseUrl(address);
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function decodeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(String(name).toLowerCase()) ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
