import type { IdState } from '@bidwell/contract/insight/device-ids';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference/schema';

/** Seat of an exchange for which the operator set none. */
export const DEFAULT_SEAT = 'bidwell';

/** A bid request, validated leniently and normalised for the auction. */
export interface ParsedRequest {
  id: string;
  /** Slug of the exchange. */
  ssp: string;
  /** Our seat at the exchange. */
  seat: string;
  test: boolean;
  /** `tmax`: how long the exchange waits for a response; null when the request does not say. */
  timeLimitMs: number | null;
  /** Whether a no-bid response carries the reason (`ext.nbr`). */
  wantsReason: boolean;
  /** Whether `wseat` and `bseat` allow our seat to bid. */
  seatAllowed: boolean;
  /** Whether the app names its integration of the Open Measurement SDK (`source.ext.omidpn`). */
  hasMeasurementSdk: boolean;
  /** 1 first price, 2 second price plus. */
  auctionType: number;
  imps: readonly ParsedImp[];
  app: ParsedApp | null;
  device: ParsedDevice;
  /** Currency of the bids: the dollar where the request accepts it; null when no accepted currency has a rate. */
  currency: Currency | null;
  /** Category keys as {@link categoryKeysOf} writes them. */
  blockedCategories: readonly string[];
  /** Category keys that are allowed, each with its subcategories; null allows all. */
  allowedCategories: readonly string[] | null;
  /** Taxonomy of the request's categories (AdCOM 1.0, "Category Taxonomies"). */
  categoryTaxonomy: number;
  blockedAdvertisers: readonly string[];
  blockedApps: readonly string[];
  /** Languages allowed for creatives (ISO 639-1); empty allows any. */
  languages: readonly string[];
  /** Transparency requirements of the Digital Services Act; null when the request has none. */
  dsa: ParsedDsa | null;
  supplyChain: SupplyChain | null;
}

export interface ParsedDsa {
  /** Bids without transparency information are not accepted. */
  required: boolean;
  /** The publisher shows the information; otherwise the ad has to. */
  publisherRenders: boolean;
}

/** The sellers of an impression, from the publisher's own system to the exchange. */
export interface SupplyChain {
  /** Whether the chain names every seller from the publisher on. */
  complete: boolean;
  nodes: readonly { system: string; sellerId: string; requestId: string }[];
}

/** A currency and its exchange rate. */
export interface Currency {
  /** ISO 4217. */
  code: string;
  /** Dollars per unit. */
  dollars: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Aspect ratio of a placement that scales, and its minimum width (0 when not given). */
export interface FlexRatio extends Size {
  widthMin: number;
}

export interface ParsedImp {
  id: string;
  banner: ParsedBanner | null;
  video: ParsedVideo | null;
  native: ParsedNative | null;
  /** Micros of a dollar per thousand impressions, converted from the imp's currency. */
  floorCpmMicros: Micros;
  /** Why a floor is not known: it cannot be read, or its currency has no rate; null if all are known. */
  floorProblem: 'floor_unreadable' | 'currency' | null;
  interstitial: boolean;
  /** The user is rewarded for watching the ad to its end. */
  rewarded: boolean;
  secure: boolean;
  /**
   * Null for an imp that is not limited to deals. `open`: at least one of its deals allows our seat, or none is
   * listed; `seat_not_allowed`: all of them are for other seats.
   */
  privateAuction: 'open' | 'seat_not_allowed' | null;
  /** Maximum seconds between the auction and the impression (`exp`); null when the request does not say. */
  expiresAfterSeconds: number | null;
  /** Null where the exchange does not bill each buyer, or the imp names no billing id. */
  billing: ImpBilling | null;
  /** Creatives that may not be bid, by their `crid`; null for none. */
  excludedCreatives: ReadonlySet<string> | null;
  /** The exchange, where only creatives that it approved may be bid; null for any creative. */
  reviewedAt: string | null;
  /** The publisher's app's support of SKAdNetwork and AdAttributionKit; null where the request does not say. */
  skadnetwork: ParsedSkadnetwork | null;
  adAttributionKit: ParsedAdAttributionKit | null;
}

/** The billing ids that an imp may be billed to (`imp.ext.billing_id` of Google), and the companies' own. */
export interface ImpBilling {
  ids: readonly string[];
  companies: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The billing id that a bid of a company names; null if none of the imp is the company's. As long as no company has billing ids,
 * all have the imp's only one; where it has several, the exchange drops bids without one.
 */
export function billingIdOf({ ids, companies }: ImpBilling, companyId: string): string | null {
  if (companies.size === 0) return ids.length === 1 ? ids[0]! : null;
  const own = companies.get(companyId);
  return (own && ids.find((id) => own.has(id))) ?? null;
}

export interface ParsedSkadnetwork {
  /** As sent, including versions that we do not know. */
  versions: ReadonlySet<string>;
  /** The publisher's app's number in the store; '' when unknown. */
  sourceApp: string;
  /** Ids of ad networks, lower case. */
  ids: readonly string[];
  /** Networks up to this number in the IAB Tech Lab's list, without the excluded ones; 0 for none. */
  listMax: number;
  listExcluded: readonly number[];
  /** Whether the publisher's app shows custom product pages, and SKOverlay. */
  hasProductPages: boolean;
  hasOverlay: boolean;
}

export interface ParsedAdAttributionKit {
  sourceApp: string;
  ids: readonly string[];
  hasOverlay: boolean;
}

export interface ParsedBanner {
  /** Sizes that the request lists; any size is accepted when both this and `ratios` are empty. */
  sizes: readonly Size[];
  /** Size of the device's screen, for an interstitial that lists neither sizes nor ratios; null if it is not known. */
  screen: Size | null;
  /** Aspect ratios accepted in any size. */
  ratios: readonly FlexRatio[];
  /** Types of markup that are blocked (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
  blockedTypes: readonly number[];
  /** Creative attributes that are blocked (AdCOM 1.0, "Creative Attributes"). */
  blockedAttributes: readonly number[];
  /** Accepted content types, lower case; empty accepts all. */
  mimes: readonly string[];
  /** API frameworks that the placement supports (AdCOM 1.0, "API Frameworks"). */
  apis: readonly number[];
}

export interface ParsedVideo {
  /** Accepted content types, lower case; empty accepts all. */
  mimes: readonly string[];
  secondsMin: number;
  /** Infinity without a limit. */
  secondsMax: number;
  /** Exact durations, one of which the ad must have; empty accepts any between `secondsMin` and `secondsMax`. */
  exactSeconds: readonly number[];
  /** AdCOM 1.0, "Creative Subtypes - Audio/Video"; empty when the request does not say. */
  protocols: readonly number[];
  size: Size | null;
  /** Whether the player allows skipping; null when the request does not say. */
  skippable: boolean | null;
  /** Only videos longer than `skipMinSeconds` may be skipped, and only after `skipAfterSeconds`. */
  skipMinSeconds: number;
  skipAfterSeconds: number;
  /** False for an overlay over other content. */
  linear: boolean;
  /** AdCOM 1.0, "Delivery Methods"; empty accepts any. */
  deliveries: readonly number[];
  kbpsMin: number;
  kbpsMax: number;
  /** Whether a video of another aspect ratio may be letterboxed. */
  boxing: boolean;
  fullScreen: boolean;
  blockedAttributes: readonly number[];
  /** API frameworks of the player (AdCOM 1.0, "API Frameworks"); empty when the request does not say. */
  apis: readonly number[];
  /** Pod that the imp belongs to (`podid`); '' when there is none. */
  podId: string;
  /** Total seconds of a dynamic pod (`poddur`); null when the imp is not a dynamic pod. */
  podSeconds: number | null;
  /** Maximum number of ads of a dynamic pod (`maxseq`). */
  podAdsMax: number;
  /** Minimum CPM per second of an ad; 0 when not given. */
  floorPerSecondCpmMicros: Micros;
  /** Floors by duration of the ad, which replace the imp's floor. */
  durationFloors: readonly DurationFloor[];
}

export interface DurationFloor {
  secondsMin: number;
  secondsMax: number;
  floorCpmMicros: Micros;
}

export interface ParsedNative {
  /** Requested version of the Native specification. */
  version: '1.0' | '1.1' | '1.2';
  /** Whether the response goes under a root `native`, as up to Native 1.1. */
  wrapped: boolean;
  assets: readonly ParsedAsset[];
  /** Impressions are tracked by `eventtrackers` of Native 1.2; otherwise by `imptrackers`. */
  eventTrackers: boolean;
  blockedAttributes: readonly number[];
}

/** A requested asset of a native ad. */
export type ParsedAsset =
  | { id: number; required: boolean; kind: 'title'; lengthMax: number }
  | { id: number; required: boolean; kind: 'data'; type: number; lengthMax: number }
  | ParsedImageAsset
  | { id: number; required: boolean; kind: 'video'; video: ParsedVideo }
  | { id: number; required: boolean; kind: 'other' };

export interface ParsedImageAsset {
  id: number;
  required: boolean;
  kind: 'icon' | 'image';
  /** 0 when not given. */
  width: number;
  height: number;
  /** Null when not given. With a minimum, also of 0, the width or height is only about the size. */
  widthMin: number | null;
  heightMin: number | null;
  /** Accepted content types; empty accepts all. */
  mimes: readonly string[];
}

export interface ParsedApp {
  /** Package name or numeric store id, lower case; '' when the request has neither it nor a store URL. */
  bundle: string;
  /** Package name or numeric store id in the store URL, lower case; '' when there is none, or it is the bundle. */
  storeId: string;
  name: string;
  /** IAB categories of the app and of its section. */
  categories: readonly string[];
  /** Categories outside the IAB taxonomy: genres by their name or number in the stores. */
  storeGenres: readonly string[];
}

/** A location in degrees, north and east positive. */
export interface Point {
  latitude: number;
  longitude: number;
}

/** Where a device is. The texts are as the request writes them, '' when it has none; matching/place-keys.ts makes them comparable. */
export interface ParsedPlace {
  /** ISO 3166-1 alpha-2; '' when unknown. */
  country: string;
  region: string;
  city: string;
  postalCode: string;
  /** What the device or its user gave, where consent allows it; null otherwise. */
  point: Point | null;
  /** Minutes that the device's local time is ahead of UTC, -720 to 840; null when unknown. */
  utcOffsetMinutes: number | null;
}

export interface ParsedDevice extends ParsedPlace {
  os: 'ios' | 'android' | '';
  osVersion: string;
  model: string;
  type: DeviceType | '';
  connection: ConnectionType | '';
  /** Name or numbers of the mobile network, and its MCC and MNC, as the request writes them; '' when it has none. */
  carrier: string;
  networkCode: string;
  /** ISO 639-1; '' when unknown. */
  language: string;
  /** `ip` and `userAgent` are '' where they may not be shared: for a child, without consent, after an opt-out. */
  ip: string;
  userAgent: string;
  /** Advertising id; '' unless the request allows its use. */
  ifa: string;
  /** The id of the device for its apps' vendor (IDFV), and the exchange's id of the user; '' unless the request allows the use of ids. */
  ifv: string;
  userId: string;
  /** The advertising id to look up in lists of devices, which needs more consent than its other uses; '' unless that is allowed. */
  listId: string;
  /** Whether the request has an advertising id, and what forbids its use. */
  idState: IdState;
}

/** Supported versions of VAST with their codes in AdCOM 1.0, "Creative Subtypes - Audio/Video", newest first. */
const versions = [
  ['4.2', 13],
  ['4.1', 11],
  ['4.0', 7],
  ['3.0', 3],
  ['2.0', 2],
] as const;
export type VastVersion = (typeof versions)[number][0];

/** The newest supported version among a request's protocols, and its code; null without one. VAST 3.0 when it lists none. */
export function vastVersion(protocols: readonly number[]): { version: VastVersion; protocol: number } | null {
  for (const [version, protocol] of versions) if (protocols.includes(protocol)) return { version, protocol };
  return protocols.length === 0 ? { version: '3.0', protocol: 3 } : null;
}

/** The protocols that a request asks for, without the versions of VAST that its exchange does not take; null takes all. */
export function protocolsAmong(asked: readonly number[], taken: readonly string[] | null): readonly number[] {
  if (taken === null) return asked;
  const codes = versions.filter(([version]) => taken.includes(version)).map(([, code]) => code as number);
  if (asked.length === 0) return codes;
  const both = asked.filter((code) => codes.includes(code));
  // A request that names other versions alone knows more than the exchange's document.
  return both.length > 0 ? both : asked;
}

/** Dollars per unit, by currency code (ISO 4217). */
export type CurrencyRates = ReadonlyMap<string, number>;
export const DOLLARS_ONLY: CurrencyRates = new Map([['USD', 1]]);
