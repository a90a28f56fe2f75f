import { z } from 'zod';
import { daysBetween } from '../lib/calendar.ts';
import { limits } from '../lib/limits.ts';
import { campaignMessages } from '../campaigns/messages.ts';
import { financeMessages } from './messages.ts';
import { CalendarDate, Page, Timestamp, Uuid } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

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

export const TransactionQuery = Page.extend({
  status: TransactionStatus.optional(),
  /** `day` lists the media spend of a day, of all campaigns and hours, as one transaction. */
  fold: z.enum(['day']).optional(),
});
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
  /** With `fold`, of media spend: its day in the company's time zone, or the first day of its month. */
  folded: z
    .object({
      date: CalendarDate,
      is_month: z.boolean(),
      campaigns: z.number().int(),
      hours: z.number().int(),
    })
    .optional(),
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
  payment_system: z.enum(['Paypal', 'WebMoney', 'QIWI'], financeMessages.paymentSystem),
  amount: cents,
});
export type Withdrawal = z.infer<typeof Withdrawal>;

/** One movement of a statement: a credit, debit or top-up, or the media spend of a day. */
export const StatementLine = z.object({
  date: CalendarDate,
  kind: TransactionKind,
  description: z.string(),
  /** In dollars; positive for a credit. */
  amount: z.number(),
  /** The balance after it, in dollars. */
  balance: z.number(),
});
export type StatementLine = z.infer<typeof StatementLine>;

/**
 * The movements of a company's balance in a period, in dollars. The opening balance and all movements sum to the closing
 * balance. Spend counts on the day of its hour, everything else on the day on which it took effect.
 */
export const StatementBody = z.object({
  time_zone: z.string(),
  /** The period has not ended, so that movements may follow. */
  open: z.boolean(),
  opening: z.number(),
  closing: z.number(),
  /** Sums of the movements by kind. */
  totals: z.object({ top_up: z.number(), credit: z.number(), debit: z.number(), spend: z.number() }),
  lines: z.array(StatementLine),
  /** The period's media spend by campaign, the largest first; not negative. */
  campaigns: z.array(z.object({ uuid: Uuid, name: z.string(), spend: z.number() })),
});

/** The most days of a statement. */
const STATEMENT_DAYS_MAX = 366;

/** GET /finance/statement: the first and the last day, in the company's time zone. */
export const StatementQuery = z
  .object({ start_date: CalendarDate, end_date: CalendarDate })
  .refine(({ start_date: start, end_date: end }) => start <= end, {
    path: ['end_date'],
    message: campaignMessages.endBeforeStart,
  })
  .refine(({ start_date: start, end_date: end }) => !(daysBetween(start, end) >= STATEMENT_DAYS_MAX), {
    path: ['end_date'],
    message: `A statement has at most ${STATEMENT_DAYS_MAX} days`,
  });
export type StatementQuery = z.infer<typeof StatementQuery>;

/** The company's own {@link StatementBody} of a range of days. */
export const AccountStatement = StatementBody.extend({ start_date: CalendarDate, end_date: CalendarDate });
export type AccountStatement = z.infer<typeof AccountStatement>;

/** How companies pay, in the operator's words; plain text with line breaks, '' for none. */
export const PaymentInstructions = z.object({
  instructions: z.string().trim().max(2000, 'At most 2\u00a0000 characters'),
});
export type PaymentInstructions = z.infer<typeof PaymentInstructions>;

export const paymentInstructionsVersion = entityVersion(PaymentInstructions);
