import type { Algorithm } from '@bidwell/contract/adset';
import type { Micros } from '@bidwell/contract/money';
import type { TargetSettings } from '@bidwell/contract/target';

/** A banner that may be served. */
export interface BannerCreative {
  uuid: string;
  groupUuid: string;
  fileUuid: string;
  extension: string;
  width: number;
  height: number;
}

/** One ad set of a running campaign, with all that the auction asks of it. */
export interface AdsetRow {
  adsetId: string;
  companyId: string;
  timeZone: string;
  campaignId: string;
  campaignName: string;
  /** YYYY-MM-DD in the company's time zone, inclusive; null is open. */
  startDate: string | null;
  endDate: string | null;
  app: { uuid: string; os: 'ios' | 'android'; bundle: string; category: string; storeLink: string };
  viewUrl: string;
  algorithm: Algorithm;
  cpmMicros: Micros;
  cpiMicros: Micros | null;
  /** Null is unlimited. */
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  blackList: string[];
  whiteList: string[];
  bundleCpmMicros: Record<string, Micros>;
  target: TargetSettings;
  banners: BannerCreative[];
}

/** An include and an exclude list as sets. */
export interface Choice {
  include: ReadonlySet<string>;
  exclude: ReadonlySet<string>;
}

/** An ad set, compiled: lists as sets, versions as numbers, days as instants. */
export interface Candidate {
  /** Its place in {@link Snapshot.candidates}. */
  index: number;
  adsetId: string;
  companyId: string;
  timeZone: string;
  campaignId: string;
  campaignName: string;
  /** Unix ms, from inclusive to exclusive. */
  runsFromMs: number;
  runsUntilMs: number;
  app: {
    uuid: string;
    os: 'ios' | 'android';
    /** What goes over the wire: the Android package as the store writes it, the number of an iOS app. */
    bundle: string;
    /** For comparing: lower case. */
    bundleKey: string;
    category: string;
  };
  advertiserDomain: string;
  /** The advertiser's domain and each that it lies under: to block one of them is to block the advertiser. */
  advertiserDomains: readonly string[];
  viewUrl: string;
  algorithm: Algorithm;
  cpmMicros: Micros;
  /** The most it bids for any publisher. */
  ceilingCpmMicros: Micros;
  cpiMicros: Micros | null;
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  banners: readonly BannerCreative[];
  bundles: Choice;
  bundleCpmMicros: ReadonlyMap<string, Micros>;
  os: ReadonlySet<string>;
  osVersionMin: readonly number[] | null;
  osVersionMax: readonly number[] | null;
  models: ReadonlySet<string>;
  deviceTypes: ReadonlySet<string>;
  connections: ReadonlySet<string>;
  exchanges: Choice;
  genres: Choice;
  languages: Choice;
  countries: Choice;
}

/** The ad sets with a banner of one size, sorted by what most of them differ in. */
export interface SizeSlot {
  width: number;
  height: number;
  byOs: ReadonlyMap<string, OsSlot>;
}

/** Of one size, the ad sets for one operating system. Each list begins with the one that may bid most. */
export interface OsSlot {
  /** Those that name no country to be in. */
  anywhere: readonly Candidate[];
  /** Those that do, by ISO 3166-1 alpha-2. */
  byCountry: ReadonlyMap<string, readonly Candidate[]>;
}

/** Everything that may bid, compiled. Never changed: a new one takes its place whole. */
export interface Snapshot {
  builtAtMs: number;
  candidates: readonly Candidate[];
  /** By `{width}x{height}`. */
  bySize: ReadonlyMap<string, SizeSlot>;
}
