import type { Statement } from '@bidwell/contract/operator/schema';
import type { CsvTable } from '../../lib/format/csv-file.ts';
import { movementsCsv } from '../../entities/finance/movements-csv.ts';

/** The months from the month of a date to the present one, YYYY-MM, the newest first. Pure. */
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
 * The months of a company that can be invoiced, the newest first: they are over, and after the month of its last invoice (YYYY-MM, null
 * without one). Pure.
 */
export function invoiceableMonths(of: {
  created: string;
  lastMonth: string | null;
  present: string;
}): string[] {
  const { created, lastMonth, present } = of;
  return monthsSince(created, present).filter(
    (month) => month < present && (lastMonth === null || month > lastMonth),
  );
}

/** A statement's movements as a table, in dollars. Pure. */
export function statementTable({ month, opening, closing, lines }: Statement): CsvTable {
  return movementsCsv({ opening: [month, opening], lines, closing: [month, closing] });
}
