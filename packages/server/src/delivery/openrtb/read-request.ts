import { normaliseBundle, plainBundle } from '@bidwell/contract/bundles';
import { limits } from '@bidwell/contract/limits';
import { toMicros } from '@bidwell/contract/money';
import { parseStoreLink } from '@bidwell/contract/store-link';
import type { JsonObject } from './json.ts';
import { arrayOf, flagOf, integerOf, isObject, lowerTexts, numberOf, objectOf, textOf } from './json.ts';
import { readDevice } from './read-device.ts';
import { readNative } from './read-native.ts';
import { readCodes, readSize } from './read-parts.ts';
import { readVideo } from './read-video.ts';
import type { Currency, ParsedApp, ParsedBanner, ParsedImp, ParsedRequest, Size } from './request.ts';
import { SEAT } from './request.ts';

const IMPS_MAX = 50;
const SIZES_MAX = 100;
const LIST_MAX = 1000;
const FLOOR_MAX_DOLLARS = 1_000_000;
const CURRENCIES_MAX = 20;

/** What one unit of each known currency is worth in dollars. */
export type CurrencyRates = ReadonlyMap<string, number>;
export const DOLLARS_ONLY: CurrencyRates = new Map([['USD', 1]]);

/**
 * Reads a bid request (OpenRTB 2.5 and 2.6) as exchanges really write them: numbers in strings, null for absent, the
 * bundle only in the store's address. One wrong field never sinks the rest. Null when it has no id or no imp: such a
 * request is unreadable. Never throws.
 */
export function readBidRequest(
  body: unknown,
  ssp: string,
  rates: CurrencyRates = DOLLARS_ONLY,
  tcfVendorId: number | null = null,
): ParsedRequest | null {
  const request = objectOf(body);
  const id = textOf(request['id']);
  const imps = arrayOf(request['imp'], IMPS_MAX)
    .map((imp) => readImp(objectOf(imp), objectOf(request['device']), rates))
    .filter((imp) => imp.id !== '');
  if (id === '' || imps.length === 0) return null;
  const user = objectOf(request['user']);
  const tmaxMs = numberOf(request['tmax']);
  return {
    id,
    ssp,
    test: flagOf(request['test']) || flagOf(request['is_test']),
    timeLimitMs: tmaxMs > 0 ? tmaxMs : null,
    wantsReason: flagOf(objectOf(request['ext'])['nbr']),
    seatAllowed: isSeatAllowed(request),
    auctionType: integerOf(request['at'], 2) === 1 ? 1 : 2,
    imps,
    app: readApp(request['app']),
    device: readDevice(objectOf(request['device']), user, objectOf(request['regs']), tcfVendorId),
    currency: currencyOf(request['cur'], rates),
    blockedCategories: lowerTexts(request['bcat'], LIST_MAX).map((category) => category.toUpperCase()),
    blockedAdvertisers: lowerTexts(request['badv'], LIST_MAX).map(domainOf),
    blockedApps: lowerTexts(request['bapp'], LIST_MAX).map(plainBundle),
  };
}

/** OpenRTB 2.6, 3.2.1: the dollar when it is among `cur` or nothing is, else the first of them that we know. */
function currencyOf(value: unknown, rates: CurrencyRates): Currency | null {
  const codes = arrayOf(value, CURRENCIES_MAX)
    .map((code) => textOf(code).trim().toUpperCase())
    .filter(Boolean);
  const code = codes.length === 0 || codes.includes('USD') ? 'USD' : codes.find((one) => rates.has(one));
  return code === undefined ? null : { code, dollars: rates.get(code)! };
}

/** OpenRTB 2.6, 3.2.1: only the seats in `wseat`, when it names any, and none in `bseat`. */
function isSeatAllowed(request: JsonObject): boolean {
  const allowed = lowerTexts(request['wseat'], LIST_MAX);
  return (
    (allowed.length === 0 || allowed.includes(SEAT)) && !lowerTexts(request['bseat'], LIST_MAX).includes(SEAT)
  );
}

/** The domain of what exchanges write for one: `https://www.apple.com/`, `*.apple.com`. */
function domainOf(text: string): string {
  return text
    .replace(/^https?:\/\//, '')
    .replace(/^(\*?\.|www\.)/, '')
    .replace(/[/:?#].*$/, '');
}

function readImp(imp: JsonObject, device: JsonObject, rates: CurrencyRates): ParsedImp {
  const interstitial = flagOf(imp['instl']);
  const floor = numberOf(imp['bidfloor']);
  const dollars = rates.get(textOf(imp['bidfloorcur']).trim().toUpperCase() || 'USD');
  const screen = readSize(device);
  return {
    id: textOf(imp['id']),
    banner: isObject(imp['banner']) ? readBanner(imp['banner'], interstitial, screen) : null,
    video: isObject(imp['video']) ? readVideo(imp['video'], interstitial, screen) : null,
    native: isObject(imp['native']) ? readNative(imp['native']) : null,
    floorCpmMicros: floor > 0 ? toMicros(Math.min(floor * (dollars ?? 1), FLOOR_MAX_DOLLARS)) : 0,
    floorKnown: dollars !== undefined || !(floor > 0),
    interstitial,
    rewarded: isRewarded(imp),
    expiresAfterSeconds: numberOf(imp['exp']) > 0 ? Math.ceil(numberOf(imp['exp'])) : null,
    secure: flagOf(imp['secure']),
    privateAuction: flagOf(objectOf(imp['pmp'])['private_auction']),
  };
}

/** `rwdd` since OpenRTB 2.6; before it each exchange had an extension of its own. */
function isRewarded(imp: JsonObject): boolean {
  const ext = objectOf(imp['ext']);
  const videoExt = objectOf(objectOf(imp['video'])['ext']);
  return (
    [imp['rwdd'], ext['rewarded'], ext['is_rewarded'], ext['reward'], videoExt['rewarded']].some(flagOf) ||
    textOf(videoExt['videotype']) === 'rewarded'
  );
}

function readBanner(banner: JsonObject, interstitial: boolean, screen: Size | null): ParsedBanner {
  const sizes = [banner, ...arrayOf(banner['format'], SIZES_MAX).map(objectOf)]
    .map(readSize)
    .filter((size) => size !== null);
  if (interstitial && sizes.length === 0 && screen) sizes.push(screen);
  return {
    sizes,
    blockedTypes: readCodes(banner['btype']),
    blockedAttributes: readCodes(banner['battr']),
    mimes: lowerTexts(banner['mimes'], SIZES_MAX).map((mime) => (mime === 'image/jpg' ? 'image/jpeg' : mime)),
    apis: readCodes(banner['api']),
  };
}

function readApp(value: unknown): ParsedApp | null {
  if (!isObject(value)) return null;
  const app = value;
  const ext = objectOf(app['ext']);
  const named = ['cat', 'sectioncat'].flatMap((name) => arrayOf(app[name], LIST_MAX).map(textOf));
  const isIab = (category: string) => /^iab\d/i.test(category);
  return {
    bundle: bundleOf(app),
    name: textOf(app['name']),
    categories: named.filter(isIab).map((category) => category.toUpperCase()),
    storeGenres: [...named, textOf(app['genre']), textOf(ext['genre'])].filter(
      (category) => category !== '' && !isIab(category),
    ),
  };
}

function bundleOf(app: JsonObject): string {
  const own = normaliseBundle(textOf(app['bundle']));
  const plain = plainBundle(own);
  // Some exchanges put the store's address where the id belongs.
  if (plain !== '' && !plain.includes('/')) return plain.slice(0, limits.bundleMax);
  for (const address of [own, textOf(app['storeurl']), textOf(app['url'])]) {
    const store = address === '' ? null : parseStoreLink(address);
    if (store) return normaliseBundle(store.bundleId);
  }
  return '';
}
