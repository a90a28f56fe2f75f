import { z } from 'zod';
import { ADSET_AMOUNTS } from '../adsets/fields.ts';
import { limits } from '../lib/limits.ts';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** The field that an error names in addition to its own if a second person has to approve the change. */
export const APPROVAL_FIELD = 'approval';

/** Days in which a request can be approved. */
export const APPROVAL_DAYS = 7;
/** Most changes of ad sets in a request, and most open requests of a company. */
export const APPROVAL_ADSETS_MAX = 100;
export const OPEN_APPROVALS_MAX = 100;
/** Requests in the list that are not open any more. */
export const DECIDED_APPROVALS_MAX = 100;

const limit = z
  .number()
  .min(limits.amountMinDollars, messages.belowCent)
  .max(limits.budgetMaxDollars)
  .nullable()
  .describe('Dollars; null for no limit.');

/** Above which budgets of a campaign a second person has to approve. */
export const ApprovalLimits = z.object({ daily_budget_above: limit, total_budget_above: limit });
export type ApprovalLimits = z.infer<typeof ApprovalLimits>;

/** The requested budget of an ad set; null is unlimited. */
const budget = (field: 'daily_budget_const' | 'all_budget_const') =>
  z
    .number()
    .min(ADSET_AMOUNTS[field].min, messages.belowCent)
    .max(ADSET_AMOUNTS[field].max)
    .nullable()
    .optional();

/** The requested change of an ad set; absent fields stay unchanged. */
const AdsetChange = z.object({
  uuid: Uuid,
  status: z.literal('Active').optional(),
  daily_budget_const: budget('daily_budget_const'),
  all_budget_const: budget('all_budget_const'),
});
export type AdsetChange = z.infer<typeof AdsetChange>;

/** Asks a second person to start a campaign, or to change budgets of one that runs. */
export const ApprovalInput = z.object({
  campaign_uuid: Uuid,
  start: z.boolean().default(false),
  adsets: z
    .array(AdsetChange)
    .max(APPROVAL_ADSETS_MAX)
    .default([])
    .refine(
      (changes) => new Set(changes.map(({ uuid }) => uuid)).size === changes.length,
      messages.twiceInList,
    ),
  note: z.string().trim().max(limits.descriptionMax).default(''),
});
export type ApprovalInput = z.infer<typeof ApprovalInput>;

export const ApprovalState = z.enum(['open', 'approved', 'rejected', 'withdrawn', 'expired', 'outdated']);
export type ApprovalState = z.infer<typeof ApprovalState>;

const PersonName = z.object({ uuid: Uuid.nullable(), name: z.string() });
const Budgets = z.object({
  /** Dollars of the ad sets that run, together; null is unlimited. */
  daily_budget: z.number().nullable(),
  total_budget: z.number().nullable(),
});

/** A request for approval. */
export const Approval = z.object({
  uuid: Uuid,
  campaign: z.object({ uuid: Uuid, name: z.string() }),
  state: ApprovalState,
  start: z.boolean(),
  /** The ad sets that run once it is approved, with their budgets in dollars; null is unlimited. */
  adsets: z.array(
    z.object({
      uuid: Uuid,
      name: z.string(),
      is_changed: z.boolean(),
      daily_budget_const: z.number().nullable(),
      all_budget_const: z.number().nullable(),
    }),
  ),
  /** The budgets of the campaign when the request was made, and once it is approved. */
  before: Budgets,
  after: Budgets,
  /** Hash of the change and the resulting budgets: an approval covers exactly these. */
  hash: z.string(),
  note: z.string(),
  requested_by: PersonName,
  /** Who approved, rejected or withdrew it. */
  decided_by: PersonName.nullable(),
  /** Why it was rejected; empty otherwise. */
  reason: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Timestamp.nullable(),
});
export type Approval = z.infer<typeof Approval>;

/** The hash of the request: the approval covers the version that the approver saw. */
export const ApproveInput = z.object({ hash: z.string().length(64) });

export const RejectInput = z.object({
  reason: z.string().trim().min(1, messages.required).max(limits.descriptionMax),
});
