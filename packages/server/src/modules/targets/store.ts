import type { CreatedRange } from '@bidwell/contract/wire';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { findOwned, listOwned, lockOwned } from '../../platform/postgres/owned-store.ts';
import type { TargetTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type TargetRow = Selectable<TargetTable>;

export async function listTargets(db: Db, companyId: string, range: CreatedRange): Promise<TargetRow[]> {
  return listOwned(db, 'targets', companyId, range);
}

export async function findTarget(db: Db, companyId: string, uuid: string): Promise<TargetRow | undefined> {
  return findOwned(db, 'targets', companyId, uuid);
}

/** Like {@link findTarget}, locked until the transaction ends. */
export async function lockTarget(db: Db, companyId: string, uuid: string): Promise<TargetRow | undefined> {
  return lockOwned(db, 'targets', companyId, uuid);
}

export async function insertTarget(
  db: Db,
  companyId: string,
  target: Omit<Insertable<TargetTable>, 'company_uuid'>,
): Promise<TargetRow> {
  return db
    .insertInto('targets')
    .values({ ...target, company_uuid: companyId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateTarget(
  db: Db,
  companyId: string,
  uuid: string,
  changes: Updateable<TargetTable>,
): Promise<TargetRow> {
  return db
    .updateTable('targets')
    .set(changes)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
}

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
