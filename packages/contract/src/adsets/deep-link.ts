import { z } from 'zod';
import { canParseUrl } from '../lib/can-parse-url.ts';
import { limits } from '../lib/limits.ts';
import { isTrackingMacro } from '../tracking-links/macros.ts';
import { misspeltMacros, spellingText } from '../tracking-links/url.ts';
import { adsetMessages } from './messages.ts';

/**
 * Schemes of browsers, stores and system apps, which open no screen of the advertised app; some run scripts or start any component of a
 * device.
 */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set([
  'aloha',
  'amzn',
  'android-app',
  'app-settings',
  'apt',
  'bazaar',
  'bkash',
  'blob',
  'callto',
  'calshow',
  'cashapp',
  'cashme',
  'contacts',
  'content',
  'cydia',
  'data',
  'dolphin',
  'facetime',
  'fdroid',
  'feed',
  'file',
  'filesystem',
  'filza',
  'ftp',
  'geo',
  'gpay',
  'intent',
  'ipfs',
  'ipns',
  'jar',
  'javascript',
  'kiwi',
  'ldap',
  'ldaps',
  'litecoin',
  'magnet',
  'mailto',
  'maps',
  'market',
  'message',
  'metamask',
  'mms',
  'mobilenotes',
  'monero',
  'nfs',
  'onestore',
  'package',
  'paypal',
  'phonepe',
  'photos',
  'play',
  'prefs',
  'puffin',
  'resource',
  'rtsp',
  'samsungapps',
  'sftp',
  'shortcuts',
  'sileo',
  'sip',
  'sips',
  'skype',
  'smb',
  'solana',
  'ssh',
  'tez',
  'vbscript',
  'venmo',
  'videos',
  'view-source',
  'vnc',
  'voicememos',
  'weixin',
  'wifi',
  'workflow',
  'ws',
  'wss',
  'zbra',
  'zelle',
]);

/** Beginnings of further schemes of browsers, stores, installers, system apps and apps that pay. */
const FOREIGN_BEGINNINGS = new RegExp(
  `^(?:${[
    'about|brave|chrome|ddgquicklink|duckduckgo|edge|firefox|focus|fxios|googlechrome|icabmobile|microsoft-edge|opera|org\\.mozilla',
    'samsunginternet|touch|vivaldi|x-safari|x-web-search',
    'altstore|appgallery|apple-|appmarket|hiapplink|itms|mimarket|oppomarket|sidestore|testflight|trollstore|vivomarket',
    'app-prefs|com\\.apple\\.|facetime-|ms-|otpauth|photos-|shareddocuments|sms|tel|webcal|wtai|x-apple',
    'alipay|bitcoin|ethereum|lightning|paytmmp|upi|whatsapp',
  ].join('|')})`,
);

/** Whether a scheme is of another app than the advertised one: one of these, or one that opens web pages (`…-https`). */
function isForeign(scheme: string): boolean {
  return (
    FOREIGN_SCHEMES.has(scheme) ||
    FOREIGN_BEGINNINGS.test(scheme) ||
    (scheme !== 'https' && /https?s?$|browser/.test(scheme))
  );
}

/** A custom scheme, as RFC 3986 has it. */
const SCHEME = /^([a-z][a-z0-9+.-]{0,63}):\/\//i;
/** The characters of URLs (RFC 3986), and braces of macros. */
const CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%{}]+$/;

/** The scheme of a deep link in lower case; '' for a text without one. */
export const schemeOf = (deepLink: string): string => SCHEME.exec(deepLink)?.[1]?.toLowerCase() ?? '';

/** Whether a deep link is a universal link (iOS) or an app link (Android); any other has a scheme of the app's own. */
export const isUniversalLink = (deepLink: string): boolean => schemeOf(deepLink) === 'https';

/**
 * The host of a universal link in lower case; null for a scheme of the app's own, and for a host that is a macro or has credentials
 * before it, since the link could then lead anywhere.
 */
export function universalLinkHost(deepLink: string): string | null {
  if (!isUniversalLink(deepLink)) return null;
  const [authority = ''] = deepLink.slice('https://'.length).split(/[/?#]/, 1);
  if (/[{}@%]/.test(authority)) return null;
  const plain = deepLink.replaceAll(/\{[a-z_]+\}/g, 'x');
  return canParseUrl(plain) ? new URL(plain).hostname.replace(/\.$/, '') : null;
}

/** What is wrong with a deep link by itself; null for nothing. */
function deepLinkFault(text: string): string | null {
  const scheme = schemeOf(text);
  if (scheme === '') return adsetMessages.deepLinkForm;
  if (isForeign(scheme)) return adsetMessages.deepLinkScheme(scheme);
  if (!CHARACTERS.test(text)) return adsetMessages.deepLinkCharacters;
  if (/#intent;/i.test(text)) return adsetMessages.deepLinkIntent;
  if (text.includes('{deep_link}')) return adsetMessages.deepLinkInItself;
  const [misspelt] = misspeltMacros(text);
  if (misspelt) return spellingText(misspelt);
  const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].find(([, name = '']) => !isTrackingMacro(name));
  if (unknown) return adsetMessages.deepLinkMacro(unknown[0]);
  if (scheme === 'https' && !universalLinkHost(text)?.includes('.')) return adsetMessages.deepLinkHost;
  return null;
}

/**
 * A deep link: a universal link or app link (https), or one with a scheme of the app's own (`myapp://…`). It may have the macros of
 * tracking links. Absent, null and empty are none.
 */
export const DeepLink = z
  .string()
  .trim()
  .max(limits.deepLinkMax, `At most ${limits.deepLinkMax} characters`)
  .superRefine((text, context) => {
    const message = text === '' ? null : deepLinkFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .nullish()
  .transform((text) => text || null);
