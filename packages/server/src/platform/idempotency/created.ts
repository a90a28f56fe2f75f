import type { FastifyReply, FastifyRequest } from 'fastify';
import { type KeyStore, fingerprintOf, keyOf, once } from './once.ts';
import { actorOf } from '../http/auth/auth.ts';

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
