import type { Context } from '../../../context.ts';
import { PageUnavailable } from '../../../platform/outbound/fetch-page.ts';

/** Longest domain and account that are stored, with the spaces around them. */
const ENTRY_CHARS_MAX = 200;

/** A seller as an entry of a file names it: the domain of the advertising system and the account there. Pure. */
export function sellerKey({ domain, id }: { domain: string; id: string }): string {
  return `${domain.trim().toLowerCase()},${id.trim().toLowerCase()}`;
}

/**
 * The authorized sellers of an app-ads.txt file (IAB Tech Lab, ads.txt 1.1, 3.4) as {@link sellerKey}s: lines of a domain, an
 * account and DIRECT or RESELLER. Comments, variables and other lines are left out. Pure.
 */
export function readAppAds(text: string): string[] {
  const sellers = new Set<string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [domain = '', id = '', relation = ''] = line.split('#', 1)[0]!.split(',');
    if (!/^\s*(direct|reseller)\s*(;|$)/i.test(relation)) continue;
    // PostgreSQL stores no NUL.
    if (line.includes('\0')) continue;
    const isEntry = domain.includes('.') && id.trim() !== '' && domain.length + id.length <= ENTRY_CHARS_MAX;
    if (isEntry) sellers.add(sellerKey({ domain, id }));
  }
  return [...sellers];
}

/**
 * The authorized sellers of a developer's app-ads.txt file; empty where there is none, null where that is not known. Never
 * throws.
 */
export async function fetchAppAds(
  { fetchPage, log }: Pick<Context, 'fetchPage' | 'log'>,
  domain: string,
): Promise<string[] | null> {
  if (!fetchPage) return null;
  try {
    const hosts = new Set([domain, `www.${domain}`]);
    const text = await fetchPage(`https://${domain}/app-ads.txt`, hosts);
    // Many websites respond to unknown addresses with a page.
    return /^\s*</.test(text) ? [] : readAppAds(text);
  } catch (error) {
    const { status, message } = error as PageUnavailable;
    if (error instanceof PageUnavailable && (status === 404 || status === 410)) return [];
    log.info({ reason: message, domain }, 'an app-ads.txt file could not be fetched');
    return null;
  }
}
