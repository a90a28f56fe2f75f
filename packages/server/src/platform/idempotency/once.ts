import { apiMessages } from '@bidwell/contract/text/messages';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Conflict, Malformed, Underway } from '../errors.ts';
import { type Db, withFinalStep } from '../postgres/transaction.ts';
import {
  type Claim,
  type KeyUse,
  storeResponse,
  claimKey,
  commitKey,
  findKey,
  freeKey,
  renewKey,
  takeOverKey,
} from './store.ts';
import type { Database } from '../postgres/client.ts';

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
export function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Malformed(apiMessages.keyFormat);
}

/** Fingerprint of a request, to detect another request under the same key: hash of method, path, body, `If-Match` and `If-None-Match`. */
export function fingerprintOf(request: FastifyRequest, sent: unknown): string {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  const conditions = `${ifMatch ? ` ${ifMatch}` : ''}${ifNoneMatch ? ` not ${ifNoneMatch}` : ''}`;
  const route = `${request.method} ${request.url.split('?')[0]}${conditions}`;
  return createHash('sha256')
    .update(`${route}\n${JSON.stringify(sent)}`)
    .digest('hex');
}

/** A claim when this request is to be carried out; otherwise the stored response. */
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
