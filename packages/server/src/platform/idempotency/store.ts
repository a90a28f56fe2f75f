import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres/transaction.ts';
import { json } from '../postgres/client.ts';
import type { IdempotencyKeyTable } from '../postgres/schema.ts';

/** Use of a key: its company and request. */
export interface KeyUse {
  /** Null for the operator, whose keys are in a table of their own. */
  companyId: string | null;
  key: string;
  /** Hash of the route and the body. */
  fingerprint: string;
}

/** A key claimed by a request. Its instant distinguishes it from a request that takes the key over. */
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

/** Claims an unused key; false when it is in use. */
export async function claimKey(db: Db, use: KeyUse, at: Date): Promise<boolean> {
  const { companyId, key, fingerprint } = use;
  const owner = companyId === null ? sql`` : sql`company_uuid, `;
  const company = companyId === null ? sql`` : sql`${companyId}, `;
  return changes(
    db,
    sql`insert into ${tableOf(use)} (${owner}key, fingerprint, state, claimed_at, renewed_at)
      values (${company}${key}, ${fingerprint}, 'running', ${at}, clock_timestamp()) on conflict do nothing`,
  );
}

/** Notes that the request of a claim still runs. */
export async function renewKey(db: Db, claim: Claim): Promise<void> {
  await sql`update ${tableOf(claim)} set renewed_at = clock_timestamp()
    where ${isKey(claim)} and claimed_at = ${claim.at} and state = 'running'`.execute(db);
}

/** A request that was not renewed for so long has ended with its process. */
const RENEWED_SECONDS_MAX = 6;

/**
 * Takes over a key whose request began before `before`, or was last renewed more than six seconds ago, and did not end; false when it
 * cannot be taken over.
 */
export async function takeOverKey(db: Db, use: KeyUse, at: Date, before: Date): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(use)} 
      set fingerprint = ${use.fingerprint}, claimed_at = ${at}, renewed_at = clock_timestamp()
      where ${isKey(use)} and state = 'running' and (claimed_at < ${before}
        or renewed_at < clock_timestamp() - make_interval(secs => ${RENEWED_SECONDS_MAX}))`,
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
 * Marks the request as carried out, in the transaction of its change, so that both commit together. False when another
 * request has taken the key over: the transaction must then be rolled back.
 */
export async function commitKey(db: Db, claim: Claim): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(claim)} set state = 'committed' where ${isKey(claim)} and claimed_at = ${claim.at}`,
  );
}

/** Stores the response for repeated requests. */
export async function storeResponse(db: Db, claim: Claim, answer: object): Promise<void> {
  await sql`update ${tableOf(claim)} set state = 'answered', answer = ${json(answer)}
    where ${isKey(claim)} and claimed_at = ${claim.at}`.execute(db);
}

/** Deletes the key of a failed request, unless its change was committed. */
export async function freeKey(db: Db, claim: Claim): Promise<void> {
  await sql`delete from ${tableOf(claim)}
    where ${isKey(claim)} and claimed_at = ${claim.at} and state = 'running'`.execute(db);
}

/** Deletes expired keys of all companies and of the operator: those claimed before `before`. */
export async function deleteExpiredKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('claimed_at', '<', before).execute();
  await db.deleteFrom('operator_idempotency_keys').where('claimed_at', '<', before).execute();
}
