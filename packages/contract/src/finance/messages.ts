import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';

/** Messages of money for users, some shared by server and console. */
export const financeMessages = {
  paymentSystem: 'Please select a payment system',
  moneyMoveMax: `At most $${numberText(limits.moneyMoveMaxDollars)} at once`,
  balanceMax: (balance: string) =>
    `The balance is ${balance}; it can be at most $${numberText(limits.balanceMaxDollars)}`,
} as const;
