import { compareVersions, versionOf } from './versions.ts';
import type { Choice } from '../model/candidate.ts';
import type { Bits } from '../model/bitset.ts';
import { bitsFor, clearBit, drop, hasBit, isEmpty, join, keep, setBit } from '../model/bitset.ts';

/** Maximum memoised results of a stage: the values come from exchanges and are unbounded. */
const KEPT_MAX = 2000;

/** Memoises a result for each value of a request. Cleared when it is full. */
export class Kept {
  readonly #answers = new Map<string, Bits>();

  of(value: string, workOut: () => Bits): Bits {
    let bits = this.#answers.get(value);
    if (!bits) {
      if (this.#answers.size >= KEPT_MAX) this.#answers.clear();
      this.#answers.set(value, (bits = workOut()));
    }
    return bits;
  }
}

/** Bitsets of ad sets by listed value. */
class ByValue {
  readonly #sets = new Map<string, Bits>();
  readonly #size: number;
  constructor(size: number) {
    this.#size = size;
  }
  add(value: string, place: number): void {
    let bits = this.#sets.get(value);
    if (!bits) this.#sets.set(value, (bits = bitsFor(this.#size)));
    setBit(bits, place);
  }
  get(value: string): Bits | undefined {
    return this.#sets.get(value);
  }
  get empty(): boolean {
    return this.#sets.size === 0;
  }
}

/** Posting lists of ad sets by listed value, for many values with few ad sets each. */
class Postings {
  readonly #places = new Map<string, number[]>();
  add(value: string, place: number): void {
    const places = this.#places.get(value);
    if (places) places.push(place);
    else this.#places.set(value, [place]);
  }
  get(value: string): readonly number[] {
    return this.#places.get(value) ?? [];
  }
  get empty(): boolean {
    return this.#places.size === 0;
  }
}

/** Include and exclude lists of one property. An empty include list admits all values; exclusion takes precedence. */
export class ChoiceStage {
  readonly #open: Bits;
  readonly #including: ByValue;
  readonly #excluding: ByValue;
  readonly #kept = new Kept();

  constructor(size: number) {
    this.#open = bitsFor(size);
    this.#including = new ByValue(size);
    this.#excluding = new ByValue(size);
  }

  add({ include, exclude }: Choice, place: number): void {
    if (include.size === 0) setBit(this.#open, place);
    for (const value of include) this.#including.add(value, place);
    for (const value of exclude) this.#excluding.add(value, place);
  }

  /** Keeps the ad sets that admit a request with these values of the property. */
  narrow(bits: Bits, values: readonly string[]): void {
    if (this.#including.empty && this.#excluding.empty) return;
    const key = values.length === 1 ? values[0]! : values.join('\n');
    keep(
      bits,
      this.#kept.of(key, () => this.#admitting(values)),
    );
  }

  #admitting(values: readonly string[]): Bits {
    const admitting = this.#open.slice();
    for (const value of values) {
      const including = this.#including.get(value);
      if (including) join(admitting, including);
    }
    for (const value of values) {
      const excluding = this.#excluding.get(value);
      if (excluding) drop(admitting, excluding);
    }
    return admitting;
  }
}

/** Minimum and maximum versions of the operating system. */
export class VersionStage {
  readonly #size: number;
  /** Ad sets with the same version range, by that range. */
  readonly #wishes = new Map<
    string,
    { min: readonly number[] | null; max: readonly number[] | null; bits: Bits }
  >();
  readonly #kept = new Kept();

  constructor(size: number) {
    this.#size = size;
  }

  add(min: readonly number[] | null, max: readonly number[] | null, place: number): void {
    if (!min && !max) return;
    const key = `${min?.join('.')}-${max?.join('.')}`;
    let wish = this.#wishes.get(key);
    if (!wish) this.#wishes.set(key, (wish = { min, max, bits: bitsFor(this.#size) }));
    setBit(wish.bits, place);
  }

  /** Removes the ad sets whose range excludes the version; all with a range when the version is unknown. */
  narrow(bits: Bits, version: string): void {
    if (this.#wishes.size === 0) return;
    drop(
      bits,
      this.#kept.of(version, () => this.#refusing(version)),
    );
  }

  #refusing(version: string): Bits {
    const refusing = bitsFor(this.#size);
    const parts = version === '' ? null : versionOf(version);
    for (const { min, max, bits } of this.#wishes.values()) if (!fits(parts, min, max)) join(refusing, bits);
    return refusing;
  }
}

function fits(
  version: readonly number[] | null,
  min: readonly number[] | null,
  max: readonly number[] | null,
): boolean {
  if (!version) return false;
  if (min && compareVersions(version, min) < 0) return false;
  // Only the parts that the maximum has are compared, so that 12 includes every 12.x.
  return !max || compareVersions(version.slice(0, max.length), max) <= 0;
}

/** Allowlists with many values and few ad sets per value, such as bundles and device models. */
export class OnlyStage {
  readonly #listed: Bits;
  readonly #postings = new Postings();

  constructor(size: number) {
    this.#listed = bitsFor(size);
  }

  add(values: ReadonlySet<string>, place: number): void {
    if (values.size > 0) setBit(this.#listed, place);
    for (const value of values) this.#postings.add(value, place);
  }

  narrow(bits: Bits, value: string): void {
    if (this.#postings.empty) return;
    const admitting = this.#postings.get(value).filter((place) => hasBit(bits, place));
    drop(bits, this.#listed);
    for (const place of admitting) setBit(bits, place);
  }
}

/** Blocklists with many values and few ad sets per value. */
export class NeverStage {
  readonly #postings = new Postings();

  add(values: Iterable<string>, place: number): void {
    for (const value of values) this.#postings.add(value, place);
  }

  narrow(bits: Bits, values: Iterable<string>): void {
    if (this.#postings.empty) return;
    for (const value of values) for (const place of this.#postings.get(value)) clearBit(bits, place);
  }
}

/** Ad sets by a value that a request may block, for properties with few values such as categories. */
export class BlockedStage {
  readonly #byValue: ByValue;

  constructor(size: number) {
    this.#byValue = new ByValue(size);
  }

  add(values: Iterable<string>, place: number): void {
    for (const value of values) this.#byValue.add(value, place);
  }

  narrow(bits: Bits, blocked: readonly string[]): void {
    for (const value of blocked) {
      const those = this.#byValue.get(value);
      if (those) drop(bits, those);
    }
  }
}

/** Ad sets by a value that a request may limit to an allowlist. */
export class AllowedStage {
  readonly #size: number;
  readonly #byValue: ByValue;

  constructor(size: number) {
    this.#size = size;
    this.#byValue = new ByValue(size);
  }

  add(values: Iterable<string>, place: number): void {
    for (const value of values) this.#byValue.add(value, place);
  }

  /** Keeps the ad sets with at least one allowed value; all of them when `allowed` is null. */
  narrow(bits: Bits, allowed: readonly string[] | null): void {
    if (allowed === null) return;
    const those = bitsFor(this.#size);
    for (const value of allowed) {
      const ofValue = this.#byValue.get(value);
      if (ofValue) join(those, ofValue);
    }
    keep(bits, those);
  }
}

/**
 * Ad sets that target languages. Their creatives are assumed to be in the language of the device, which must be among the
 * languages that the request allows for creatives. The language of other ad sets is unknown; they pass.
 */
export class CreativeLanguageStage {
  readonly #targeting: Bits;

  constructor(size: number) {
    this.#targeting = bitsFor(size);
  }

  add(languages: ReadonlySet<string>, place: number): void {
    if (languages.size > 0) setBit(this.#targeting, place);
  }

  narrow(
    bits: Bits,
    { languages, device }: { languages: readonly string[]; device: { language: string } },
  ): void {
    if (languages.length > 0 && !languages.includes(device.language)) drop(bits, this.#targeting);
  }
}

/** Flights of ad sets. */
export class ScheduleStage {
  readonly #size: number;
  readonly #scheduled: { fromMs: number; untilMs: number; place: number }[] = [];
  #resting: Bits | null = null;
  /** Start (inclusive) and end (exclusive) of the period for which `#resting` is valid, Unix ms. */
  #sinceMs = Infinity;
  #untilMs = -Infinity;

  constructor(size: number) {
    this.#size = size;
  }

  add(fromMs: number, untilMs: number, place: number): void {
    if (fromMs !== -Infinity || untilMs !== Infinity) this.#scheduled.push({ fromMs, untilMs, place });
  }

  narrow(bits: Bits, nowMs: number): void {
    if (this.#scheduled.length === 0) return;
    if (nowMs < this.#sinceMs || nowMs >= this.#untilMs) this.#workOut(nowMs);
    if (this.#resting) drop(bits, this.#resting);
  }

  #workOut(nowMs: number): void {
    const resting = bitsFor(this.#size);
    this.#sinceMs = -Infinity;
    this.#untilMs = Infinity;
    for (const { fromMs, untilMs, place } of this.#scheduled) {
      if (nowMs < fromMs || nowMs >= untilMs) setBit(resting, place);
      for (const boundaryMs of [fromMs, untilMs]) {
        if (boundaryMs <= nowMs) this.#sinceMs = Math.max(this.#sinceMs, boundaryMs);
        else this.#untilMs = Math.min(this.#untilMs, boundaryMs);
      }
    }
    this.#resting = isEmpty(resting) ? null : resting;
  }
}
