import { developerDomain } from '@bidwell/contract/apps/advertiser-domain';
import { limits } from '@bidwell/contract/lib/limits';
import { decodeHTMLStrict } from 'entities';
import { readTags } from '../../../platform/html.ts';
import { categoryOf } from './store-category.ts';
import { type StorePage, linkFact, ratingFact, textFact } from './store-facts.ts';
import { jsonOf } from '../../../platform/json-of.ts';

type Json = Record<string, unknown>;

/** A name or description is cut off long before. */
const TEXT_CHARS_MAX = 100_000;

/** Address of an app's page in English. */
export function googlePlayAddress(bundleId: string): string {
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

/** Objects of structured data (`application/ld+json`), and Open Graph properties; of a repeated one the first. */
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
