import { z } from 'zod';
import { limits } from './limits.ts';
import { messages } from './messages.ts';
import { Page, Timestamp, Uuid } from './wire.ts';

export const TransactionStatus = z.enum(['success', 'pending', 'declined']);
export type TransactionStatus = z.infer<typeof TransactionStatus>;

export const TransactionKind = z.enum(['top_up', 'credit', 'debit', 'spend']);
export type TransactionKind = z.infer<typeof TransactionKind>;

export const Balance = z.object({
  balance: z.number(),
  currency: z.literal('USD'),
  spent_today: z.number(),
  /** Dollars by which the balance may go below zero before campaigns stop bidding. */
  credit_limit: z.number(),
});
export type Balance = z.infer<typeof Balance>;

export const TransactionQuery = Page.extend({ status: TransactionStatus.optional() });
export type TransactionQuery = z.infer<typeof TransactionQuery>;

export const Transaction = z.object({
  uuid: Uuid,
  kind: TransactionKind,
  status: TransactionStatus,
  /** In dollars; positive for a credit, negative for a debit. */
  amount: z.number(),
  description: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Transaction = z.infer<typeof Transaction>;

export const TransactionList = z.object({ transactions: z.array(Transaction), total: z.number().int() });
export type TransactionList = z.infer<typeof TransactionList>;

const cents = z
  .number('Enter an amount')
  .positive('Enter an amount above 0')
  .max(limits.topUpMaxDollars, 'At most 1 000 000')
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, 'Use at most two decimals');

/** POST /finance/top_up: requests a top-up, in dollars. */
export const TopUpInput = z.object({ amount: cents });
export type TopUpInput = z.infer<typeof TopUpInput>;

/** A withdrawal of funds; no call uses it yet. */
export const Withdrawal = z.object({
  payment_system: z.enum(['Paypal', 'WebMoney', 'QIWI'], messages.paymentSystem),
  amount: cents,
});
export type Withdrawal = z.infer<typeof Withdrawal>;
