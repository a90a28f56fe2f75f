import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { readSignedIds, signedIds } from '../../../platform/mail/signed-ids.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { lockOwned, setOwned } from '../../../platform/postgres/stores/owned-store.ts';

/** A reader of a scheduled report. */
interface Reading {
  companyId: string;
  scheduleId: string;
  userId: string;
}

/** A token that ends the mails of one scheduled report to one person, and does nothing else. It does not expire. Pure. */
export function reportMailToken(secret: string, { companyId, scheduleId, userId }: Reading): string {
  return signedIds(secret, 'report', [companyId, scheduleId, userId]);
}

/**
 * Ends the mails of a scheduled report to the person of a link. Anyone with the link may call it, any number of times. Throws
 * NotFound for a link that was not made here, and for a report that is no longer scheduled.
 */
export async function unsubscribeReport(ctx: Context, token: string): Promise<{ name: string }> {
  const { signingSecret, previousSigningSecret } = ctx.config;
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  const [companyId, scheduleId, userId] = readSignedIds(secrets, 'report', token) ?? [];
  if (companyId === undefined || scheduleId === undefined || userId === undefined) throw new NotFound('Link');
  return transact(ctx.db, async ({ db }) => {
    const schedule = await lockOwned(db, 'report_schedules', companyId, scheduleId);
    if (!schedule) throw new NotFound('Report');
    const { name, user_uuids: chosen, unsubscribed } = schedule;
    if (chosen.includes(userId) && !unsubscribed.includes(userId))
      await setOwned(db, 'report_schedules', companyId, scheduleId, {
        unsubscribed: [...unsubscribed, userId],
      });
    return { name };
  });
}
