import type { Company, CompanyInput } from '@bidwell/contract/accounts/schema';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/service.ts';
import { lockCompanyRow, updateCompany } from './company-store.ts';
import { changeTimeZone } from './time-zone.ts';

/**
 * Changes the name and the time zone of the actor's company. Bids name the new name as the advertiser; all people of the company
 * are notified of a new time zone. Throws NotFound for another company; Invalid for a time zone that PostgreSQL does not know.
 */
export async function changeOwnCompany(
  ctx: Context,
  actor: Actor,
  uuid: string,
  { name, time_zone: timeZone }: CompanyInput,
): Promise<Company> {
  requirePermission(actor, 'company.write');
  if (uuid !== actor.companyId) throw new NotFound('Company');
  return transact(ctx.db, async (tx) => {
    const row = await lockCompanyRow(tx.db, uuid);
    if (!row) throw new NotFound('Company');
    const { userId, apiKey } = actor;
    const by = { companyId: uuid, userId, ...(apiKey !== undefined && { apiKey }) };
    if (name !== undefined && name !== row.name) {
      await updateCompany(tx.db, uuid, { name });
      await recordChange(ctx, tx, by, {
        entity: 'company',
        uuid,
        name,
        action: 'update',
        before: { name: row.name },
        after: { name },
      });
    }
    if (timeZone !== undefined && timeZone !== row.time_zone)
      await changeTimeZone(ctx, tx, { ...row, name: name ?? row.name }, timeZone, by);
    return { uuid, name: name ?? row.name, time_zone: timeZone ?? row.time_zone };
  });
}
