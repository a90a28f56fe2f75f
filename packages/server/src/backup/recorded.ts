import type { Engines } from '../context.ts';
import { recordAct } from '../modules/operator-accounts/service.ts';
import type { Operator } from '../platform/operator.ts';
import { transact } from '../platform/postgres/transaction.ts';

/** Writes a complete backup into the log of operators' acts, with what it lacks of the events. */
export async function recordBackup(
  engines: Pick<Engines, 'db' | 'now'>,
  by: Operator,
  missing: readonly string[],
): Promise<void> {
  await transact(engines.db, async (tx) =>
    recordAct(engines, tx, by, {
      action: 'Made',
      entity: 'backup',
      entityId: null,
      name: missing.length > 0 ? 'of everything that is there' : 'of everything',
      reason: missing.join(' '),
    }),
  );
}
