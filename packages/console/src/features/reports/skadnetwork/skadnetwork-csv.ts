import type { Comparison, PostbackKey, PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { postbackKeyTexts } from '../../../entities/skadnetwork/postback-text.ts';
import type { CsvTable } from '../../../lib/format/csv-file.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { labelInRange } from '../../../lib/format/dates.ts';
import { type ComparisonGroup, comparedName, groupComparison } from './comparison-groups.ts';
import { POSTBACK_FIGURES, postbackFigure } from './postback-figures.ts';

/** The titles of the column that says when something arrived. */
export const arrivalTitles: Readonly<Record<ComparisonGroup, string>> = {
  day: 'Day of arrival',
  week: 'Week of arrival',
};

/** An unknown figure is an empty cell. */
const cell = (figure: number | null): number | string => figure ?? '';

/** The rows of a report as a CSV file, the total last. Pure. */
export function postbackCsv(keys: readonly PostbackKey[], { rows, total }: PostbackReport): CsvTable {
  return {
    fields: [...keys.map((key) => postbackKeyTexts[key]), ...POSTBACK_FIGURES.map(({ title }) => title)],
    data: [
      ...rows.map((row) => [
        ...row.groups.map(({ name }) => name),
        ...POSTBACK_FIGURES.map(({ id }) => cell(postbackFigure(row, keys, id))),
      ]),
      ['Total', ...keys.slice(1).map(() => ''), ...POSTBACK_FIGURES.map(({ id }) => total[id])],
    ],
  };
}

/** Installs of partners and by postbacks by ad set and day or week of a range as a CSV file, the total last. Pure. */
export function comparisonCsv(
  { rows, total }: Comparison,
  group: ComparisonGroup,
  range: DateRange,
): CsvTable {
  return {
    fields: ['Ad set', arrivalTitles[group], 'Partner installs', 'Installs by postbacks'],
    data: [
      ...groupComparison(rows, group).map((row) => [
        comparedName(row),
        group === 'day' ? row.day : labelInRange(row.day, group, range),
        cell(row.partner_installs),
        row.postback_installs,
      ]),
      ['Total', '', total.partner_installs, total.postback_installs],
    ],
  };
}
