import type { DataOf, Endpoint } from '@bidwell/contract/lib/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Operator } from '../operator.ts';
import { type Session, actorOf } from './auth/auth.ts';
import { operatorOf } from './auth/operator-auth.ts';
import { type JsonEndpoint, type RouteHandler, type RouteOptions, route } from './route.ts';
import type { Http } from './server.ts';

/** The parsed value of a part of a call; nothing is known of one that the endpoint does not declare. */
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** The parameters of an endpoint's call: of its path, its query and its body. */
export type InputOf<E extends Endpoint> = Parsed<E['params']> & Parsed<E['query']> & Parsed<E['body']>;

/** The parameters of path, query and body of a request, as one object. */
export function inputOf<E extends Endpoint>(request: FastifyRequest): InputOf<E> & object {
  const { params, query, body } = request as Record<'params' | 'query' | 'body', object | undefined>;
  return { ...query, ...body, ...params } as InputOf<E> & object;
}

/** Who makes the call of an endpoint with a permission. */
type Caller<E extends JsonEndpoint> = E extends { permission: string } ? Operator : Session;

/** The operation of a domain that a call runs; returns the `data` of the response. */
type Operation<C, E extends JsonEndpoint> = (
  ctx: C,
  caller: Caller<E>,
  input: InputOf<E>,
  reply: FastifyReply,
) => DataOf<E> | Promise<DataOf<E>>;

/**
 * Registers the route of a call of a user or an operator. It runs `operation` with `ctx`, and responds with the `data` that it
 * returns and the successful status of the endpoint.
 */
export function dataRoute<C, E extends JsonEndpoint>(
  http: Http,
  ctx: C,
  endpoint: E,
  ...given: [Operation<C, E>] | [RouteOptions, Operation<C, E>]
): void {
  const [options, operation] = given.length === 2 ? given : [{}, ...given];
  const callerOf = endpoint.permission ? operatorOf : actorOf;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    if (endpoint.response[201]) void reply.code(201);
    return { data: await operation(ctx, callerOf(request) as Caller<E>, inputOf<E>(request), reply) };
  };
  route(http, endpoint, options, handler as unknown as RouteHandler<E>);
}

/** `operation` for a call whose data has its result under a name. */
export function named<const Name extends string, Given extends unknown[], Result>(
  name: Name,
  operation: (...given: Given) => Result | Promise<Result>,
) {
  return async (...given: Given) => ({ [name]: await operation(...given) }) as Record<Name, Result>;
}

/** `operation` for a call whose data is always the same. */
export function answering<const Data, Given extends unknown[]>(
  data: Data,
  operation: (...given: Given) => Promise<void>,
) {
  return async (...given: Given): Promise<Data> => {
    await operation(...given);
    return data;
  };
}
