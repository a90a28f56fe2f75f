import { messages, notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../context.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { DomainError, Invalid } from '../../platform/errors.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { makeReport } from './make-report.ts';
import { daysText } from './report-mail.ts';
import { findReaders } from './reader-store.ts';
import { type ClaimedRun, addMailed, claimRuns, updateRun } from './run-store.ts';

/** Reports under way in this process, one of a company: embedded, queries take the processor of bids. */
const AT_ONCE = { embedded: 1, service: 4 };
/** A claim is longer than a report may take: another process takes over what a killed one has claimed. */
const CLAIM_MS = 15 * 60_000;
/** About a day in all. */
const RETRY = { firstMs: 60_000, maxMs: 4 * 3_600_000, tries: 12 };

/** Makes and sends the reports that are due. */
export interface ReportSender {
  /** Begins with what is due, and does not wait for it. */
  tick(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
}

/** Creates a sender. Of a company one report is under way at a time. */
export function createReportSender(ctx: Context): ReportSender {
  const underWay = new Map<string, Promise<void>>();
  const atOnce = ctx.config.clickhouseUrl ? AT_ONCE.service : AT_ONCE.embedded;
  const begin = (run: ClaimedRun): void => {
    const done = sendRun(ctx, run)
      .catch((err: unknown) => ctx.log.error({ err, run: run.uuid }, 'a scheduled report was not sent'))
      .finally(() => underWay.delete(run.companyId));
    underWay.set(run.companyId, done);
  };
  return {
    async tick() {
      const limit = atOnce - underWay.size;
      if (limit <= 0) return;
      const now = ctx.now();
      const until = new Date(now.getTime() + CLAIM_MS);
      const busy = [...underWay.keys()];
      for (const run of await claimRuns(ctx.db, { now, until, limit, busy })) begin(run);
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

/** Why a report did not reach everybody, and whether a later try may succeed. */
interface Failure {
  error: string;
  isFinal: boolean;
}

async function sendRun(ctx: Context, run: ClaimedRun): Promise<void> {
  const { uuid, companyId, attempts } = run;
  const failure = await trySend(ctx, run);
  const now = ctx.now();
  if (!failure) {
    const sent = { status: 'sent', next_attempt_at: null, error: null, finished_at: now } as const;
    return updateRun(ctx.db, companyId, uuid, sent);
  }
  const { error } = failure;
  if (!failure.isFinal && attempts < RETRY.tries) {
    const next_attempt_at = new Date(now.getTime() + backoffMs(RETRY.firstMs, attempts, RETRY.maxMs));
    return updateRun(ctx.db, companyId, uuid, {
      status: 'waiting',
      next_attempt_at,
      error,
      finished_at: null,
    });
  }
  await transact(ctx.db, async (tx) => {
    await updateRun(tx.db, companyId, uuid, {
      status: 'failed',
      next_attempt_at: null,
      error,
      finished_at: now,
    });
    await notify(ctx, tx, companyId, {
      kind: 'report_schedule',
      ...notificationMessages.reportNotSent(run.name, { days: daysText(run), reason: error }),
      entity: { type: 'report_schedule', uuid: run.scheduleId },
    });
  });
}

async function trySend(ctx: Context, run: ClaimedRun): Promise<Failure | null> {
  const { mailer } = ctx;
  if (!mailer) return { error: messages.reportNoMail, isFinal: false };
  const readers = await findReaders(
    ctx.db,
    run.companyId,
    run.userIds.filter((id) => !run.unsubscribed.includes(id)),
  );
  if (readers.length === 0) return { error: messages.reportNoReaders, isFinal: true };
  const made = await madeOf(ctx, run);
  if ('error' in made) return made;
  let refused = 0;
  for (const { userId, email } of readers.filter((reader) => !run.mailedTo.includes(reader.userId))) {
    try {
      await mailer.sendOnce({ to: email, ...made.mailTo(userId) });
    } catch (error) {
      ctx.log.warn(
        { err: (error as Error).message, run: run.uuid },
        'a scheduled report could not be mailed',
      );
      // One address is no reason to try the others later; a server that does not respond is.
      if (!isRefusal(error)) return { error: messages.reportMailDown, isFinal: false };
      refused += 1;
      continue;
    }
    await addMailed(ctx.db, run.companyId, { uuid: run.uuid, userId, rows: made.rows });
  }
  return refused > 0 ? { error: messages.reportMailRefused(refused), isFinal: false } : null;
}

async function madeOf(
  ctx: Context,
  run: ClaimedRun,
): Promise<Awaited<ReturnType<typeof makeReport>> | Failure> {
  try {
    return await makeReport(ctx, run);
  } catch (error) {
    if (error instanceof Invalid) return { error: error.message, isFinal: true };
    if (!(error instanceof DomainError))
      ctx.log.error({ err: error, run: run.uuid }, 'a scheduled report was not made');
    return { error: messages.reportNotMade, isFinal: false };
  }
}

/** Whether the mail server has responded, and does not want this mail. */
function isRefusal(error: unknown): boolean {
  return ((error as { responseCode?: number }).responseCode ?? 0) >= 400;
}
