import type { Db } from '../../../platform/postgres/transaction.ts';
import type { LossCause } from './facts.ts';

/** Reasons that were findings of ad sets, in ranges of a length. */
export async function readCauses(
  db: Db,
  adsets: readonly string[],
  span: number,
): Promise<ReadonlyMap<string, ReadonlySet<LossCause>>> {
  if (adsets.length === 0) return new Map();
  const rows = await db
    .selectFrom('adset_findings')
    .select(['adset_uuid', 'causes'])
    .where('span', '=', span)
    .where('adset_uuid', 'in', adsets)
    .execute();
  return new Map(rows.map((row) => [row.adset_uuid, new Set(row.causes as LossCause[])]));
}

/** Stores the reasons that are findings of ad sets now; ad sets that were deleted meanwhile are left out. */
export async function writeCauses(
  db: Db,
  causes: ReadonlyMap<string, readonly LossCause[]>,
  span: number,
): Promise<void> {
  if (causes.size === 0) return;
  const stored = await db
    .selectFrom('adsets')
    .select('uuid')
    .where('uuid', 'in', [...causes.keys()])
    .orderBy('uuid')
    .forKeyShare()
    .execute();
  if (stored.length === 0) return;
  await db
    .insertInto('adset_findings')
    .values(stored.map(({ uuid }) => ({ adset_uuid: uuid, span, causes: [...causes.get(uuid)!] })))
    .onConflict((conflict) =>
      conflict.columns(['adset_uuid', 'span']).doUpdateSet((row) => ({ causes: row.ref('excluded.causes') })),
    )
    .execute();
}
