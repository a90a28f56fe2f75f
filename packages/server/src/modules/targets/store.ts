import type { Selectable } from 'kysely';
import type { TargetTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type TargetRow = Selectable<TargetTable>;

/** Names of the ad sets that use a target. */
export async function adsetNames(db: Db, companyId: string, targetUuid: string): Promise<string[]> {
  const rows = await db
    .selectFrom('adsets')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('target_uuid', '=', targetUuid)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
