import { messages, notificationMessages } from '@bidwell/contract/text/messages';
import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type MessageKind,
  type Outcome,
  doubling,
  notify,
  queueMessage,
  removeMessages,
} from '../../messaging/public.ts';
import { daysText } from './report-mail.ts';
import { type BegunRun, type RunRow, beginRun, updateRun, waitingWithoutMessage } from './run-store.ts';
import { type Failure, tryReport } from './try-report.ts';

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
      const failed = { status: 'failed', next_attempt_at: null, error: messages.reportNotMade } as const;
      await updateRun(db, companyId, about, { ...failed, finished_at: ctx.now() });
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
  const store = async ({ db }: Tx, values: Parameters<typeof updateRun>[3]) =>
    updateRun(db, companyId, uuid, values);
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
