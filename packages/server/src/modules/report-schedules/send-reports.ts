import { notificationMessages } from '@bidwell/contract/text/messages';
import pLimit from 'p-limit';
import type { Context } from '../../context.ts';
import { backoffMs } from '../../platform/concurrency/backoff.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { notify } from '../notifications/service.ts';
import { daysText } from './report-mail.ts';
import { type ClaimedRun, claimRuns, releaseRun, updateRun } from './run-store.ts';
import { type Trying, tryReport } from './try-report.ts';

/**
 * Reports under way in this process, one of a company: that whose receivers respond slowly delays no other company. Further tries
 * take no place of first ones.
 */
const AT_ONCE = { embedded: { first: 4, again: 2 }, service: { first: 12, again: 4 } };
/** Reports that are made at once: embedded, queries take the processor of bids. */
const MADE_AT_ONCE = { embedded: 1, service: 4 };
/**
 * After this another process takes over what a killed one has claimed. Behind a slow mail server a report may take longer: whoever leads
 * then has it twice in the mailboxes of those who got it meanwhile.
 */
const CLAIM_MS = 15 * 60_000;
/** Half a day in all, 8 to 16 hours by chance. */
const RETRY = { firstMs: 60_000, maxMs: 4 * 3_600_000, tries: 12 };

/** What is being sent when the process stops has so long to be acknowledged: what is broken off may arrive twice. */
const STOP_MS = 1000;

/** Makes and sends the reports that are due. */
export interface ReportSender {
  /** Begins with what is due, and does not wait for it. */
  tick(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /**
   * Begins nothing more, and resolves once nothing is under way: what is being made is abandoned, and what is being sent broken off after a
   * second. Other servers, or a later start, try it again for those who have not got it.
   */
  stop(): Promise<void>;
}

/** Creates a sender. Of a company one report is under way at a time. */
export function createReportSender(ctx: Context, stopMs = STOP_MS): ReportSender {
  const underWay = new Map<string, { isAgain: boolean; done: Promise<void> }>();
  const engine = ctx.config.clickhouseUrl ? 'service' : 'embedded';
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const trying: Trying = {
    making: pLimit(MADE_AT_ONCE[engine]),
    stopping: stopping.signal,
    cutOff: cutOff.signal,
  };
  const begin = (run: ClaimedRun, isAgain: boolean): void => {
    const done = sendRun(ctx, run, trying)
      .catch((err: unknown) => ctx.log.error({ err, run: run.uuid }, 'a scheduled report was not sent'))
      .finally(() => underWay.delete(run.companyId));
    underWay.set(run.companyId, { isAgain, done });
  };
  const claim = async (isAgain: boolean): Promise<void> => {
    const atOnce = AT_ONCE[engine][isAgain ? 'again' : 'first'];
    const limit = atOnce - [...underWay.values()].filter((each) => each.isAgain === isAgain).length;
    if (limit <= 0 || stopping.signal.aborted) return;
    const now = ctx.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const busy = [...underWay.keys()];
    for (const run of await claimRuns(ctx.db, { now, until, limit, busy, isAgain })) begin(run, isAgain);
  };
  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ done }) => done));
  };
  return {
    async tick() {
      await claim(false);
      await claim(true);
    },
    idle,
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => cutOff.abort(), stopMs);
      await idle();
      clearTimeout(timer);
    },
  };
}

async function sendRun(ctx: Context, run: ClaimedRun, trying: Trying): Promise<void> {
  const { uuid, companyId, attempts } = run;
  const failure = await tryReport(ctx, run, trying);
  const now = ctx.now();
  if (!failure) {
    const sent = { status: 'sent', next_attempt_at: null, error: null, finished_at: now } as const;
    return updateRun(ctx.db, companyId, uuid, sent);
  }
  const { error } = failure;
  if (!failure.isFinal && trying.stopping.aborted) return releaseRun(ctx.db, run, now);
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
