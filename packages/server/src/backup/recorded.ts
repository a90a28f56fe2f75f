import type { Context } from '../context.ts';
import { recordAuditEntry } from '../modules/changes/public.ts';
import type { Operator } from '../platform/operator.ts';
import type { Tx } from '../platform/postgres/transaction.ts';

/** Writes a complete backup into the audit log of operators, with what it lacks of the events. */
export async function recordBackup(
  ctx: Pick<Context, 'now'>,
  tx: Tx,
  { by, missing }: { by: Operator; missing: readonly string[] },
): Promise<void> {
  await recordAuditEntry(ctx, tx, by, {
    action: 'Made a',
    entity: 'backup',
    entityId: null,
    name: missing.length > 0 ? 'with the events that are there' : '',
    reason: missing.join(' '),
  });
}
