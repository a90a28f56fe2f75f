import {
  REPORT_SCHEDULES_MAX,
  type ReportRun,
  type ReportSchedule,
  type ReportScheduleInput,
} from '@bidwell/contract/report-schedules/schema';
import { reportScheduleApiMessages } from '@bidwell/contract/report-schedules/api-messages';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { json } from '../../../platform/postgres/client.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { recordChange } from '../../changes/public.ts';
import { latestPeriod, nextDue } from './due-times.ts';
import { keepDestinationRows } from './destinations/destination-store.ts';
import { presentRuns } from './runs.ts';
import { findReaders, type ScheduleRow, listScheduleRows } from './schedule-store.ts';
import { requireValidReport } from './make-report.ts';
import { lastRuns, listRunRows } from './run-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import {
  countOwnedLocked,
  deleteOwned,
  insertOwned,
  lockOwned,
  setOwned,
} from '../../../platform/postgres/stores/owned-store.ts';

/** The company's schedules, in the order of their creation, and whether the server sends mails. */
export async function listReportSchedules(
  ctx: Context,
  actor: Actor,
): Promise<{ schedules: ReportSchedule[]; is_mailed: boolean }> {
  requirePermission(actor, 'report_schedule.read');
  const { companyId } = actor;
  const rows = await listScheduleRows(ctx.db, companyId);
  const runs = await presentedLastRuns(ctx.db, companyId);
  return {
    schedules: rows.map((row) => presentSchedule(row, runs.get(row.uuid))),
    is_mailed: ctx.mailer !== null,
  };
}

/**
 * Schedules a report, first for the next time that it is due. Throws Conflict if there are twenty; Invalid for wrong filters,
 * for people who may not read reports of the company, and for destinations that it does not have.
 */
export async function createReportSchedule(
  ctx: Context,
  actor: Actor,
  input: ReportScheduleInput,
): Promise<ReportSchedule> {
  requirePermission(actor, 'report_schedule.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    if ((await countOwnedLocked(tx.db, 'report_schedules', companyId)) >= REPORT_SCHEDULES_MAX)
      throw new Conflict(reportScheduleApiMessages.reportScheduleLimit(REPORT_SCHEDULES_MAX));
    const row = {
      uuid: uuidv7(),
      ...(await valuesOf(ctx, tx.db, companyId, input)),
      created_at: ctx.now(),
    };
    await insertOwned(tx.db, 'report_schedules', companyId, { ...row, report: json(row.report) });
    await recordChange(ctx, tx, actor, {
      entity: 'report_schedule',
      uuid: row.uuid,
      name: row.name,
      after: loggedFields(row),
    });
    return presentSchedule(row, undefined);
  });
}

/** Changes a schedule. Waiting reports are sent by its new settings. Throws NotFound, and Invalid as the creation does. */
export async function updateReportSchedule(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: ReportScheduleInput & { uuid: string },
): Promise<ReportSchedule> {
  requirePermission(actor, 'report_schedule.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockOwned(tx.db, 'report_schedules', companyId, uuid);
    if (!before) throw new NotFound('Report');
    await requireExpected(() => presentSchedule(before, undefined));
    const values = await valuesOf(ctx, tx.db, companyId, input, before);
    await setOwned(tx.db, 'report_schedules', companyId, uuid, { ...values, report: json(values.report) });
    const after = { ...before, ...values };
    await recordChange(ctx, tx, actor, {
      entity: 'report_schedule',
      uuid,
      name: after.name,
      before: loggedFields(before),
      after: loggedFields(after),
    });
    const last = await listRunRows(tx.db, companyId, { scheduleId: uuid, limit: 1 });
    return presentSchedule(after, (await presentRuns(tx.db, companyId, last))[0]);
  });
}

/** Removes a schedule with its reports. Throws NotFound. */
export async function deleteReportSchedule(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<void> {
  requirePermission(actor, 'report_schedule.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const before = await lockOwned(tx.db, 'report_schedules', companyId, uuid);
    if (!before) throw new NotFound('Report');
    await requireExpected(() => presentSchedule(before, undefined));
    await deleteOwned(tx.db, 'report_schedules', companyId, uuid);
    await recordChange(ctx, tx, actor, {
      entity: 'report_schedule',
      uuid,
      name: before.name,
      before: loggedFields(before),
    });
  });
}

/** The latest report of each schedule of a company, by schedule. */
async function presentedLastRuns(db: Db, companyId: string): Promise<ReadonlyMap<string, ReportRun>> {
  const rows = [...(await lastRuns(db, companyId)).values()];
  const runs = await presentRuns(db, companyId, rows);
  return new Map(rows.map((row, index) => [row.schedule_uuid, runs[index]!]));
}

/** The stored values of an input. People of `before` may have left the company: they get nothing. Throws Invalid. */
async function valuesOf(
  ctx: Context,
  db: Db,
  companyId: string,
  input: ReportScheduleInput,
  before: Pick<ScheduleRow, 'user_uuids' | 'unsubscribed'> = { user_uuids: [], unsubscribed: [] },
): Promise<Omit<ScheduleRow, 'uuid' | 'company_uuid' | 'created_at'>> {
  const { name, report, format, frequency, weekday, hour, user_uuids, destination_uuids, is_enabled } = input;
  const now = ctx.now();
  const times = { frequency, weekday, hour, timeZone: await timeZoneOf(db, companyId) };
  // An invalid report is rejected now, not when it is due and no one sees the error.
  requireValidReport(report, { period: latestPeriod(now, times), timeZone: times.timeZone, now });
  const added = user_uuids.filter((id) => !before.user_uuids.includes(id));
  if ((await findReaders(db, companyId, added)).length < added.length)
    throw new Invalid([{ field: 'user_uuids', message: reportScheduleMessages.reportReaders }]);
  if ((await keepDestinationRows(db, companyId, destination_uuids)).length < destination_uuids.length)
    throw new Invalid([{ field: 'destination_uuids', message: reportScheduleMessages.reportDestinations }]);
  const next_at = is_enabled ? nextDue(now, times) : null;
  // Who is removed and chosen again gets the mails again.
  const unsubscribed = before.unsubscribed.filter((id) => user_uuids.includes(id));
  return {
    name,
    report,
    format,
    frequency,
    weekday,
    hour,
    user_uuids,
    unsubscribed,
    destination_uuids,
    is_enabled,
    next_at,
  };
}

/** Levels or filters by name, with their values where they have some. */
const namesAndFilters = (chosen: Readonly<Record<string, string>>): string[] =>
  Object.entries(chosen).map(([name, values]) => (values === '' ? name : `${name}: ${values}`));

const loggedFields = ({
  name,
  report,
  format,
  frequency,
  weekday,
  hour,
  user_uuids,
  destination_uuids,
  is_enabled,
}: Pick<
  ScheduleRow,
  | 'name'
  | 'report'
  | 'format'
  | 'frequency'
  | 'weekday'
  | 'hour'
  | 'user_uuids'
  | 'destination_uuids'
  | 'is_enabled'
>) => ({
  name,
  levels: namesAndFilters(report.levels),
  filters: namesAndFilters(report.filters ?? {}),
  metrics: report.metrics ?? null,
  event_names: report.event_names ?? null,
  format,
  frequency,
  weekday,
  hour,
  recipients: user_uuids,
  destinations: destination_uuids,
  is_enabled,
});

function presentSchedule(
  row: Omit<ScheduleRow, 'company_uuid'>,
  lastRun: ReportRun | undefined,
): ReportSchedule {
  const { uuid, name, report, format, frequency, weekday, hour, user_uuids, is_enabled } = row;
  return {
    uuid,
    name,
    report,
    format,
    frequency,
    weekday,
    hour,
    user_uuids,
    unsubscribed_uuids: row.unsubscribed,
    destination_uuids: row.destination_uuids,
    is_enabled,
    next_at: row.next_at?.toISOString() ?? null,
    last_run: lastRun ?? null,
    created_at: row.created_at.toISOString(),
  };
}
