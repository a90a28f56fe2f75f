import type { Decision, ModerationItem } from '@bidwell/contract/operator';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import { notify } from '../notifications/service.ts';
import { lockReviewed, setDecision, waitingItems } from './store.ts';

/** What waits for an operator's decision. */
export async function moderationQueue(engines: Engines): Promise<ModerationItem[]> {
  return waitingItems(engines.db);
}

/** Decides on an app or creative and tells its company. Throws NotFound. Deciding the same again changes nothing. */
export async function decide(
  engines: Engines,
  entity: 'app' | 'creative',
  uuid: string,
  decision: Decision,
): Promise<void> {
  await transact(engines.db, async (tx) => {
    const reviewed = await lockReviewed(tx.db, entity, uuid);
    if (!reviewed) throw new NotFound(entity === 'app' ? 'App' : 'Creative');
    const { company_uuid: companyId, name, status: before } = reviewed;
    const { status } = decision;
    const reason = status === 'Rejected' ? (decision.reason ?? null) : null;
    if (before === status && reviewed.rejection_reason === reason) return;
    await setDecision(tx.db, companyId, entity, uuid, {
      status,
      rejection_reason: reason,
      updated_at: engines.now(),
    });
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
    await notify(engines, tx, companyId, {
      kind: 'moderation',
      title: `${entity === 'app' ? 'App' : 'Creative'} ${status.toLowerCase()}`,
      text: reason ? `“${name}” was rejected: ${reason}` : `“${name}” was approved.`,
      entity: { type: entity, uuid },
    });
  });
}
