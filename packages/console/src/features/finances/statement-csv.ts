import type { AccountStatement } from '@bidwell/contract/finance/schema';
import type { CsvTable } from '../../lib/format/csv-file.ts';
import { exactDollars, movementsCsv } from '../../entities/finance/movements-csv.ts';

/** A statement as a table: its movements between the opening and the closing balance, or its spend by campaign. Pure. */
export function statementCsv(statement: AccountStatement, by: 'day' | 'campaign'): CsvTable {
  const { start_date: start, end_date: end, opening, closing, lines, campaigns } = statement;
  if (by === 'campaign')
    return {
      fields: ['Campaign', 'Campaign id', 'Spend'],
      data: campaigns.map(({ uuid, name, spend }) => [name, uuid, exactDollars(spend)]),
    };
  return movementsCsv({ opening: [start, opening], lines, closing: [end, closing] });
}
