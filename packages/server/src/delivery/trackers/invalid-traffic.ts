import { networkMatcher, parseNetwork } from '../../platform/networks.ts';
import type { EventMark } from '../model/event.ts';
import { createIsbotFromList, list } from 'isbot';
import { memoizeText } from '../../platform/memoize-text.ts';

/** Programs that the list lacks. Not the phones called Cubot. */
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

/** Some patterns judge by the form of a browser's user agent, which apps do not have. These patterns are left out. */
const isListed = createIsbotFromList(
  list.filter((pattern) => !APPS.some((userAgent) => new RegExp(pattern, 'i').test(userAgent))),
);

/**
 * Whether a user agent belongs to a crawler or another program, by the list of `isbot`. False for an empty one. Memoised:
 * the list takes ten microseconds.
 */
const isProgram = memoizeText(
  (userAgent) => !appClient.test(userAgent) && (programs.test(userAgent) || isListed(userAgent)),
  { entriesMax: 10_000, charsMax: 512 },
);

/** Large networks of public clouds and hosting companies, from their registries. The operator may add others. */
const HOSTING = `
3.0.0.0/9 13.32.0.0/12 13.48.0.0/13 18.128.0.0/9 34.192.0.0/10 35.152.0.0/13 44.192.0.0/10 52.0.0.0/10 54.64.0.0/10
54.144.0.0/12 54.160.0.0/11 54.192.0.0/10 107.20.0.0/14 174.129.0.0/16 184.72.0.0/15 2600:1f00::/24 2a05:d000::/25
8.34.208.0/20 34.64.0.0/10 35.184.0.0/13 35.192.0.0/11 35.224.0.0/12 104.154.0.0/15 104.196.0.0/14 130.211.0.0/16
146.148.0.0/17 2600:1900::/28
13.64.0.0/11 20.33.0.0/16 20.36.0.0/14 20.40.0.0/13 20.48.0.0/12 20.64.0.0/10 20.184.0.0/13 40.64.0.0/10 52.224.0.0/11
104.40.0.0/13 137.116.0.0/15 168.61.0.0/16 168.62.0.0/15
104.131.0.0/16 134.209.0.0/16 138.197.0.0/16 138.68.0.0/16 139.59.0.0/16 142.93.0.0/16 157.230.0.0/16 159.65.0.0/16
159.89.0.0/16 161.35.0.0/16 164.90.0.0/16 165.22.0.0/16 167.71.0.0/16 167.99.0.0/16 178.62.0.0/16 188.166.0.0/16
206.189.0.0/16 2604:a880::/32 2a03:b0c0::/32
5.9.0.0/16 46.4.0.0/16 65.108.0.0/15 78.46.0.0/15 88.198.0.0/16 88.99.0.0/16 95.216.0.0/15 116.202.0.0/15 135.181.0.0/16
136.243.0.0/16 138.201.0.0/16 144.76.0.0/16 148.251.0.0/16 157.90.0.0/16 159.69.0.0/16 168.119.0.0/16 176.9.0.0/16
2a01:4f8::/32 2a01:4f9::/32
51.68.0.0/16 51.75.0.0/16 51.77.0.0/16 51.89.0.0/16 51.91.0.0/16 54.36.0.0/16 54.37.0.0/16 137.74.0.0/16 145.239.0.0/16
147.135.0.0/16 149.202.0.0/16 151.80.0.0/16 164.132.0.0/16 167.114.0.0/16 176.31.0.0/16 188.165.0.0/16 198.27.64.0/18
2001:41d0::/32
45.33.0.0/17 45.56.64.0/18 45.79.0.0/16 139.162.0.0/16 172.104.0.0/15 2600:3c00::/28 2a01:7e00::/28
45.32.0.0/16 45.63.0.0/17 45.76.0.0/16 108.61.0.0/16 140.82.0.0/18 149.28.0.0/16
`;

/** Detects traffic of programs rather than people, by its address and user agent. */
export interface InvalidTrafficDetector {
  /** The mark of a click or another event. One without a user agent comes from a program. */
  ofEvent: (ip: string, userAgent: string) => EventMark;
  /** The mark of a bid request. Many exchanges send no user agent. */
  ofBidRequest: (ip: string, userAgent: string) => EventMark;
}

/**
 * Creates a detector; `more` are the operator's own networks, `address/bits` separated by spaces or lines. Throws
 * RangeError for an invalid one.
 */
export function createInvalidTrafficDetector(more = ''): InvalidTrafficDetector {
  const networks = `${HOSTING} ${more}`
    .split(/\s+/)
    .filter(Boolean)
    .map((text) => {
      const network = parseNetwork(text);
      if (!network) throw new RangeError(`"${text}" is not a network`);
      return network;
    });
  const isHosting = networkMatcher(networks);
  const markOf = (ip: string, userAgent: string): EventMark => {
    if (isProgram(userAgent)) return 'bot';
    return isHosting(ip) ? 'datacenter' : '';
  };
  return {
    ofEvent: (ip, userAgent) => (userAgent.trim() === '' ? 'bot' : markOf(ip, userAgent)),
    ofBidRequest: markOf,
  };
}

/** Headers of browser prefetches: the current one (Fetch, 3.9) and older ones. */
const headers = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Whether a request with these headers is a browser's prefetch, made before a person opened or saw the content. */
export function isPrefetch(header: (name: string) => string | string[] | undefined): boolean {
  return headers.some((name) => {
    const sent = header(name);
    return sent !== undefined && /^\s*(prefetch|preview|prerender)\b/i.test(String(sent));
  });
}
