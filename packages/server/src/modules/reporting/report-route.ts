import type { DataOf, Endpoint } from '@bidwell/contract/lib/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { ReportQueue } from './report-queue.ts';

/** What a part of a call was parsed to; nothing where the endpoint declares none. */
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** The parameters of an endpoint's call: of its path, its query and its body. */
type InputOf<E extends Endpoint> = Parsed<E['params']> & Parsed<E['query']> & Parsed<E['body']>;

/**
 * Registers the route of a report, which waits in the queue of reports. `read` gets the parameters of path, query and body
 * together; the queue runs calls with the same parameters once.
 */
export function reportRoute<E extends Endpoint & { form?: undefined }>(
  http: Http,
  { run, options }: ReportQueue,
  endpoint: E,
  read: (actor: Actor, input: InputOf<E>) => Promise<DataOf<E>>,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { params, query, body } = request as Record<'params' | 'query' | 'body', object | undefined>;
    const input = { ...params, ...query, ...body } as InputOf<E> & object;
    return { data: await run(request, reply, input, async () => read(actorOf(request), input)) };
  };
  route(http, endpoint, handler as Parameters<typeof route<E>>[2], options);
}
