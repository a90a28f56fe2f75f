import { z } from 'zod';
import { appMessages } from './messages.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** Hosts of app stores and their parent domains, which cannot be an advertiser's own domain. */
const STORE_HOSTS = [
  'apple.com',
  'play.google.com',
  'google.com',
  'market.android.com',
  'android.com',
  'appgallery.huawei.com',
  'galaxystore.samsung.com',
  'apps.samsung.com',
  'apps.microsoft.com',
  'onelink.me',
  'adj.st',
];

/** Hosts where many developers have pages; such a website does not reveal the developer's own domain. */
const SHARED_HOSTS = [
  'sites.google.com',
  'docs.google.com',
  'facebook.com',
  'instagram.com',
  'twitter.com',
  'x.com',
  'youtube.com',
  'tiktok.com',
  'linkedin.com',
  'linktr.ee',
  'discord.gg',
  't.me',
  'bit.ly',
];

/** Longest domain name in DNS, in characters. */
const DOMAIN_CHARS_MAX = 253;

/**
 * Extracts the domain from typed text, which may be a URL: lower case, without `www.`, in the ASCII form of DNS. Null if
 * it is not a public domain name. Never throws.
 */
export function domainFrom(text: string): string | null {
  const typed = text.trim();
  if (typed.length > 2000) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!canParseUrl(address)) return null;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol) || url.username !== '') return null;
  const domain = url.hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '');
  const labels = domain.split('.');
  const isName =
    domain.length <= DOMAIN_CHARS_MAX &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label)) &&
    /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/.test(labels.at(-1)!);
  return isName ? domain : null;
}

/** True for the host of an app store, which cannot be an advertiser's own domain. */
export function isStoreDomain(domain: string): boolean {
  if (SHARED_HOSTS.includes(domain)) return false;
  return STORE_HOSTS.some((host) => domain === host) || domain.endsWith('.apple.com');
}

/**
 * The advertiser's domain, from the developer's website on a store page. Null for anything but a domain, for a store's
 * domain and for hosts that many developers share.
 */
export function developerDomain(website: unknown): string | null {
  const domain = typeof website === 'string' ? domainFrom(website) : null;
  if (domain === null || isStoreDomain(domain)) return null;
  return SHARED_HOSTS.some((host) => domain === host || domain.endsWith(`.${host}`)) ? null : domain;
}

/** Top-level domains with which package names begin. */
const PACKAGE_TLDS = new Set(['com', 'net', 'org', 'io', 'co', 'app', 'games', 'studio', 'dev', 'tv', 'me']);

/**
 * A guess of the advertiser's domain from an app's bundle id: `com.example.game` is likely by `example.com`. Country domains
 * count too. Null where the bundle id does not begin with a domain name.
 */
export function domainOfBundle(bundleId: string): string | null {
  const [tld = '', name = '', ...rest] = bundleId.toLowerCase().split('.');
  if (rest.length === 0 || !(PACKAGE_TLDS.has(tld) || /^[a-z]{2}$/.test(tld))) return null;
  return developerDomain(`${name.replaceAll('_', '-')}.${tld}`);
}

/** An optional advertiser domain; absent, null and the empty string become null. A URL is reduced to its domain. */
export const AdvertiserDomain = z
  .string(appMessages.advertiserDomain)
  .trim()
  .max(2000, appMessages.advertiserDomain)
  .nullish()
  .transform((text, context) => {
    if (!text) return null;
    const domain = domainFrom(text);
    if (domain !== null && !isStoreDomain(domain)) return domain;
    const message = domain === null ? appMessages.advertiserDomain : appMessages.storeDomain;
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  });
