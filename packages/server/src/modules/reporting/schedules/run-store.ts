import type { ReportFrequency, ScheduledFormat } from '@bidwell/contract/report-schedules/schema';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import { type Selectable, sql } from 'kysely';
import type { ReportRunTable } from '../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { ReportPeriod } from './due-times.ts';

export type RunRow = Selectable<ReportRunTable>;

/** A report that this process makes and sends now. */
export interface BegunRun {
  uuid: string;
  companyId: string;
  scheduleId: string;
  start: string;
  end: string;
  attempts: number;
  mailedTo: string[];
  /** Recipients whose address the mail server refuses for good. */
  undeliverable: string[];
  name: string;
  report: ReportContent;
  format: ScheduledFormat;
  frequency: ReportFrequency;
  userIds: string[];
  /** Recipients who have unsubscribed. */
  unsubscribed: string[];
  destinationIds: string[];
  companyName: string;
}

/** Adds the report of a period that is due at once. Undefined where the schedule has it. */
export async function insertRun(
  db: Db,
  companyId: string,
  run: { uuid: string; scheduleId: string; period: ReportPeriod; at: Date },
): Promise<RunRow | undefined> {
  return db
    .insertInto('report_runs')
    .values({
      uuid: run.uuid,
      company_uuid: companyId,
      schedule_uuid: run.scheduleId,
      start_date: run.period.start,
      end_date: run.period.end,
      status: 'waiting',
      attempted_at: null,
      next_attempt_at: run.at,
      rows: null,
      error: null,
      created_at: run.at,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['schedule_uuid', 'start_date', 'end_date']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Makes the report of a period due at once, for all recipients, if it does not wait. Undefined if it waits already or does not exist. */
export async function restartRun(
  db: Db,
  companyId: string,
  { scheduleId, period, at }: { scheduleId: string; period: ReportPeriod; at: Date },
): Promise<RunRow | undefined> {
  return db
    .updateTable('report_runs')
    .set({
      status: 'waiting',
      attempts: 0,
      next_attempt_at: at,
      rows: null,
      mailed_to: [],
      undeliverable: [],
      error: null,
      finished_at: null,
    })
    .where('company_uuid', '=', companyId)
    .where('schedule_uuid', '=', scheduleId)
    .where('start_date', '=', period.start)
    .where('end_date', '=', period.end)
    .where('status', '!=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}

/** The latest reports of a schedule, newest first. */
export async function listRunRows(
  db: Db,
  companyId: string,
  { scheduleId, limit }: { scheduleId: string; limit: number },
): Promise<RunRow[]> {
  return db
    .selectFrom('report_runs')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('schedule_uuid', '=', scheduleId)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
}

/** The latest report of each schedule of a company, by schedule. */
export async function lastRuns(db: Db, companyId: string): Promise<ReadonlyMap<string, RunRow>> {
  // One look into an index for each schedule: `distinct on` would read and sort all of ninety days.
  const rows = await db
    .selectFrom('report_schedules as schedule')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('report_runs')
          .selectAll()
          .whereRef('schedule_uuid', '=', 'schedule.uuid')
          .orderBy('created_at', 'desc')
          .orderBy('uuid', 'desc')
          .limit(1)
          .as('run'),
      (join) => join.onTrue(),
    )
    .selectAll('run')
    .where('schedule.company_uuid', '=', companyId)
    .execute();
  return new Map(rows.map((row) => [row.schedule_uuid, row]));
}

/** Notes that a report is tried, and reads it with its schedule. Undefined for one that does not wait any more. */
export async function beginRun(
  db: Db,
  companyId: string,
  { uuid, attempts, at }: { uuid: string; attempts: number; at: Date },
): Promise<BegunRun | undefined> {
  const { rows } = await sql<BegunRun>`
    with begun as (
      update report_runs set attempts = ${attempts}, attempted_at = ${at}
      where company_uuid = ${companyId} and uuid = ${uuid} and status = 'waiting'
      returning *
    )
    select begun.uuid, begun.company_uuid as "companyId", begun.schedule_uuid as "scheduleId",
      begun.start_date as start, begun.end_date as "end", begun.attempts, begun.mailed_to as "mailedTo",
      begun.undeliverable, s.name, s.report, s.format, s.frequency, s.user_uuids as "userIds", s.unsubscribed,
      s.destination_uuids as "destinationIds", c.name as "companyName"
    from begun join report_schedules s on s.uuid = begun.schedule_uuid
      join companies c on c.uuid = begun.company_uuid`.execute(db);
  return rows[0];
}

/** Reports that wait and have no message, of all companies: a server of an earlier release has written them. */
export async function waitingWithoutMessage(db: Db, limit: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select * from report_runs r
    where status = 'waiting' and not exists (
      select from messages m where m.kind = 'report' and m.about = r.uuid::text)
    limit ${limit}`.execute(db);
  return rows;
}

/**
 * Notes that a report was mailed to a person, or cannot be since the mail server refuses the address for good. Further tries leave
 * the person out.
 */
export async function addSettled(
  db: Db,
  companyId: string,
  { uuid, userId, as }: { uuid: string; userId: string; as: 'mailed_to' | 'undeliverable' },
): Promise<void> {
  await db
    .updateTable('report_runs')
    .set({ [as]: sql<string[]>`array_append(${sql.ref(as)}, ${userId}::uuid)` })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Deletes at most `rowsMax` reports of all companies from before an instant. Resolves to their number. */
export async function deleteRunsBefore(db: Db, before: Date, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from report_runs where uuid in (
      select uuid from report_runs where created_at < ${before} limit ${rowsMax}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
