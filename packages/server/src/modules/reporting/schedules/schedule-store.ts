import { type Selectable, sql } from 'kysely';
import type { ReportScheduleTable } from '../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { anyOf } from '../../../platform/postgres/client.ts';

export type ScheduleRow = Selectable<ReportScheduleTable>;

/** The schedules of a company, in the order of their creation. */
export async function listScheduleRows(db: Db, companyId: string): Promise<ScheduleRow[]> {
  return db
    .selectFrom('report_schedules')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

/** The first schedule of a company that is sent to a destination. */
export async function scheduleWith(
  db: Db,
  companyId: string,
  destinationId: string,
): Promise<ScheduleRow | undefined> {
  return db
    .selectFrom('report_schedules')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where(sql<boolean>`${destinationId}::uuid = any (destination_uuids)`)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

/** A schedule whose next report is due. */
type DueSchedule = Pick<ScheduleRow, 'uuid' | 'company_uuid' | 'frequency' | 'weekday' | 'hour'> & {
  time_zone: string;
};

/**
 * Locks schedules that are due until the transaction ends; schedules that another process has locked are left to it. Crosses companies,
 * since it is a job for all.
 */
export async function lockDueSchedules(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueSchedule[]> {
  const { rows } = await sql<DueSchedule>`
    select s.uuid, s.company_uuid, s.frequency, s.weekday, s.hour, c.time_zone
    from report_schedules s join companies c on c.uuid = s.company_uuid
    where s.is_enabled and s.next_at <= ${now}
    order by s.next_at limit ${limit} for update of s skip locked`.execute(db);
  return rows;
}

/** A person who gets a report. */
export interface Reader {
  userId: string;
  email: string;
  /** Whether they confirmed the address: nothing is mailed to it before. */
  isConfirmed: boolean;
}

/** The people of `userIds` who belong to the company in a role that may read reports. */
export async function findReaders(db: Db, companyId: string, userIds: readonly string[]): Promise<Reader[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['users.uuid as userId', 'users.email', 'users.email_confirmed_at', 'memberships.role'])
    .where('memberships.company_uuid', '=', companyId)
    .where('memberships.user_uuid', '=', anyOf(userIds))
    .orderBy('memberships.created_at')
    .orderBy('users.uuid')
    .execute();
  return rows
    .filter(({ role }) => companyRoleHas(role, 'report.read'))
    .map(({ userId, email, email_confirmed_at }) => ({
      userId,
      email,
      isConfirmed: email_confirmed_at !== null,
    }));
}
