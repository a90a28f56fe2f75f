import { z } from 'zod';
import { Uuid } from './wire.ts';

/** Calls of /api/operator, made with the operator's token by the command line. */
export const Decision = z
  .object({ status: z.enum(['Approved', 'Rejected']), reason: z.string().trim().max(500).optional() })
  .refine((decision) => decision.status === 'Approved' || !!decision.reason, {
    path: ['reason'],
    message: 'A rejection needs a reason',
  });
export type Decision = z.infer<typeof Decision>;

/** Moves money by hand; dollars. */
export const MoneyMove = z.object({
  amount: z.number().positive('Enter an amount above 0').max(1_000_000_000),
  reason: z.string().trim().min(1, 'Say why').max(200),
});
export type MoneyMove = z.infer<typeof MoneyMove>;

/** An exchange: where its bid requests come from (`/openrtb/{slug}`) and which notice it charges at. */
export const SspInput = z.object({
  name: z.string().trim().min(1).max(50),
  charge_on: z.enum(['billing', 'win']).default('billing'),
  active: z.boolean().default(true),
});
export type SspInput = z.infer<typeof SspInput>;

export const SspSlug = z.object({
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'Lower-case letters, digits and dashes'),
});

export const Suspension = z.object({ suspended: z.boolean() });

export const ModerationItem = z.object({
  entity: z.enum(['app', 'creative']),
  uuid: Uuid,
  company_uuid: Uuid,
  name: z.string(),
  link: z.string(),
  since: z.string(),
});
export type ModerationItem = z.infer<typeof ModerationItem>;

export const OperatorCompany = z.object({
  uuid: Uuid,
  name: z.string(),
  logins: z.array(z.string()),
  balance: z.number(),
  suspended: z.boolean(),
  postback_secret: z.string(),
  time_zone: z.string(),
  created_at: z.string(),
});
export type OperatorCompany = z.infer<typeof OperatorCompany>;

export const TopUpItem = z.object({
  uuid: Uuid,
  company_uuid: Uuid,
  amount: z.number(),
  created_at: z.string(),
});
export type TopUpItem = z.infer<typeof TopUpItem>;

/** GET /api/operator/ledger/check: what the books hold, in dollars, and everything in them that does not agree. */
export const LedgerCheck = z.object({
  transactions: z.number().int(),
  entries: z.number().int(),
  balances: z.number(),
  disagreements: z.array(
    z.object({
      what: z.enum(['entries', 'transaction', 'balance', 'spend', 'report']),
      company_uuid: Uuid,
      of: z.string(),
      expected: z.number(),
      found: z.number(),
    }),
  ),
});
export type LedgerCheck = z.infer<typeof LedgerCheck>;
