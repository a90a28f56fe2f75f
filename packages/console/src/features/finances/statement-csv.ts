import type { AccountStatement } from '@bidwell/contract/finance';
import type { CsvTable } from '../../lib/csv-file.ts';

/** Dollars with at most six decimal places, as the ledger has them. */
const exact = (dollars: number) => Number(dollars.toFixed(6));

/** A statement as a table: its movements between the opening and the closing balance, or its spend by campaign. Pure. */
export function statementCsv(statement: AccountStatement, by: 'day' | 'campaign'): CsvTable {
  const { start_date: start, end_date: end, opening, closing, lines, campaigns } = statement;
  if (by === 'campaign')
    return {
      fields: ['Campaign', 'Campaign id', 'Spend'],
      data: campaigns.map(({ uuid, name, spend }) => [name, uuid, exact(spend)]),
    };
  return {
    fields: ['Date', 'Kind', 'Description', 'Amount', 'Balance'],
    data: [
      [start, 'opening', 'Opening balance', '', exact(opening)],
      ...lines.map(({ date, kind, description, amount, balance }) => [
        date,
        kind,
        description,
        exact(amount),
        exact(balance),
      ]),
      [end, 'closing', 'Closing balance', '', exact(closing)],
    ],
  };
}
