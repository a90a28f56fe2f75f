import { formatMoney } from '../../lib/format.ts';

/** A transaction's amount: a credit with a plus, a debit with a minus, however small it is (specification, section 3). */
export function amountText(dollars: number): string {
  return `${dollars > 0 ? '+' : '-'}${formatMoney(Math.abs(dollars))}`;
}
