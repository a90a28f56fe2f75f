import type { StoreLink } from '@bidwell/contract/apps/store-link';
import type { Context } from '../../../context.ts';
import { TtlCache } from '../../../platform/ttl-cache.ts';
import { developerDomain } from '@bidwell/contract/apps/advertiser-domain';
import { limits } from '@bidwell/contract/lib/limits';
import { z } from 'zod';
import { jsonOf } from '../../../platform/json-of.ts';
import { decodeHTMLStrict } from 'entities';
import { readTags } from '../../../platform/html.ts';
import { truncate } from '@bidwell/contract/lib/truncate';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

const CACHE_MS = 10 * 60_000;
const PAGES_MAX = 1000;
const appStore = new Set(['itunes.apple.com']);
const googlePlay = new Set(['play.google.com']);

/** Reads an app's page in its store. Null if store pages are off, or the page cannot be fetched or parsed. */
export type ReadStorePage = (link: StoreLink) => Promise<StorePage | null>;

/** Creates a reader of store pages that caches them for ten minutes. */
export function createStorePageReader({ fetchPage, log }: Pick<Context, 'fetchPage' | 'log'>): ReadStorePage {
  if (!fetchPage) return async () => null;
  const pages = new TtlCache<StorePage | null>(CACHE_MS, PAGES_MAX);
  const read = async ({ os, bundleId, country }: StoreLink) =>
    os === 'ios'
      ? readLookup(await fetchPage(lookupAddress(bundleId, country), appStore), bundleId)
      : readGooglePlay(await fetchPage(googlePlayAddress(bundleId), googlePlay));
  return async (link) => {
    try {
      return await pages.get(link.canonical, () => read(link));
    } catch (error) {
      log.info(
        { reason: (error as Error).message, link: link.canonical },
        'a store page could not be fetched',
      );
      return null;
    }
  };
}

const LookupResponse = z.object({ results: z.array(z.record(z.string(), z.unknown())) });
const Genres = z.array(z.string()).catch([]);

/** Address of Apple's lookup API, which returns JSON; documented as the iTunes Search API. */
function lookupAddress(storeId: string, country: string | null): string {
  const query = new URLSearchParams({ id: storeId, country: country ?? 'us', entity: 'software' });
  return `https://itunes.apple.com/lookup?${query.toString()}`;
}

/** Parses a response of the lookup. Null if it is invalid or does not contain the app. Never throws. */
export function readLookup(text: string, storeId: string): StorePage | null {
  const response = LookupResponse.safeParse(jsonOf(text));
  const app = response.data?.results.find((result) => result['trackId'] === Number(storeId));
  if (!app) return null;
  const bundleId = app['bundleId'];
  const genres = [app['primaryGenreName'], ...Genres.parse(app['genres'])];
  return {
    bundleId: typeof bundleId === 'string' && /^[\w.-]{1,150}$/.test(bundleId) ? bundleId : null,
    name: textFact(app['trackName'], limits.titleMax),
    description: textFact(app['description'], limits.descriptionMax),
    iconLink: linkFact(app['artworkUrl512']) ?? linkFact(app['artworkUrl100']),
    rating: ratingFact(app['averageUserRating']),
    sizeKb: sizeKbFact(app['fileSizeBytes']),
    advertiserDomain: developerDomain(app['sellerUrl']),
    category: categoryOf(genres.filter((genre) => typeof genre === 'string')),
  };
}

type Json = Record<string, unknown>;

/** A name or description is cut off long before. */
const TEXT_CHARS_MAX = 100_000;

/** Address of an app's page in English. */
function googlePlayAddress(bundleId: string): string {
  return `https://play.google.com/store/apps/details?${new URLSearchParams({ id: bundleId, hl: 'en', gl: 'us' }).toString()}`;
}

/**
 * Parses a page of Google Play: structured data (schema.org SoftwareApplication), otherwise Open Graph tags. Null if
 * it is not the page of an app. Never throws.
 */
export function readGooglePlay(html: string): StorePage | null {
  const { structured, graph } = metadataOf(html);
  const app = structured.find(isApp) ?? {};
  const text = (value: unknown) =>
    typeof value === 'string' ? decodeHTMLStrict(value.slice(0, TEXT_CHARS_MAX)) : null;
  const title = graph.get('og:title')?.replace(/ - Apps on Google Play$/, '');
  const name = textFact(text(app['name']) ?? title, limits.titleMax);
  if (name === null) return null;
  const [image] = [app['image']].flat();
  const genre = app['applicationCategory'];
  const stars = app['aggregateRating'];
  return {
    bundleId: null,
    name,
    description: textFact(text(app['description']) ?? graph.get('og:description'), limits.descriptionMax),
    iconLink: linkFact(image) ?? linkFact(graph.get('og:image')),
    rating: isObject(stars) ? ratingFact(stars['ratingValue']) : null,
    sizeKb: null,
    advertiserDomain: developerDomain(websiteOf(app['author'])),
    category: typeof genre === 'string' ? categoryOf([genre]) : null,
  };
}

/** Website of a schema.org Person or Organization, or of the first in a list. */
function websiteOf(author: unknown): unknown {
  const [first] = [author].flat();
  return isObject(first) ? first['url'] : null;
}

/** Objects of structured data (`application/ld+json`), and Open Graph properties; if a property repeats, the first. */
function metadataOf(html: string): { structured: Json[]; graph: Map<string, string> } {
  const found: unknown[] = [];
  const graph = new Map<string, string>();
  readTags(html, ({ name, attributes, text }) => {
    if (name === 'script' && /^\s*application\/ld\+json/i.test(attributes.get('type') ?? ''))
      found.push(jsonOf(text));
    if (name !== 'meta') return;
    const property = attributes.get('property') ?? attributes.get('name');
    const content = attributes.get('content');
    if (property?.startsWith('og:') && content !== undefined && !graph.has(property))
      graph.set(property, content);
  });
  const structured = found
    .flat()
    .flatMap((data) => (isObject(data) ? [data, data['@graph']].flat() : []))
    .filter(isObject);
  return { structured, graph };
}

function isApp(data: Json): boolean {
  return [data['@type']].flat().some((type) => typeof type === 'string' && /Application$|Game$/.test(type));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Data from an app's page in its store; null where missing or unusable. */
interface StorePage {
  bundleId: string | null;
  name: string | null;
  description: string | null;
  iconLink: string | null;
  /** Stars from 0 to 5, with one decimal. */
  rating: number | null;
  sizeKb: number | null;
  /** IAB content taxonomy 1.0. */
  category: string | null;
  /** Domain of the developer's website. */
  advertiserDomain: string | null;
}

/** Text on one line, truncated to `lengthMax` with an ellipsis. */
function textFact(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null;
  // Cleaning very long texts takes time, and the rest is cut off anyway.
  const line = value
    .slice(0, 10_000)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.length <= lengthMax ? line : `${truncate(line, lengthMax - 1).trimEnd()}…`;
}

function linkFact(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > limits.urlMax || !canParseUrl(value)) return null;
  return new URL(value).protocol === 'https:' ? value : null;
}

/** Stars, above 0 to 5, rounded to one decimal; null if the app has no ratings. */
function ratingFact(value: unknown): number | null {
  const stars = numberOf(value);
  return stars > 0 && stars <= 5 ? Math.round(stars * 10) / 10 : null;
}

function sizeKbFact(bytes: unknown): number | null {
  const sizeKb = Math.ceil(numberOf(bytes) / 1024);
  return sizeKb > 0 && sizeKb <= 2 ** 40 ? sizeKb : null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}

/** IAB categories of the game genres that have their own; other games are IAB9-30. */
const games: Record<string, string> = {
  BOARD: 'IAB9-5',
  CARD: 'IAB9-7',
  CASINO: 'IAB9-7',
  PUZZLE: 'IAB9-5',
  ROLE_PLAYING: 'IAB9-25',
  TRIVIA: 'IAB9-5',
  WORD: 'IAB9-5',
};

/** Genres of the App Store and Google Play in a common notation, with the nearest IAB category. */
const apps: Record<string, string> = {
  ART_AND_DESIGN: 'IAB9-2',
  AUTO_AND_VEHICLES: 'IAB2',
  BEAUTY: 'IAB18-1',
  BOOKS: 'IAB1-1',
  BOOKS_AND_REFERENCE: 'IAB1-1',
  BUSINESS: 'IAB3',
  COMICS: 'IAB9-11',
  COMMUNICATION: 'IAB19-6',
  DATING: 'IAB14-1',
  DEVELOPER_TOOLS: 'IAB19',
  EDUCATION: 'IAB5',
  ENTERTAINMENT: 'IAB1',
  EVENTS: 'IAB1',
  FINANCE: 'IAB13',
  FOOD_AND_DRINK: 'IAB8',
  GRAPHICS_AND_DESIGN: 'IAB19-16',
  HEALTH_AND_FITNESS: 'IAB7',
  HOUSE_AND_HOME: 'IAB10',
  KIDS: 'IAB6',
  LIBRARIES_AND_DEMO: 'IAB19',
  LIFESTYLE: 'IAB14',
  MAGAZINES_AND_NEWSPAPERS: 'IAB12',
  MAPS_AND_NAVIGATION: 'IAB20',
  MEDICAL: 'IAB7',
  MUSIC: 'IAB1-6',
  MUSIC_AND_AUDIO: 'IAB1-6',
  NAVIGATION: 'IAB20',
  NEWS: 'IAB12',
  NEWS_AND_MAGAZINES: 'IAB12',
  PARENTING: 'IAB6',
  PERSONALIZATION: 'IAB19-6',
  PHOTO_AND_VIDEO: 'IAB9-23',
  PHOTOGRAPHY: 'IAB9-23',
  PRODUCTIVITY: 'IAB19',
  REFERENCE: 'IAB5',
  SHOPPING: 'IAB22',
  SOCIAL: 'IAB14',
  SOCIAL_NETWORKING: 'IAB14',
  SPORTS: 'IAB17',
  TOOLS: 'IAB19',
  TRAVEL: 'IAB20',
  TRAVEL_AND_LOCAL: 'IAB20',
  UTILITIES: 'IAB19',
  VIDEO_PLAYERS: 'IAB1',
  VIDEO_PLAYERS_AND_EDITORS: 'IAB1',
  WEATHER: 'IAB15-10',
};

const GAME = 'IAB9-30';

/**
 * Maps an app's store genres, main genre first, to an IAB category. Genres are given as `Food & Drink`,
 * `GAME_PUZZLE`, or `Games` followed by `Puzzle`. Null for an unknown genre.
 */
export function categoryOf(genres: readonly string[]): string | null {
  const [main = '', ...others] = genres.map(notation);
  if (/^GAMES?$/.test(main)) return others.map((genre) => games[genre]).find(Boolean) ?? GAME;
  if (main.startsWith('GAME_')) return games[main.slice('GAME_'.length)] ?? GAME;
  return apps[main] ?? null;
}

function notation(genre: string): string {
  return genre
    .toUpperCase()
    .replaceAll('&', ' AND ')
    .replaceAll(/[^A-Z]+/g, '_');
}
