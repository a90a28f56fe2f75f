import type { ExchangeRules } from '@bidwell/contract/operator/exchange-rules';
import { fittingFormats } from '../auction/formats.ts';
import type { Combination, Matcher } from '../matching/matcher.ts';
import { type CommonProfile, commonProfileOf } from '../matching/request-profile.ts';
import { type Bitset, createBitset, lowestBit, union } from '../model/bitset.ts';
import type { CurrencyRates } from '../model/bid-request.ts';
import { further } from '../model/no-bid-reason.ts';
import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import type { Ssp } from '../snapshot/exchange-store.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readSize } from './read/read-imp-fields.ts';
import type { OutlinedDevice } from './read/read-device.ts';
import type { Outline } from './read/outline.ts';
import { floorMicros, floorRateOf, readPlacements } from './read/read-request.ts';

/** Memoised placements, and the bytes of their keys and bitsets: they come from exchanges and are unbounded. */
const PLACEMENTS_MAX = 5000;
const PLACEMENT_BYTES_MAX = 8 * 2 ** 20;
/** A placement that is longer is read as a whole. */
const PLACEMENT_CHARS_MAX = 4096;
/** Memoised reasons of a placement. */
const REASONS_MAX = 32;

/** What an imp takes, and which ad sets have a creative for it. */
interface Placement {
  /** Null for none. */
  adsets: Bitset | null;
  /** Why there is none. */
  reason: NoBidReason;
  /** Whether the floor of the imp holds for all creatives. */
  hasOneFloor: boolean;
  /** Why none of these ad sets fits a combination of common properties. */
  reasons: Map<Combination, NoBidReason>;
}

/**
 * Finds requests on which no ad set can bid from their outlines, by their formats, the properties of {@link CommonProfile} and their floors. All
 * other checks of the auction only leave fewer ad sets. The formats of an imp are looked up by the bytes of its banner, video and native
 * object, which few placements differ in.
 */
export class EarlyNoBids {
  #snapshot: Snapshot | null = null;
  #placements = new Map<ExchangeRules, Map<string, Placement>>();
  #count = 0;
  #bytes = 0;

  /** Why a request gets no bid; null if one may be possible. The reason is true, where others may be, too. */
  reasonOf(
    outline: Outline,
    device: OutlinedDevice,
    { slug, rules }: Pick<Ssp, 'slug' | 'rules'>,
    snapshot: Snapshot,
    rates: CurrencyRates,
  ): NoBidReason | null {
    if (snapshot.candidates.length === 0) return 'no_active_adset';
    if (snapshot !== this.#snapshot) this.#restart(snapshot);
    const profile = commonProfileOf({ ssp: slug, device });
    const combination = snapshot.matcher.combination(profile);
    let reason: NoBidReason = 'unreadable';
    for (let index = 0; index < outline.imps; index += 1) {
      const placement = this.#placementOf(outline, index, rules, snapshot);
      if (placement === null) return null;
      const own = impReason(placement, combination, profile, snapshot, outlinedFloor(outline, index, rates));
      if (own === null) return null;
      reason = further(reason, own);
    }
    return reason;
  }

  #restart(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#placements = new Map();
    this.#count = 0;
    this.#bytes = 0;
  }

  #placementOf(outline: Outline, index: number, rules: ExchangeRules, snapshot: Snapshot): Placement | null {
    const banner = outline.impText(index, 'banner');
    const video = outline.impText(index, 'video');
    const native = outline.impText(index, 'native');
    const interstitial = outline.impNumber(index, 'interstitial');
    const screen = interstitial === 1 ? screenOf(outline) : '';
    const key = `${screen}\n${banner}\n${video}\n${native}`;
    let known = this.#placements.get(rules);
    const placement = known?.get(key);
    if (placement) return placement;
    if (key.length > PLACEMENT_CHARS_MAX) return null;
    const read = placementIn({ banner, video, native, interstitial }, outline, rules, snapshot);
    this.#count += 1;
    this.#bytes += key.length + (read.adsets?.byteLength ?? 0);
    if (this.#count > PLACEMENTS_MAX || this.#bytes > PLACEMENT_BYTES_MAX) {
      this.#restart(snapshot);
      known = undefined;
    }
    if (!known) this.#placements.set(rules, (known = new Map()));
    known.set(key, read);
    return read;
  }
}

function screenOf(outline: Outline): string {
  return `${outline.number('screenWidth')} ${outline.number('screenHeight')}`;
}

/** Reads a placement as the reader of whole requests does. It does not see whether an imp is rewarded: such an imp takes fewer formats. */
function placementIn(
  parts: { banner: string; video: string; native: string; interstitial: number },
  outline: Outline,
  rules: ExchangeRules,
  { byFormat, candidates }: Snapshot,
): Placement {
  const screen = readSize({ w: outline.number('screenWidth'), h: outline.number('screenHeight') });
  const json = { ...partsOf(parts), instl: parts.interstitial };
  const placements = readPlacements(json, { screen, rules });
  const { slots, reason } = fittingFormats(placements, byFormat);
  const hasOneFloor = (placements.video?.durationFloors.length ?? 0) === 0;
  if (slots.length === 0) return { adsets: null, reason, hasOneFloor, reasons: new Map() };
  const adsets = createBitset(candidates.length);
  for (const slot of slots) union(adsets, slot.adsets);
  return { adsets, reason, hasOneFloor, reasons: new Map() };
}

/** The parts of an imp from their JSON with a character for each byte. */
export function partsOf({ banner, video, native }: { banner: string; video: string; native: string }) {
  const parts: Record<string, unknown> = {};
  for (const [name, latin1] of Object.entries({ banner, video, native }))
    if (latin1 !== '') parts[name] = JSON.parse(Buffer.from(latin1, 'latin1').toString('utf8'));
  return parts;
}

/** The floor of an imp, micros per thousand; 0 where it has none, or none that is known. */
export function outlinedFloor(outline: Outline, index: number, rates: CurrencyRates): number {
  const floor = outline.impNumber(index, 'floor');
  if (!(floor > 0)) return 0;
  const dollars = floorRateOf(outline.impText(index, 'floorCurrency'), rates);
  return dollars === undefined ? 0 : floorMicros(floor, dollars);
}

function impReason(
  placement: Placement,
  combination: Combination,
  profile: CommonProfile,
  { matcher, candidates }: Snapshot,
  floorCpmMicros: number,
): NoBidReason | null {
  const { adsets, reason, hasOneFloor } = placement;
  if (adsets === null) return reason;
  const first = firstShared(adsets, combination.adsets);
  if (first < 0) return mismatchOf(placement, adsets, combination, profile, matcher);
  // Ad sets are in descending order of their highest bids.
  return hasOneFloor && candidates[first]!.ceilingCpmMicros < floorCpmMicros ? 'floor' : null;
}

/** The first ad set in both; -1 for none. */
function firstShared(one: Bitset, other: Bitset | null): number {
  if (other === null) return -1;
  for (let word = 0; word < one.length; word += 1) {
    const shared = one[word]! & other[word]!;
    if (shared !== 0) return word * 32 + lowestBit(shared);
  }
  return -1;
}

function mismatchOf(
  { reasons }: Placement,
  adsets: Bitset,
  combination: Combination,
  profile: CommonProfile,
  matcher: Matcher,
): NoBidReason {
  const known = reasons.get(combination);
  if (known) return known;
  const reason = matcher.narrowByCommon(adsets.slice(), profile) ?? 'unreadable';
  if (reasons.size >= REASONS_MAX) reasons.clear();
  reasons.set(combination, reason);
  return reason;
}
