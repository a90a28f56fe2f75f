import type { RevenueDay } from '@bidwell/contract/operator/schema';
import type { CsvTable } from '../../lib/format/csv-file.ts';

/** Parts of a day's revenue with the headings of their columns, in the order of the table and of its CSV file. */
export const revenueParts = [
  ['spend', 'Spend'],
  ['media', 'Media cost'],
  ['margin', 'Margin'],
  ['funds', 'Funds added'],
] as const satisfies readonly (readonly [keyof RevenueDay, string])[];

/** The days as a table, oldest first. Dollars with at most six decimal places. Pure. */
export function revenueTable(days: readonly RevenueDay[]): CsvTable {
  return {
    fields: ['Date', ...revenueParts.map(([, heading]) => heading)],
    data: days.map((day) => [day.date, ...revenueParts.map(([part]) => Number(day[part].toFixed(6)))]),
  };
}
