import { dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { messages, notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Author } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { adsetSpendSince } from '../../reports/service.ts';
import { recordChange } from '../../changes/service.ts';
import { notify } from '../../notifications/service.ts';
import { type CompanyRow, updateCompany } from './company-store.ts';
import { isKnownTimeZone, lockSpendOf, replaceDay } from './time-zone-store.ts';
import { databaseNowMs } from '../../../platform/postgres/database-clock.ts';

/**
 * Changes the time zone of a company's days, and notifies it. Daily budgets go on with what was spent since midnight of
 * the new time zone; spend of the last second, whose events are not stored yet, may be missing from it. `by` is who the change
 * log names, an operator unless given; the caller's transaction writes an operator's audit entry. Throws Invalid.
 */
export async function changeTimeZone(
  ctx: Context,
  tx: Tx,
  { uuid, name, time_zone: before }: CompanyRow,
  timeZone: string,
  by: Author = { companyId: uuid, userId: null },
): Promise<void> {
  if (!(await isKnownTimeZone(tx.db, timeZone)))
    throw new Invalid([{ field: 'time_zone', message: messages.timeZone }]);
  await updateCompany(tx.db, uuid, { time_zone: timeZone });
  await lockSpendOf(tx.db, uuid);
  const day = dateAt(await databaseNowMs(tx.db), timeZone);
  await replaceDay(tx.db, uuid, day, await adsetSpendSince(ctx, uuid, startOfDayMs(day, timeZone)));
  await recordChange(ctx, tx, by, {
    entity: 'company',
    uuid,
    name,
    action: 'update',
    before: { time_zone: before },
    after: { time_zone: timeZone },
  });
  await notify(ctx, tx, uuid, {
    kind: 'company',
    ...notificationMessages.timeZoneChanged(timeZone),
    entity: { type: 'company', uuid },
  });
}
