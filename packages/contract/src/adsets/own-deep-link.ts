import { canParseUrl } from '../lib/can-parse-url.ts';
import { mmpOfHost } from '../measurement/partners/partners.ts';
import { isUniversalLink, universalLinkHost } from './deep-link.ts';

/**
 * Whether clicks may lead to a deep link: a universal link has to be of the app's own developer, or of a measurement partner without
 * parameters that lead to another website, since no operator reviews it. Pure.
 */
export function isOwnDeepLink(deepLink: string, advertiserDomain: string | null): boolean {
  if (!isUniversalLink(deepLink)) return true;
  const host = universalLinkHost(deepLink);
  if (host === null) return false;
  const isOfDeveloper = (one: string): boolean =>
    advertiserDomain !== null && (one === advertiserDomain || one.endsWith(`.${advertiserDomain}`));
  if (isOfDeveloper(host)) return true;
  return mmpOfHost(host) !== undefined && websitesIn(deepLink).every(isOfDeveloper);
}

/** An address of a website, also without its scheme, and what follows `https:` in one that browsers read as such. */
const WEBSITE = /^[\s\0]*(?:https?:)?[/\\]{2,}/i;

/** The hosts of the websites in the parameters of a link, to which measurement partners redirect where the app does not open; '' for one that cannot be read. */
function websitesIn(link: string): string[] {
  const { searchParams, hash } = new URL(link.replaceAll(/\{[a-z_]+\}/g, 'x'));
  const values = [...searchParams.values(), ...new URLSearchParams(hash.slice(1)).values()];
  return values.flatMap((value) => {
    // A partner may decode it once more.
    const texts = [value, decoded(value)];
    const address = texts.find((text) => WEBSITE.test(text) || /^[\s\0]*https?:/i.test(text));
    if (address === undefined) return [];
    const whole = address.trim().replace(/^(?:https?:)?[/\\]*/i, 'https://');
    return [canParseUrl(whole) ? new URL(whole).hostname : ''];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
