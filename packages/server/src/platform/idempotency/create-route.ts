import type { DataOf } from '@bidwell/contract/lib/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Session, actorOf } from '../http/auth/auth.ts';
import { type InputOf, inputOf } from '../http/data-route.ts';
import { type JsonEndpoint, type RouteHandler, type RouteOptions, route } from '../http/route.ts';
import type { Http } from '../http/server.ts';
import { type KeyStore, created } from './idempotency.ts';

/** Creates an entity, and returns the `data` of the response. */
type Create<C, E extends JsonEndpoint> = (
  ctx: C,
  actor: Session,
  input: InputOf<E>,
) => Promise<DataOf<E> & object>;

/** Registers the route of a call by which a user creates an entity, once for each idempotency key. */
export function createRoute<C extends KeyStore, E extends JsonEndpoint>(
  http: Http,
  ctx: C,
  endpoint: E,
  ...given: [Create<C, E>] | [RouteOptions, Create<C, E>]
): void {
  const [options, create] = given.length === 2 ? given : [{}, ...given];
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    created(ctx, request, reply, () => create(ctx, actorOf(request), inputOf<E>(request)));
  route(http, endpoint, options, handler as unknown as RouteHandler<E>);
}
