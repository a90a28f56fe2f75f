import type { Db } from '../postgres/transaction.ts';
import { json } from '../postgres/client.ts';
import type { IdempotencyKeyTable } from '../postgres/schema.ts';

/** A key as it is used: whose, which, and for what. */
export interface KeyUse {
  companyId: string;
  key: string;
  /** Of the route and what was sent. */
  fingerprint: string;
}

/** A key that a request holds: since when tells it from the one that takes it over. */
export interface Claim extends KeyUse {
  at: Date;
}

/** Takes a key that nobody uses; false when it is taken. */
export async function claimKey(db: Db, { companyId, key, fingerprint }: KeyUse, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_keys')
    .values({ company_uuid: companyId, key, fingerprint, state: 'running', answer: null, claimed_at: at })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'key']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows) > 0;
}

/** Takes over a key whose request began before `before` and never ended; false when another did. */
export async function takeOverKey(
  db: Db,
  { companyId, key, fingerprint }: KeyUse,
  at: Date,
  before: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ fingerprint, claimed_at: at })
    .where('company_uuid', '=', companyId)
    .where('key', '=', key)
    .where('state', '=', 'running')
    .where('claimed_at', '<', before)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

export async function findKey(
  db: Db,
  companyId: string,
  key: string,
): Promise<
  (Pick<IdempotencyKeyTable, 'fingerprint' | 'state' | 'claimed_at'> & { answer: object | null }) | undefined
> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'state', 'claimed_at', 'answer'])
    .where('company_uuid', '=', companyId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/**
 * Marks the request as carried out; in its own transaction, so that it is so exactly when the change is there. False when
 * another has taken over the key: the transaction is then to be rolled back.
 */
export async function commitKey(db: Db, { companyId, key, at }: Claim): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ state: 'committed' })
    .where('company_uuid', '=', companyId)
    .where('key', '=', key)
    .where('claimed_at', '=', at)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** Keeps the answer for whoever asks again. */
export async function answerKey(db: Db, { companyId, key, at }: Claim, answer: object): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ state: 'answered', answer: json(answer) })
    .where('company_uuid', '=', companyId)
    .where('key', '=', key)
    .where('claimed_at', '=', at)
    .execute();
}

/** Frees a key whose request failed. What was carried out stays. */
export async function freeKey(db: Db, { companyId, key, at }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('company_uuid', '=', companyId)
    .where('key', '=', key)
    .where('claimed_at', '=', at)
    .where('state', '=', 'running')
    .execute();
}

/** Forgets the keys of all companies that were claimed before `before`; a job of the server. */
export async function forgetKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('claimed_at', '<', before).execute();
}
