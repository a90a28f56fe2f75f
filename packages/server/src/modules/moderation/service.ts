import { notificationMessages } from '@bidwell/contract/messages';
import type { Decision, ModerationItem } from '@bidwell/contract/operator';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import type { CreativeVersion } from '../../platform/postgres/schema.ts';
import type { Operator } from '../../platform/operator.ts';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import { dropApprovedFile, previewOf } from '../creatives/service.ts';
import { notify } from '../notifications/service.ts';
import { recordAct } from '../operator-accounts/service.ts';
import type { ReviewedKind } from './store.ts';
import { lockReviewed, setDecision, waitingRows } from './store.ts';

/** Versions that await review, with the version that runs meanwhile and a link for viewing. */
export async function moderationQueue(engines: Engines): Promise<ModerationItem[]> {
  const rows = await waitingRows(engines.db);
  return rows.map(({ file_uuid: uuid, extension, link, updated_at, ...row }) => ({
    ...row,
    link: link ?? (uuid && extension ? previewOf(engines, { uuid, extension }) : ''),
    since: updated_at.toISOString(),
  }));
}

const nouns: Record<ReviewedKind, string> = {
  app: 'App',
  creative: 'Creative',
  creative_group: 'Creative group',
  tracking_link: 'Tracking link',
};

/**
 * Approves or rejects the version under review, and notifies the company. A rejection keeps the previously approved
 * version running unless `withdraw` is set; rejecting an approved version stops it. Idempotent. Throws NotFound.
 */
export async function decide(
  engines: Engines,
  entity: ReviewedKind,
  uuid: string,
  decision: Decision,
  by: Operator = TOKEN_HOLDER,
): Promise<void> {
  await transact(engines.db, async (tx) => {
    const reviewed = await lockReviewed(tx.db, entity, uuid);
    if (!reviewed) throw new NotFound(nouns[entity]);
    const { company_uuid: companyId, name, status: before } = reviewed;
    const { status } = decision;
    const reason = status === 'Rejected' ? (decision.reason ?? null) : null;
    const retainsApproved = status === 'Rejected' && !decision.withdraw && reviewed.approved !== null;
    const isWithdrawn = status === 'Rejected' && reviewed.approved !== null && !retainsApproved;
    if (before === status && reviewed.rejection_reason === reason && !isWithdrawn) return;
    await setDecision(tx.db, companyId, entity, uuid, {
      status,
      rejection_reason: reason,
      retainsApproved,
      updated_at: engines.now(),
    });
    if (entity === 'creative' && !retainsApproved)
      await dropApprovedFile(engines, tx, companyId, uuid, reviewed.approved as CreativeVersion | null);
    await recordChange(
      engines,
      tx,
      { companyId, userId: null },
      {
        entity,
        uuid,
        name,
        action: 'decide',
        before: { status: before, rejection_reason: reviewed.rejection_reason },
        after: { status, rejection_reason: reason },
      },
    );
    await recordAct(engines, tx, by, {
      action: status,
      entity,
      entityId: uuid,
      companyId,
      name,
      reason: reason ?? '',
      before: { status: before, rejection_reason: reviewed.rejection_reason },
      after: { status, rejection_reason: reason, ...(isWithdrawn && { withdrawn: true }) },
    });
    await notify(engines, tx, companyId, {
      kind: 'moderation',
      title: notificationMessages.reviewed(nouns[entity], status),
      text: reason
        ? notificationMessages.rejectedText(name, reason, retainsApproved)
        : notificationMessages.approvedText(name),
      entity: { type: entity, uuid },
    });
  });
}
