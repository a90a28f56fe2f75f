import { escapeFormula } from '@bidwell/contract/lib/csv';
import { actionCode } from '../load-code.ts';

/** Header and rows of a CSV file. Numbers stay numbers; null becomes an empty cell. */
export interface CsvTable {
  fields: string[];
  data: (string | number)[][];
}

/** The text of a CSV file (RFC 4180). Cells that a spreadsheet would run as formulas are escaped. */
export async function csvText(table: CsvTable): Promise<string> {
  const { default: papa } = await actionCode(() => import('papaparse'));
  const data = table.data.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell)),
  );
  return papa.unparse({ fields: table.fields, data }, { newline: '\r\n' });
}

/** The byte order mark makes spreadsheets read the file as UTF-8. */
export const csvFile = (text: string) => new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' });

/** Downloads a file in the browser. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
