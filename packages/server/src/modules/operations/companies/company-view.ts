import type { Context } from '../../../context.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { prepareViewerSession } from '../../identity/public.ts';
import { recordOperatorChange } from '../../changes/public.ts';
import { requireCompany } from './companies.ts';

/**
 * Prepares a read-only session in a company's console, which the company sees in its change log. Returns the address that
 * opens it. Throws NotFound.
 */
export async function viewCompany(
  ctx: Context,
  operator: Operator,
  { companyId }: { companyId: string },
): Promise<{ address: string }> {
  requireOperatorPermission(operator, 'company.view');
  const { code } = await transact(ctx.db, async (tx) => {
    const { name } = await requireCompany(tx, companyId);
    const prepared = await prepareViewerSession(ctx, tx, { companyId, operatorId: operator.uuid });
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name,
      action: 'view',
      done: 'Viewed',
      before: null,
      after: { operator: operator.login, viewed_as: prepared.login },
    });
    return prepared;
  });
  // Where operators have a server of their own, the console of companies is on the public one.
  const origin = ctx.config.admin === null ? '' : publicUrlOf(ctx.config);
  return { address: `${origin}/view#${code}` };
}
