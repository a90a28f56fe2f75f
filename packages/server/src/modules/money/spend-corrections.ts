import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { Context } from '../../context.ts';
import { SERVER } from '../../platform/operator.ts';
import type { Tx } from '../../platform/postgres/transaction.ts';
import { recordAuditEntries } from '../changes/public.ts';

/** Booked spend of an ad set that was lowered to the stored events. */
export interface LoweredAdset {
  adsetId: string;
  companyId: string;
  name: string;
  beforeMicros: Micros;
  afterMicros: Micros;
}

/** Writes corrections of booked spend into the audit log of operators, in the transaction that makes them. */
export async function recordCorrections(
  ctx: Pick<Context, 'now'>,
  tx: Pick<Tx, 'db'>,
  corrections: readonly LoweredAdset[],
): Promise<void> {
  await recordAuditEntries(
    ctx,
    tx,
    SERVER,
    corrections.map(({ adsetId, companyId, name, beforeMicros, afterMicros }) => ({
      action: 'Corrected spend',
      entity: 'adset',
      entityId: adsetId,
      name,
      companyId,
      reason: 'More was booked against its budgets than its events have cost.',
      before: { spent: toDollars(beforeMicros) },
      after: { spent: toDollars(afterMicros) },
    })),
  );
}
