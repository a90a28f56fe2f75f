import { formatMoney } from './format.ts';

/** A transaction's amount with its sign: plus for a credit, minus for a debit, even where it rounds to zero. */
export function amountText(dollars: number): string {
  return `${dollars > 0 ? '+' : '-'}${formatMoney(Math.abs(dollars))}`;
}
