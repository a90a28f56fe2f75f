import type { ReportFrequency, ScheduledFormat } from '@bidwell/contract/report-schedules/schema';
import type { ReportContent } from '@bidwell/contract/reports/schema';
import { type Selectable, sql } from 'kysely';
import type { ReportRunTable } from '../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { ReportPeriod } from './due-times.ts';

export type RunRow = Selectable<ReportRunTable>;

/** A report that this process makes and sends now. */
export interface ClaimedRun {
  uuid: string;
  companyId: string;
  scheduleId: string;
  start: string;
  end: string;
  attempts: number;
  mailedTo: string[];
  /** Those whose address the mail server refuses for good. */
  undeliverable: string[];
  name: string;
  report: ReportContent;
  format: ScheduledFormat;
  frequency: ReportFrequency;
  userIds: string[];
  /** Those of them who have ended these mails. */
  unsubscribed: string[];
  destinationIds: string[];
  companyName: string;
}

/** Adds the report of a period that is due at once, unless the schedule has it. */
export async function insertRun(
  db: Db,
  companyId: string,
  run: { uuid: string; scheduleId: string; period: ReportPeriod; at: Date },
): Promise<void> {
  await db
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
    .execute();
}

/** Makes the report of a period due at once, for everybody, if it does not wait. False if it waits already. */
export async function restartRun(
  db: Db,
  companyId: string,
  { scheduleId, period, at }: { scheduleId: string; period: ReportPeriod; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
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
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The report of a period; undefined without one. */
export async function findRunRow(
  db: Db,
  companyId: string,
  { scheduleId, period }: { scheduleId: string; period: ReportPeriod },
): Promise<RunRow | undefined> {
  return db
    .selectFrom('report_runs')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('schedule_uuid', '=', scheduleId)
    .where('start_date', '=', period.start)
    .where('end_date', '=', period.end)
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

/**
 * Claims reports that are due until `until`, when another process may try them again: the oldest of each company, first of the
 * companies whose last try is longest ago, so that one with many reports delays no other. Not of the companies `busy`.
 * `isAgain` says which reports: those that were tried before, or the others. Crosses companies, since it is a job for all.
 */
export async function claimRuns(
  db: Db,
  claim: { now: Date; until: Date; limit: number; busy: string[]; isAgain: boolean },
): Promise<ClaimedRun[]> {
  const { now, until, limit, busy, isAgain } = claim;
  const { rows } = await sql<ClaimedRun>`
    with due as (
      select distinct on (company_uuid) uuid, company_uuid, next_attempt_at from report_runs
      where status = 'waiting' and next_attempt_at <= ${now} and company_uuid <> all (${busy}::uuid[])
        and (attempts > 0) = ${isAgain}::boolean
      order by company_uuid, next_attempt_at, uuid
    ), turns as (
      select due.*, (select max(attempted_at) from report_runs r where r.company_uuid = due.company_uuid) as last_at
      from due
    ), chosen as (
      select r.uuid from report_runs r join turns on turns.uuid = r.uuid
      where r.status = 'waiting' and r.next_attempt_at <= ${now}
      order by turns.last_at nulls first, turns.next_attempt_at limit ${limit} for update of r skip locked
    ), claimed as (
      update report_runs r set next_attempt_at = ${until}, attempts = attempts + 1, attempted_at = ${now}
      from chosen where r.uuid = chosen.uuid
      returning r.uuid, r.company_uuid, r.schedule_uuid, r.start_date, r.end_date, r.attempts, r.mailed_to,
        r.undeliverable
    )
    select claimed.uuid, claimed.company_uuid as "companyId", claimed.schedule_uuid as "scheduleId",
      claimed.start_date as start, claimed.end_date as "end", claimed.attempts, claimed.mailed_to as "mailedTo",
      claimed.undeliverable, s.name, s.report, s.format, s.frequency, s.user_uuids as "userIds", s.unsubscribed,
      s.destination_uuids as "destinationIds", c.name as "companyName"
    from claimed join report_schedules s on s.uuid = claimed.schedule_uuid
      join companies c on c.uuid = claimed.company_uuid`.execute(db);
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

/** Notes how many rows a report has. */
export async function setRunRows(
  db: Db,
  companyId: string,
  { uuid, rows }: { uuid: string; rows: number },
): Promise<void> {
  await db
    .updateTable('report_runs')
    .set({ rows })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** What a try of a report led to. */
export async function updateRun(
  db: Db,
  companyId: string,
  uuid: string,
  values: Pick<RunRow, 'status' | 'next_attempt_at' | 'error' | 'finished_at'>,
): Promise<void> {
  await db
    .updateTable('report_runs')
    .set(values)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Gives a claimed report back, as if this try had not been begun. */
export async function releaseRun(
  db: Db,
  { companyId, uuid, attempts }: Pick<ClaimedRun, 'companyId' | 'uuid' | 'attempts'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('report_runs')
    .set({ attempts: attempts - 1, next_attempt_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('status', '=', 'waiting')
    // Another process may have taken it over.
    .where('attempts', '=', attempts)
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
