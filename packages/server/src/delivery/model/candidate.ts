import type { Algorithm } from '@bidwell/contract/adset';
import type { CreativeType } from '@bidwell/contract/creative';
import type { Micros } from '@bidwell/contract/money';
import type { TargetSettings } from '@bidwell/contract/target';

/** A file of a creative, as devices load it. */
export interface MediaFile {
  uuid: string;
  extension: string;
  /** Without parameters. */
  contentType: string;
  /** 0 for a playable, which fills its frame. */
  width: number;
  height: number;
  bytes: number;
}

interface ServedCreative {
  uuid: string;
  groupUuid: string;
  /** What a size, type or length is asked of: the image, the video or the playable's page. */
  file: MediaFile;
}
export interface BannerCreative extends ServedCreative {
  type: 'Banner';
}
export interface NativeCreative extends ServedCreative {
  type: 'Native';
  /** Its own texts, or its group's; '' where neither has one. */
  title: string;
  description: string;
  sponsor: string;
}
export interface VideoCreative extends ServedCreative {
  type: 'Video';
  durationMs: number;
  endCard: MediaFile | null;
}
export interface PlayableCreative extends ServedCreative {
  type: 'Playable';
}

/** A creative that may be served. */
export type Creative = BannerCreative | NativeCreative | VideoCreative | PlayableCreative;

/** What an imp sees of a creative: all creatives of one shape fit the same imps. One object for each, so compare by identity. */
export interface Shape {
  type: CreativeType;
  contentType: string;
  /** 0 for a playable. */
  width: number;
  height: number;
  /** Whole seconds; 0 for what does not play. */
  durationSeconds: number;
  /** Of a video, rounded up to hundreds; else 0. */
  bitrateKbps: number;
  /** Of a native ad: which texts it has, beside a title (Native 1.2, 7.5), and whether it has an icon. */
  dataTypes: readonly number[];
  hasIcon: boolean;
}

/** A creative and its shape, compiled. */
export type ShapedCreative = Creative & { shape: Shape };

/** One ad set of a running campaign, with all that the auction asks of it. */
export interface AdsetRow {
  adsetId: string;
  companyId: string;
  timeZone: string;
  campaignId: string;
  campaignName: string;
  /** The company, as it calls itself; rows of older snapshots on disk have none. */
  advertiserName?: string;
  /** YYYY-MM-DD in the company's time zone, inclusive; null is open. */
  startDate: string | null;
  endDate: string | null;
  app: {
    uuid: string;
    name: string;
    os: 'ios' | 'android';
    bundle: string;
    category: string;
    storeLink: string;
    /** The developer's own; null for an app whose company has not given it yet. */
    advertiserDomain: string | null;
    iconLink: string | null;
    /** Stars, 0 to 5. */
    rating: number | null;
  };
  /** Absent from a row that an older version wrote to disk. */
  clickUrl?: string;
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
  creatives: Creative[];
}

/** An include and an exclude list as sets. */
export interface Choice {
  include: ReadonlySet<string>;
  exclude: ReadonlySet<string>;
}

/** An ad set, compiled: lists as sets, versions as numbers, days as instants. */
export interface CompiledAdset {
  adsetId: string;
  companyId: string;
  timeZone: string;
  campaignId: string;
  campaignName: string;
  /** Who advertises and pays, as the company calls itself; '' when it does not say. */
  advertiserName: string;
  /** Unix ms, from inclusive to exclusive. */
  runsFromMs: number;
  runsUntilMs: number;
  app: {
    uuid: string;
    name: string;
    iconLink: string | null;
    rating: number | null;
    os: 'ios' | 'android';
    /** What goes over the wire: the Android package as the store writes it, the number of an iOS app. */
    bundle: string;
    /** For comparing: lower case. */
    bundleKey: string;
    /** The bundle id as the advertiser gave it, which for an iOS app may be another. */
    ownBundleKey: string;
    category: string;
    /** Its category in both taxonomies, and those above it: `IAB9-30`, `IAB9`, `2:680`. */
    categoryKeys: readonly string[];
  };
  advertiserDomain: string;
  /** The advertiser's domain and each that it lies under: to block one of them is to block the advertiser. */
  advertiserDomains: readonly string[];
  clickUrl: string;
  viewUrl: string;
  /** Whether every address of its markup that is not ours is on https. */
  isSecure: boolean;
  algorithm: Algorithm;
  cpmMicros: Micros;
  /** The most it bids for any publisher. */
  ceilingCpmMicros: Micros;
  cpiMicros: Micros | null;
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  creatives: readonly ShapedCreative[];
  /** Square images among its native creatives: they serve as the app's icon too. */
  icons: readonly MediaFile[];
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

/** An ad set in a snapshot. */
export interface Candidate extends CompiledAdset {
  /** Its place in the snapshot's candidates. */
  index: number;
}
