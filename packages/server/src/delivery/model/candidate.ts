import type { SkOverlay } from '@bidwell/contract/adsets/app-store';
import type { Algorithm } from '@bidwell/contract/adsets/goals';
import type { Hours, HoursZone } from '@bidwell/contract/adsets/hours';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { CappedRow, CompiledCaps } from './frequency.ts';
import type { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import type { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import type { BidFactors } from './bid-factor.ts';
import type { CompiledAudiences, StoredAudience } from './audience.ts';
import type { Goal, GoalRow } from './goal.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import type { Circle } from '@bidwell/contract/targets/place-values';
import type { TargetSettings } from '@bidwell/contract/targets/schema';

/** A file of a creative that devices load. */
export interface MediaFile {
  uuid: string;
  extension: string;
  /** Media type without parameters. */
  contentType: string;
  /** 0 for a playable, which fills its frame. */
  width: number;
  height: number;
  bytes: number;
}

interface ServedCreative {
  uuid: string;
  groupUuid: string;
  /** The main file, whose size, content type and duration count: the image, the video or the playable's page. */
  file: MediaFile;
  /** URLs of its own in place of the tracking link's; null for none, absent from rows that an older version wrote to disk. */
  clickUrl?: string | null;
  viewUrl?: string | null;
  /** Slugs of the exchanges that approved it; null for none, absent from rows that an older version wrote to disk. */
  approvedAt?: readonly string[] | null;
}
export interface BannerCreative extends ServedCreative {
  type: 'Banner';
}
export interface NativeCreative extends ServedCreative {
  type: 'Native';
  /** Texts of the creative, or of its group where it has none; '' where neither has one. */
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

/** A creative that can be served. */
export type Creative = BannerCreative | NativeCreative | VideoCreative | PlayableCreative;

/**
 * The properties of a creative that decide which imps it fits. Equal creative formats are the same object, so they compare by
 * identity.
 */
export interface CreativeFormat {
  type: CreativeType;
  contentType: string;
  /** 0 for a playable. */
  width: number;
  height: number;
  /** Whole seconds; 0 unless it is a video. */
  durationSeconds: number;
  /** Bitrate of a video, rounded up to hundreds; 0 for other types. */
  bitrateKbps: number;
  /**
   * For a native ad: the data assets that it has in addition to the title (Native 1.2, 7.5), whether it has an icon, and the
   * formats of the ad set's videos, which it may show.
   */
  dataTypes: readonly number[];
  hasIcon: boolean;
  videos: readonly CreativeFormat[];
}

/** A creative with its creative format. */
export type CompiledCreative = Creative & { creativeFormat: CreativeFormat };

/** An active ad set with everything the auction needs, as read from PostgreSQL. */
export interface AdsetRow extends CappedRow {
  companyId: string;
  timeZone: string;
  campaignName: string;
  /** Absent for a campaign of acquisition, and from rows that an older version wrote to disk. */
  reEngagement?: boolean;
  /** The company's name; absent from rows that an older version wrote to disk. */
  advertiserName?: string;
  /** The company's margin; absent from rows that an older version wrote to disk. */
  marginBasisPoints?: number;
  /** YYYY-MM-DD in the company's time zone, inclusive; null is unbounded. */
  startDate: string | null;
  endDate: string | null;
  /** HH:MM of these days, null for whole days; absent from rows that an older version wrote to disk. */
  startTime?: string | null;
  endTime?: string | null;
  app: {
    uuid: string;
    name: string;
    os: 'ios' | 'android';
    bundle: string;
    category: string;
    storeLink: string;
    /** The developer's domain; null when the company has not given it yet. */
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
  /** Goals of Target CPA and Target ROAS; absent from rows that an older version wrote to disk. */
  goal?: GoalRow;
  /** Null or 0 is unlimited. */
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  blackList: string[];
  whiteList: string[];
  bundleCpmMicros: Record<string, Micros>;
  target: TargetSettings;
  /**
   * Its numbers in postbacks of SKAdNetwork, by the app's number in the store; absent where its bids are not signed, and from rows that an
   * older version wrote to disk.
   */
  sourceIdentifiers?: { itemId: number; number: number }[];
  /** Where its ads lead in the App Store, and how its app is shown over them; absent from rows that an older version wrote to disk. */
  productPageId?: string | null;
  overlay?: SkOverlay | null;
  /** Where in its app clicks lead; absent from rows that an older version wrote to disk. */
  deepLink?: string | null;
  /** The hours of a week in which it bids, null for all; absent from rows that an older version wrote to disk. */
  hours?: Hours | null;
  hoursZone?: HoursZone;
  /** Factors on its bids, and bids and daily budgets by country in dollars; absent from rows that an older version wrote to disk. */
  multipliers?: readonly BidMultiplier[];
  /** The audiences that have factors; absent for none, and from rows that an older version wrote to disk. */
  multiplierAudiences?: readonly StoredAudience[];
  countries?: readonly CountrySettings[];
  /** Its audiences and its target's; null for none, absent from rows that an older version wrote to disk. */
  audiences?: CompiledAudiences | null;
  creatives: Creative[];
}

/** An include list and an exclude list. */
export interface IncludeExclude {
  include: ReadonlySet<string>;
  exclude: ReadonlySet<string>;
}

/** The bids of an ad set in a country. */
export interface CountryBids {
  cpmMicros: Micros | null;
  cpiMicros: Micros | null;
}

/** The hours of a week in which an ad set bids. */
export interface CompiledHours {
  zone: HoursZone;
  /** The company's, which also counts where the time of a device is not known. */
  timeZone: string;
  /** 1 for each open hour, from Monday 00:00 on. */
  open: Uint8Array;
}

/** An ad set compiled for matching: lists as sets, versions as numbers, dates as timestamps. */
export interface CompiledAdset {
  adsetId: string;
  companyId: string;
  timeZone: string;
  campaignId: string;
  campaignName: string;
  /** Whether its campaign is of re-engagement. */
  reEngagement: boolean;
  /** Name of the company, which advertises and pays; '' when unknown. */
  advertiserName: string;
  /** Flight in Unix ms: `runsFromMs` inclusive, `runsUntilMs` exclusive. */
  runsFromMs: number;
  runsUntilMs: number;
  /** Null for all. */
  hours: CompiledHours | null;
  app: {
    uuid: string;
    name: string;
    iconLink: string | null;
    rating: number | null;
    os: 'ios' | 'android';
    /** Bundle as sent to exchanges: the Android package as the store writes it, the store number of an iOS app. */
    bundle: string;
    /** `bundle` in lower case, for comparison. */
    bundleKey: string;
    /** Bundle id given by the advertiser, for comparison; for an iOS app it may differ from `bundle`. */
    ownBundleKey: string;
    category: string;
    /** Its category in both taxonomies, with the parent categories: `IAB9-30`, `IAB9`, `2:680`. */
    categoryKeys: readonly string[];
  };
  advertiserDomain: string;
  /** The advertiser's domain and its parent domains: blocking one of them blocks the advertiser. */
  advertiserDomains: readonly string[];
  clickUrl: string;
  viewUrl: string;
  /** Where in its app clicks may lead, with macros; null for none. */
  deepLink: string | null;
  /** Whether the third-party URLs in its markup use https. */
  isSecure: boolean;
  algorithm: Algorithm;
  /**
   * The company's margin on the media cost. Budgets include it; the prices below are without it, as bid at exchanges.
   */
  marginBasisPoints: number;
  cpmMicros: Micros;
  /** Highest CPM that it bids for any publisher. */
  ceilingCpmMicros: Micros;
  cpiMicros: Micros | null;
  /** The goal of Target CPA and Target ROAS; null for the other algorithms. */
  goal: Goal | null;
  dailyBudgetMicros: Micros | null;
  totalBudgetMicros: Micros | null;
  /** Frequency caps of the ad set and its campaign; null where neither has any. */
  caps: CompiledCaps | null;
  /** Its number in postbacks of SKAdNetwork; null where its bids are not signed. */
  sourceIdentifier: number | null;
  /** UUID of its custom product page in the App Store; null for the default page. */
  productPageId: string | null;
  /** Null shows none. */
  overlay: SkOverlay | null;
  /** Null for none. */
  audiences: CompiledAudiences | null;
  creatives: readonly CompiledCreative[];
  /** Square images among its native creatives; they also serve as the app's icon. */
  icons: readonly MediaFile[];
  bundles: IncludeExclude;
  bundleCpmMicros: ReadonlyMap<string, Micros>;
  /** Bids of single countries, without the margin; null is the ad set's own. */
  countryBids: ReadonlyMap<string, CountryBids>;
  /** The most that it spends in single countries in a day, with the margin. */
  countryBudgets: ReadonlyMap<string, Micros>;
  /** Null where it has none. */
  factors: BidFactors | null;
  os: ReadonlySet<string>;
  osVersionMin: readonly number[] | null;
  osVersionMax: readonly number[] | null;
  models: ReadonlySet<string>;
  deviceTypes: IncludeExclude;
  connections: ReadonlySet<string>;
  exchanges: IncludeExclude;
  genres: IncludeExclude;
  languages: IncludeExclude;
  countries: IncludeExclude;
  /** ISO 3166-2 codes. */
  regions: IncludeExclude;
  /** Keys as matching/place-keys.ts makes them. */
  cities: IncludeExclude;
  postalCodes: IncludeExclude;
  carriers: IncludeExclude;
  circles: { include: readonly Circle[]; exclude: readonly Circle[] };
  /** Empty for any. */
  placementKinds: ReadonlySet<string>;
  /** `with` or `without` an advertising id that may be used; empty for any. */
  deviceIds: ReadonlySet<string>;
}

/** An ad set in a snapshot. */
export interface Candidate extends CompiledAdset {
  /** Index in the snapshot's `candidates`. */
  index: number;
}

/** Where clicks on an ad set's ads are redirected. */
export interface Destination {
  clickUrl: string;
  campaignName: string;
  /** Where in the app they may lead, with macros; null for none. */
  deepLink: string | null;
  /** The app's package on Android; on iOS not used. */
  bundle: string;
}

/** Whether an ad set bids below its value in first-price auctions: where values differ from one impression to the next. */
export function shadesBids({ algorithm, goal }: Pick<CompiledAdset, 'algorithm' | 'goal'>): boolean {
  return algorithm === 'Max installs' || goal !== null;
}

/** Format by which rates are learned: the size of a banner, otherwise the creative type. */
export function formatKeyOf({
  type,
  width,
  height,
}: {
  type: CreativeType;
  width: number;
  height: number;
}): string {
  return type === 'Banner' ? `${type} ${width}x${height}` : type;
}
