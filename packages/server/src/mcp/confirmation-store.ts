import type { Db } from '../platform/postgres/transaction.ts';

interface ConfirmationRow {
  hash: string;
  key_uuid: string;
  fingerprint: string;
  created_at: Date;
  expires_at: Date;
}

export async function insertConfirmation(db: Db, companyId: string, row: ConfirmationRow): Promise<void> {
  await db
    .insertInto('assistant_confirmations')
    .values({ ...row, company_uuid: companyId })
    .execute();
}

/** Deletes expired confirmations of all companies, and all but the newest ones of one key. */
export async function deleteOldConfirmations(
  db: Db,
  companyId: string,
  { keyUuid, now, keep }: { keyUuid: string; now: Date; keep: number },
): Promise<void> {
  await db.deleteFrom('assistant_confirmations').where('expires_at', '<=', now).execute();
  const newest = db
    .selectFrom('assistant_confirmations')
    .select('hash')
    .where('company_uuid', '=', companyId)
    .where('key_uuid', '=', keyUuid)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(keep);
  await db
    .deleteFrom('assistant_confirmations')
    .where('company_uuid', '=', companyId)
    .where('key_uuid', '=', keyUuid)
    .where('hash', 'not in', newest)
    .execute();
}

/** Uses a confirmation up. False if it is not of this key and call, was used or has expired: of two callers one succeeds. */
export async function spendConfirmation(
  db: Db,
  companyId: string,
  { hash, keyUuid, fingerprint, now }: { hash: string; keyUuid: string; fingerprint: string; now: Date },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('assistant_confirmations')
    .where('company_uuid', '=', companyId)
    .where('key_uuid', '=', keyUuid)
    .where('hash', '=', hash)
    .where('fingerprint', '=', fingerprint)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
