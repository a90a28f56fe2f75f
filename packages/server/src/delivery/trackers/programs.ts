import { createIsbotFromList, list } from 'isbot';
import { memoizeText } from '../../platform/memoize-text.ts';

/** Programs beside those of the list. Not the phones called Cubot. */
const programs =
  /(?<!cu)bot\b|bots\b|crawl|spider|slurp|headless|phantomjs|selenium|webdriver|lighthouse|curl\/|wget\/|python|go-http-client|libwww|scrapy|facebookexternalhit|preview|uptime|pingdom/i;

/** Clients of apps, of which some name the app: `SpiderSolitaire/7.9 CFNetwork/1408 Darwin/22.5`. */
const appClient = /^(?:okhttp|unityplayer)\/|\bdalvik\/|\bcfnetwork\/[\d.]+ darwin\//i;

/** User agents of apps, and of SDKs that send a word in place of one. */
const APPS = [
  'useragent',
  'My Game',
  'MyGame/12',
  'MyGame/1.2.3',
  'com.example.game/1.0 (Linux; Android 12)',
  'Mozilla/5.0 (iPhone)',
  'MyGame/1.0 CFNetwork/1408.0.4 Darwin/22.5.0',
  'Mozilla/5.0(iPhone;CPUiPhoneOS16_1likeMacOSX)AppleWebKit/605.1.15(KHTML,likeGecko)Mobile/15E148',
];

/** Some patterns judge by the form of a browser's user agent, which apps do not have. Those are left out. */
const isListed = createIsbotFromList(
  list.filter((pattern) => !APPS.some((userAgent) => new RegExp(pattern, 'i').test(userAgent))),
);

/**
 * Whether a user agent is that of a crawler or another program, by the list of `isbot`. False for an empty one. Memoised:
 * the list takes ten microseconds.
 */
export const isProgram = memoizeText(
  (userAgent) => !appClient.test(userAgent) && (programs.test(userAgent) || isListed(userAgent)),
  { entriesMax: 10_000, charsMax: 512 },
);
