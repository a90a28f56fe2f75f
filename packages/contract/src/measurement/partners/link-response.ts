import type { Mmp } from '../../apps/fields.ts';
import { PARTNERS, mmpOfHost } from './partners.ts';

/** How a measurement partner responds to one of its links. */
export interface LinkResponse {
  mmp: Mmp;
  kind: 'click' | 'view';
  status: 200 | 204 | 302;
  /** The page in the store to which a click is led; null for none. */
  location: string | null;
  /** The click id that the partner reads, from the parameter that it documents; '' without one. */
  clickId: string;
}

/**
 * How the partner of an address responds to it, as its documents say: a view gets a response, and a click is led to the store, with its id
 * in the referrer of Google Play, unless the link says that the network leads the person there. `store` is the page for links that do not
 * name their app. Null for an address that no partner documents as its link. Pure.
 */
export function responseToLink(
  { hostname, pathname, searchParams }: URL,
  store: string,
): LinkResponse | null {
  const mmp = mmpOfHost(hostname);
  if (mmp === undefined) return null;
  const { clickHost, viewHost, clickIdIn, noRedirect, appHost } = PARTNERS[mmp].links;
  const isView = viewHost?.test(hostname) ?? pathname.includes('impression');
  if (!isView && clickHost?.test(hostname) === false) return null;
  const clickId =
    Object.keys(clickIdIn)
      .map((name) => searchParams.get(name))
      .find(Boolean) ?? '';
  if (isView) return { mmp, kind: 'view', status: 200, location: null, clickId };
  if (noRedirect && searchParams.get(noRedirect.param) === noRedirect.value)
    return { mmp, kind: 'click', status: 204, location: null, clickId };
  const page = new URL(appHost?.test(hostname) ? storePageOf(pathname.split('/')[1] ?? '') : store);
  if (page.hostname === 'play.google.com') page.searchParams.set('referrer', `click_id=${clickId}`);
  return { mmp, kind: 'click', status: 302, location: page.href, clickId };
}

/** The page in the store of an app by its id there: Apple's begin with `id`, others are of Google Play. */
export const storePageOf = (app: string): string =>
  /^id\d+$/.test(app)
    ? `https://apps.apple.com/app/${app}`
    : `https://play.google.com/store/apps/details?id=${encodeURIComponent(app)}`;
