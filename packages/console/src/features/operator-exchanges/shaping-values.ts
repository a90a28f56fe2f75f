import type { Pretargeting, SkippedSegment } from '@bidwell/contract/operator/exchange-health';
import type { CsvTable } from '../../lib/format/csv-file.ts';

const SYSTEMS: Readonly<Record<string, string>> = { android: 'Android', ios: 'iOS' };

/** The name of a system. */
export function systemText(system: string): string {
  return SYSTEMS[system] ?? 'Unknown';
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
    data: segments.map(({ country, system, format, offered, skipped, skipped_value_per_day: value }) => [
      country,
      systemText(system),
      format,
      offered,
      skipped,
      csvDollars(value),
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
