import { normaliseBundle, withoutIdPrefix } from '@bidwell/contract/adsets/bundles';
import { CONTENT_1_0, categoryKeyOf } from '@bidwell/contract/reference/iab-taxonomies';
import { limits } from '@bidwell/contract/lib/limits';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import type { ExchangeRules } from '@bidwell/contract/operator/exchange-rules';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { SspInput } from '@bidwell/contract/operator/schema';
import {
  type JsonObject,
  arrayOf,
  flagOf,
  integerOf,
  isObject,
  lowerTexts,
  numberOf,
  objectOf,
  textOf,
} from '../json.ts';
import type { Placements } from '../../auction/formats.ts';
import { readContentTypes, readCodes, readRatio, readSize } from './read-imp-fields.ts';
import { languageOf, readDevice, storeIn } from './read-device.ts';
import { readNative } from './read-native.ts';
import { readAdAttributionKit, readSkadnetwork } from './read-skadnetwork.ts';
import { DURATION_FLOORS_MAX, readVideo } from './read-video.ts';
import {
  type Currency,
  DEFAULT_SEAT,
  type FlexRatio,
  type ImpBilling,
  type ParsedApp,
  type ParsedBanner,
  type ParsedImp,
  type ParsedRequest,
  type Size,
  type CurrencyRates,
  DOLLARS_ONLY,
  type SupplyChain,
  type ParsedDsa,
} from '../../model/bid-request.ts';
import { domainToASCII } from 'node:url';

const IMPS_MAX = 50;
const SIZES_MAX = 100;
/** Maximum entries of a list of blocked or allowed advertisers, apps, categories or seats. */
const BLOCKED_MAX = 1000;
const CATEGORIES_MAX = 100;
const LANGUAGES_MAX = 100;
const CURRENCIES_MAX = 20;
const CURRENCY_CHARS_MAX = 10;
/** Ids are echoed in the response. Longer ones are rejected with their request or imp. */
const ID_CHARS_MAX = 255;
const DEALS_MAX = 100;
const BILLING_IDS_MAX = 100;
/** As many of our ids as fit into the largest request: a creative whose id were not read would be bid. */
const EXCLUDED_CREATIVES_MAX = 15_000;
const NAME_CHARS_MAX = 200;
/** BidSwitch sends at least one in twenty; a larger weight is taken for this one, so that no single request decides an estimate. */
const WEIGHT_MAX = 100;
const FLOOR_MAX_DOLLARS = 1_000_000;

/** Inputs beyond the request itself. */
export interface ReadContext {
  /** Our seat at the exchange. */
  seat: string;
  rates: CurrencyRates;
  /** Our id in the IAB's Global Vendor List; null without one. */
  tcfVendorId: number | null;
  /** The auction type of the exchange, or the marker that each request states its own. */
  auctionType: SspInput['auction_type'];
  /** Whether bids with the exchange are signed for SKAdNetwork and AdAttributionKit; their parameters are not read otherwise. */
  isSigned: boolean;
  /** What the exchange demands, by its profile. */
  rules: ExchangeRules;
  /** Billing ids of companies at the exchange. */
  billing: ImpBilling['companies'];
  /** Whether only creatives that the exchange approved may be bid. */
  isReviewed: boolean;
}

const NO_BILLING: ImpBilling['companies'] = new Map();

/**
 * How many requests a parsed one stands for, where the exchange leaves out others of its kind and says so (`ext.wt`), which may be no whole
 * number. 1 where it says nothing, or nothing that can be true.
 */
export function requestWeight(body: unknown, rules: ExchangeRules): number {
  if (!rules.request_weight) return 1;
  const stated = numberOf(objectOf(objectOf(body)['ext'])['wt']);
  return stated > 1 ? Math.min(stated, WEIGHT_MAX) : 1;
}

/**
 * Reads a bid request (OpenRTB 2.5 and 2.6) leniently, since exchanges send numbers as strings, null for absent fields,
 * and the bundle only within the store URL. An invalid field does not invalidate others; long lists and strings are
 * truncated. `ssp` is the exchange's slug. Null when the request or all of its imps have no id that a response can repeat. Never
 * throws.
 */
export function readBidRequest(
  body: unknown,
  ssp: string,
  {
    seat = DEFAULT_SEAT,
    rates = DOLLARS_ONLY,
    tcfVendorId = null,
    auctionType = 'request',
    isSigned = true,
    rules = rulesOf('openrtb'),
    billing = NO_BILLING,
    isReviewed = false,
  }: Partial<ReadContext> = {},
): ParsedRequest | null {
  const request = objectOf(body);
  const id = idOf(request['id']);
  const user = objectOf(request['user']);
  const device = readDevice(
    objectOf(request['device']),
    objectOf(request['app']),
    user,
    request['regs'],
    tcfVendorId,
  );
  const context = {
    seat: seat.toLowerCase(),
    rates,
    isSigned: isSigned && device.os === 'ios',
    rules,
    billing,
    reviewedAt: isReviewed ? ssp : null,
  };
  const imps = readImps(request, context);
  if (id === '' || imps.length === 0) return null;
  const regs = objectOf(request['regs']);
  const tmaxMs = numberOf(request['tmax']);
  const categoryTaxonomy = integerOf(request['cattax'], CONTENT_1_0);
  return {
    id,
    ssp,
    seat,
    test: flagOf(request['test']) || flagOf(request['is_test']),
    timeLimitMs: tmaxMs > 0 ? tmaxMs : null,
    wantsReason: flagOf(objectOf(request['ext'])['nbr']),
    seatAllowed: isSeatAllowed(request, seat.toLowerCase()),
    hasMeasurementSdk: hasMeasurementSdk(objectOf(request['source'])),
    auctionType: auctionTypeOf(request['at'], auctionType),
    imps,
    app: readApp(request['app']),
    device,
    currency: currencyOf(request['cur'], rates),
    blockedCategories: readCategories(request['bcat'], categoryTaxonomy),
    allowedCategories: isPresent(request['acat']) ? readCategories(request['acat'], categoryTaxonomy) : null,
    categoryTaxonomy,
    blockedAdvertisers: lowerTexts(request['badv'], BLOCKED_MAX).map(domainOf),
    blockedApps: lowerTexts(request['bapp'], BLOCKED_MAX).map((bundle) =>
      withoutIdPrefix(normaliseBundle(bundle)),
    ),
    languages: readLanguages(request),
    dsa: readDsa(regs),
    supplyChain: readSupplyChain(objectOf(request['source'])),
  };
}

/** 1 for a first-price auction, 2 for any other (OpenRTB 2.6, 3.2.1). */
function auctionTypeOf(at: unknown, held: ReadContext['auctionType']): number {
  if (held !== 'request') return held === 'first' ? 1 : 2;
  return integerOf(at, 2) === 1 ? 1 : 2;
}

function isPresent(list: unknown): boolean {
  return arrayOf(list, 1).length > 0;
}

/** Reads categories as comparison keys; unknown ones are left out. */
function readCategories(value: unknown, taxonomy: number): string[] {
  const keys: string[] = [];
  for (const category of lowerTexts(value, BLOCKED_MAX)) {
    const key = categoryKeyOf(category, taxonomy);
    if (key !== null) keys.push(key);
  }
  return keys;
}

/** Reads an id; '' if it is missing or too long, or a number too large to be repeated in every digit. */
function idOf(value: unknown): string {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return '';
  const id = textOf(value);
  return id.length <= ID_CHARS_MAX ? id : '';
}

/** Reads the imps. If several imps have the same id, which a bid could not distinguish, only the first is read. */
function readImps(request: JsonObject, context: Omit<ImpContext, 'screen' | 'bundle'>): ParsedImp[] {
  const imps: ParsedImp[] = [];
  const screen = readSize(objectOf(request['device']));
  const bundle = textOf(objectOf(request['app'])['bundle']);
  for (const value of arrayOf(request['imp'], context.rules.imps_max ?? IMPS_MAX)) {
    const imp = readImp(objectOf(value), { ...context, screen, bundle });
    if (imp.id !== '' && !imps.some(({ id }) => id === imp.id)) imps.push(imp);
  }
  return imps;
}

/** Reads the languages allowed for creatives: `wlang`, or `wlangb` with BCP 47 tags (OpenRTB 2.6, 3.2.1). */
function readLanguages(request: JsonObject): readonly string[] {
  const tags = lowerTexts(request['wlangb'], LANGUAGES_MAX);
  const codes = lowerTexts(request['wlang'], LANGUAGES_MAX);
  if (codes.length === 0 && tags.length === 0) return codes;
  const named = [...codes, ...tags];
  return [...new Set(named.map(languageOf))].filter((language) => language !== '');
}

/** The dollar if `cur` (OpenRTB 2.6, 3.2.1) contains it or is empty, otherwise the first currency with a rate. */
function currencyOf(value: unknown, rates: CurrencyRates): Currency | null {
  if (!isPresent(value)) return { code: 'USD', dollars: rates.get('USD')! };
  const codes = arrayOf(value, CURRENCIES_MAX)
    .map((code) => textOf(code).trim().toUpperCase())
    .filter((code) => code !== '' && code.length <= CURRENCY_CHARS_MAX);
  const code = codes.length === 0 || codes.includes('USD') ? 'USD' : codes.find((one) => rates.has(one));
  return code === undefined ? null : { code, dollars: rates.get(code)! };
}

/** Reads `omidpn` in the extension (OM SDK, "Signaling OM SDK Support") or, from some exchanges, in the object itself. */
function hasMeasurementSdk(source: JsonObject): boolean {
  return isNamed(objectOf(source['ext'])['omidpn']) || isNamed(source['omidpn']);
}

function isNamed(value: unknown): boolean {
  return textOf(value).trim() !== '';
}

/** Whether `wseat` and `bseat` (OpenRTB 2.6, 3.2.1) allow a seat, given in lower case. */
function isSeatAllowed(holder: JsonObject, seat: string): boolean {
  const allowed = lowerTexts(holder['wseat'], BLOCKED_MAX);
  return (
    (allowed.length === 0 || allowed.includes(seat)) &&
    !lowerTexts(holder['bseat'], BLOCKED_MAX).includes(seat)
  );
}

/** Whether an imp is limited to deals, and one of them allows our seat (OpenRTB 2.6, 3.2.11 and 3.2.12). */
function readPrivateAuction(pmp: JsonObject, seat: string): ParsedImp['privateAuction'] {
  if (!flagOf(pmp['private_auction'])) return null;
  const deals = arrayOf(pmp['deals'], DEALS_MAX).map(objectOf);
  return deals.length === 0 || deals.some((deal) => isSeatAllowed(deal, seat)) ? 'open' : 'seat_not_allowed';
}

/** The values outside of an imp that are needed to read it. */
interface ImpContext {
  screen: Size | null;
  seat: string;
  rates: CurrencyRates;
  bundle: string;
  isSigned: boolean;
  rules: ExchangeRules;
  billing: ImpBilling['companies'];
  reviewedAt: string | null;
}

/** What an imp takes: its banner, its video and its native ad. */
export function readPlacements(
  imp: JsonObject,
  { screen, rules }: Pick<ImpContext, 'screen' | 'rules'>,
  floorOf: (value: unknown) => Micros = (value) => floorMicros(numberOf(value), 1),
): Placements {
  const interstitial = flagOf(imp['instl']);
  return {
    banner: isObject(imp['banner']) ? readBanner(imp['banner'], interstitial, screen) : null,
    video: isObject(imp['video'])
      ? readVideo(imp['video'], interstitial, screen, floorOf, rules.vast_versions)
      : null,
    // An exchange that wants the type of each creative has no name for native ads, and rejects them.
    native: isObject(imp['native']) && !rules.creative_types ? readNative(imp['native']) : null,
    interstitial,
    rewarded: isRewarded(imp),
  };
}

/** A floor in micros per thousand; 0 for none. `dollars`: of a unit of its currency. */
export function floorMicros(floor: number, dollars: number): Micros {
  return floor > 0 ? toMicros(Math.min(floor * dollars, FLOOR_MAX_DOLLARS)) : 0;
}

/** The dollars of a unit of the currency of an imp's floors; undefined for one without a rate. */
export function floorRateOf(currency: string, rates: CurrencyRates): number | undefined {
  return rates.get(currency.trim().toUpperCase() || 'USD');
}

function readImp(imp: JsonObject, context: ImpContext): ParsedImp {
  const { seat, rates, bundle, isSigned, rules } = context;
  const ext = objectOf(imp['ext']);
  const dollars = floorRateOf(textOf(imp['bidfloorcur']), rates);
  const floors = floorsIn(imp);
  const floorOf = (value: unknown): Micros => floorMicros(numberOf(value), dollars ?? 1);
  return {
    id: idOf(imp['id']),
    ...readPlacements(imp, context, floorOf),
    floorCpmMicros: floorOf(imp['bidfloor']),
    floorProblem: floors.some(isUnreadableFloor)
      ? 'floor_unreadable'
      : dollars === undefined && floors.some((floor) => numberOf(floor) > 0)
        ? 'currency'
        : null,
    expiresAfterSeconds: numberOf(imp['exp']) > 0 ? Math.ceil(numberOf(imp['exp'])) : null,
    secure: rules.https === true || flagOf(imp['secure']),
    privateAuction: readPrivateAuction(objectOf(imp['pmp']), seat),
    billing: rules.billing_id ? readBilling(ext['billing_id'], context.billing) : null,
    reviewedAt: context.reviewedAt,
    excludedCreatives: rules.excluded_creatives ? readExcluded(ext['excluded_creatives']) : null,
    skadnetwork: isSigned ? readSkadnetwork(ext, bundle) : null,
    adAttributionKit: isSigned ? readAdAttributionKit(ext, bundle) : null,
  };
}

/** Reads the billing ids of an imp, which are numbers of up to 64 bits: texts in JSON. Null where it names none. */
function readBilling(value: unknown, companies: ImpBilling['companies']): ImpBilling | null {
  const ids = arrayOf(value, BILLING_IDS_MAX)
    .map(idOf)
    .filter((id) => id !== '');
  return ids.length > 0 ? { ids, companies } : null;
}

/** Reads the creatives that an imp excludes: objects with a `buyer_creative_id`. Null for none. */
function readExcluded(value: unknown): ReadonlySet<string> | null {
  const ids = arrayOf(value, EXCLUDED_CREATIVES_MAX)
    .map((creative) => textOf(objectOf(creative)['buyer_creative_id']))
    .filter((id) => id !== '');
  return ids.length > 0 ? new Set(ids) : null;
}

/** The floors that an imp states: its own, and the floors of its video (OpenRTB 2.6, 3.2.4, 3.2.7 and 3.2.35). */
function floorsIn(imp: JsonObject): unknown[] {
  if (!isObject(imp['video'])) return [imp['bidfloor']];
  const { mincpmpersec, durfloors } = imp['video'];
  const ofLengths = arrayOf(durfloors, DURATION_FLOORS_MAX).map((floor) => objectOf(floor)['bidfloor']);
  return [imp['bidfloor'], mincpmpersec, ...ofLengths];
}

/** Whether the imp is rewarded: `rwdd` since OpenRTB 2.6, various extensions of exchanges before. */
function isRewarded(imp: JsonObject): boolean {
  const ext = objectOf(imp['ext']);
  const videoExt = objectOf(objectOf(imp['video'])['ext']);
  return (
    flagOf(imp['rwdd']) ||
    flagOf(ext['rewarded']) ||
    flagOf(ext['is_rewarded']) ||
    flagOf(ext['reward']) ||
    flagOf(videoExt['rewarded']) ||
    textOf(videoExt['videotype']) === 'rewarded'
  );
}

function readBanner(banner: JsonObject, interstitial: boolean, screen: Size | null): ParsedBanner {
  const sizes: Size[] = [];
  const ratios: FlexRatio[] = [];
  addFormat(banner, sizes, ratios);
  for (const format of arrayOf(banner['format'], SIZES_MAX)) addFormat(objectOf(format), sizes, ratios);
  return {
    sizes,
    screen: interstitial && sizes.length === 0 && ratios.length === 0 ? screen : null,
    ratios,
    blockedTypes: readCodes(banner['btype']),
    blockedAttributes: readCodes(banner['battr']),
    mimes: readContentTypes(banner['mimes'], 'image'),
    apis: readCodes(banner['api']),
  };
}

function addFormat(format: JsonObject, sizes: Size[], ratios: FlexRatio[]): void {
  const size = readSize(format);
  if (size) sizes.push(size);
  const ratio = readRatio(format);
  if (ratio) ratios.push(ratio);
}

function readApp(value: unknown): ParsedApp | null {
  if (!isObject(value)) return null;
  const app = value;
  const ext = objectOf(app['ext']);
  const categories: string[] = [];
  const storeGenres: string[] = [];
  const add = (item: unknown, isGenre: boolean): void => {
    const category = textOf(item).slice(0, NAME_CHARS_MAX);
    if (!/^iab\d/i.test(category)) {
      if (category !== '') storeGenres.push(category);
    } else if (!isGenre) categories.push(category.toUpperCase());
  };
  for (const category of arrayOf(app['cat'], CATEGORIES_MAX)) add(category, false);
  for (const category of arrayOf(app['sectioncat'], CATEGORIES_MAX)) add(category, false);
  add(app['genre'], true);
  add(ext['genre'], true);
  const bundle = bundleOf(app);
  return {
    bundle,
    storeId: storeIdOf(textOf(app['storeurl']), bundle),
    name: textOf(app['name']).slice(0, NAME_CHARS_MAX),
    categories,
    storeGenres,
  };
}

function bundleOf(app: JsonObject): string {
  const own = normaliseBundle(textOf(app['bundle']));
  const plain = withoutIdPrefix(own);
  // Some exchanges send the store URL in `bundle`.
  if (plain !== '' && !plain.includes('/')) return plain.slice(0, limits.bundleMax);
  for (const address of [own, textOf(app['storeurl']), textOf(app['url'])]) {
    const { id } = storeIn(address);
    if (id !== '') return id;
  }
  return '';
}

/** The id in a store URL; '' if it is the bundle, or there is none. */
function storeIdOf(address: string, bundle: string): string {
  // Most URLs contain the bundle. Parsing the others takes microseconds.
  if (address === '' || (bundle !== '' && address.includes(bundle))) return '';
  const { id } = storeIn(address);
  return id === bundle ? '' : id;
}

const NODES_MAX = 50;
const TEXT_CHARS_MAX = 255;

/**
 * Reads the supply chain (OpenRTB 2.6, 3.2.2 `source.schain`; in 2.5 `source.ext.schain`). Null when there is none. A
 * chain without nodes, or with a node that lacks its system or seller, counts as incomplete.
 */
function readSupplyChain(source: JsonObject): SupplyChain | null {
  const value = source['schain'] ?? objectOf(source['ext'])['schain'];
  if (!isObject(value)) return null;
  const nodes = arrayOf(value['nodes'], NODES_MAX).map((node) => {
    const { asi, sid, rid } = objectOf(node);
    return { system: short(asi).toLowerCase(), sellerId: short(sid), requestId: short(rid) };
  });
  const isWhole = nodes.length > 0 && nodes.every(({ system, sellerId }) => system !== '' && sellerId !== '');
  return { complete: flagOf(value['complete']) && isWhole, nodes };
}

function short(value: unknown): string {
  return textOf(value).slice(0, TEXT_CHARS_MAX);
}

/** From this value on, bids without transparency information are rejected. */
const REQUIRED = 2;

/**
 * Reads the transparency requirements of the Digital Services Act (IAB Tech Lab, "DSA Transparency", `regs.ext.dsa`;
 * `regs.dsa` in newer requests). Null when there are none.
 */
function readDsa(regs: JsonObject): ParsedDsa | null {
  const value = regs['dsa'] ?? objectOf(regs['ext'])['dsa'];
  if (value === undefined || value === null) return null;
  const dsa = objectOf(value);
  return {
    required: integerOf(dsa['dsarequired'], 0) >= REQUIRED,
    // 0: the publisher cannot show the information; 1: it can; 2: it will.
    publisherRenders: integerOf(dsa['pubrender'], 0) > 0,
  };
}

/** Whether a floor is stated, but not as a number or a text of one: `$50`, `100,5`. A bid could be below it. */
export function isUnreadableFloor(floor: unknown): boolean {
  if (floor === undefined || floor === null) return false;
  if (typeof floor === 'string' && floor.trim() === '') return false;
  return Number.isNaN(numberOf(floor));
}

const NOT_ASCII = /[^ -~]/;

/**
 * The domain in a text of an exchange, such as `https://www.Apple.com/` and `*.apple.com.`: lower case, in the ASCII form of DNS
 * (WHATWG URL, "domain to ASCII"), without scheme, wildcard, `www.`, port and path. '' if there is none. Never throws.
 */
function domainOf(text: string): string {
  const address = text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]+/i, '');
  const end = address.search(/[/\\:?#]/);
  const host = end < 0 ? address : address.slice(0, end);
  // Most domains are ASCII, and need no conversion.
  const domain = NOT_ASCII.test(host) ? domainToASCII(host) : host.toLowerCase();
  return domain
    .replace(/^\*?\./, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '');
}
