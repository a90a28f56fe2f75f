import type { DataOf, Endpoint } from '@bidwell/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import { actorOf } from './auth.ts';
import type { ListEngines } from './response-cache.ts';
import { cachedList } from './response-cache.ts';
import { route } from './route.ts';
import type { Http } from './server.ts';

/** The parsed query of an endpoint's call; undefined where none is declared. */
type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined;

/**
 * Registers the route of a list of the caller's company: {@link cachedList} of the `data` that `read` returns. `read`
 * may depend only on the company's entities and the query, and reads
 * with the engines that it is given.
 */
export function listRoute<E extends Endpoint & { form?: undefined }, N extends ListEngines>(
  http: Http,
  engines: N,
  endpoint: E,
  read: (from: N, actor: Actor, query: QueryOf<E>) => Promise<DataOf<E> & object>,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    cachedList(engines, request, reply, async (db) =>
      read({ ...engines, db }, actorOf(request), request.query as QueryOf<E>),
    );
  route(http, endpoint, handler as Parameters<typeof route<E>>[2]);
}
