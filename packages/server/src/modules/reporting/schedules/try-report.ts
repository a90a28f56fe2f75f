import { messages } from '@bidwell/contract/text/messages';
import type { LimitFunction } from 'p-limit';
import type { Context } from '../../../context.ts';
import { untilAborted } from '../../../platform/concurrency/until-aborted.ts';
import { DomainError, Invalid } from '../../../platform/errors.ts';
import { isPermanentRefusal } from '../../../platform/mail/mailer.ts';
import { countMail } from '../../../platform/postgres/stores/mail-count-store.ts';
import { type Sending, failureOf } from '../../messaging/public.ts';
import { deliver, isGivenUp } from './destinations/deliver.ts';
import { deliveriesOfRuns, saveDelivery } from './destinations/delivery-store.ts';
import { type DestinationRow, findDestinationRows } from './destinations/destination-store.ts';
import { type MadeReport, makeReport } from './make-report.ts';
import { type Reader, findReaders } from './reader-store.ts';
import { parcelOf } from './report-parcel.ts';
import { type BegunRun, addSettled, setRunRows } from './run-store.ts';

/** Why a report did not reach everybody, and whether a later try may succeed. */
export interface Failure {
  error: string;
  isFinal: boolean;
}

/** What a try depends on. As the process stops, what is being made is abandoned. */
export interface Trying extends Sending {
  /** Bounds how many reports are made at once. */
  making: LimitFunction;
  /** Of the message that is tried. */
  messageId: string;
}

/** The process stops before the report was sent to everybody. */
const STOPPED: Failure = { error: '', isFinal: false };

/**
 * Makes a report, and sends it to the people and destinations that have not got it yet. Resolves to why some have not, null if all
 * have.
 */
export async function tryReport(ctx: Context, run: BegunRun, trying: Trying): Promise<Failure | null> {
  const { companyId, userIds, unsubscribed } = run;
  const wanting = userIds.filter((id) => !unsubscribed.includes(id));
  const readers = await findReaders(ctx.db, companyId, wanting);
  const destinations = await findDestinationRows(ctx.db, companyId, run.destinationIds);
  if (readers.length === 0 && destinations.length === 0)
    return { error: messages.reportNoReaders, isFinal: true };
  if (!ctx.mailer && destinations.length === 0) return { error: messages.reportNoMail, isFinal: false };
  const made = await trying.making(async () => madeOf(ctx, run, trying));
  if ('error' in made) return made;
  await setRunRows(ctx.db, companyId, { uuid: run.uuid, rows: made.rows });
  const failures = await Promise.all([
    mailTo(ctx, run, { readers, made, trying }),
    deliverTo(ctx, run, { destinations, made, trying }),
  ]);
  const all = failures.flat();
  if (all.length === 0) return null;
  return { error: all.map(({ error }) => error).join(' '), isFinal: all.every(({ isFinal }) => isFinal) };
}

async function madeOf(ctx: Context, run: BegunRun, { stopping }: Trying): Promise<MadeReport | Failure> {
  try {
    return await makeReport(ctx, run, stopping);
  } catch (error) {
    if (stopping.aborted) return STOPPED;
    if (error instanceof Invalid) return { error: error.message, isFinal: true };
    if (!(error instanceof DomainError))
      ctx.log.error({ err: error, run: run.uuid }, 'a scheduled report was not made');
    return { error: messages.reportNotMade, isFinal: false };
  }
}

/** Mails in a row without a response of the mail server after which a try ends. */
const SILENT_MAX = 2;

/**
 * Mails a report one by one. Resolves to what failed. Each try begins with another person: one for whose mail the server never responds
 * keeps the report from nobody else.
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
  if (!mailer) return [...refusals(refused), passing(messages.reportNoMail)];
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
  return [...refusals(refused), ...(silent.inAll > 0 ? [passing(messages.reportMailDown)] : [])];
}

const passing = (error: string): Failure => ({ error, isFinal: false });

/** What became of addresses to which nothing was sent, or which the mail server has refused, in sentences. Pure. */
function refusals(refused: { unconfirmed: number; full: number; now: number; forGood: number }): Failure[] {
  return [
    ...(refused.unconfirmed > 0
      ? [{ error: messages.reportMailUnconfirmed(refused.unconfirmed), isFinal: true }]
      : []),
    ...(refused.full > 0 ? [{ error: messages.reportMailsOfDay(refused.full), isFinal: true }] : []),
    ...(refused.now > 0 ? [passing(messages.reportMailRefused(refused.now))] : []),
    ...(refused.forGood > 0
      ? [{ error: messages.reportMailUndeliverable(refused.forGood), isFinal: true }]
      : []),
  ];
}

/** Sends a report to destinations one by one, since each has the whole file in memory. Resolves to what failed. */
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
      failures.push({ error: messages.reportNotDelivered(destination.name, reason), isFinal });
    if (before?.error && isGivenUp(destination, before.response_status)) {
      failed(before.error, true);
      continue;
    }
    if (trying.stopping.aborted) return [...failures, STOPPED];
    const attempted_at = ctx.now();
    const { isDelivered, status, start, error, isFinal } = await deliver(
      ctx,
      destination,
      parcelOf(run, { rows, file, at: attempted_at }),
      trying.cutOff,
    );
    if (!isDelivered && trying.cutOff.aborted) return [...failures, STOPPED];
    await saveDelivery(ctx.db, run.companyId, {
      run_uuid: run.uuid,
      destination_uuid: destination.uuid,
      is_delivered: isDelivered,
      attempted_at,
      response_status: status,
      response_start: start,
      error,
    });
    if (error !== null) failed(error, isFinal);
  }
  return failures;
}

/** Whether the mail server has responded, and does not want this mail. One that does not let the server log in wants none. */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
  return responseCode >= 400 && code !== 'EAUTH';
}
