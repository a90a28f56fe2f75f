import type { FrequencyCap } from '@bidwell/contract/frequency/caps';

/** 64 bits in two halves, each an unsigned integer of 32 bits. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

/** A digest as sixteen hexadecimal digits. */
export function digestText({ high, low }: Digest): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** Reads what {@link digestText} wrote; null for any other text. */
export function readDigest(text: string): Digest | null {
  if (!/^[0-9a-f]{16}$/.test(text)) return null;
  return { high: Number.parseInt(text.slice(0, 8), 16), low: Number.parseInt(text.slice(8), 16) };
}

/** The frequency caps of an ad set and its campaign, compiled for the auction. */
export interface CompiledCaps {
  /** The shortest time first; empty for none. */
  readonly adset: readonly FrequencyCap[];
  readonly campaign: readonly FrequencyCap[];
  /** What is counted for each person: the impressions of the ad set, and of the campaign. */
  readonly adsetSubject: Digest;
  readonly campaignSubject: Digest;
  /** Whether people whom no id identifies get no bid. */
  readonly skipsWithoutId: boolean;
}

/** The caps of an ad set as it is stored; `caps` and the others are absent from rows that an older version wrote to disk. */
export interface CappedRow {
  adsetId: string;
  campaignId: string;
  caps?: readonly FrequencyCap[];
  campaignCaps?: readonly FrequencyCap[];
  peopleWithoutId?: 'bid' | 'skip';
}

/** Compiles the caps of an ad set; null for one without. */
export function compileCaps({
  adsetId,
  campaignId,
  caps = [],
  campaignCaps = [],
  peopleWithoutId,
}: CappedRow): CompiledCaps | null {
  if (caps.length === 0 && campaignCaps.length === 0) return null;
  return {
    adset: caps,
    campaign: campaignCaps,
    adsetSubject: subjectOf(adsetId),
    campaignSubject: subjectOf(campaignId),
    skipsWithoutId: peopleWithoutId === 'skip',
  };
}

/** The digest of a UUID with hyphens, of an ad set, a campaign or a bid. */
export function subjectOf(uuid: string): Digest {
  const part = (from: number, to: number): number => Number.parseInt(uuid.slice(from, to), 16);
  return {
    high: (part(0, 8) ^ ((part(19, 23) << 16) | part(24, 28))) >>> 0,
    low: (((part(9, 13) << 16) | part(14, 18)) ^ part(28, 36)) >>> 0,
  };
}
