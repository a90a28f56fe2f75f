import { appApiMessages } from '@bidwell/contract/apps/api-messages';
import { Conflict } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Throws Conflict on `app_id`, naming the ad sets that use a target or tracking link: its app cannot change. */
export async function requireUnusedByAdsets(
  db: Db,
  companyId: string,
  part: 'target' | 'tracking link',
  uuid: string,
): Promise<void> {
  const names = await adsetNames(db, companyId, part, uuid);
  if (names.length === 0) return;
  const message = appApiMessages.appOfUsed(part, names);
  throw new Conflict(message, [{ field: 'app_id', message }]);
}

/** Names of the ad sets that use a target or a tracking link. */
async function adsetNames(
  db: Db,
  companyId: string,
  part: 'target' | 'tracking link',
  uuid: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('adsets')
    .select('name')
    .where('company_uuid', '=', companyId)
    .where(part === 'target' ? 'target_uuid' : 'tracking_link_uuid', '=', uuid)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
