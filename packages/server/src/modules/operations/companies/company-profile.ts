import type { Company, CompanyInput } from '@bidwell/contract/accounts/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Forbidden, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { closeUnenrolled, hasSecondFactor } from '../../identity/public.ts';
import { recordChange } from '../../changes/public.ts';
import { findCompanyLocked, updateCompany } from './company-store.ts';
import { changeTimeZone } from './time-zone.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/**
 * Changes the name and the time zone of the actor's company. Bids name the new name as the advertiser; all people of the company
 * are notified of a new time zone. Throws NotFound for another company; Invalid for a time zone that PostgreSQL does not know, and for
 * an actor who requires a second factor and has none; Forbidden for an API key that changes who needs one.
 */
export async function changeOwnCompany(
  ctx: Context,
  actor: Actor,
  uuid: string,
  { name, time_zone: timeZone, second_factor_required: required }: CompanyInput,
): Promise<Company> {
  requirePermission(actor, 'company.write');
  if (uuid !== actor.companyId) throw new NotFound('Company');
  return transact(ctx.db, async (tx) => {
    const row = await findCompanyLocked(tx.db, uuid);
    if (!row) throw new NotFound('Company');
    await requireExpected(() => presentOwn(row));
    const { userId, apiKey } = actor;
    const by = { companyId: uuid, userId, ...(apiKey !== undefined && { apiKey }) };
    if (name !== undefined && name !== row.name) {
      await updateCompany(tx.db, uuid, { name });
      await recordChange(ctx, tx, by, {
        entity: 'company',
        uuid,
        name,
        before: { name: row.name },
        after: { name },
      });
    }
    if (timeZone !== undefined && timeZone !== row.time_zone)
      await changeTimeZone(ctx, tx, { ...row, name: name ?? row.name }, timeZone, by);
    if (required !== undefined && required !== row.second_factor_required)
      await requireFactor(ctx, actor, tx, { name: name ?? row.name, required });
    return presentOwn({
      uuid,
      name: name ?? row.name,
      time_zone: timeZone ?? row.time_zone,
      second_factor_required: required ?? row.second_factor_required,
    });
  });
}

function presentOwn({ uuid, name, time_zone, second_factor_required }: Company): Company {
  return { uuid, name, time_zone, second_factor_required };
}

/** Sets whether the people of the actor's company need a second factor. */
async function requireFactor(
  ctx: Context,
  actor: Actor,
  tx: Tx,
  { name, required }: { name: string; required: boolean },
): Promise<void> {
  const { companyId: uuid, userId } = actor;
  // How people sign in is decided by people: a leaked key must not weaken it.
  if (actor.role === 'api-token') throw new Forbidden(accountApiMessages.keyForPeopleOnly);
  if (required && (userId === null || !(await hasSecondFactor(tx.db, userId))))
    throw new Invalid([{ field: 'second_factor_required', message: accountMessages.ownFactorFirst }]);
  await updateCompany(tx.db, uuid, { second_factor_required: required });
  const author = { companyId: uuid, userId };
  await recordChange(ctx, tx, author, {
    entity: 'company',
    uuid,
    name,
    before: { second_factor_required: !required },
    after: { second_factor_required: required },
  });
  // After the message of the change, by which open pages show the setup.
  if (required) await closeUnenrolled(ctx, tx, uuid);
}
