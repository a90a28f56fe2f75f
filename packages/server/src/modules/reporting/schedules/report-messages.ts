import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Context } from '../../../context.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type MessageKind,
  type Outcome,
  doubling,
  notify,
  queueMessage,
  removeMessages,
  type Sending,
  failureOf,
  countMail,
} from '../../messaging/public.ts';
import { daysText } from './report-mail.ts';
import {
  type BegunRun,
  type RunRow,
  beginRun,
  waitingWithoutMessage,
  addSettled,
  insertRun,
} from './run-store.ts';
import { untilAborted } from '../../../platform/concurrency/time-limits.ts';
import { DomainError, Invalid } from '../../../platform/errors.ts';
import { isPermanentRefusal } from '../../../platform/mail/mailer.ts';
import { deliver, isGivenUp, type Parcel } from './destinations/deliver.ts';
import { beginDelivery, deliveriesOfRuns, endDelivery } from './destinations/delivery-store.ts';
import { type DestinationRow, findDestinationRows } from './destinations/destination-store.ts';
import { type MadeReport, makeReport, type ReportFile } from './make-report.ts';
import { type Reader, findReaders, lockDueSchedules } from './schedule-store.ts';
import type { ReportMessage } from '@bidwell/contract/report-schedules/destination-schema';
import { BYTE_ORDER_MARK } from '../table-file.ts';
import { v7 as uuidv7 } from 'uuid';
import { latestPeriod, nextDue } from './due-times.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { ReportRunTable } from '../../../platform/postgres/report-schedule-tables.ts';
import type { Updateable } from 'kysely';

/** Reports that are made at once: embedded, queries take the processor of bids. */
const MADE_AT_ONCE = { embedded: 1, service: 4 };
/** Reports that an earlier release left waiting, of one call. */
const ADOPTED_MAX = 500;

const REPORT = { name: 'report', lane: 'bulk' } as const;

/**
 * Reports of schedules as messages, one for each period: it is made, and sent to all who have not got it. Tried for half a day in all, 8 to 16
 * hours by chance.
 */
export function reportMessages({ config }: Pick<Context, 'config'>): MessageKind {
  const making = pLimit(MADE_AT_ONCE[config.clickhouseUrl ? 'service' : 'embedded']);
  return {
    ...REPORT,
    retries: doubling({ firstMs: 60_000, maxMs: 4 * 3_600_000, tries: 12 }),
    async send(ctx, { uuid, about, attempts, companyId }, sending) {
      const begun = { uuid: about, attempts, at: ctx.now() };
      const run = companyId === null ? undefined : await beginRun(ctx.db, companyId, begun);
      if (!run) return { result: 'dropped' };
      const failure = await tryReport(ctx, run, { ...sending, making, messageId: uuid });
      return outcomeOf(ctx, run, { failure, isStopping: sending.stopping.aborted });
    },
    async giveUp(ctx, { db }, { about, companyId }) {
      if (companyId === null) return;
      const failed = {
        status: 'failed',
        next_attempt_at: null,
        error: reportScheduleMessages.reportNotMade,
      } as const;
      await setOwned(db, 'report_runs', companyId, about, { ...failed, finished_at: ctx.now() });
    },
  };
}

/** Queues the report of a run in a transaction, in place of one that is still queued. */
export async function queueReport(
  ctx: Context,
  tx: Tx,
  {
    uuid,
    company_uuid,
    attempts,
    next_attempt_at,
  }: Pick<RunRow, 'uuid' | 'company_uuid' | 'attempts' | 'next_attempt_at'>,
): Promise<void> {
  await removeMessages(tx.db, REPORT, uuid);
  await queueMessage(ctx, tx, REPORT, {
    about: uuid,
    companyId: company_uuid,
    host: company_uuid,
    attempts,
    ...(next_attempt_at && { dueAt: next_attempt_at }),
  });
}

/** Queues reports that a server of an earlier release left waiting. */
export async function adoptReports(ctx: Context): Promise<void> {
  await transact(ctx.db, async (tx) => {
    for (const run of await waitingWithoutMessage(tx.db, ADOPTED_MAX)) await queueReport(ctx, tx, run);
  });
}

function outcomeOf(
  ctx: Context,
  { uuid, companyId, scheduleId, name, attempts, ...period }: BegunRun,
  { failure, isStopping }: { failure: Failure | null; isStopping: boolean },
): Outcome {
  const now = ctx.now();
  const store = async ({ db }: Tx, values: Updateable<ReportRunTable>) =>
    setOwned(db, 'report_runs', companyId, uuid, values);
  if (!failure)
    return {
      result: 'sent',
      settle: async (tx) =>
        store(tx, { status: 'sent', next_attempt_at: null, error: null, finished_at: now }),
    };
  const { error, isFinal } = failure;
  if (!isFinal && isStopping)
    return {
      result: 'postponed',
      until: now,
      settle: async (tx) => store(tx, { attempts: attempts - 1, next_attempt_at: now }),
    };
  return {
    result: 'failed',
    reason: 'it did not reach everybody',
    isFinal,
    async settle(tx, nextAt) {
      if (nextAt) return store(tx, { next_attempt_at: nextAt, error });
      await store(tx, { status: 'failed', next_attempt_at: null, error, finished_at: now });
      await notify(ctx, tx, companyId, {
        kind: 'report_schedule',
        ...notificationMessages.reportNotSent(name, { days: daysText(period), reason: error }),
        entity: { type: 'report_schedule', uuid: scheduleId },
      });
    },
  };
}

/** Why a report did not reach all recipients, and whether a later try may succeed. */
interface Failure {
  error: string;
  isFinal: boolean;
}

/** Dependencies of a try. When the process stops, the report being made is abandoned. */
interface Trying extends Sending {
  /** Bounds how many reports are made at once. */
  making: LimitFunction;
  /** Id of the message that is tried. */
  messageId: string;
}

/**
 * Makes a report, and sends it to the people and destinations that have not got it yet. Resolves to why some have not, null if all
 * have.
 */
async function tryReport(ctx: Context, run: BegunRun, trying: Trying): Promise<Failure | null> {
  const { companyId, userIds, unsubscribed } = run;
  const wanting = userIds.filter((id) => !unsubscribed.includes(id));
  const readers = await findReaders(ctx.db, companyId, wanting);
  const destinations = await findDestinationRows(ctx.db, companyId, run.destinationIds);
  if (readers.length === 0 && destinations.length === 0)
    return { error: reportScheduleMessages.reportNoReaders, isFinal: true };
  if (!ctx.mailer && destinations.length === 0)
    return { error: reportScheduleMessages.reportNoMail, isFinal: false };
  const made = await trying.making(async () => madeOf(ctx, run, trying));
  if ('error' in made) return made;
  await setOwned(ctx.db, 'report_runs', companyId, run.uuid, { rows: made.rows });
  const failures = await Promise.all([
    mailTo(ctx, run, { readers, made, trying }),
    deliverTo(ctx, run, { destinations, made, trying }),
  ]);
  const all = failures.flat();
  if (all.length === 0) return null;
  return { error: all.map(({ error }) => error).join(' '), isFinal: all.every(({ isFinal }) => isFinal) };
}

/** The process stops before the report was sent to all recipients. */
const STOPPED: Failure = { error: '', isFinal: false };

async function madeOf(ctx: Context, run: BegunRun, { stopping }: Trying): Promise<MadeReport | Failure> {
  try {
    return await makeReport(ctx, run, stopping);
  } catch (error) {
    if (stopping.aborted) return STOPPED;
    if (error instanceof Invalid) return { error: error.message, isFinal: true };
    if (!(error instanceof DomainError))
      ctx.log.error({ err: error, run: run.uuid }, 'a scheduled report was not made');
    return { error: reportScheduleMessages.reportNotMade, isFinal: false };
  }
}

/** Mails in a row without a response of the mail server after which a try ends. */
const SILENT_MAX = 2;

/**
 * Mails a report one by one. Resolves to the failure. Each try begins with another person: one for whose mail the server never responds
 * does not keep the report from the others.
 */
async function mailTo(
  ctx: Context,
  run: BegunRun,
  { readers, made, trying }: { readers: readonly Reader[]; made: MadeReport; trying: Trying },
): Promise<Failure[]> {
  const unconfirmed = readers.filter(({ isConfirmed }) => !isConfirmed).length;
  const left = readers.filter(
    ({ userId, isConfirmed }) => isConfirmed && ![...run.mailedTo, ...run.undeliverable].includes(userId),
  );
  const refused = {
    unconfirmed,
    full: 0,
    now: 0,
    forGood: readers.filter(({ userId }) => run.undeliverable.includes(userId)).length,
  };
  if (left.length === 0) return refusals(refused);
  const { mailer } = ctx;
  if (!mailer) return [...refusals(refused), passing(reportScheduleMessages.reportNoMail)];
  const first = (run.attempts - 1) % left.length;
  let silent = { inARow: 0, inAll: 0 };
  for (const { userId, email } of [...left.slice(first), ...left.slice(0, first)]) {
    if (trying.stopping.aborted) return [...refusals(refused), STOPPED];
    if (silent.inARow >= SILENT_MAX) break;
    if (!(await countMail(ctx.db, { to: email, kind: 'report', at: ctx.now() }))) {
      refused.full += 1;
      continue;
    }
    try {
      const mail = { id: `${trying.messageId}.${userId}`, to: email, ...made.mailTo(userId) };
      await untilAborted(mailer.sendOnce(mail, trying.cutOff), trying.cutOff);
    } catch (error) {
      ctx.log.warn({ reason: failureOf(error), run: run.uuid }, 'a scheduled report could not be mailed');
      if (!isRefusal(error)) {
        silent = { inARow: silent.inARow + 1, inAll: silent.inAll + 1 };
        continue;
      }
      silent.inARow = 0;
      const isForGood = isPermanentRefusal(error);
      refused[isForGood ? 'forGood' : 'now'] += 1;
      if (isForGood) await addSettled(ctx.db, run.companyId, { uuid: run.uuid, userId, as: 'undeliverable' });
      continue;
    }
    silent.inARow = 0;
    await addSettled(ctx.db, run.companyId, { uuid: run.uuid, userId, as: 'mailed_to' });
  }
  return [
    ...refusals(refused),
    ...(silent.inAll > 0 ? [passing(reportScheduleMessages.reportMailDown)] : []),
  ];
}

const passing = (error: string): Failure => ({ error, isFinal: false });

/** The reasons why addresses got no mail or the mail server refused them, in sentences. Pure. */
function refusals(refused: { unconfirmed: number; full: number; now: number; forGood: number }): Failure[] {
  return [
    ...(refused.unconfirmed > 0
      ? [{ error: reportScheduleMessages.reportMailUnconfirmed(refused.unconfirmed), isFinal: true }]
      : []),
    ...(refused.full > 0
      ? [{ error: reportScheduleMessages.reportMailsOfDay(refused.full), isFinal: true }]
      : []),
    ...(refused.now > 0 ? [passing(reportScheduleMessages.reportMailRefused(refused.now))] : []),
    ...(refused.forGood > 0
      ? [{ error: reportScheduleMessages.reportMailUndeliverable(refused.forGood), isFinal: true }]
      : []),
  ];
}

/** Sends a report to destinations one by one, since each has the whole file in memory. Resolves to the failure. */
async function deliverTo(
  ctx: Context,
  run: BegunRun,
  {
    destinations,
    made,
    trying,
  }: { destinations: readonly DestinationRow[]; made: MadeReport; trying: Trying },
): Promise<Failure[]> {
  const { file, rows } = made;
  // A table that people read is no file, and is for people alone.
  if (!file) return [];
  const rowsBefore = (await deliveriesOfRuns(ctx.db, run.companyId, [run.uuid])).get(run.uuid) ?? [];
  const failures: Failure[] = [];
  for (const destination of destinations) {
    const before = rowsBefore.find((each) => each.destination_uuid === destination.uuid);
    if (before?.is_delivered) continue;
    const failed = (reason: string, isFinal: boolean) =>
      failures.push({ error: reportScheduleMessages.reportNotDelivered(destination.name, reason), isFinal });
    if (before?.error && isGivenUp(destination, before.response_status)) {
      failed(before.error, true);
      continue;
    }
    if (trying.stopping.aborted) return [...failures, STOPPED];
    const key = { run_uuid: run.uuid, destination_uuid: destination.uuid };
    const at = ctx.now();
    await beginDelivery(ctx.db, run.companyId, { ...key, at });
    const { isDelivered, status, start, error, isFinal } = await deliver(
      ctx,
      destination,
      parcelOf(run, { rows, file, at }),
      trying.cutOff,
    );
    if (!isDelivered && trying.cutOff.aborted) return [...failures, STOPPED];
    await endDelivery(ctx.db, run.companyId, {
      ...key,
      is_delivered: isDelivered,
      response_status: status,
      response_start: start,
      error,
    });
    if (error !== null) failed(error, isFinal);
  }
  return failures;
}

/** Whether the mail server has responded, and refuses this mail. A mail server that rejects the login refuses all mails. */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
  return responseCode >= 400 && code !== 'EAUTH';
}

/** The file of a report for destinations: programs read it, so a CSV file has no byte order mark there. Pure. */
function parcelOf(run: BegunRun, { rows, file, at }: { rows: number; file: ReportFile; at: Date }): Parcel {
  const isText = run.format === 'csv';
  const content = isText ? file.content.subarray(Buffer.byteLength(BYTE_ORDER_MARK)) : file.content;
  const message: ReportMessage = {
    type: 'report.scheduled',
    timestamp: at.toISOString(),
    data: {
      company_uuid: run.companyId,
      company_name: run.companyName,
      report_schedule_uuid: run.scheduleId,
      name: run.name,
      start_date: run.start,
      end_date: run.end,
      rows,
      file: {
        name: file.filename,
        media_type: file.contentType,
        encoding: isText ? 'utf-8' : 'base64',
        content: content.toString(isText ? 'utf8' : 'base64'),
      },
    },
  };
  return {
    id: run.uuid,
    message,
    file: { path: `${run.scheduleId}/${file.filename}`, content, contentType: file.contentType },
  };
}

/** Schedules of one call. */
const PLANNED_MAX = 100;

/**
 * Writes the reports of schedules that are due. After a time without a server, each writes one report, for the latest period. Each
 * period has one report, however many servers run this.
 */
export async function planReports(ctx: Context): Promise<void> {
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    const { db } = tx;
    for (const due of await lockDueSchedules(db, { now, limit: PLANNED_MAX })) {
      const { uuid, company_uuid: companyId, time_zone: timeZone } = due;
      const times = { ...due, timeZone };
      const period = latestPeriod(now, times);
      const run = await insertRun(db, companyId, { uuid: uuidv7(), scheduleId: uuid, period, at: now });
      if (run) await queueReport(ctx, tx, run);
      await setOwned(db, 'report_schedules', companyId, uuid, { next_at: nextDue(now, times) });
    }
  });
}
