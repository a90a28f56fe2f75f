import type { Micros } from '@bidwell/contract/money';
import type { ConnectionType, DeviceType } from '@bidwell/contract/reference';

/** A bid request as the auction sees it: read tolerantly, normalised once. */
export interface ParsedRequest {
  id: string;
  /** Slug of the exchange that sent it. */
  ssp: string;
  test: boolean;
  /** 1 first price, 2 second price plus. */
  auctionType: number;
  imps: ParsedImp[];
  app: ParsedApp | null;
  device: ParsedDevice;
  /** Currencies that a bid may be in; empty when the request does not say. */
  currencies: string[];
  blockedCategories: string[];
  blockedAdvertisers: string[];
  blockedApps: string[];
}

export interface Size {
  width: number;
  height: number;
}

export interface ParsedImp {
  id: string;
  banner: ParsedBanner | null;
  /** Which of the formats that need other markup it takes. */
  video: boolean;
  native: boolean;
  audio: boolean;
  /** Micros per thousand impressions. */
  floorCpmMicros: Micros;
  floorCurrency: string;
  interstitial: boolean;
  secure: boolean;
  /** Only the deals it names may bid. */
  privateAuction: boolean;
}

export interface ParsedBanner {
  /** Sizes that fit; empty when any does. */
  sizes: Size[];
  /** Attributes of creatives that are not welcome (AdCOM list 5.3). */
  blockedAttributes: number[];
}

export interface ParsedApp {
  /** Package name or numeric store id, lower case; '' when neither it nor the store's address is there. */
  bundle: string;
  name: string;
  /** IAB categories of the app and its section. */
  categories: string[];
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
  ip: string;
  userAgent: string;
  /** The advertising id, only where the request lets it be used. */
  ifa: string;
}
