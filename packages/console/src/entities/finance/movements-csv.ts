import type { StatementLine } from '@bidwell/contract/finance/schema';
import type { CsvTable } from '../../lib/format/csv-file.ts';

/** Dollars with at most six decimal places, as the ledger has them. */
export const exactDollars = (dollars: number) => Number(dollars.toFixed(6));

/** A statement's opening and closing balances, each with its date or month, and the movements between them. */
interface Movements {
  opening: readonly [at: string, dollars: number];
  lines: readonly StatementLine[];
  closing: readonly [at: string, dollars: number];
}

/** The movements of a statement as a table: the opening balance, each movement with the balance after it, the closing one. */
export function movementsCsv({ opening, lines, closing }: Movements): CsvTable {
  return {
    fields: ['Date', 'Kind', 'Description', 'Amount', 'Balance'],
    data: [
      [opening[0], 'opening', 'Opening balance', '', exactDollars(opening[1])],
      ...lines.map(({ date, kind, description, amount, balance }) => [
        date,
        kind,
        description,
        exactDollars(amount),
        exactDollars(balance),
      ]),
      [closing[0], 'closing', 'Closing balance', '', exactDollars(closing[1])],
    ],
  };
}
