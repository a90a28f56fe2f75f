import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import type { Candidate, IncludeExclude } from '../model/candidate.ts';
import { placementKindOf } from './placement-kind.ts';
import { carrierKeysOf, cityKeysOf, deviceIdKeyOf, postalKeysOf, regionKeysOf } from './place-keys.ts';
import { ManyValuesStage, RadiusStage } from './place-stages.ts';
import type { CommonProfile, RequestProfile } from './request-profile.ts';
import { type Bitset, Intersection, createBitset, isEmpty, setAll } from '../model/bitset.ts';
import {
  AllowedStage,
  BlockedStage,
  IncludeExcludeStage,
  CreativeLanguageStage,
  BlocklistStage,
  AllowlistStage,
  ScheduleStage,
  VersionStage,
} from './stages.ts';
import { HoursStage } from './hours-stage.ts';

/** Targeting of all ad sets on one property of a request. */
interface StageOn<Profile> {
  /** No-bid reason of the ad sets that this stage removes. */
  reason: NoBidReason;
  add: (candidate: Candidate) => void;
  /** Removes the ad sets that do not fit. */
  narrow: (fitting: Intersection, profile: Profile, nowMs: number) => void;
}

/** A stage whose result depends only on the properties in {@link combinationOf}, so that it can be memoised. */
interface CommonStage extends StageOn<CommonProfile> {
  isCommon: true;
}

interface OtherStage extends StageOn<RequestProfile> {
  isCommon: false;
}

type Stage = CommonStage | OtherStage;

/** The ad sets that a combination of common properties fits. */
export interface Combination {
  /** Null for none. */
  readonly adsets: Bitset | null;
}

/** Maximum memoised combinations, and the bytes of their bitsets: the values come from exchanges and are unbounded. */
const COMBINATIONS_MAX = 5000;
const COMBINATION_BYTES_MAX = 8 * 2 ** 20;

/**
 * The targeting of all ad sets, compiled into a bitset for each value of a property. A request is matched by intersecting
 * a few bitsets instead of checking each ad set.
 */
export class Matcher {
  readonly #size: number;
  readonly #stages: readonly Stage[];
  readonly #commonStages: readonly CommonStage[];
  readonly #combinations = new Map<string, Combination>();
  #combinationBytes = 0;
  #targetsPlaces = false;

  /** Creates a matcher for `size` ad sets, which the caller adds. */
  constructor(size: number) {
    this.#size = size;
    this.#stages = stagesFor(size);
    this.#commonStages = this.#stages.filter((stage) => stage.isCommon);
  }

  /** Adds an ad set under its index. */
  add(candidate: Candidate): void {
    this.#targetsPlaces ||= [candidate.regions, candidate.cities, candidate.postalCodes].some(
      ({ include, exclude }) => include.size + exclude.size > 0,
    );
    for (const stage of this.#stages) stage.add(candidate);
  }

  /** Whether an ad set targets regions, cities or postal codes. */
  get targetsPlaces(): boolean {
    return this.#targetsPlaces;
  }

  /** Returns the ad sets whose targeting fits; null where the common properties leave none. */
  fitting(profile: RequestProfile, nowMs: number): Intersection | null {
    const { adsets } = this.combination(profile);
    if (adsets === null) return null;
    const fitting = new Intersection();
    fitting.keep(adsets);
    for (const stage of this.#stages) if (!stage.isCommon) stage.narrow(fitting, profile, nowMs);
    return fitting;
  }

  /** Returns the ad sets that the common properties of a request fit: all that can fit it, and the same object for the same properties. */
  combination(profile: CommonProfile): Combination {
    const key = combinationOf(profile);
    const known = this.#combinations.get(key);
    if (known) return known;
    const bits = createBitset(this.#size);
    setAll(bits, this.#size);
    const combination = { adsets: this.narrowByCommon(bits, profile) === null ? bits : null };
    this.#combinationBytes += combination.adsets?.byteLength ?? 0;
    if (this.#combinations.size >= COMBINATIONS_MAX || this.#combinationBytes > COMBINATION_BYTES_MAX) {
      this.#combinations.clear();
      this.#combinationBytes = combination.adsets?.byteLength ?? 0;
    }
    this.#combinations.set(key, combination);
    return combination;
  }

  /** Like {@link narrow}, by the common properties alone. */
  narrowByCommon(bits: Bitset, profile: CommonProfile): NoBidReason | null {
    for (const { reason, narrow } of this.#commonStages) {
      const fitting = new Intersection();
      narrow(fitting, profile, 0);
      fitting.narrow(bits);
      if (isEmpty(bits)) return reason;
    }
    return null;
  }

  /**
   * Removes from `bits` the ad sets that do not fit, stage by stage. Returns the reason of the stage that removed the last
   * one; null when some fit. Calls `onStage` after each stage with the reason for the ad sets that it removed.
   */
  narrow(
    bits: Bitset,
    profile: RequestProfile,
    nowMs: number,
    onStage?: (reason: NoBidReason) => void,
  ): NoBidReason | null {
    for (const { reason, narrow } of this.#stages) {
      const fitting = new Intersection();
      narrow(fitting, profile, nowMs);
      fitting.narrow(bits);
      onStage?.(reason);
      if (isEmpty(bits)) return reason;
    }
    return null;
  }
}

/** Memo key of the properties that have few combinations of values. */
function combinationOf({ request: { device, ssp } }: CommonProfile): string {
  return `${device.os} ${device.country} ${ssp} ${device.type} ${device.connection} ${device.language}`;
}

/** Creates the stages, in the order of the no-bid reasons. */
function stagesFor(size: number): Stage[] {
  return [
    scheduleStage(size),
    ...deviceStages(size),
    ...appStages(size),
    hoursStage(size),
    ...exchangeStages(size),
    creativeLanguageStage(size),
  ];
}

/** Ad sets that include or exclude values of a property. */
function choice<Profile>(
  size: number,
  reason: NoBidReason,
  requirementOf: (candidate: Candidate) => IncludeExclude,
  read: (profile: Profile) => readonly string[],
): StageOn<Profile> {
  const stage = new IncludeExcludeStage(size);
  return {
    reason,
    add: (candidate) => stage.add(requirementOf(candidate), candidate.index),
    narrow: (fitting, profile) => stage.narrow(fitting, read(profile)),
  };
}

/** The same for a property of {@link combinationOf}. */
function commonChoice(...terms: Parameters<typeof choice<CommonProfile>>): CommonStage {
  return { isCommon: true, ...choice(...terms) };
}

/** Ad sets that include or exclude values of a property that has many, which are read only where an ad set has a list. */
function manyValues(
  size: number,
  reason: NoBidReason,
  requirementOf: (candidate: Candidate) => IncludeExclude,
  read: (profile: RequestProfile) => readonly string[],
): Stage {
  const stage = new ManyValuesStage(size);
  return {
    reason,
    isCommon: false,
    add: (candidate) => stage.add(requirementOf(candidate), candidate.index),
    narrow: (fitting, profile) => {
      if (!stage.isEmpty) stage.narrow(fitting, read(profile));
    },
  };
}

/** Ad sets that allow some values of a property only. */
function only(
  size: number,
  reason: NoBidReason,
  requirementOf: (candidate: Candidate) => ReadonlySet<string>,
  read: (profile: RequestProfile) => string,
): Stage {
  const stage = new AllowlistStage(size);
  return {
    reason,
    isCommon: false,
    add: (candidate) => stage.add(requirementOf(candidate), candidate.index),
    narrow: (fitting, profile) => stage.narrow(fitting, read(profile)),
  };
}

/** Ad sets that are blocked by some values, which they or the request list. */
function never(
  reason: NoBidReason,
  stage: BlocklistStage | BlockedStage,
  own: (candidate: Candidate) => Iterable<string>,
  read: (profile: RequestProfile) => readonly string[],
): Stage {
  return {
    reason,
    isCommon: false,
    add: (candidate) => stage.add(own(candidate), candidate.index),
    narrow: (fitting, profile) => stage.narrow(fitting, read(profile)),
  };
}

function scheduleStage(size: number): Stage {
  const schedule = new ScheduleStage(size);
  return {
    reason: 'campaign_not_running',
    isCommon: false,
    add: ({ runsFromMs, runsUntilMs, index }) => schedule.add(runsFromMs, runsUntilMs, index),
    narrow: (fitting, _audience, nowMs) => schedule.narrow(fitting, nowMs),
  };
}

function deviceStages(size: number): Stage[] {
  const versions = new VersionStage(size);
  return [
    commonChoice(
      size,
      'os',
      ({ app }) => systems[app.os],
      ({ request }) => [request.device.os],
    ),
    commonChoice(
      size,
      'os',
      ({ os }) => anyOf(os),
      ({ request }) => [request.device.os],
    ),
    commonChoice(
      size,
      'country',
      ({ countries }) => countries,
      ({ request }) => [request.device.country],
    ),
    ...placeStages(size),
    commonChoice(
      size,
      'exchange',
      ({ exchanges }) => exchanges,
      ({ request }) => [request.ssp],
    ),
    commonChoice(
      size,
      'device_type',
      (candidate) => candidate.deviceTypes,
      ({ deviceTypes }) => deviceTypes,
    ),
    {
      reason: 'os_version',
      isCommon: false,
      add: ({ osVersionMin, osVersionMax, index }) => versions.add(osVersionMin, osVersionMax, index),
      narrow: (fitting, { request }) => versions.narrow(fitting, request.device.osVersion),
    },
    only(
      size,
      'device_model',
      ({ models }) => models,
      ({ model }) => model,
    ),
    commonChoice(
      size,
      'connection_type',
      (candidate) => anyOf(candidate.connections),
      ({ connections }) => connections,
    ),
    manyValues(
      size,
      'carrier',
      ({ carriers }) => carriers,
      ({ request }) => carrierKeysOf(request.device),
    ),
    manyValues(
      size,
      'device_id',
      ({ deviceIds }) => anyOf(deviceIds),
      ({ request }) => [deviceIdKeyOf(request.device)],
    ),
    manyValues(
      size,
      'placement_kind',
      ({ placementKinds }) => anyOf(placementKinds),
      ({ request }) => request.imps.map(placementKindOf),
    ),
    commonChoice(
      size,
      'language',
      ({ languages }) => languages,
      ({ request }) => [request.device.language],
    ),
  ];
}

/** Where the device is, finer than by country. */
function placeStages(size: number): Stage[] {
  const radius = new RadiusStage(size);
  return [
    manyValues(
      size,
      'region',
      ({ regions }) => regions,
      ({ request }) => regionKeysOf(request.device),
    ),
    manyValues(
      size,
      'city',
      ({ cities }) => cities,
      ({ request }) => cityKeysOf(request.device),
    ),
    manyValues(
      size,
      'postal_code',
      ({ postalCodes }) => postalCodes,
      ({ request }) => postalKeysOf(request.device),
    ),
    {
      reason: 'radius',
      isCommon: false,
      add: ({ circles, index }) => radius.add(circles, index),
      narrow: (fitting, { request }) => {
        if (!radius.isEmpty) radius.narrow(fitting, request.device.point);
      },
    },
  ];
}

/** Targeting of the publisher's app. */
function appStages(size: number): Stage[] {
  return [
    {
      isCommon: false,
      ...choice<RequestProfile>(
        size,
        'genre',
        (candidate) => candidate.genres,
        ({ genres }) => genres,
      ),
    },
    never(
      'bundle_black_listed',
      new BlocklistStage(size),
      ({ bundles }) => bundles.exclude,
      ({ bundle }) => [bundle],
    ),
    only(
      size,
      'bundle_not_white_listed',
      ({ bundles }) => bundles.include,
      ({ bundle }) => bundle,
    ),
    never(
      'own_app',
      new BlocklistStage(size),
      ({ app }) => [app.bundleKey, app.ownBundleKey],
      ({ publisherIds }) => publisherIds,
    ),
  ];
}

/** After all other targeting, so that its reason has the requests that fit at other hours. */
function hoursStage(size: number): Stage {
  const stage = new HoursStage(size);
  return {
    reason: 'out_of_hours',
    isCommon: false,
    add: ({ hours, index }) => stage.add(hours, index),
    narrow: (fitting, { request }, nowMs) => stage.narrow(fitting, request.device, nowMs),
  };
}

/** Stages for the lists of the exchange, which block or allow. */
function exchangeStages(size: number): Stage[] {
  const categories = new AllowedStage(size);
  return [
    never(
      'blocked_app',
      new BlocklistStage(size),
      ({ app }) => [app.bundleKey, app.ownBundleKey],
      ({ request }) => request.blockedApps,
    ),
    never(
      'blocked_advertiser',
      new BlocklistStage(size),
      ({ advertiserDomains }) => advertiserDomains,
      ({ request }) => request.blockedAdvertisers,
    ),
    never(
      'blocked_category',
      new BlockedStage(size),
      ({ app }) => app.categoryKeys,
      ({ request }) => request.blockedCategories,
    ),
    {
      reason: 'category_not_allowed',
      isCommon: false,
      add: ({ app, index }) => categories.add(app.categoryKeys, index),
      narrow: (fitting, { request }) => categories.narrow(fitting, request.allowedCategories),
    },
  ];
}

function creativeLanguageStage(size: number): Stage {
  const creativeLanguages = new CreativeLanguageStage(size);
  return {
    reason: 'creative_language',
    isCommon: false,
    add: ({ languages, index }) => creativeLanguages.add(languages.include, index),
    narrow: (fitting, { request }) => creativeLanguages.narrow(fitting, request),
  };
}

const none: ReadonlySet<string> = new Set();
const anyOf = (include: ReadonlySet<string>): IncludeExclude => ({ include, exclude: none });
const systems: Record<'ios' | 'android', IncludeExclude> = {
  ios: anyOf(new Set(['ios'])),
  android: anyOf(new Set(['android'])),
};
