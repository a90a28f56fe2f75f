import type { Pretargeting, SkippedSegment } from '@bidwell/contract/operator/exchange-health';
import type { CsvTable } from '../../lib/format/csv-file.ts';

const SYSTEMS: Readonly<Record<string, string>> = { android: 'Android', ios: 'iOS' };

/** The name of a system. */
export function systemText(system: string): string {
  return SYSTEMS[system] ?? 'Unknown';
}

/** Whether a segment is the rest: the requests of kinds that are too rare to be counted apart, and those that say nothing. */
function isRest({ country, system, format }: SkippedSegment): boolean {
  return country === '' && system === '' && format === '';
}

/** Country, system and format of a segment. */
export function segmentTexts(segment: SkippedSegment): readonly [string, string, string] {
  const { country, system, format } = segment;
  if (isRest(segment)) return ['All others', '', ''];
  return [country || 'Unknown', systemText(system), formatText(format)];
}

/** Sizes with a sign for times. */
export function formatText(format: string): string {
  return format === '' ? 'Unknown' : format.replaceAll(/(\d)x(\d)/g, '$1×$2');
}

/** Dollars with at most six decimal places; empty where they are not known. */
function csvDollars(dollars: number | null): number | string {
  return dollars === null ? '' : Number(dollars.toFixed(6));
}

/** The skipped requests by segment, as a CSV file has them. */
export function segmentsTable(segments: readonly SkippedSegment[]): CsvTable {
  return {
    fields: ['Country', 'System', 'Format', 'Requests', 'Skipped', 'Estimated value skipped a day ($)'],
    data: segments.map((segment) => [
      ...segmentTexts(segment).slice(0, 2),
      segment.format,
      segment.offered,
      segment.skipped,
      csvDollars(segment.skipped_value_per_day),
    ]),
  };
}

/** The configurations to ask for, as a CSV file has them. */
export function pretargetingTable(configurations: readonly Pretargeting[]): CsvTable {
  return {
    fields: [
      'System',
      'Countries',
      'Formats',
      'Requests per second',
      'Estimated value a day ($)',
      'Of it skipped a day ($)',
    ],
    data: configurations.map((one) => [
      systemText(one.system),
      one.countries.join(' '),
      one.formats.join('; '),
      Number(one.requests_per_second.toFixed(2)),
      csvDollars(one.value_per_day),
      csvDollars(one.added_value_per_day),
    ]),
  };
}
