import { compareVersions, versionOf } from './versions.ts';
import type { IncludeExclude } from '../model/candidate.ts';
import {
  type Bitset,
  type Intersection,
  clearBit,
  createBitset,
  isEmpty,
  setBit,
  subtract,
  union,
} from '../model/bitset.ts';

/** Maximum memoised results of a stage, and their bytes: the values come from exchanges and are unbounded. */
const MEMO_ENTRIES_MAX = 5000;
const MEMO_BYTES_MAX = 8 * 2 ** 20;

/** Memoises a result for each value of a request. Cleared when it is full. */
export class Memo {
  readonly #results = new Map<string, Bitset>();
  #bytes = 0;

  of(value: string, compute: () => Bitset): Bitset {
    let bits = this.#results.get(value);
    if (!bits) {
      bits = compute();
      this.#bytes += bits.byteLength;
      if (this.#results.size >= MEMO_ENTRIES_MAX || this.#bytes > MEMO_BYTES_MAX) {
        this.#results.clear();
        this.#bytes = bits.byteLength;
      }
      this.#results.set(value, bits);
    }
    return bits;
  }
}

/** Bitsets of ad sets by listed value. */
class ByValue {
  readonly #sets = new Map<string, Bitset>();
  readonly #size: number;
  constructor(size: number) {
    this.#size = size;
  }
  add(value: string, index: number): void {
    let bits = this.#sets.get(value);
    if (!bits) this.#sets.set(value, (bits = createBitset(this.#size)));
    setBit(bits, index);
  }
  get(value: string): Bitset | undefined {
    return this.#sets.get(value);
  }
  get empty(): boolean {
    return this.#sets.size === 0;
  }
}

/** Posting lists of ad sets by listed value, for many values with few ad sets each. */
export class Postings {
  readonly #indexes = new Map<string, number[]>();
  add(value: string, index: number): void {
    const indexes = this.#indexes.get(value);
    if (indexes) indexes.push(index);
    else this.#indexes.set(value, [index]);
  }
  get(value: string): readonly number[] {
    return this.#indexes.get(value) ?? [];
  }
  get empty(): boolean {
    return this.#indexes.size === 0;
  }
}

/** Include and exclude lists of one property. An empty include list admits all values; exclusion takes precedence. */
export class IncludeExcludeStage {
  readonly #open: Bitset;
  readonly #including: ByValue;
  readonly #excluding: ByValue;
  readonly #memo = new Memo();

  constructor(size: number) {
    this.#open = createBitset(size);
    this.#including = new ByValue(size);
    this.#excluding = new ByValue(size);
  }

  add({ include, exclude }: IncludeExclude, index: number): void {
    if (include.size === 0) setBit(this.#open, index);
    for (const value of include) this.#including.add(value, index);
    for (const value of exclude) this.#excluding.add(value, index);
  }

  /** Keeps the ad sets that admit a request with these values of the property. */
  narrow(fitting: Intersection, values: readonly string[]): void {
    if (this.#including.empty && this.#excluding.empty) return;
    const key = values.length === 1 ? values[0]! : values.join('\n');
    fitting.keep(this.#memo.of(key, () => this.#admitting(values)));
  }

  #admitting(values: readonly string[]): Bitset {
    const admitting = this.#open.slice();
    for (const value of values) {
      const including = this.#including.get(value);
      if (including) union(admitting, including);
    }
    for (const value of values) {
      const excluding = this.#excluding.get(value);
      if (excluding) subtract(admitting, excluding);
    }
    return admitting;
  }
}

/** Minimum and maximum versions of the operating system. */
export class VersionStage {
  readonly #size: number;
  /** Ad sets with the same version range, by that range. */
  readonly #ranges = new Map<
    string,
    { min: readonly number[] | null; max: readonly number[] | null; bits: Bitset }
  >();
  readonly #memo = new Memo();

  constructor(size: number) {
    this.#size = size;
  }

  add(min: readonly number[] | null, max: readonly number[] | null, index: number): void {
    if (!min && !max) return;
    const key = `${min?.join('.')}-${max?.join('.')}`;
    let range = this.#ranges.get(key);
    if (!range) this.#ranges.set(key, (range = { min, max, bits: createBitset(this.#size) }));
    setBit(range.bits, index);
  }

  /**
   * Removes the ad sets whose range excludes the version; if the version is unknown, removes all ad sets with a range.
   */
  narrow(fitting: Intersection, version: string): void {
    if (this.#ranges.size === 0) return;
    fitting.remove(this.#memo.of(version, () => this.#rejecting(version)));
  }

  #rejecting(version: string): Bitset {
    const rejecting = createBitset(this.#size);
    const parts = version === '' ? null : versionOf(version);
    for (const { min, max, bits } of this.#ranges.values())
      if (!fits(parts, min, max)) union(rejecting, bits);
    return rejecting;
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
export class AllowlistStage {
  readonly #listed: Bitset;
  readonly #postings = new Postings();

  constructor(size: number) {
    this.#listed = createBitset(size);
  }

  add(values: ReadonlySet<string>, index: number): void {
    if (values.size > 0) setBit(this.#listed, index);
    for (const value of values) this.#postings.add(value, index);
  }

  narrow(fitting: Intersection, value: string): void {
    if (this.#postings.empty) return;
    const admitting = this.#postings.get(value);
    if (admitting.length === 0) return fitting.remove(this.#listed);
    const rejecting = this.#listed.slice();
    for (const index of admitting) clearBit(rejecting, index);
    fitting.remove(rejecting);
  }
}

/** Blocklists with many values and few ad sets per value. */
export class BlocklistStage {
  readonly #size: number;
  readonly #postings = new Postings();

  constructor(size: number) {
    this.#size = size;
  }

  add(values: Iterable<string>, index: number): void {
    for (const value of values) this.#postings.add(value, index);
  }

  narrow(fitting: Intersection, values: Iterable<string>): void {
    if (this.#postings.empty) return;
    let blocked: Bitset | null = null;
    for (const value of values)
      for (const index of this.#postings.get(value)) setBit((blocked ??= createBitset(this.#size)), index);
    if (blocked) fitting.remove(blocked);
  }
}

/** Ad sets by a value that a request may block, for properties with few values such as categories. */
export class BlockedStage {
  readonly #byValue: ByValue;

  constructor(size: number) {
    this.#byValue = new ByValue(size);
  }

  add(values: Iterable<string>, index: number): void {
    for (const value of values) this.#byValue.add(value, index);
  }

  narrow(fitting: Intersection, blocked: readonly string[]): void {
    for (const value of blocked) {
      const those = this.#byValue.get(value);
      if (those) fitting.remove(those);
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

  add(values: Iterable<string>, index: number): void {
    for (const value of values) this.#byValue.add(value, index);
  }

  /** Keeps the ad sets with at least one allowed value; all of them when `allowed` is null. */
  narrow(fitting: Intersection, allowed: readonly string[] | null): void {
    if (allowed === null) return;
    const those = createBitset(this.#size);
    for (const value of allowed) {
      const ofValue = this.#byValue.get(value);
      if (ofValue) union(those, ofValue);
    }
    fitting.keep(those);
  }
}

/**
 * Ad sets that target languages. Their creatives are assumed to be in the language of the device, which must be among the
 * languages that the request allows for creatives. The language of other ad sets is unknown; they pass.
 */
export class CreativeLanguageStage {
  readonly #targeting: Bitset;

  constructor(size: number) {
    this.#targeting = createBitset(size);
  }

  add(languages: ReadonlySet<string>, index: number): void {
    if (languages.size > 0) setBit(this.#targeting, index);
  }

  narrow(
    fitting: Intersection,
    { languages, device }: { languages: readonly string[]; device: { language: string } },
  ): void {
    if (languages.length > 0 && !languages.includes(device.language)) fitting.remove(this.#targeting);
  }
}

/** Flights of ad sets. */
export class ScheduleStage {
  readonly #size: number;
  readonly #scheduled: { fromMs: number; untilMs: number; index: number }[] = [];
  #outOfFlight: Bitset | null = null;
  /** Start (inclusive) and end (exclusive) of the period for which `#outOfFlight` is valid, Unix ms. */
  #sinceMs = Infinity;
  #untilMs = -Infinity;

  constructor(size: number) {
    this.#size = size;
  }

  add(fromMs: number, untilMs: number, index: number): void {
    if (fromMs !== -Infinity || untilMs !== Infinity) this.#scheduled.push({ fromMs, untilMs, index });
  }

  narrow(fitting: Intersection, nowMs: number): void {
    if (this.#scheduled.length === 0) return;
    if (nowMs < this.#sinceMs || nowMs >= this.#untilMs) this.#compute(nowMs);
    if (this.#outOfFlight) fitting.remove(this.#outOfFlight);
  }

  #compute(nowMs: number): void {
    const outOfFlight = createBitset(this.#size);
    this.#sinceMs = -Infinity;
    this.#untilMs = Infinity;
    for (const { fromMs, untilMs, index } of this.#scheduled) {
      if (nowMs < fromMs || nowMs >= untilMs) setBit(outOfFlight, index);
      for (const boundaryMs of [fromMs, untilMs]) {
        if (boundaryMs <= nowMs) this.#sinceMs = Math.max(this.#sinceMs, boundaryMs);
        else this.#untilMs = Math.min(this.#untilMs, boundaryMs);
      }
    }
    this.#outOfFlight = isEmpty(outOfFlight) ? null : outOfFlight;
  }
}
