import { notificationMessages } from '@bidwell/contract/text/messages';
import pLimit from 'p-limit';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import { listMembers } from '../people/membership-store.ts';
import { hasRecord } from './domains.ts';
import { type DomainRow, dueDomains, saveRecordCheck } from './provider-store.ts';

const DAY_MS = 86_400_000;
/** A record that was not seen for so long is gone, and not only being moved to other name servers. */
const GONE_DAYS = 7;
/** Domains of one run, and name servers that are asked at once. */
const CHECKED = { limit: 200, atOnce: 4 };

/**
 * Looks once a day whether proven mail domains still have their DNS record, and notifies the owners of those that have lost it for a week, once
 * until it is there again.
 * Nobody is locked out: the domain stays proven. Those that an operator proved, which never had one, are not missed. Breaks off when
 * `stopping` aborts.
 */
export async function checkDomainRecords(ctx: Context, stopping?: AbortSignal): Promise<void> {
  const now = ctx.now();
  const due = await dueDomains(ctx.db, new Date(now.getTime() - DAY_MS), CHECKED.limit);
  const inTurn = pLimit(CHECKED.atOnce);
  await Promise.all(
    due.map((row) =>
      inTurn(async () => {
        try {
          await checkDomain(ctx, row, { now, stopping });
        } catch (err) {
          if (isDatabaseUnavailable(err)) throw err;
          ctx.log.error({ err, domain: row.domain }, 'the DNS record of a mail domain could not be checked');
        }
      }),
    ),
  );
}

async function checkDomain(
  ctx: Context,
  row: DomainRow,
  { now, stopping }: { now: Date; stopping: AbortSignal | undefined },
): Promise<void> {
  if (stopping?.aborted) return;
  const {
    uuid,
    company_uuid: companyId,
    domain,
    record_seen_at: seenAt,
    record_notified_at: notifiedAt,
  } = row;
  const isThere = await hasRecord(ctx, row, stopping);
  if (stopping?.aborted) return;
  const isGone =
    isThere === false && seenAt !== null && now.getTime() - seenAt.getTime() >= GONE_DAYS * DAY_MS;
  const isNotified = isGone && (notifiedAt === null || notifiedAt <= seenAt);
  await transact(ctx.db, async (tx) => {
    const check = { uuid, checkedAt: now, isThere: isThere === true, isNotified };
    await saveRecordCheck(tx.db, companyId, check);
    if (!isNotified) return;
    const owners = (await listMembers(tx.db, companyId)).filter(({ role }) => role === 'owner');
    for (const { uuid: userId } of owners)
      await notify(ctx, tx, companyId, {
        userId,
        kind: 'sso_domain',
        ...notificationMessages.ssoRecordGone(domain, GONE_DAYS),
        entity: { type: 'user', uuid: userId },
        onceKey: `sso-record:${uuid}:${seenAt.getTime()}:${userId}`,
      });
  });
}
