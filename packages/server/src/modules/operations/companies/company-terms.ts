import { toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { CompanyTerms, OperatorCompany } from '@bidwell/contract/operator/schema';
import type { Context } from '../../../context.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { changeCreditLimit } from '../../money/public.ts';
import { changedFields, recordAuditEntry } from '../../changes/public.ts';
import { getCompany, presentTerms, requireCompany } from './companies.ts';
import { type CompanyRow, updateCompany } from './company-store.ts';
import { changeTimeZone } from './time-zone.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** What operators agree with a company or note on it, as their log shows it. */
type Terms = Required<CompanyTerms>;

/**
 * Changes what operators agree with a company or note on it. The company is notified of a new credit limit or time zone,
 * and never of its margin or the notes. Throws NotFound; Invalid for a time zone that PostgreSQL does not know.
 */
export async function changeCompany(
  ctx: Context,
  operator: Operator,
  { companyId, ...changes }: CompanyTerms & { companyId: string },
): Promise<OperatorCompany> {
  requireOperatorPermission(operator, 'company.terms');
  await transact(ctx.db, async (tx) => {
    const row = await requireCompany(tx, companyId);
    await requireExpected(() => presentTerms(row));
    const before = termsOf(row);
    const after: Terms = { ...before, ...definedOf(changes) };
    const differing = changedFields(before, after);
    if (differing.length === 0) return;
    const changed = differing.map(({ field }) => field);
    await changeCreditLimit(ctx, tx, companyId, toMicros(after.credit_limit));
    if (changed.includes('notes')) await updateCompany(tx.db, companyId, { notes: after.notes });
    if (changed.includes('storage_quota_bytes'))
      await updateCompany(tx.db, companyId, { storage_quota_bytes: after.storage_quota_bytes });
    if (changed.includes('time_zone')) await changeTimeZone(ctx, tx, row, after.time_zone);
    if (changed.includes('margin_percent')) await changeMargin(ctx, tx, companyId, after.margin_percent);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'company',
      entityId: companyId,
      companyId,
      name: row.name,
      before: Object.fromEntries(differing.map(({ field, before: value }) => [field, value])),
      after: Object.fromEntries(differing.map(({ field, after: value }) => [field, value])),
    });
  });
  return getCompany(ctx, operator, { companyId });
}

function termsOf(row: CompanyRow): Terms {
  return {
    credit_limit: toDollars(row.credit_limit_micros),
    margin_percent: row.margin_basis_points / 100,
    time_zone: row.time_zone,
    storage_quota_bytes: row.storage_quota_bytes,
    notes: row.notes,
  };
}

function definedOf(changes: CompanyTerms): Partial<Terms> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/**
 * Sets the margin of new bids: bidders are notified. The change is in the operators' log alone; neither the company's
 * change log nor its open pages show it.
 */
async function changeMargin(ctx: Context, tx: Tx, uuid: string, percent: number): Promise<void> {
  await updateCompany(tx.db, uuid, { margin_basis_points: Math.round(percent * 100) });
  tx.changes(uuid);
  tx.afterCommit(() => ctx.onEntityChanged({ companyId: uuid, entity: 'company', uuid, action: 'update' }));
}
