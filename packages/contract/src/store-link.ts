import type { Os } from './app.ts';
import { truncate } from './truncate.ts';

/** An app store address taken apart. */
export interface StoreLink {
  os: Os;
  /** Google Play: the package name. App Store: the numeric store id. */
  bundleId: string;
  /** The address without what does not name the app. */
  canonical: string;
  /** The name hidden in the address, where it holds one. */
  name: string | null;
  /** The App Store's country of the address, two lower-case letters. */
  country: string | null;
}

/**
 * Reads an App Store or Google Play address of any common shape (with country, without scheme, market://, itms-apps://).
 * Null for what is neither. Never throws.
 */
export function parseStoreLink(link: string): StoreLink | null {
  const text = link.trim();
  const address = /^[a-z-]+:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (isAppleLink(address)) return readApple(url);
  return isGoogleLink(url) ? readGoogle(url) : null;
}

/** True when the address is in Apple's store; every other link counts as Android. */
export function isAppleLink(link: string): boolean {
  return /^(?:[a-z-]+:\/\/)?(?:[a-z0-9-]+\.)?(?:apps|itunes)\.apple\.com(?:[/?#:]|$)/i.test(link.trim());
}

function readApple(url: URL): StoreLink | null {
  const id =
    /^(?:\/[a-z]{2})?(?:\/app(?:\/[^/]+)?)?\/id(\d{5,12})(?:\/|$)/i.exec(url.pathname)?.[1] ??
    (/developer|artist/i.test(url.pathname) ? null : url.searchParams.get('id'));
  if (!id || !/^\d{5,12}$/.test(id)) return null;
  const parts = url.pathname.split('/').filter(Boolean);
  const country = /^[a-z]{2}$/i.test(parts[0] ?? '') ? parts[0]!.toLowerCase() : null;
  const slug = parts.find((part, index) => parts[index - 1] === 'app' && !/^id\d+$/.test(part));
  return {
    os: 'ios',
    bundleId: id,
    canonical: `https://apps.apple.com/${country ? `${country}/` : ''}app/id${id}`,
    // Apple's own link builder puts this word where a name would be.
    name: slug && slug !== 'apple-store' ? titleOf(slug) : null,
    country,
  };
}

function isGoogleLink({ protocol, hostname, pathname }: URL): boolean {
  if (protocol === 'market:') return hostname === 'details';
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  // Its other shelves, and what publishers have written.
  if (hostname === 'play.google.com') return !/^\/store\/(?:apps\/dev|books|movies|music)/.test(pathname);
  // Where the store was before it was called Google Play.
  return hostname === 'market.android.com' && pathname.startsWith('/details');
}

function readGoogle(url: URL): StoreLink | null {
  const id = url.searchParams.get('id');
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
    .split('-')
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return truncate(name, 50);
}
