import type { TransactionList, TransactionQuery } from '@bidwell/contract/finance/schema';
import type { Context } from '../../../context.ts';
import { systemActor } from '../../../platform/actor.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { listTransactions } from '../../money/public.ts';
import { getCompany } from './companies.ts';

/** One page of a company's transactions, newest first, and the number of all of them. Throws NotFound. */
export async function listCompanyTransactions(
  ctx: Context,
  operator: Operator,
  { companyId, ...query }: TransactionQuery & { companyId: string },
): Promise<TransactionList> {
  requireOperatorPermission(operator, 'company.read');
  await getCompany(ctx, operator, { companyId });
  return listTransactions(ctx, systemActor(companyId), query);
}
