import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { SspInput } from '@bidwell/contract/operator/schema';
import type { Selectable } from 'kysely';
import type { SspTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type SspRow = Selectable<SspTable>;

/** The exchange's previous secret and the end of its validity. */
export interface PreviousSecret {
  previous_secret: string | null;
  previous_secret_until: Date | null;
}

/** Keys of encrypted prices: Base64, encrypted with a key of the server. */
export interface PriceKeys {
  price_encryption_key: string | null;
  price_integrity_key: string | null;
}

/** All exchanges by slug. Exchanges belong to no company. */
export async function listSspRows(db: Db): Promise<SspRow[]> {
  return db.selectFrom('ssps').selectAll().orderBy('slug').execute();
}

/** Reads an exchange and locks it until the transaction ends; undefined if there is none with this slug. */
export async function lockSsp(db: Db, slug: string): Promise<SspRow | undefined> {
  return db.selectFrom('ssps').selectAll().where('slug', '=', slug).forUpdate().executeTakeFirst();
}

/** Columns to write. Absent keys and secrets stay as they are. */
type ExchangeValues = Omit<SspInput, keyof PriceKeys | 'profile'> &
  Partial<PriceKeys & PreviousSecret> & { profile: ProfileSlug };

export async function upsertSsp(db: Db, slug: string, ssp: ExchangeValues, at: Date): Promise<SspRow> {
  return db
    .insertInto('ssps')
    .values({ slug, ...ssp, created_at: at })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(ssp))
    .returningAll()
    .executeTakeFirstOrThrow();
}
