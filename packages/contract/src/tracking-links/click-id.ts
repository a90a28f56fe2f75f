import type { Mmp } from '../apps/fields.ts';
import { PARTNERS, mmpNames, mmpOfHost } from '../measurement/partners/partners.ts';
import { beforeFragment, clickIdMissing, hasClickId } from './url.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/**
 * Why the measurement partner cannot return the click id of a click URL, and how to correct it; null where it can. With the
 * partner of the app, the parameter of a link to that partner counts too.
 */
export function clickIdFault(url: string, mmp?: Mmp): string | null {
  const sent = beforeFragment(url);
  if (!mmp || !isLinkOf(mmp, sent) || Object.keys(PARTNERS[mmp].links.clickIdIn).length === 0)
    return clickIdMissing(url);
  const [, query = ''] = /\?(.*)/s.exec(sent) ?? [];
  const returned = Object.entries(PARTNERS[mmp].links.clickIdIn);
  const values = (param: string) =>
    query.split('&').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at > 0 && paramName(pair.slice(0, at)) === param ? [pair.slice(at + 1)] : [];
    });
  // Which of several values a partner returns is not known.
  const isReturned = returned.some(([param]) => {
    const given = values(param);
    return (
      given.length > 0 &&
      given.every((value) => (isCallbackName(param) ? hasClickId(value) : isAnyClickId(value)))
    );
  });
  if (isReturned) return null;
  const places = returned.map(([param, macro]) => (isCallbackName(param) ? `${macro} in ${param}` : `${param}=${macro}`)); // prettier-ignore
  return `Add ${places.join(' or ')}: ${mmpNames[mmp]} returns no other click ID, and without it no install is counted.`;
}

/** The name of a parameter with its escapes replaced, such as `%7Eclick_id`; as it is where they cannot be read. */
export function paramName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const isCallbackName = (param: string) => param.endsWith('callback');

function isLinkOf(mmp: Mmp, url: string): boolean {
  const plain = url.replaceAll(/\{[^{}]*\}/g, 'x');
  return canParseUrl(plain) && mmpOfHost(new URL(plain).hostname) === mmp;
}

function isAnyClickId(text: string): boolean {
  return /^\{(?:click_id|install_token)\}$/.test(text);
}
