import { toDollars } from '@bidwell/contract/lib/money';
import type { Pretargeting } from '@bidwell/contract/operator/exchange-health';
import { appendTo } from '../../../platform/group-by.ts';

/** Requests of an exchange of one country, system and format, with their expected charges. */
export interface OfferedSegment {
  country: string;
  system: string;
  format: string;
  offered: number;
  skipped: number;
  /** Expected charges in micros, of all its requests and of those skipped; null where they are not known. */
  micros: number | null;
  skippedMicros: number | null;
}

/** Exchanges take few configurations: Google ten. */
const CONFIGURATIONS_MAX = 10;
const DAY_SECONDS = 86_400;

/**
 * What to ask an exchange to send instead of everything: the segments of the highest value of a request that together fit in the limit, as at
 * most ten configurations of countries, a system and formats, those of the most value first. Pure.
 */
export function pretargetingOf(
  segments: readonly OfferedSegment[],
  limitPerSecond: number,
  seconds: number,
): Pretargeting[] {
  const chosen = mostValuable(segments, limitPerSecond * seconds);
  const groupings = [
    grouped(
      chosen,
      ({ country }) => country,
      ({ format }) => format,
    ),
    grouped(
      chosen,
      ({ format }) => format,
      ({ country }) => country,
    ),
  ].map((groups) =>
    groups
      .map((group) => configurationOf(group, seconds))
      .sort((a, b) => b.value_per_day - a.value_per_day)
      .slice(0, CONFIGURATIONS_MAX),
  );
  const valueOf = (configurations: readonly Pretargeting[]): number =>
    configurations.reduce((sum, { value_per_day: value }) => sum + value, 0);
  const [byCountry, byFormat] = groupings as [Pretargeting[], Pretargeting[]];
  const isByCountry =
    valueOf(byCountry) > valueOf(byFormat) ||
    (valueOf(byCountry) === valueOf(byFormat) && byCountry.length <= byFormat.length);
  return isByCountry ? byCountry : byFormat;
}

/** The segments with the highest value of a request that fit, without those that are worth nothing. */
function mostValuable(segments: readonly OfferedSegment[], requestsMax: number): OfferedSegment[] {
  const valueOf = ({ micros, offered }: OfferedSegment): number => (micros ?? 0) / offered;
  const sorted = segments
    .filter((one) => valueOf(one) > 0 && one.country !== '' && one.system !== '')
    .sort((a, b) => valueOf(b) - valueOf(a));
  const chosen: OfferedSegment[] = [];
  let requests = 0;
  for (const segment of sorted) {
    // The first one may be more than the limit by itself.
    if (chosen.length > 0 && requests + segment.offered > requestsMax) continue;
    requests += segment.offered;
    chosen.push(segment);
  }
  return chosen;
}

/** Groups segments of a system whose values of `ofOne`, such as countries, have the same values of `ofOther`, such as formats. */
function grouped(
  segments: readonly OfferedSegment[],
  ofOne: (segment: OfferedSegment) => string,
  ofOther: (segment: OfferedSegment) => string,
): OfferedSegment[][] {
  const byOne = new Map<string, OfferedSegment[]>();
  for (const segment of segments) appendTo(byOne, `${segment.system}|${ofOne(segment)}`, segment);
  const groups = new Map<string, OfferedSegment[]>();
  for (const parts of byOne.values()) {
    const key = `${parts[0]!.system}|${parts.map(ofOther).sort().join('|')}`;
    for (const segment of parts) appendTo(groups, key, segment);
  }
  return [...groups.values()];
}

function configurationOf(segments: readonly OfferedSegment[], seconds: number): Pretargeting {
  const sum = (valueOf: (segment: OfferedSegment) => number | null) =>
    segments.reduce((total, segment) => total + (valueOf(segment) ?? 0), 0);
  const perDay = (micros: number): number => (toDollars(micros) / seconds) * DAY_SECONDS;
  const distinct = (valueOf: (segment: OfferedSegment) => string) =>
    [...new Set(segments.map(valueOf))].sort();
  return {
    system: segments[0]!.system,
    countries: distinct(({ country }) => country),
    formats: distinct(({ format }) => format),
    requests_per_second: sum(({ offered }) => offered) / seconds,
    value_per_day: perDay(sum(({ micros }) => micros)),
    added_value_per_day: perDay(sum(({ skippedMicros }) => skippedMicros)),
  };
}
