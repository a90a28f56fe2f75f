import { limits } from '../lib/limits.ts';
import { truncate } from '../lib/truncate.ts';
import { TRACKING_MACROS } from '../tracking-links/macros.ts';

/** The macros of deep links: the ones of tracking links, but for the deep link itself. */
const MACROS = Object.keys(TRACKING_MACROS).filter((name) => name !== 'deep_link');
/** Exchanges that a message names at most. */
const EXCHANGES_NAMED = 20;

/** Messages of ad sets for users, some shared by server and console. */
export const adsetMessages = {
  cpiRequired: 'Enter the target cost per install (CPI)',
  goalEventRequired: 'Enter the in-app event that Target CPA buys',
  appStoreOnly: 'Only apps of the App Store have this',
  overlayNowhere: 'Enter a delay for the ad, for the end card or for both',
  productPageId: 'Enter the UUID of a custom product page',
  cpaRequired: 'Enter the target cost per person with the event (CPA)',
  roasRequired: 'Enter the target ROAS in percent',
  roasRange: `A target ROAS is between ${limits.roasMin} and ${limits.roasMax} percent`,
  bundleAlphabet: 'Only latin characters are allowed',
  bundleDots: 'Too many dots in one line',
  hoursSpan: 'A span of hours ends after it begins',
  weekdayUnknown: (day: string, days: readonly string[]) =>
    `“${truncate(day, 50)}” is no day of the week: write ${days.join(', ')}`,
  exchangeUnknown: (exchange: string, exchanges: readonly string[]) =>
    exchanges.length === 0
      ? `“${truncate(exchange, 50)}” is no exchange of this installation, which has none yet`
      : `“${truncate(exchange, 50)}” is no exchange of this installation: choose ${exchanges.slice(0, EXCHANGES_NAMED).join(', ')}${exchanges.length > EXCHANGES_NAMED ? ' or another one of its list' : ''}`,
  hoursNone: 'Open at least one hour, or pause the ad set',
  deepLinkForm:
    'Enter a universal link that begins with https://, or a link of the app’s own scheme such as myapp://',
  deepLinkScheme: (scheme: string) =>
    `${scheme}:// opens no screen of the app: enter a universal link, or a link of the app’s own scheme`,
  deepLinkCharacters: 'Write characters that URLs do not have percent-encoded: %20 for a space',
  deepLinkIntent: '#Intent; starts any component of a device: enter the link alone',
  deepLinkHost: 'Enter the host of the universal link, without macros or a user name',
  deepLinkInItself: '{deep_link} stands for the deep link, which cannot contain itself',
  deepLinkMacro: (written: string) =>
    `${truncate(written, 40)} is no macro. Macros are ${MACROS.map((name) => `{${name}}`).join(', ')}`,
  emptyAdsets: 'There are no adsets',
} as const;
