import type { Approval } from '@bidwell/contract/approvals/schema';
import { type Micros, MICROS, toDollars } from '@bidwell/contract/lib/money';
import { apiMessages } from '@bidwell/contract/text/messages';
import type { ApprovedBudget } from '../../../platform/postgres/schema.ts';
import { budgetSum } from './budget-approval.ts';
import type { ListedRow } from './store.ts';

/** A request as its response body has it; `now` decides whether its time is over. */
export function presentRequest(row: ListedRow, now: Date): Approval {
  const changed = new Set(row.change.adsets.map(({ uuid }) => uuid));
  return {
    uuid: row.uuid,
    campaign: { uuid: row.campaign_uuid, name: row.campaign_name },
    state: row.state === 'open' && row.expires_at <= now ? 'expired' : row.state,
    start: row.change.start,
    adsets: row.budgets.map((one) => ({
      uuid: one.uuid,
      name: one.name,
      is_changed: changed.has(one.uuid),
      daily_budget_const: dollars(one.daily_budget_micros),
      all_budget_const: dollars(one.all_budget_micros),
    })),
    before: sums(row.before),
    after: sums(row.budgets),
    hash: row.hash,
    note: row.note,
    requested_by: { uuid: row.requested_by, name: row.requested_by_name ?? apiMessages.formerPerson },
    decided_by: row.decided_at && {
      uuid: row.decided_by,
      name: row.decided_by_name ?? apiMessages.formerPerson,
    },
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

const dollars = (micros: Micros | null) => (micros === null ? null : toDollars(micros));

function sums(budgets: readonly ApprovedBudget[]): Approval['after'] {
  const { daily, total } = budgetSum(budgets);
  // For the screen only: a sum above nine billion dollars is rounded.
  const inDollars = (micros: bigint | null) => (micros === null ? null : Number(micros) / MICROS);
  return { daily_budget: inDollars(daily), total_budget: inDollars(total) };
}
