import type { Micros } from '@bidwell/contract/money';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference';

/** Our seat, as bids name it and as an exchange lets it in or keeps it out. */
export const SEAT = 'bidwell';

/** A bid request as the auction sees it: read tolerantly, normalised once. */
export interface ParsedRequest {
  id: string;
  /** Slug of the exchange that sent it. */
  ssp: string;
  test: boolean;
  /** How long the exchange waits from its sending; null when the request does not say. */
  timeLimitMs: number | null;
  /** It wants to be told why there is no bid. */
  wantsReason: boolean;
  /** Whether the exchange lets {@link SEAT} bid on it (`wseat`, `bseat`). */
  seatAllowed: boolean;
  /** 1 first price, 2 second price plus. */
  auctionType: number;
  imps: ParsedImp[];
  app: ParsedApp | null;
  device: ParsedDevice;
  /** What the bids are in: the dollar where the request takes it; null when it takes none that we know. */
  currency: Currency | null;
  blockedCategories: string[];
  blockedAdvertisers: string[];
  blockedApps: string[];
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
  /** Only the deals it names may bid. */
  privateAuction: boolean;
  /** Seconds that may pass between the auction and the impression (`exp`); null when the request does not say. */
  expiresAfterSeconds: number | null;
}

export interface ParsedBanner {
  /** Sizes that fit; empty when any does. */
  sizes: Size[];
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
}

export interface ParsedNative {
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
  /** These two are '' when the request is about a child. */
  ip: string;
  userAgent: string;
  /** The advertising id, only where the request lets it be used. */
  ifa: string;
}
