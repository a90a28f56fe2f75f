import { DEFAULT_MAIL_KINDS, type AlertKind } from '@bidwell/contract/alerts/kinds';
import type {
  AlertPreferences,
  AlertPreferencesInput,
  AlertFrequency,
} from '@bidwell/contract/alerts/preferences';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { deleteMailItems } from './mail-store.ts';
import type { MailTimes } from './mail-times.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';
import type { Insertable } from 'kysely';
import type { AlertPreferenceTable } from '../../../platform/postgres/alert-tables.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { anyOf } from '../../../platform/postgres/client.ts';
import { readSignedIds, signedIds } from '../../../platform/mail/signed-ids.ts';

/** The caller's alert mails from the company that they act for. Throws NotFound for a person who does not belong to it. */
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

/** Stores the caller's mail preferences. Waiting alerts are mailed by the previous ones, unless the caller chose no mails. */
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
 * Ends the mails of the person and company of a link. Anyone with the link may call it, any number of times. Throws NotFound
 * for a link that was not made here.
 */
export async function unsubscribe(ctx: Context, token: string): Promise<{ company_name: string }> {
  const { signingSecret, previousSigningSecret } = ctx.config;
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  const subscription = readUnsubscribeToken(secrets, token);
  if (!subscription) throw new NotFound('Link');
  const { companyId, userId } = subscription;
  return transact(ctx.db, async ({ db }) => {
    // A person who has left the company gets no mails from it.
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

/** The hour of daily mails until the person chooses one. */
const DEFAULT_DAILY_HOUR = 9;

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

/** A person of a company, with their preferences; null stands for the default. */
interface ReaderRow {
  userId: string;
  email: string;
  email_confirmed_at: Date | null;
  kinds: AlertKind[] | null;
  frequency: AlertFrequency | null;
  daily_hour: number | null;
  quiet_from: number | null;
  quiet_until: number | null;
  time_zone: string | null;
  company_time_zone: string;
}

/** The people of a company with their preferences. */
export async function listReaders(db: Db, companyId: string): Promise<ReaderRow[]> {
  return readers(db, companyId).execute();
}

/** One of them; undefined for a person who does not belong to the company. */
async function findReader(db: Db, companyId: string, userId: string): Promise<ReaderRow | undefined> {
  return readers(db, companyId).where('users.uuid', '=', userId).executeTakeFirst();
}

const readers = (db: Db, companyId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .leftJoin('alert_preferences', (join) =>
      join
        .onRef('alert_preferences.company_uuid', '=', 'memberships.company_uuid')
        .onRef('alert_preferences.user_uuid', '=', 'memberships.user_uuid'),
    )
    .select([
      'users.uuid as userId',
      'users.email',
      'users.email_confirmed_at',
      'kinds',
      'frequency',
      'daily_hour',
      'quiet_from',
      'quiet_until',
      'alert_preferences.time_zone',
      'companies.time_zone as company_time_zone',
    ])
    .where('memberships.company_uuid', '=', companyId);

/** The preferences that a person may change. */
type Values = Partial<Omit<Insertable<AlertPreferenceTable>, 'company_uuid' | 'user_uuid'>>;

/** Stores values; the others stay, or are the default in a new row. */
export async function savePreferences(
  db: Db,
  companyId: string,
  { userId, ...values }: Values & { userId: string },
): Promise<void> {
  await db
    .insertInto('alert_preferences')
    .values({
      company_uuid: companyId,
      user_uuid: userId,
      kinds: null,
      frequency: 'at_once',
      daily_hour: DEFAULT_DAILY_HOUR,
      quiet_from: null,
      quiet_until: null,
      time_zone: null,
      mailed_at: null,
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'user_uuid']).doUpdateSet(values))
    .execute();
}

/** The name of a company; undefined if there is none. */
export async function companyNameOf(db: Db, companyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.name;
}

/** The balances, in micros, at which companies want an alert; companies without one are left out. */
export async function balanceLowMicrosOf(
  db: Db,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  const rows = await db
    .selectFrom('alert_settings')
    .select(['company_uuid', 'balance_low_micros'])
    .where('company_uuid', '=', anyOf(companyIds))
    .where('balance_low_micros', 'is not', null)
    .execute();
  return new Map(rows.map((row) => [row.company_uuid, row.balance_low_micros!]));
}

/** Stores the balance, in micros, at which a company wants an alert; null for none. */
export async function saveBalanceLow(db: Db, companyId: string, micros: Micros | null): Promise<void> {
  const values = { balance_low_micros: micros };
  await db
    .insertInto('alert_settings')
    .values({ company_uuid: companyId, ...values })
    .onConflict((conflict) => conflict.column('company_uuid').doUpdateSet(values))
    .execute();
}

/** The person whose mails a link ends, and the company of the mails. */
interface Subscription {
  companyId: string;
  userId: string;
}

/** A token that ends the alerts of one person about one company by mail, and does nothing else. It does not expire. Pure. */
export function unsubscribeToken(secret: string, { companyId, userId }: Subscription): string {
  return signedIds(secret, 'alerts', [companyId, userId]);
}

/** The purpose of a token, if one of the secrets has signed it; null otherwise. Pure. */
function readUnsubscribeToken(secrets: readonly string[], token: string): Subscription | null {
  const [companyId, userId] = readSignedIds(secrets, 'alerts', token) ?? [];
  return companyId !== undefined && userId !== undefined ? { companyId, userId } : null;
}
