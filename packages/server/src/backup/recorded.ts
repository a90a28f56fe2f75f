import type { Context } from '../context.ts';
import { recordAuditEntry } from '../modules/changes/audit-log.ts';
import type { Operator } from '../platform/operator.ts';
import { transact } from '../platform/postgres/transaction.ts';

/** Writes a complete backup into the audit log of operators, with what it lacks of the events. */
export async function recordBackup(
  ctx: Pick<Context, 'db' | 'now'>,
  by: Operator,
  missing: readonly string[],
): Promise<void> {
  await transact(ctx.db, async (tx) =>
    recordAuditEntry(ctx, tx, by, {
      action: 'Made',
      entity: 'backup',
      entityId: null,
      name: missing.length > 0 ? 'of everything that is there' : 'of everything',
      reason: missing.join(' '),
    }),
  );
}
