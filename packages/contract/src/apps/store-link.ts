import type { Os } from './fields.ts';
import { truncate } from '../lib/truncate.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** The parts of an app store URL. */
export interface StoreLink {
  os: Os;
  /** Google Play: the package name. App Store: the numeric store id. */
  bundleId: string;
  /** The URL without parameters that do not identify the app. */
  canonical: string;
  /** The app's name from the URL's slug; null without one. */
  name: string | null;
  /** The App Store country in the URL, two lower-case letters; null without one. */
  country: string | null;
}

/**
 * Parses an App Store or Google Play URL in any common form (with country, without scheme, market://, itms-apps://).
 * Null for any other text. Never throws.
 */
export function parseStoreLink(link: string): StoreLink | null {
  const text = cleaned(link);
  const address = /^[a-z-]+:/i.test(text) ? text : `https://${text}`;
  if (!canParseUrl(address)) return null;
  const url = new URL(address);
  url.pathname = url.pathname.split('/').map(cleaned).filter(Boolean).join('/');
  if (isAppleLink(address)) return readApple(url);
  return isGoogleLink(url) ? readGoogle(url) : null;
}

/** Without the spaces around it, also those that a copied link has as `%20`, and with two slashes after its scheme. */
function cleaned(link: string): string {
  return link
    .replaceAll('%20', ' ')
    .trim()
    .replace(/^([a-z-]+:)\/{3,}/i, '$1//');
}

/** True for a URL of Apple's store; any other link counts as Android. */
export function isAppleLink(link: string): boolean {
  return /^(?:[a-z-]+:\/\/)?(?:[a-z0-9-]+\.)?(?:apps|itunes)\.apple\.com(?:[/?#:]|$)/i.test(cleaned(link));
}

function readApple(url: URL): StoreLink | null {
  const id =
    /^(?:\/[a-z]{2})?(?:\/app(?:\/[^/]+)?)?\/id(\d{5,12})(?:\/|$)/i.exec(url.pathname)?.[1] ??
    (/developer|artist/i.test(url.pathname) ? null : url.searchParams.get('id')?.trim());
  if (!id || !/^\d{5,12}$/.test(id)) return null;
  const parts = url.pathname.split('/').slice(1);
  const country = /^[a-z]{2}$/i.test(parts[0] ?? '') ? parts[0]!.toLowerCase() : null;
  const slug = parts.find((part, index) => parts[index - 1] === 'app' && !/^id\d+$/.test(part));
  return {
    os: 'ios',
    bundleId: id,
    canonical: `https://apps.apple.com/${country ? `${country}/` : ''}app/id${id}`,
    // Apple's link builder puts `apple-store` in place of the app's name.
    name: slug && slug !== 'apple-store' ? titleOf(slug) : null,
    country,
  };
}

function isGoogleLink({ protocol, hostname, pathname }: URL): boolean {
  if (protocol === 'market:') return hostname === 'details';
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  // Pages of developers, books, films and music are not app pages.
  if (hostname === 'play.google.com') return !/^\/store\/(?:apps\/dev|books|movies|music)/.test(pathname);
  // The store's host before it was renamed Google Play.
  return hostname === 'market.android.com' && pathname.startsWith('/details');
}

function readGoogle(url: URL): StoreLink | null {
  const id = url.searchParams.get('id')?.trim();
  if (!id || !/^[a-z]\w*(?:\.[a-z0-9_]\w*)+$/i.test(id) || id.length > 150) return null;
  return {
    os: 'android',
    bundleId: id,
    canonical: `https://play.google.com/store/apps/details?id=${id}`,
    name: null,
    country: null,
  };
}

function titleOf(slug: string): string | null {
  let words: string;
  try {
    words = decodeURIComponent(slug);
  } catch {
    return null;
  }
  const name = words
    .split(/[-\s]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return truncate(name, 50);
}
