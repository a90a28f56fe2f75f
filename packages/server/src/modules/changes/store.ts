import type { Change, ChangeAction, EntityType } from '@bidwell/contract/change';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { json } from '../../platform/postgres/client.ts';
import type { ChangeTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A change to insert; {@link insertChange} adds the author's name. */
export interface NewChange {
  userId: string | null;
  entity: EntityType;
  entityId: string;
  name: string;
  action: ChangeAction;
  fields: Change['fields'];
  at: Date;
}

export async function insertChange(db: Db, companyId: string, change: NewChange): Promise<void> {
  const author = sql<string>`coalesce(
    (select trim(first_name || ' ' || last_name) from users where uuid = ${change.userId}::uuid and company_uuid = ${companyId}::uuid),
    'Operator')`;
  await db
    .insertInto('changes')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      user_uuid: change.userId,
      author,
      entity_type: change.entity,
      entity_uuid: change.entityId,
      entity_name: change.name,
      action: change.action,
      fields: json(change.fields),
      created_at: change.at,
    })
    .execute();
}

/** A page of a company's changes, newest first, and the number of all of them. */
export async function listChangeRows(
  db: Db,
  companyId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: Selectable<ChangeTable>[]; total: number }> {
  const mine = db.selectFrom('changes').where('company_uuid', '=', companyId);
  const rows = await mine
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await mine.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}
