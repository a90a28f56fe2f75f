import type { NoBidReason } from '../model/no-bid-reasons.ts';
import type { Candidate, Choice } from '../model/candidate.ts';
import type { Audience } from './audience.ts';
import type { Bits } from '../model/bitset.ts';
import { bitsFor, isEmpty, setAll } from '../model/bitset.ts';
import {
  AllowedStage,
  BlockedStage,
  ChoiceStage,
  CreativeLanguageStage,
  Kept,
  NeverStage,
  OnlyStage,
  ScheduleStage,
  VersionStage,
} from './stages.ts';

/** One property of a request: what ad sets want of it, and who of them falls out. */
interface Stage {
  /** Of those that fall out here. */
  reason: NoBidReason;
  /** Whether it depends on nothing but the combination that {@link combinationOf} names. */
  isCommon: boolean;
  add: (candidate: Candidate) => void;
  narrow: (bits: Bits, audience: Audience, nowMs: number) => void;
}

/**
 * The targeting of all ad sets, compiled: a set of bits for each value that a request may have of a property. What fits a
 * request is found by a few intersections of these sets, however many ad sets there are and whatever they want.
 */
export class Matcher {
  readonly #size: number;
  readonly #stages: readonly Stage[];
  readonly #combinations = new Kept();

  /** For so many ad sets; each is to be added. */
  constructor(size: number) {
    this.#size = size;
    this.#stages = stagesFor(size);
  }

  /** Adds an ad set at its place. */
  add(candidate: Candidate): void {
    for (const stage of this.#stages) stage.add(candidate);
  }

  /** The ad sets whose targeting fits. */
  fitting(audience: Audience, nowMs: number): Bits {
    const common = this.#combinations.of(combinationOf(audience), () => {
      const bits = bitsFor(this.#size);
      setAll(bits, this.#size);
      for (const stage of this.#stages) if (stage.isCommon) stage.narrow(bits, audience, nowMs);
      return bits;
    });
    const bits = common.slice();
    for (const stage of this.#stages) if (!stage.isCommon) stage.narrow(bits, audience, nowMs);
    return bits;
  }

  /** Keeps in `bits` what fits, property by property; when none does, answers how far the one came that came furthest. */
  narrow(bits: Bits, audience: Audience, nowMs: number): NoBidReason | null {
    for (const { reason, narrow } of this.#stages) {
      narrow(bits, audience, nowMs);
      if (isEmpty(bits)) return reason;
    }
    return null;
  }
}

/** What devices and exchanges differ in comes in few combinations: who fits one is worked out once. */
function combinationOf({ request, deviceTypes, connections }: Audience): string {
  const { device, ssp } = request;
  return `${device.os} ${device.country} ${ssp} ${deviceTypes.join()} ${connections.join()} ${device.language}`;
}

/** In the order of the reasons: where the last ad set falls out tells how far any came. */
function stagesFor(size: number): Stage[] {
  const choice = (
    reason: NoBidReason,
    wanted: (candidate: Candidate) => Choice,
    given: (audience: Audience) => readonly string[],
    isCommon = true,
  ): Stage => {
    const stage = new ChoiceStage(size);
    return {
      reason,
      isCommon,
      add: (candidate) => stage.add(wanted(candidate), candidate.index),
      narrow: (bits, audience) => stage.narrow(bits, given(audience)),
    };
  };
  const only = (
    reason: NoBidReason,
    wanted: (candidate: Candidate) => ReadonlySet<string>,
    given: (audience: Audience) => string,
  ): Stage => {
    const stage = new OnlyStage(size);
    return {
      reason,
      isCommon: false,
      add: (candidate) => stage.add(wanted(candidate), candidate.index),
      narrow: (bits, audience) => stage.narrow(bits, given(audience)),
    };
  };
  const never = (
    reason: NoBidReason,
    stage: NeverStage | BlockedStage,
    own: (candidate: Candidate) => Iterable<string>,
    given: (audience: Audience) => readonly string[],
  ): Stage => ({
    reason,
    isCommon: false,
    add: (candidate) => stage.add(own(candidate), candidate.index),
    narrow: (bits, audience) => stage.narrow(bits, given(audience)),
  });
  const schedule = new ScheduleStage(size);
  const versions = new VersionStage(size);
  const categories = new AllowedStage(size);
  const creativeLanguages = new CreativeLanguageStage(size);
  return [
    {
      reason: 'campaign_not_running',
      isCommon: false,
      add: ({ runsFromMs, runsUntilMs, index }) => schedule.add(runsFromMs, runsUntilMs, index),
      narrow: (bits, _audience, nowMs) => schedule.narrow(bits, nowMs),
    },
    choice(
      'os',
      ({ app }) => systems[app.os],
      ({ request }) => [request.device.os],
    ),
    choice(
      'os',
      ({ os }) => anyOf(os),
      ({ request }) => [request.device.os],
    ),
    choice(
      'country',
      ({ countries }) => countries,
      ({ request }) => [request.device.country],
    ),
    choice(
      'exchange',
      ({ exchanges }) => exchanges,
      ({ request }) => [request.ssp],
    ),
    choice(
      'device_type',
      (candidate) => anyOf(candidate.deviceTypes),
      ({ deviceTypes }) => deviceTypes,
    ),
    {
      reason: 'os_version',
      isCommon: false,
      add: ({ osVersionMin, osVersionMax, index }) => versions.add(osVersionMin, osVersionMax, index),
      narrow: (bits, { request }) => versions.narrow(bits, request.device.osVersion),
    },
    only(
      'device_model',
      ({ models }) => models,
      ({ model }) => model,
    ),
    choice(
      'connection_type',
      (candidate) => anyOf(candidate.connections),
      ({ connections }) => connections,
    ),
    choice(
      'language',
      ({ languages }) => languages,
      ({ request }) => [request.device.language],
    ),
    choice(
      'genre',
      (candidate) => candidate.genres,
      ({ genres }) => genres,
      false,
    ),
    never(
      'bundle_black_listed',
      new NeverStage(),
      ({ bundles }) => bundles.exclude,
      ({ bundle }) => [bundle],
    ),
    only(
      'bundle_not_white_listed',
      ({ bundles }) => bundles.include,
      ({ bundle }) => bundle,
    ),
    never(
      'blocked_app',
      new NeverStage(),
      ({ app }) => [app.bundleKey, app.ownBundleKey],
      ({ request }) => request.blockedApps,
    ),
    never(
      'blocked_advertiser',
      new NeverStage(),
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
      narrow: (bits, { request }) => categories.narrow(bits, request.allowedCategories),
    },
    {
      reason: 'creative_language',
      isCommon: false,
      add: ({ languages, index }) => creativeLanguages.add(languages.include, index),
      narrow: (bits, { request }) => creativeLanguages.narrow(bits, request),
    },
  ];
}

const none: ReadonlySet<string> = new Set();
const anyOf = (include: ReadonlySet<string>): Choice => ({ include, exclude: none });
const systems: Record<'ios' | 'android', Choice> = {
  ios: anyOf(new Set(['ios'])),
  android: anyOf(new Set(['android'])),
};
