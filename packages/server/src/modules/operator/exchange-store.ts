import type { SspInput } from '@bidwell/contract/operator';
import type { Selectable } from 'kysely';
import type { SspTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

export type SspRow = Selectable<SspTable>;

/** A secret that an exchange had before, and until when it is taken. */
export interface PreviousSecret {
  previous_secret: string | null;
  previous_secret_until: Date | null;
}

/** The keys of encrypted prices, in Base64. */
export interface PriceKeys {
  price_encryption_key: string | null;
  price_integrity_key: string | null;
}

/** All exchanges by slug; they belong to no company. */
export async function listSspRows(db: Db): Promise<SspRow[]> {
  return db.selectFrom('ssps').selectAll().orderBy('slug').execute();
}

/** One exchange, locked until the transaction ends; undefined when there is none of this slug. */
export async function lockSsp(db: Db, slug: string): Promise<SspRow | undefined> {
  return db.selectFrom('ssps').selectAll().where('slug', '=', slug).forUpdate().executeTakeFirst();
}

/** The columns to write; keys that are absent stay. */
type ExchangeValues = Omit<SspInput, keyof PriceKeys> & Partial<PriceKeys & PreviousSecret>;

export async function upsertSsp(db: Db, slug: string, ssp: ExchangeValues, at: Date): Promise<SspRow> {
  return db
    .insertInto('ssps')
    .values({ slug, ...ssp, created_at: at })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(ssp))
    .returningAll()
    .executeTakeFirstOrThrow();
}
