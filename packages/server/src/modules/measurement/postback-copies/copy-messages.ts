import { partnerCostMessages, postbackCopyMessages } from '@bidwell/contract/measurement/messages';
import { COPY_FACTS } from '@bidwell/contract/measurement/partners/postback-copies';
import type { Context } from '../../../context.ts';
import type { PartnerResponse } from '../../../platform/outbound/call-partner.ts';
import { startOfText } from '../../../platform/outbound/receivers.ts';
import { deleteOlderThan } from '../../../platform/postgres/delete-in-batches.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  type MessageKind,
  type Outcome,
  doubling,
  queueMessage,
  removeMessages,
} from '../../messaging/public.ts';
import { copyBody } from './copy-body.ts';
import {
  type BegunCopy,
  type UnqueuedCopy,
  beginCopy,
  copiesWithoutMessage,
  deleteCopiesBefore,
  noteAccepted,
} from './copy-store.ts';

const COPY = { name: 'postback_copy', lane: 'today_post' } as const;
/** Copies of one call of the job that queues them. */
const QUEUED_MAX = 500;
const RESPONSE_CHARACTERS = 500;
/** Retention of the log, in days. */
const COPY_DAYS = 90;

/** Copies of postbacks for measurement partners, tried for two to four days. */
export const postbackCopyKind: MessageKind = {
  ...COPY,
  retries: doubling({ firstMs: 15_000, maxMs: 4 * 3_600_000, tries: 28 }),
  async send(ctx, { about, attempts, companyId }, { cutOff }) {
    const begun = { uuid: about, attempts, at: ctx.now() };
    const copy = companyId === null ? undefined : await beginCopy(ctx.db, companyId, begun);
    if (!copy) return { result: 'dropped' };
    const { body, received_at: receivedAt } = copy;
    const address = addressOf(copy);
    if (address === null || body === null || receivedAt === null) {
      const error = !copy.is_enabled
        ? postbackCopyMessages.off
        : address === null
          ? postbackCopyMessages.frameworkOff
          : postbackCopyMessages.gone;
      return { result: 'dropped', settle: failing(copy, error) };
    }
    const { added } = COPY_FACTS[copy.mmp];
    const sent = copyBody(body, copy.framework === 'skadnetwork' ? added : null, {
      campaign: namedOf(copy.campaign_uuid, copy.campaign_name),
      adset: namedOf(copy.adset_uuid, copy.adset_name),
      receivedAt,
    });
    const response = await ctx.callPartner(
      address,
      { method: 'POST', body: sent, headers: { 'content-type': 'application/json' } },
      cutOff,
    );
    return outcomeOf(ctx, copy, response);
  },
  async giveUp(_ctx, { db }, { about, companyId }) {
    if (companyId === null) return;
    const failed = { status: 'failed', next_attempt_at: null, error: postbackCopyMessages.notSent } as const;
    await setOwned(db, 'postback_copies', companyId, about, failed);
  },
};

/** Queues copies of postbacks that have arrived. */
export async function queuePostbackCopies(ctx: Context): Promise<void> {
  await transact(ctx.db, async (tx) => {
    for (const copy of await copiesWithoutMessage(tx.db, QUEUED_MAX)) await queueCopy(ctx, tx, copy);
  });
}

/** Queues a copy in a transaction, in place of one that is still queued. */
export async function queueCopy(
  ctx: Context,
  tx: Tx,
  { uuid, company_uuid: companyId, attempts, mmp, host }: UnqueuedCopy,
): Promise<void> {
  await removeMessages(tx.db, COPY, uuid);
  const { url } = COPY_FACTS[mmp];
  await queueMessage(ctx, tx, COPY, {
    about: uuid,
    companyId,
    host: host ?? (url ? new URL(url).host : mmp),
    attempts,
  });
}

/** Where a copy goes; null for nowhere. */
function addressOf(copy: BegunCopy): string | null {
  if (!copy.is_enabled) return null;
  return copy.framework === 'skadnetwork'
    ? (copy.url ?? COPY_FACTS[copy.mmp].url)
    : copy.adattributionkit_url;
}

const namedOf = (uuid: string | null, name: string | null) =>
  uuid === null || name === null ? null : { uuid, name };

const failing =
  ({ uuid, company_uuid }: BegunCopy, error: string) =>
  async ({ db }: Tx): Promise<void> =>
    setOwned(db, 'postback_copies', company_uuid, uuid, { status: 'failed', next_attempt_at: null, error });

function outcomeOf(ctx: Context, copy: BegunCopy, response: PartnerResponse): Outcome {
  const { uuid, company_uuid: companyId, app_uuid: appId, mmp } = copy;
  const { status, failure, retryAfterMs } = response;
  const answered = {
    response_status: status,
    response_start: status === null ? null : startOfText(response.text, RESPONSE_CHARACTERS),
  };
  const now = ctx.now();
  if (status !== null && status >= 200 && status < 300)
    return {
      result: 'sent',
      async settle({ db }) {
        await setOwned(db, 'postback_copies', companyId, uuid, {
          ...answered,
          status: 'accepted',
          next_attempt_at: null,
          error: null,
          accepted_at: now,
        });
        await noteAccepted(db, companyId, { appId, mmp, at: now });
      },
    };
  const error = failure ? partnerCostMessages.failure[failure] : postbackCopyMessages.status(status ?? 0);
  const settle = async ({ db }: Tx, nextAt: Date | null) =>
    setOwned(db, 'postback_copies', companyId, uuid, {
      ...answered,
      status: nextAt ? 'waiting' : 'failed',
      next_attempt_at: nextAt,
      error,
    });
  // A 4xx says that this copy is wrong, but for the ones that ask to come later.
  const isFinal = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  if (!isFinal && retryAfterMs !== null)
    return { result: 'postponed', until: new Date(now.getTime() + retryAfterMs), settle };
  return { result: 'failed', reason: failure ?? `the status ${status}`, isFinal, settle };
}

/** Deletes copies that are older than ninety days. */
export async function deleteExpiredCopies(ctx: Context): Promise<number> {
  return deleteOlderThan(ctx, COPY_DAYS, deleteCopiesBefore);
}
