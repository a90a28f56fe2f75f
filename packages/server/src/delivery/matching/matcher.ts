import type { NoBidReason } from '../auction/reasons.ts';
import type { Candidate, Choice } from '../snapshot/types.ts';
import type { Audience } from './audience.ts';
import type { Bits } from './bits.ts';
import { bitsFor, isEmpty, keep, setAll } from './bits.ts';
import {
  BlockedStage,
  ChoiceStage,
  Kept,
  NeverStage,
  OnlyStage,
  ScheduleStage,
  VersionStage,
} from './stages.ts';

/**
 * The targeting of all ad sets, compiled: a set of bits for each value that a request may have of a property. What fits a
 * request is found by a few intersections of these sets, however many ad sets there are and whatever they want.
 */
export class Matcher {
  readonly #size: number;
  readonly #combinations = new Kept();
  readonly #schedule: ScheduleStage;
  readonly #appOs: ChoiceStage;
  readonly #os: ChoiceStage;
  readonly #countries: ChoiceStage;
  readonly #exchanges: ChoiceStage;
  readonly #deviceTypes: ChoiceStage;
  readonly #versions: VersionStage;
  readonly #models: OnlyStage;
  readonly #connections: ChoiceStage;
  readonly #languages: ChoiceStage;
  readonly #genres: ChoiceStage;
  readonly #blackLists = new NeverStage();
  readonly #whiteLists: OnlyStage;
  readonly #apps = new NeverStage();
  readonly #advertisers = new NeverStage();
  readonly #categories: BlockedStage;
  readonly #stages: readonly [NoBidReason, (bits: Bits, audience: Audience, nowMs: number) => void][];

  /** For so many ad sets; each is to be added. */
  constructor(size: number) {
    this.#size = size;
    this.#schedule = new ScheduleStage(size);
    this.#appOs = new ChoiceStage(size);
    this.#os = new ChoiceStage(size);
    this.#countries = new ChoiceStage(size);
    this.#exchanges = new ChoiceStage(size);
    this.#deviceTypes = new ChoiceStage(size);
    this.#versions = new VersionStage(size);
    this.#models = new OnlyStage(size);
    this.#connections = new ChoiceStage(size);
    this.#languages = new ChoiceStage(size);
    this.#genres = new ChoiceStage(size);
    this.#whiteLists = new OnlyStage(size);
    this.#categories = new BlockedStage(size);
    // In the order of the reasons: where the last ad set falls out tells how far any came.
    this.#stages = [
      ['campaign_not_running', (bits, _audience, nowMs) => this.#schedule.narrow(bits, nowMs)],
      [
        'os',
        (bits, { request: { device } }) => {
          this.#appOs.narrow(bits, [device.os]);
          this.#os.narrow(bits, [device.os]);
        },
      ],
      ['country', (bits, { request }) => this.#countries.narrow(bits, [request.device.country])],
      ['exchange', (bits, { request }) => this.#exchanges.narrow(bits, [request.ssp])],
      ['device_type', (bits, { deviceTypes }) => this.#deviceTypes.narrow(bits, deviceTypes)],
      ['os_version', (bits, { request }) => this.#versions.narrow(bits, request.device.osVersion)],
      ['device_model', (bits, { model }) => this.#models.narrow(bits, model)],
      ['connection_type', (bits, { connections }) => this.#connections.narrow(bits, connections)],
      ['language', (bits, { request }) => this.#languages.narrow(bits, [request.device.language])],
      ['genre', (bits, { genres }) => this.#genres.narrow(bits, genres)],
      ['bundle_black_listed', (bits, { bundle }) => this.#blackLists.narrow(bits, [bundle])],
      ['bundle_not_white_listed', (bits, { bundle }) => this.#whiteLists.narrow(bits, bundle)],
      ['blocked_app', (bits, { request }) => this.#apps.narrow(bits, request.blockedApps)],
      [
        'blocked_advertiser',
        (bits, { request }) => this.#advertisers.narrow(bits, request.blockedAdvertisers),
      ],
      ['blocked_category', (bits, { request }) => this.#categories.narrow(bits, request.blockedCategories)],
    ];
  }

  /** Adds an ad set at its place. */
  add(candidate: Candidate): void {
    const { index: place, app } = candidate;
    this.#schedule.add(candidate.runsFromMs, candidate.runsUntilMs, place);
    this.#appOs.add(systems[app.os], place);
    this.#os.add({ include: candidate.os, exclude: none }, place);
    this.#countries.add(candidate.countries, place);
    this.#exchanges.add(candidate.exchanges, place);
    this.#deviceTypes.add({ include: candidate.deviceTypes, exclude: none }, place);
    this.#versions.add(candidate.osVersionMin, candidate.osVersionMax, place);
    this.#models.add(candidate.models, place);
    this.#connections.add({ include: candidate.connections, exclude: none }, place);
    this.#languages.add(candidate.languages, place);
    this.#genres.add(candidate.genres, place);
    this.#blackLists.add(candidate.bundles.exclude, place);
    this.#whiteLists.add(candidate.bundles.include, place);
    this.#apps.add([app.bundleKey, app.ownBundleKey], place);
    this.#advertisers.add(candidate.advertiserDomains, place);
    const category = app.category.toUpperCase();
    this.#categories.add([category, category.split('-')[0]!], place);
  }

  /** Leaves in `bits` the ad sets whose targeting fits. */
  fit(bits: Bits, audience: Audience, nowMs: number): void {
    const { request, bundle, model, deviceTypes, connections, genres } = audience;
    const { device, ssp } = request;
    this.#schedule.narrow(bits, nowMs);
    // What devices and exchanges differ in comes in few combinations.
    const key = `${device.os} ${device.country} ${ssp} ${deviceTypes.join()} ${connections.join()} ${device.language}`;
    keep(
      bits,
      this.#combinations.of(key, () => {
        const fitting = bitsFor(this.#size);
        setAll(fitting, this.#size);
        this.#appOs.narrow(fitting, [device.os]);
        this.#os.narrow(fitting, [device.os]);
        this.#countries.narrow(fitting, [device.country]);
        this.#exchanges.narrow(fitting, [ssp]);
        this.#deviceTypes.narrow(fitting, deviceTypes);
        this.#connections.narrow(fitting, connections);
        this.#languages.narrow(fitting, [device.language]);
        return fitting;
      }),
    );
    this.#versions.narrow(bits, device.osVersion);
    this.#models.narrow(bits, model);
    this.#genres.narrow(bits, genres);
    this.#blackLists.narrow(bits, [bundle]);
    this.#whiteLists.narrow(bits, bundle);
    this.#apps.narrow(bits, request.blockedApps);
    this.#advertisers.narrow(bits, request.blockedAdvertisers);
    this.#categories.narrow(bits, request.blockedCategories);
  }

  /** As {@link fit}, property by property; when none fits, answers how far the one came that came furthest. */
  narrow(bits: Bits, audience: Audience, nowMs: number): NoBidReason | null {
    for (const [reason, narrow] of this.#stages) {
      narrow(bits, audience, nowMs);
      if (isEmpty(bits)) return reason;
    }
    return null;
  }
}

const none: ReadonlySet<string> = new Set();
const systems: Record<'ios' | 'android', Choice> = {
  ios: { include: new Set(['ios']), exclude: none },
  android: { include: new Set(['android']), exclude: none },
};
