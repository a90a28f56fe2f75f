import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../postgres/transaction.ts';
import { json } from '../postgres/client.ts';
import type { IdempotencyKeyTable } from '../postgres/schema.ts';

/** A key as it is used: whose, which, and for what. */
export interface KeyUse {
  /** Null for the operator, whose keys have a table of their own. */
  companyId: string | null;
  key: string;
  /** Of the route and what was sent. */
  fingerprint: string;
}

/** A key that a request holds: since when tells it from the one that takes it over. */
export interface Claim extends KeyUse {
  at: Date;
}

type KeyName = Pick<KeyUse, 'companyId' | 'key'>;

const tableOf = ({ companyId }: KeyName): RawBuilder<unknown> =>
  sql.table(companyId === null ? 'operator_idempotency_keys' : 'idempotency_keys');

const isKey = ({ companyId, key }: KeyName): RawBuilder<unknown> =>
  companyId === null ? sql`key = ${key}` : sql`company_uuid = ${companyId} and key = ${key}`;

async function changes(db: Db, statement: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await statement.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Takes a key that nobody uses; false when it is taken. */
export async function claimKey(db: Db, use: KeyUse, at: Date): Promise<boolean> {
  const { companyId, key, fingerprint } = use;
  const owner = companyId === null ? sql`` : sql`company_uuid, `;
  const company = companyId === null ? sql`` : sql`${companyId}, `;
  return changes(
    db,
    sql`insert into ${tableOf(use)} (${owner}key, fingerprint, state, claimed_at)
      values (${company}${key}, ${fingerprint}, 'running', ${at}) on conflict do nothing`,
  );
}

/** Takes over a key whose request began before `before` and never ended; false when another did. */
export async function takeOverKey(db: Db, use: KeyUse, at: Date, before: Date): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(use)} set fingerprint = ${use.fingerprint}, claimed_at = ${at}
      where ${isKey(use)} and state = 'running' and claimed_at < ${before}`,
  );
}

export async function findKey(
  db: Db,
  name: KeyName,
): Promise<
  (Pick<IdempotencyKeyTable, 'fingerprint' | 'state' | 'claimed_at'> & { answer: object | null }) | undefined
> {
  const { rows } = await sql<
    Pick<IdempotencyKeyTable, 'fingerprint' | 'state' | 'claimed_at'> & { answer: object | null }
  >`select fingerprint, state, claimed_at, answer from ${tableOf(name)} where ${isKey(name)}`.execute(db);
  return rows[0];
}

/**
 * Marks the request as carried out; in its own transaction, so that it is so exactly when the change is there. False when
 * another has taken over the key: the transaction is then to be rolled back.
 */
export async function commitKey(db: Db, claim: Claim): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(claim)} set state = 'committed' where ${isKey(claim)} and claimed_at = ${claim.at}`,
  );
}

/** Stores the answer for the same request sent again. */
export async function answerKey(db: Db, claim: Claim, answer: object): Promise<void> {
  await sql`update ${tableOf(claim)} set state = 'answered', answer = ${json(answer)}
    where ${isKey(claim)} and claimed_at = ${claim.at}`.execute(db);
}

/** Frees a key whose request failed. What was carried out stays. */
export async function freeKey(db: Db, claim: Claim): Promise<void> {
  await sql`delete from ${tableOf(claim)}
    where ${isKey(claim)} and claimed_at = ${claim.at} and state = 'running'`.execute(db);
}

/** Forgets the keys of all companies and of the operator that were claimed before `before`; a job of the server. */
export async function forgetKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('claimed_at', '<', before).execute();
  await db.deleteFrom('operator_idempotency_keys').where('claimed_at', '<', before).execute();
}
