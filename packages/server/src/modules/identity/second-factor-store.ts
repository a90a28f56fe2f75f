import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Wrong codes of an account since the last right one. */
export interface WrongCodes {
  count: number;
  lastAt: Date;
}

export async function findWrongCodes(db: Db, accountUuid: string): Promise<WrongCodes | undefined> {
  return db
    .selectFrom('wrong_codes')
    .select(['count', 'last_at as lastAt'])
    .where('account_uuid', '=', accountUuid)
    .executeTakeFirst();
}

/** Sets the wrong codes of an account, whose row the caller has locked. */
export async function setWrongCodes(
  db: Db,
  accountUuid: string,
  { count, lastAt }: WrongCodes,
): Promise<void> {
  await db
    .insertInto('wrong_codes')
    .values({ account_uuid: accountUuid, count, last_at: lastAt })
    .onConflict((conflict) =>
      conflict
        .column('account_uuid')
        .doUpdateSet({ count: sql`excluded.count`, last_at: sql`excluded.last_at` }),
    )
    .execute();
}

export async function deleteWrongCodes(db: Db, accountUuid: string): Promise<void> {
  await db.deleteFrom('wrong_codes').where('account_uuid', '=', accountUuid).execute();
}

/** Those of the accounts that have at least `count` wrong codes. */
export async function accountsWithWrongCodes(
  db: Db,
  accountUuids: readonly string[],
  count: number,
): Promise<ReadonlySet<string>> {
  if (accountUuids.length === 0) return new Set();
  const rows = await db
    .selectFrom('wrong_codes')
    .select('account_uuid')
    .where('account_uuid', 'in', accountUuids)
    .where('count', '>=', count)
    .execute();
  return new Set(rows.map(({ account_uuid: uuid }) => uuid));
}
