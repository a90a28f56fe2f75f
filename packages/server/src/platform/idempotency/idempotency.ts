import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { FastifyRequest, FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Conflict, Malformed, Underway } from '../errors.ts';
import { type Db, withFinalStep } from '../postgres/transaction.ts';
import { type Database, json } from '../postgres/client.ts';
import { type RawBuilder, sql } from 'kysely';
import type { IdempotencyKeyTable } from '../postgres/schema.ts';
import { actorOf } from '../http/auth/auth.ts';
import type { Http } from '../http/server.ts';

/** The database of the keys, and the clock that they expire by. */
export interface KeyStore {
  db: Database;
  now: () => Date;
  /** How long a repeated request waits for the first one; ten seconds by default. */
  waitMsMax?: number;
}

/** Retention of keys: a day. */
export const KEY_LIFE_MS = 24 * 3_600_000;
/** A request that runs longer than this is taken to have ended without a response. */
const RUNNING_MS_MAX = 60_000;
const POLL_MS = 50;
const WAIT_MS_MAX = 10_000;
/** How often a running request notes that it runs; three times before another one takes its key over. */
const RENEW_MS = 2000;
/** After this a repeated request finds the key free, or the result of the request that held it. */
const RETRY_SECONDS = 5;

/**
 * Runs `work` once for a key, and returns its stored result for repeated requests for a day; `replayed` says which. A
 * request that comes while the first one runs waits for it. Throws Conflict for a key that was used with another request,
 * and for a request that was committed while its response was lost (the process ended in between): the change is never
 * made twice, because the key is marked in the same transaction. A failed request leaves its key free. One that runs for
 * more than a minute, or has not been renewed for six seconds as its process was killed, may be taken over by the next; only the later of
 * the two can still commit.
 */
export async function once<T extends object>(
  ctx: KeyStore,
  use: KeyUse,
  work: () => Promise<T>,
): Promise<{ response: T; replayed: boolean }> {
  const { claim, response } = await claimOrResponse(ctx, use);
  if (!claim) return { response: response as T, replayed: true };
  const commit = async (db: Db): Promise<void> => {
    if (!(await commitKey(db, claim))) throw new Conflict(apiMessages.keyTakenOver);
  };
  // Without PostgreSQL nothing is renewed, and nothing taken over either.
  const renewing = setInterval(() => void renewKey(ctx.db, claim).catch(() => {}), RENEW_MS);
  renewing.unref();
  try {
    const made = await withFinalStep(commit, work);
    await storeResponse(ctx.db, claim, made);
    return { response: made, replayed: false };
  } catch (error) {
    await freeKey(ctx.db, claim);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** The request's `Idempotency-Key`, null without one. Throws Malformed. */
function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Malformed(apiMessages.keyFormat);
}

/** Fingerprint of a request, to detect another request under the same key: hash of method, path, body, `If-Match` and `If-None-Match`. */
function fingerprintOf(request: FastifyRequest, sent: unknown): string {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  const conditions = `${ifMatch ? ` ${ifMatch}` : ''}${ifNoneMatch ? ` not ${ifNoneMatch}` : ''}`;
  const route = `${request.method} ${request.url.split('?')[0]}${conditions}`;
  return createHash('sha256')
    .update(`${route}\n${JSON.stringify(sent)}`)
    .digest('hex');
}

/** A claim if this request has to run; otherwise the stored response. */
async function claimOrResponse(
  ctx: KeyStore,
  use: KeyUse,
): Promise<{ claim: Claim; response?: never } | { claim?: never; response: object }> {
  const { db, now, waitMsMax = WAIT_MS_MAX } = ctx;
  let isCommitted = false;
  for (let waitedMs = 0; waitedMs <= waitMsMax; waitedMs += POLL_MS) {
    const at = now();
    if (await claimKey(db, use, at)) return { claim: { ...use, at } };
    const found = await findKey(db, use);
    if (!found) continue;
    if (found.fingerprint !== use.fingerprint) throw new Conflict(apiMessages.keyReused);
    if (found.answer) return { response: found.answer };
    const over = new Date(at.getTime() - RUNNING_MS_MAX);
    if (await takeOverKey(db, use, at, over)) return { claim: { ...use, at } };
    isCommitted = found.state === 'committed';
    if (found.claimed_at < over && isCommitted) break;
    await wait(POLL_MS);
  }
  if (isCommitted) throw new Conflict(apiMessages.keyRunning);
  throw new Underway(apiMessages.keyUnderway, RETRY_SECONDS);
}

/** Use of a key: its company and request. */
interface KeyUse {
  /** Null for the operator, whose keys are in a table of their own. */
  companyId: string | null;
  key: string;
  /** Hash of the route and the body. */
  fingerprint: string;
}

/** A key claimed by a request. Its instant distinguishes it from a request that takes the key over. */
interface Claim extends KeyUse {
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
async function claimKey(db: Db, use: KeyUse, at: Date): Promise<boolean> {
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
async function renewKey(db: Db, claim: Claim): Promise<void> {
  await sql`update ${tableOf(claim)} set renewed_at = clock_timestamp()
    where ${isKey(claim)} and claimed_at = ${claim.at} and state = 'running'`.execute(db);
}

/** A request that was not renewed for this long has ended with its process. */
const RENEWED_SECONDS_MAX = 6;

/**
 * Takes over a key whose request began before `before`, or was last renewed more than six seconds ago, and did not end; false when it
 * cannot be taken over.
 */
async function takeOverKey(db: Db, use: KeyUse, at: Date, before: Date): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(use)} 
      set fingerprint = ${use.fingerprint}, claimed_at = ${at}, renewed_at = clock_timestamp()
      where ${isKey(use)} and state = 'running' and (claimed_at < ${before}
        or renewed_at < clock_timestamp() - make_interval(secs => ${RENEWED_SECONDS_MAX}))`,
  );
}

async function findKey(
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
async function commitKey(db: Db, claim: Claim): Promise<boolean> {
  return changes(
    db,
    sql`update ${tableOf(claim)} set state = 'committed' where ${isKey(claim)} and claimed_at = ${claim.at}`,
  );
}

/** Stores the response for repeated requests. */
async function storeResponse(db: Db, claim: Claim, answer: object): Promise<void> {
  await sql`update ${tableOf(claim)} set state = 'answered', answer = ${json(answer)}
    where ${isKey(claim)} and claimed_at = ${claim.at}`.execute(db);
}

/** Deletes the key of a failed request, unless its change was committed. */
async function freeKey(db: Db, claim: Claim): Promise<void> {
  await sql`delete from ${tableOf(claim)}
    where ${isKey(claim)} and claimed_at = ${claim.at} and state = 'running'`.execute(db);
}

/** Deletes expired keys of all companies and of the operator: keys claimed before `before`. */
export async function deleteExpiredKeys(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('claimed_at', '<', before).execute();
  await db.deleteFrom('operator_idempotency_keys').where('claimed_at', '<', before).execute();
}

/**
 * Responds with 201 and the result of `create`. With an `Idempotency-Key` header it runs {@link once} for the company, and a
 * repeated request gets the stored response with `idempotent-replayed: true`.
 */
export async function created<T extends object>(
  ctx: KeyStore,
  request: FastifyRequest,
  reply: FastifyReply,
  create: () => Promise<T>,
  sent: unknown = request.body,
): Promise<{ data: T }> {
  const key = keyOf(request);
  void reply.code(201);
  if (key === null) return { data: await create() };
  const use = { companyId: actorOf(request).companyId, key, fingerprint: fingerprintOf(request, sent) };
  const { response, replayed } = await once(ctx, use, create);
  if (replayed) void reply.header('idempotent-replayed', 'true');
  return { data: response };
}

/**
 * onRequest hook of the calls of a company. Throws Malformed for a key of a call whose response has a secret: a caller that got no response would
 * repeat it, and carry it out twice. Operators' clients send a key with each write.
 */
export async function rejectUnusedKey({ headers, routeOptions }: FastifyRequest): Promise<void> {
  if (routeOptions.config.answersSecret && headers['idempotency-key'] !== undefined)
    throw new Malformed(apiMessages.keyNotTaken);
}

interface StoredResponse {
  status: number;
  body: object;
}

/**
 * Lets every writing route (all but GET and HEAD) registered after it in the scope take an `Idempotency-Key` of the
 * operator: it runs {@link once}, and a repeated request gets the stored response with `idempotent-replayed: true`. Such
 * a route returns its response body. Each operator has keys of their own.
 */
export function repeatableWrites(http: Http, ctx: KeyStore): void {
  http.addHook('onRoute', (route) => {
    if ([route.method].flat().every((method) => method === 'GET' || method === 'HEAD')) return;
    // A stored response would keep the secret readable in the database.
    if (route.config?.answersSecret) return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      const carryOut = async () => (await handler.call(this, request, reply)) as object;
      const key = keyOf(request);
      if (key === null) return carryOut();
      const own = request.operator?.uuid ? `${request.operator.uuid} ${key}` : key;
      const use = { companyId: null, key: own, fingerprint: fingerprintOf(request, request.body) };
      const { response, replayed } = await once<StoredResponse>(ctx, use, async () => {
        const body = await carryOut();
        return { status: reply.statusCode, body };
      });
      if (replayed) void reply.code(response.status).header('idempotent-replayed', 'true');
      return response.body;
    };
  });
}
