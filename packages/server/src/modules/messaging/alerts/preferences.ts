import { DEFAULT_MAIL_KINDS } from '@bidwell/contract/alerts/kinds';
import type { AlertPreferences, AlertPreferencesInput } from '@bidwell/contract/alerts/preferences';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { companyNameOf } from './company-store.ts';
import { deleteMailItems } from './mail-store.ts';
import type { MailTimes } from './mail-times.ts';
import { DEFAULT_DAILY_HOUR, type ReaderRow, findReader, savePreferences } from './preference-store.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/lock-setting.ts';

/** What the caller gets by mail of the company that they act for. Throws NotFound for somebody who does not belong to it. */
export async function readAlertPreferences(ctx: Context, actor: Session): Promise<AlertPreferences> {
  requirePermission(actor, 'user.read');
  const reader = await findReader(ctx.db, actor.companyId, actor.userId);
  if (!reader) throw new NotFound('Person');
  const { frequency, dailyHour, quiet, timeZone } = mailTimesOf(reader);
  return {
    kinds: [...kindsOf(reader)],
    frequency,
    daily_hour: dailyHour,
    quiet_from: quiet?.from ?? null,
    quiet_until: quiet?.until ?? null,
    time_zone: timeZone,
    email: reader.email,
    is_mailed: ctx.mailer !== null,
  };
}

/** Stores what the caller wants by mail. What waits is mailed as was chosen before, unless nothing is to be mailed any more. */
export async function saveAlertPreferences(
  ctx: Context,
  actor: Session,
  input: AlertPreferencesInput,
): Promise<AlertPreferences> {
  requirePermission(actor, 'user.write');
  const { companyId, userId } = actor;
  await transact(ctx.db, async ({ db }) => {
    await lockSetting(db, `alert preferences ${companyId} ${userId}`);
    await requireExpected(async () => readAlertPreferences({ ...ctx, db }, actor));
    await savePreferences(db, companyId, { userId, ...input });
    if (input.frequency === 'off') await deleteMailItems(db, companyId, { userId });
  });
  return readAlertPreferences(ctx, actor);
}

/**
 * Ends the mails of the person and company of a link. Whoever has the link may do so, and it can be repeated. Throws NotFound
 * for a link that was not made here.
 */
export async function unsubscribe(ctx: Context, token: string): Promise<{ company_name: string }> {
  const { signingSecret, previousSigningSecret } = ctx.config;
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  const subscription = readUnsubscribeToken(secrets, token);
  if (!subscription) throw new NotFound('Link');
  const { companyId, userId } = subscription;
  return transact(ctx.db, async ({ db }) => {
    // Somebody who has left the company gets no mails of it.
    if (await findReader(db, companyId, userId)) {
      await savePreferences(db, companyId, { userId, frequency: 'off' });
      await deleteMailItems(db, companyId, { userId });
    }
    return { company_name: (await companyNameOf(db, companyId)) ?? '' };
  });
}

/** The kinds that a person gets by mail. */
export function kindsOf({ kinds }: Pick<ReaderRow, 'kinds'>): ReaderRow['kinds'] & object {
  return kinds ?? [...DEFAULT_MAIL_KINDS];
}

/** When a person gets mails. */
export function mailTimesOf(reader: ReaderRow): MailTimes {
  const { quiet_from: from, quiet_until: until } = reader;
  return {
    frequency: reader.frequency ?? 'at_once',
    dailyHour: reader.daily_hour ?? DEFAULT_DAILY_HOUR,
    quiet: from === null || until === null ? null : { from, until },
    timeZone: reader.time_zone ?? reader.company_time_zone,
  };
}
