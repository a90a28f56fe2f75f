import { messages } from '@bidwell/contract/text/messages';
import type { LimitFunction } from 'p-limit';
import type { Context } from '../../context.ts';
import { DomainError, Invalid } from '../../platform/errors.ts';
import { deliver } from './destinations/deliver.ts';
import { deliveriesOfRuns, saveDelivery } from './destinations/delivery-store.ts';
import { type DestinationRow, findDestinationRows } from './destinations/destination-store.ts';
import { type MadeReport, makeReport } from './make-report.ts';
import { type Reader, findReaders } from './reader-store.ts';
import { parcelOf } from './report-parcel.ts';
import { type ClaimedRun, addMailed, setRunRows } from './run-store.ts';

/** Why a report did not reach everybody, and whether a later try may succeed. */
export interface Failure {
  error: string;
  isFinal: boolean;
}

/**
 * Makes a report, and sends it to the people and destinations that have not got it yet. Resolves to why some have not, null if all
 * have. `making` bounds how many are made at once.
 */
export async function tryReport(
  ctx: Context,
  run: ClaimedRun,
  making: LimitFunction,
): Promise<Failure | null> {
  const { companyId, userIds, unsubscribed } = run;
  const wanting = userIds.filter((id) => !unsubscribed.includes(id));
  const readers = await findReaders(ctx.db, companyId, wanting);
  const destinations = await findDestinationRows(ctx.db, companyId, run.destinationIds);
  if (readers.length === 0 && destinations.length === 0)
    return { error: messages.reportNoReaders, isFinal: true };
  if (!ctx.mailer && destinations.length === 0) return { error: messages.reportNoMail, isFinal: false };
  const made = await making(async () => madeOf(ctx, run));
  if ('error' in made) return made;
  await setRunRows(ctx.db, companyId, { uuid: run.uuid, rows: made.rows });
  const errors = await Promise.all([
    mailTo(ctx, run, { readers, made }),
    deliverTo(ctx, run, { destinations, made }),
  ]);
  const error = errors.flat().join(' ');
  return error === '' ? null : { error, isFinal: false };
}

async function madeOf(ctx: Context, run: ClaimedRun): Promise<MadeReport | Failure> {
  try {
    return await makeReport(ctx, run);
  } catch (error) {
    if (error instanceof Invalid) return { error: error.message, isFinal: true };
    if (!(error instanceof DomainError))
      ctx.log.error({ err: error, run: run.uuid }, 'a scheduled report was not made');
    return { error: messages.reportNotMade, isFinal: false };
  }
}

/** Mails a report one by one. Resolves to sentences about what failed. */
async function mailTo(
  ctx: Context,
  run: ClaimedRun,
  { readers, made }: { readers: readonly Reader[]; made: MadeReport },
): Promise<string[]> {
  const left = readers.filter((reader) => !run.mailedTo.includes(reader.userId));
  if (left.length === 0) return [];
  const { mailer } = ctx;
  if (!mailer) return [messages.reportNoMail];
  let refused = 0;
  for (const { userId, email } of left) {
    try {
      await mailer.sendOnce({ to: email, ...made.mailTo(userId) });
    } catch (error) {
      ctx.log.warn(
        { err: (error as Error).message, run: run.uuid },
        'a scheduled report could not be mailed',
      );
      // One address is no reason to try the others later; a server that does not respond is.
      if (!isRefusal(error)) return [messages.reportMailDown];
      refused += 1;
      continue;
    }
    await addMailed(ctx.db, run.companyId, { uuid: run.uuid, userId });
  }
  return refused > 0 ? [messages.reportMailRefused(refused)] : [];
}

/** Sends a report to destinations one by one, since each has the whole file in memory. Resolves to sentences about what failed. */
async function deliverTo(
  ctx: Context,
  run: ClaimedRun,
  { destinations, made }: { destinations: readonly DestinationRow[]; made: MadeReport },
): Promise<string[]> {
  const { file, rows } = made;
  // A table that people read is no file, and is for people alone.
  if (!file) return [];
  const before = (await deliveriesOfRuns(ctx.db, run.companyId, [run.uuid])).get(run.uuid) ?? [];
  const done = new Set(before.filter((each) => each.is_delivered).map((each) => each.destination_uuid));
  const errors: string[] = [];
  for (const destination of destinations.filter(({ uuid }) => !done.has(uuid))) {
    const attempted_at = ctx.now();
    const { isDelivered, status, start, error } = await deliver(
      ctx,
      destination,
      parcelOf(run, { rows, file, at: attempted_at }),
    );
    await saveDelivery(ctx.db, run.companyId, {
      run_uuid: run.uuid,
      destination_uuid: destination.uuid,
      is_delivered: isDelivered,
      attempted_at,
      response_status: status,
      response_start: start,
      error,
    });
    if (error !== null) errors.push(messages.reportNotDelivered(destination.name, error));
  }
  return errors;
}

/** Whether the mail server has responded, and does not want this mail. */
function isRefusal(error: unknown): boolean {
  return ((error as { responseCode?: number }).responseCode ?? 0) >= 400;
}
