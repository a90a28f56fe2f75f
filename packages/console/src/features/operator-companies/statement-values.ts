import type { Statement } from '@bidwell/contract/operator';
import type { CsvTable } from '../../lib/csv-file.ts';

/** The months from that of a date to the present one, YYYY-MM, the newest first. Pure. */
export function monthsSince(date: string, present: string): string[] {
  const months: string[] = [];
  let [year, month] = present.split('-').map(Number) as [number, number];
  for (;;) {
    const text = `${year}-${String(month).padStart(2, '0')}`;
    if (text < date.slice(0, 7)) return months;
    months.push(text);
    month -= 1;
    if (month === 0) [year, month] = [year - 1, 12];
  }
}

/**
 * A statement as a table: the opening balance, a row for each movement with the balance after it, and the closing
 * balance. Dollars with at most six decimal places. Pure.
 */
export function statementTable({ month, opening, closing, lines }: Statement): CsvTable {
  const exact = (dollars: number) => Number(dollars.toFixed(6));
  return {
    fields: ['Date', 'Kind', 'Description', 'Amount', 'Balance'],
    data: [
      [month, 'opening', 'Opening balance', '', exact(opening)],
      ...lines.map(({ date, kind, description, amount, balance }) => [
        date,
        kind,
        description,
        exact(amount),
        exact(balance),
      ]),
      [month, 'closing', 'Closing balance', '', exact(closing)],
    ],
  };
}
