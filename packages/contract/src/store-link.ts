import type { Os } from './app.ts';

/** An app store address taken apart. */
export interface StoreLink {
  os: Os;
  /** Google Play: the package name. App Store: the numeric store id. */
  bundleId: string;
  /** The address without what does not name the app. */
  canonical: string;
  /** The name hidden in the address, where it holds one. */
  name: string | null;
}

/**
 * Reads an App Store or Google Play address of any common shape (with country, without scheme, market://, itms-apps://).
 * Null for what is neither.
 */
export function parseStoreLink(link: string): StoreLink | null {
  const text = link.trim();
  const address = /^[a-z-]+:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (isAppleLink(address)) return readApple(url);
  if (url.hostname === 'play.google.com' || url.protocol === 'market:') return readGoogle(url);
  return null;
}

/** True when the address is in Apple's store; every other link counts as Android. */
export function isAppleLink(link: string): boolean {
  return /^(?:[a-z-]+:\/\/)?(?:[a-z0-9-]+\.)?(?:apps|itunes)\.apple\.com(?:[/?#:]|$)/i.test(link.trim());
}

function readApple(url: URL): StoreLink | null {
  const id =
    /\/id(\d{5,12})(?:\/|$)/.exec(url.pathname)?.[1] ??
    /^\d{5,12}$/.exec(url.searchParams.get('id') ?? '')?.[0];
  if (!id) return null;
  const parts = url.pathname.split('/').filter(Boolean);
  const country = parts[0]?.length === 2 ? `${parts[0].toLowerCase()}/` : '';
  const slug = parts.find((part, index) => parts[index - 1] === 'app' && !/^id\d+$/.test(part));
  return {
    os: 'ios',
    bundleId: id,
    canonical: `https://apps.apple.com/${country}app/id${id}`,
    name: slug ? titleOf(slug) : null,
  };
}

function readGoogle(url: URL): StoreLink | null {
  const id = url.searchParams.get('id');
  if (!id || !/^[a-z]\w*(?:\.[a-z0-9_]\w*)+$/i.test(id) || id.length > 150) return null;
  return {
    os: 'android',
    bundleId: id,
    canonical: `https://play.google.com/store/apps/details?id=${id}`,
    name: null,
  };
}

function titleOf(slug: string): string | null {
  let words: string;
  try {
    words = decodeURIComponent(slug);
  } catch {
    return null;
  }
  return words
    .split('-')
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
    .slice(0, 50);
}
