import type { Micros } from '@bidwell/contract/money';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference';

/** Our seat at an exchange whose operator set none. */
export const DEFAULT_SEAT = 'bidwell';

/** A bid request as the auction sees it: read tolerantly, normalised once. */
export interface ParsedRequest {
  id: string;
  /** Slug of the exchange that sent it. */
  ssp: string;
  /** Our seat there. */
  seat: string;
  test: boolean;
  /** How long the exchange waits from its sending; null when the request does not say. */
  timeLimitMs: number | null;
  /** It wants to be told why there is no bid. */
  wantsReason: boolean;
  /** Whether the exchange lets our seat bid on it (`wseat`, `bseat`). */
  seatAllowed: boolean;
  /** Whether the app names its integration of the Open Measurement SDK (`source.ext.omidpn`). */
  hasMeasurementSdk: boolean;
  /** 1 first price, 2 second price plus. */
  auctionType: number;
  imps: ParsedImp[];
  app: ParsedApp | null;
  device: ParsedDevice;
  /** What the bids are in: the dollar where the request takes it; null when it takes none that we know. */
  currency: Currency | null;
  /** In the form of {@link categoryKeysOf}. */
  blockedCategories: string[];
  /** Only these, with those below them, where it is not null. */
  allowedCategories: string[] | null;
  /** The taxonomy that it names categories in (AdCOM 1.0, "Category Taxonomies"). */
  categoryTaxonomy: number;
  blockedAdvertisers: string[];
  blockedApps: string[];
  /** The languages that creatives may be in (ISO 639-1); empty when any may be. */
  languages: string[];
  /** What the Digital Services Act asks of bids; null where it asks nothing. */
  dsa: ParsedDsa | null;
  supplyChain: SupplyChain | null;
}

export interface ParsedDsa {
  /** Bids without transparency information are not accepted. */
  required: boolean;
  /** The publisher shows the information; else the ad has to. */
  publisherRenders: boolean;
}

/** Who sold an impression on its way to us, the publisher's own system first. */
export interface SupplyChain {
  /** Every seller is named, from the publisher on. */
  complete: boolean;
  nodes: readonly { system: string; sellerId: string; requestId: string }[];
}

/** A currency, and what one unit of it is worth. */
export interface Currency {
  /** ISO 4217. */
  code: string;
  dollars: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The ratio of width to height of a place that scales, and its smallest width (0 when it is not said). */
export interface FlexRatio extends Size {
  widthMin: number;
}

export interface ParsedImp {
  id: string;
  banner: ParsedBanner | null;
  video: ParsedVideo | null;
  native: ParsedNative | null;
  /** Micros of a dollar per thousand impressions, whatever currency it came in. */
  floorCpmMicros: Micros;
  /** False when its currency is none that we know. */
  floorKnown: boolean;
  interstitial: boolean;
  /** Whoever watches it to its end is rewarded for it. */
  rewarded: boolean;
  secure: boolean;
  /** Not null when only the deals it names may bid: none of them may where they are for other seats. */
  privateAuction: 'open' | 'seat_not_allowed' | null;
  /** Seconds that may pass between the auction and the impression (`exp`); null when the request does not say. */
  expiresAfterSeconds: number | null;
}

export interface ParsedBanner {
  /** Sizes that fit; with `ratios` empty when any does. */
  sizes: Size[];
  /** Ratios that fit in any size. */
  ratios: FlexRatio[];
  /** Types of markup that are not welcome (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
  blockedTypes: number[];
  /** Creative attributes that are not (AdCOM 1.0, "Creative Attributes"). */
  blockedAttributes: number[];
  /** Content types that are welcome, lower case; empty when all are. */
  mimes: string[];
  /** Programming interfaces that the place has (AdCOM 1.0, "API Frameworks"). */
  apis: number[];
}

export interface ParsedVideo {
  /** Content types, lower case; empty when all are welcome. */
  mimes: string[];
  secondsMin: number;
  /** Infinity when there is no limit. */
  secondsMax: number;
  /** Lengths of which one is wanted to the second; empty when any between the two above is. */
  exactSeconds: number[];
  /** AdCOM 1.0, "Creative Subtypes - Audio/Video"; empty when the request does not say. */
  protocols: number[];
  size: Size | null;
  /** Whether the player lets people skip; null when the request does not say. */
  skippable: boolean | null;
  /** Only videos longer than this may be skipped, and not before so many seconds have played. */
  skipMinSeconds: number;
  skipAfterSeconds: number;
  /** False for an overlay over other content. */
  linear: boolean;
  /** AdCOM 1.0, "Delivery Methods"; empty when any is welcome. */
  deliveries: number[];
  kbpsMin: number;
  kbpsMax: number;
  /** Whether a video of another ratio may be shown with bars. */
  boxing: boolean;
  fullScreen: boolean;
  blockedAttributes: number[];
  /** Programming interfaces of the player (AdCOM 1.0, "API Frameworks"); empty when the request does not say. */
  apis: number[];
  /** The pod of which this is a slot; '' when it is none or stands alone. */
  podId: string;
  /** Seconds that several ads of a dynamic pod may fill together; null when this is no dynamic pod. */
  podSeconds: number | null;
  /** How many ads a dynamic pod may have. */
  podAdsMax: number;
  /** The least that a second of an ad costs, per thousand impressions; 0 when it is not said. */
  floorPerSecondCpmMicros: Micros;
  /** Floors for ads of certain lengths, in place of the imp's. */
  durationFloors: DurationFloor[];
}

export interface DurationFloor {
  secondsMin: number;
  secondsMax: number;
  floorCpmMicros: Micros;
}

export interface ParsedNative {
  /** The version of the Native specification that is asked for. */
  version: '1.0' | '1.1' | '1.2';
  /** The answer belongs under a root `native`, as up to Native 1.1. */
  wrapped: boolean;
  assets: ParsedAsset[];
  /** Impressions are tracked by `eventtrackers` of Native 1.2; else by `imptrackers`. */
  eventTrackers: boolean;
  blockedAttributes: number[];
}

/** One part of a native ad that is asked for. Sides are 0 when they are not said. */
export type ParsedAsset =
  | { id: number; required: boolean; kind: 'title'; lengthMax: number }
  | { id: number; required: boolean; kind: 'data'; type: number; lengthMax: number }
  | ParsedImageAsset
  | { id: number; required: boolean; kind: 'other' };

export interface ParsedImageAsset {
  id: number;
  required: boolean;
  kind: 'icon' | 'image';
  width: number;
  height: number;
  widthMin: number;
  heightMin: number;
  /** Empty when any is welcome. */
  mimes: string[];
}

export interface ParsedApp {
  /** Package name or numeric store id, lower case; '' when neither it nor the store's address is there. */
  bundle: string;
  name: string;
  /** IAB categories of the app and its section. */
  categories: string[];
  /** What stands beside them: genres as the stores name or number them. */
  storeGenres: string[];
}

export interface ParsedDevice {
  os: 'ios' | 'android' | '';
  osVersion: string;
  model: string;
  type: DeviceType | '';
  connection: ConnectionType | '';
  /** ISO 3166-1 alpha-2; ''. */
  country: string;
  /** ISO 639-1; ''. */
  language: string;
  /** These two are '' where they may not be passed on: for a child, without consent, against a person's choice. */
  ip: string;
  userAgent: string;
  /** The advertising id, only where the request lets it be used. */
  ifa: string;
}
