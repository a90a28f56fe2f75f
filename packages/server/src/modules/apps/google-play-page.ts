import { developerDomain } from '@bidwell/contract/advertiser-domain';
import { limits } from '@bidwell/contract/limits';
import { categoryOf } from './store-category.ts';
import type { StorePage } from './store-facts.ts';
import { linkFact, ratingFact, textFact } from './store-facts.ts';

type Json = Record<string, unknown>;

/** Address of an app's page in English. */
export function googlePlayAddress(bundleId: string): string {
  return `https://play.google.com/store/apps/details?${new URLSearchParams({ id: bundleId, hl: 'en', gl: 'us' }).toString()}`;
}

/**
 * Parses a page of Google Play: structured data (schema.org SoftwareApplication), otherwise Open Graph tags. Null if
 * it is not the page of an app. Never throws.
 */
export function readGooglePlay(html: string): StorePage | null {
  const app = structuredData(html).find(isApp) ?? {};
  const graph = openGraph(html);
  const text = (value: unknown) => (typeof value === 'string' ? decodeEntities(value) : null);
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

/** Objects in all `application/ld+json` scripts. */
function structuredData(html: string): Json[] {
  const found: unknown[] = [];
  for (const tag of html.matchAll(/<script\b[^<>]{0,500}>/gi)) {
    if (!/type\s*=\s*["']?application\/ld\+json/i.test(tag[0])) continue;
    const start = tag.index + tag[0].length;
    const end = html.indexOf('</script', start);
    if (end < 0) break;
    found.push(jsonOf(html.slice(start, end)));
  }
  return found
    .flat()
    .flatMap((data) => (isObject(data) ? [data, data['@graph']].flat() : []))
    .filter(isObject);
}

function isApp(data: Json): boolean {
  return [data['@type']].flat().some((type) => typeof type === 'string' && /Application$|Game$/.test(type));
}

function openGraph(html: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [tag] of html.matchAll(/<meta\b[^<>]{0,4000}>/gi)) {
    const name = attribute(tag, 'property') ?? attribute(tag, 'name');
    const content = attribute(tag, 'content');
    if (name?.startsWith('og:') && content !== null && !names.has(name)) names.set(name, content);
  }
  return names;
}

function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return match ? decodeEntities(match[1] ?? match[2] ?? '') : null;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(String(name).toLowerCase()) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
