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
  /** Whether the exchange lets {@link SEAT} bid on it (`wseat`, `bseat`). */
  seatAllowed: boolean;
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
  /** Types of markup that are not welcome (OpenRTB 2.5, 5.2 "Banner Ad Types"). */
  blockedTypes: number[];
  /** Content types that are, lower case; empty when all are. */
  mimes: string[];
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
  /** These two are '' when the request is about a child. */
  ip: string;
  userAgent: string;
  /** The advertising id, only where the request lets it be used. */
  ifa: string;
}
