import type { DataOf, Endpoint } from '@bidwell/contract/lib/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Database } from '../postgres/client.ts';
import { actorOf } from './auth/auth.ts';
import { type ListContext, cachedList } from './bodies/response-cache.ts';
import { type RouteHandler, route } from './route.ts';
import type { Http } from './server.ts';

/** The parsed query of an endpoint's call; undefined where none is declared. */
type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;

/**
 * Registers the route of a list of the caller's company: {@link cachedList} of the `data` that `read` returns. `read`
 * may depend only on the company's entities and the query, and reads
 * with the context that it is given. So does `estimate`, which says about how many bytes of JSON the list has. Where the list
 * depends on who asks too, `readerOf` names them.
 */
export function listRoute<E extends Endpoint & { form?: undefined }, N extends ListContext>(
  http: Http,
  ctx: N,
  endpoint: E,
  read: (from: N, actor: Actor, query: QueryOf<E>) => Promise<DataOf<E> & object>,
  {
    estimate,
    readerOf,
  }: {
    estimate?: (from: N, actor: Actor, query: QueryOf<E>) => Promise<number>;
    readerOf?: (actor: Actor) => string | null;
  } = {},
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const queryWith =
      <T>(one: (from: N, actor: Actor, query: QueryOf<E>) => Promise<T>) =>
      async (db: Database): Promise<T> =>
        one({ ...ctx, db }, actorOf(request), request.query as QueryOf<E>);
    return cachedList(ctx, request, reply, queryWith(read), {
      ...(estimate && { estimate: queryWith(estimate) }),
      reader: readerOf?.(actorOf(request)) ?? null,
    });
  };
  route(http, endpoint, handler as unknown as RouteHandler<E>);
}
