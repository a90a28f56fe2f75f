import type { SsoDomain } from '@bidwell/contract/accounts/single-sign-on';
import type { Context } from '../../../context.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { proveDomain } from '../../identity/public.ts';
import { recordOperatorChange } from '../../changes/public.ts';
import { requireCompany } from './companies.ts';

/**
 * Gives a company a mail domain whose DNS it cannot change, for its single sign-on. Throws NotFound; Conflict for a domain that another
 * company has proven.
 */
export async function proveSsoDomain(
  ctx: Context,
  operator: Operator,
  { companyId, domain }: { companyId: string; domain: string },
): Promise<SsoDomain> {
  requireOperatorPermission(operator, 'company.write');
  return transact(ctx.db, async (tx) => {
    const { name } = await requireCompany(tx, companyId);
    const proven = await proveDomain(ctx, tx, companyId, domain);
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name,
      action: 'decide',
      done: 'Proved a mail domain of',
      before: { sso_domain: null },
      after: { sso_domain: domain },
    });
    return proven;
  });
}
