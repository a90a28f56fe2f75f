import type { Context } from '../../../context.ts';
import { allocateSourceIdentifier, unnumberedAdsets } from '../../../delivery/public.ts';
import { transact } from '../../../platform/postgres/transaction.ts';

/** Ad sets of one run; each is a short transaction. */
const ADSETS_AT_ONCE = 200;

/**
 * Gives source identifiers to the ad sets that may bid with signatures and have none; bidders apply them within seconds. One for which none is
 * left bids without signatures until one is free. Resolves to how many got one.
 */
export async function allocateNumbers(ctx: Context): Promise<number> {
  let allocated = 0;
  for (const { adsetId, companyId, itemId } of await unnumberedAdsets(ctx.db, ADSETS_AT_ONCE)) {
    const number = await transact(ctx.db, async (tx) =>
      allocateSourceIdentifier(tx, companyId, adsetId, itemId, ctx.now()),
    );
    if (number !== null) allocated += 1;
  }
  if (allocated > 0) ctx.onInstallationChanged();
  return allocated;
}
