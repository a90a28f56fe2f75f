import { isUniversalLink, schemeOf } from '@bidwell/contract/adsets/deep-link';
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../platform/escape.ts';
import type { Destination } from '../model/candidate.ts';
import type { BidRef } from '../model/event.ts';

/**
 * Whether a click opens the deep link itself: in re-engagement campaigns, where the click URL does not pass it to a measurement partner,
 * which opens the app then.
 */
export function opensApp(
  { reEngagement }: Pick<BidRef, 'reEngagement'>,
  { clickUrl, deepLink }: Pick<Destination, 'clickUrl' | 'deepLink'>,
): boolean {
  return reEngagement === true && deepLink !== null && !clickUrl.includes('{deep_link}');
}

const FALLBACK = 'store';

/** The address of a click that does not open the app, for people whose device could not open the deep link. */
export const fallbackUrl = (clickUrl: string): string => `${clickUrl}?to=${FALLBACK}`;

/** Whether a click has the address of {@link fallbackUrl}. It chooses between two stored addresses and names none itself. */
export const isFallback = (query: Readonly<Record<string, unknown>>): boolean => query['to'] === FALLBACK;

/** What a click responds with: a redirect to `location`, or a page. */
export type AppOpening =
  | { location: string; page?: undefined }
  | { location?: undefined; page: { html: string; headers: Readonly<Record<string, string>> } };

/**
 * How a click opens an app: a universal link by a redirect, and a scheme of the app's own by a page that tries it and else goes to
 * `fallback`, an http(s) address, because no browser tells whether an app has the scheme. Both addresses are final: macros are filled in.
 */
export function appOpening(
  deepLink: string,
  fallback: string,
  app: Pick<Destination, 'bundle'> & Pick<BidRef, 'os'>,
): AppOpening {
  if (isUniversalLink(deepLink)) return { location: new URL(deepLink).href };
  const opening = app.os === 'android' ? intentOf(deepLink, fallback, app.bundle) : deepLink;
  return { page: { html: pageOf(opening, fallback), headers: HEADERS } };
}

/**
 * The intent by which Android opens the deep link in the advertised app and in no other; browsers go to `fallback` where it is not
 * installed (developer.chrome.com, "Android Intents with Chrome"). What follows the last `#` is the intent's, so a deep link cannot add to it.
 */
function intentOf(deepLink: string, fallback: string, bundle: string): string {
  if (!/^[\w.]+$/.test(bundle)) return deepLink;
  const scheme = schemeOf(deepLink);
  const rest = deepLink.slice(scheme.length + 1);
  const url = encodeURIComponent(fallback).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `intent:${rest}#Intent;scheme=${scheme};package=${bundle};S.browser_fallback_url=${url};end`;
}

/** Opens the first link; goes to the second one if the page is still shown after a while, which it is not once the app is. */
const SCRIPT = `const go=(id)=>document.getElementById(id).href;
const timer=setTimeout(()=>location.replace(go('store')),1500);
const stop=()=>clearTimeout(timer);
addEventListener('pagehide',stop);
document.addEventListener('visibilitychange',()=>document.hidden&&stop());
location.href=go('app');`;
const STYLE = `body{font:18px/1.5 system-ui,sans-serif;margin:20vh auto 0;max-width:20em;padding:0 16px;text-align:center}
a{display:block;margin:16px 0;padding:12px;border:1px solid;border-radius:8px;color:inherit;text-decoration:none}
:root{color-scheme:light dark}`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const;

/** The script is the same for every page, and the addresses are attributes, so that no text of an advertiser is part of a script. */
function pageOf(opening: string, fallback: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Opening the app</title><style>${STYLE}</style></head>
<body><p>Opening the app…</p><a id="app" href="${escapeHtml(opening)}">Open the app</a><a id="store" href="${escapeHtml(fallback)}">Go to the store</a><script>${SCRIPT}</script></body></html>
`;
}
