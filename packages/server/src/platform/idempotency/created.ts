import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '../../engines.ts';
import { Conflict, Malformed } from '../errors.ts';
import { actorOf } from '../http/auth.ts';
import { endingTransactionsWith } from '../postgres/transaction.ts';
import type { KeyUse } from './store.ts';
import { answerKey, claimKey, commitKey, findKey, freeKey, takeOverKey } from './store.ts';

/** Keys are kept a day. */
export const KEY_LIFE_MS = 24 * 3_600_000;
/** A request that runs longer than this ended without a word. */
const RUNNING_MS_MAX = 60_000;
const POLL_MS = 50;
const WAIT_MS_MAX = 10_000;

/**
 * Answers 201 with what `create` makes. With an `Idempotency-Key` header, the same key and body of the same company on
 * the same route is carried out once and answers the first result again (with `idempotent-replayed: true`) for a day;
 * one that comes while the first still runs waits for it. Throws Conflict for the key with another body, and for a
 * request that was carried out while its answer was lost (the process ended in between): the change is never made twice,
 * because the key is marked in the transaction that makes it. A request that fails leaves its key free.
 */
export async function created<T extends object>(
  engines: Engines,
  request: FastifyRequest,
  reply: FastifyReply,
  create: () => Promise<T>,
  sent: unknown = request.body,
): Promise<{ data: T }> {
  const key = keyOf(request);
  void reply.code(201);
  if (key === null) return { data: await create() };
  const route = `${request.method} ${request.routeOptions.url}`;
  const fingerprint = createHash('sha256')
    .update(`${route}\n${JSON.stringify(sent)}`)
    .digest('hex');
  const use: KeyUse = { companyId: actorOf(request).companyId, key, fingerprint };
  const earlier = await claim(engines, use);
  if (earlier) {
    void reply.header('idempotent-replayed', 'true');
    return { data: earlier as T };
  }
  try {
    const made = await endingTransactionsWith((db) => commitKey(db, use), create);
    await answerKey(engines.db, use, made);
    return { data: made };
  } catch (error) {
    await freeKey(engines.db, use);
    throw error;
  }
}

function keyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Malformed('An Idempotency-Key has 1 to 255 visible ASCII characters.');
}

/** Null when the request is ours to carry out; else what the first one answered. */
async function claim(engines: Engines, use: KeyUse): Promise<object | null> {
  const { db, now } = engines;
  for (let waitedMs = 0; waitedMs <= WAIT_MS_MAX; waitedMs += POLL_MS) {
    if (await claimKey(db, use, now())) return null;
    const found = await findKey(db, use.companyId, use.key);
    if (!found) continue;
    if (found.fingerprint !== use.fingerprint)
      throw new Conflict('This Idempotency-Key was used with another request.');
    if (found.answer) return found.answer;
    const over = new Date(now().getTime() - RUNNING_MS_MAX);
    if (await takeOverKey(db, use, now(), over)) return null;
    if (found.claimed_at < over) break;
    await wait(POLL_MS);
  }
  throw new Conflict(
    'A request with this Idempotency-Key was begun and has not answered. Look for its result.',
  );
}
