import type { AlertKind } from '@bidwell/contract/alerts/kinds';
import type { AlertFrequency } from '@bidwell/contract/alerts/preferences';
import type { Insertable } from 'kysely';
import type { AlertPreferenceTable } from '../../../platform/postgres/alert-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A person of a company, with what they chose; null in place of a choice is the default. */
export interface ReaderRow {
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

/** One of them; undefined for somebody who does not belong to the company. */
export async function findReader(db: Db, companyId: string, userId: string): Promise<ReaderRow | undefined> {
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

/** What a person may change of their preferences. */
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

/** The hour of daily mails until somebody chooses. */
export const DEFAULT_DAILY_HOUR = 9;
