import type { PostbackKey, PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { postbackKeyTexts } from '../../../entities/skadnetwork/postback-text.ts';
import type { CsvTable } from '../../../lib/format/csv-file.ts';

const FIGURES = [
  ['Postbacks', 'postbacks'],
  ['Won', 'won'],
  ['Lost', 'lost'],
  ['Downloads', 'downloads'],
  ['Redownloads', 'redownloads'],
  ['Re-engagements', 're_engagements'],
] as const;

/** The rows of a report as a CSV file. Pure. */
export function postbackCsv(keys: readonly PostbackKey[], { rows }: PostbackReport): CsvTable {
  return {
    fields: [...keys.map((key) => postbackKeyTexts[key]), ...FIGURES.map(([title]) => title)],
    data: rows.map((row) => [
      ...row.groups.map(({ name }) => name),
      ...FIGURES.map(([, field]) => row[field]),
    ]),
  };
}
