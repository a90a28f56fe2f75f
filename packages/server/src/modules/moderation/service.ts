import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import type { Decision, DecisionResults, Decisions } from '@bidwell/contract/moderation/schema';
import type { Context } from '../../context.ts';
import { Conflict, NotFound } from '../../platform/errors.ts';
import type { CreativeVersion } from '../../platform/postgres/schema.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { dropApprovedFile } from '../catalog/public.ts';
import { notify } from '../messaging/public.ts';
import { recordOperatorChange } from '../changes/public.ts';
import { type ReviewedKind, lockReviewed, setDecision } from './store.ts';

const nouns: Record<ReviewedKind, string> = {
  app: 'App',
  creative: 'Creative',
  creative_group: 'Creative group',
  tracking_link: 'Tracking link',
};

/**
 * Approves or rejects the version under review, and notifies the company. A rejection keeps the previously approved
 * version running unless `withdraw` is set; rejecting an approved version stops it. Idempotent. Throws NotFound; Conflict
 * if the entity is not the version of `since`.
 */
export async function decide(
  ctx: Context,
  operator: Operator,
  { entity, uuid, ...decision }: Decision & { entity: ReviewedKind; uuid: string },
): Promise<void> {
  requireOperatorPermission(operator, 'moderation.decide');
  await transact(ctx.db, async (tx) => {
    const reviewed = await lockReviewed(tx.db, entity, uuid);
    if (!reviewed) throw new NotFound(nouns[entity]);
    const { company_uuid: companyId, name, status: before } = reviewed;
    const { status } = decision;
    const reason = status === 'Rejected' ? (decision.reason ?? null) : null;
    const retainsApproved = status === 'Rejected' && !decision.withdraw && reviewed.approved !== null;
    const isWithdrawn = status === 'Rejected' && reviewed.approved !== null && !retainsApproved;
    if (before === status && reviewed.rejection_reason === reason && !isWithdrawn) return;
    if (decision.since !== undefined && Date.parse(decision.since) !== reviewed.updated_at.getTime())
      throw new Conflict(operatorApiMessages.reviewedChanged);
    await setDecision(tx.db, companyId, entity, uuid, {
      status,
      rejection_reason: reason,
      retainsApproved,
      updated_at: ctx.now(),
    });
    if (entity === 'creative' && !retainsApproved)
      await dropApprovedFile(ctx, tx, companyId, uuid, reviewed.approved as CreativeVersion | null);
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity,
      uuid,
      name,
      action: 'decide',
      done: status,
      reason: reason ?? '',
      before: { status: before, rejection_reason: reviewed.rejection_reason },
      after: { status, rejection_reason: reason },
      ...(isWithdrawn && { audited: { withdrawn: true } }),
      fileSha256: reviewed.file_sha256,
    });
    await notify(ctx, tx, companyId, {
      kind: 'moderation',
      ...(reason
        ? notificationMessages.rejected(nouns[entity], { name, reason, retainsApproved })
        : notificationMessages.approved(nouns[entity], name)),
      entity: { type: entity, uuid },
    });
  });
}

/**
 * Decides the same on several entities, each in its own transaction, in order. Entities that have changed or do not
 * exist are skipped and reported. Idempotent.
 */
export async function decideOnMany(
  ctx: Context,
  operator: Operator,
  { items, ...decision }: Decisions,
): Promise<DecisionResults> {
  requireOperatorPermission(operator, 'moderation.decide');
  const results: DecisionResults['results'] = [];
  for (const item of items)
    results.push({
      uuid: item.uuid,
      outcome: await outcomeOf(decide(ctx, operator, { ...decision, ...item })),
    });
  return { results };
}

async function outcomeOf(decided: Promise<void>): Promise<DecisionResults['results'][number]['outcome']> {
  try {
    await decided;
    return 'decided';
  } catch (error) {
    if (error instanceof Conflict) return 'changed';
    if (error instanceof NotFound) return 'missing';
    throw error;
  }
}
