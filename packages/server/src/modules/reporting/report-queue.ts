import { API_TOKEN_LIMITS } from '@bidwell/contract/accounts/api-token';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Config } from '../../config/config.ts';
import { fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import { limitTo } from '../../platform/http/limits/rate-limit.ts';
import type { Http } from '../../platform/http/server.ts';
import { reportQueueLimits } from './report-limits.ts';
import type { DataOf, Endpoint } from '@bidwell/contract/lib/endpoint';
import type { Actor } from '../../platform/actor.ts';
import { type InputOf, inputOf } from '../../platform/http/data-route.ts';
import { type RouteHandler, route } from '../../platform/http/route.ts';

/** Options of a route that limits API tokens. */
export type TokenRoute = Pick<RouteShorthandOptions, 'onRequest'>;

/** The fair queue of all reports, in which each company has its turn. */
export interface ReportQueue {
  /** Options of the routes that wait in the queue. */
  options: TokenRoute;
  /**
   * Runs a report when it is the company's turn; `query` distinguishes it from other reports of its path. The signal of `read` aborts once
   * no caller waits for it any more.
   */
  run<T>(
    this: void,
    request: FastifyRequest,
    reply: FastifyReply,
    query: object,
    read: (signal?: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

/** Creates the queue of all reports of a process. `http` counts the calls of each API token. */
export function reportQueue(http: Http, config: Config): ReportQueue {
  const queue = fairQueue(reportQueueLimits(config), 'reports');
  return {
    options: tokenRoute(http, 'reports', API_TOKEN_LIMITS.reportsPerMinute),
    run: async (request, reply, query, read) =>
      queue.run(actorOf(request).companyId, read, {
        // Pages of one company that are open at once send the same query.
        key: `${request.routeOptions.url} ${JSON.stringify(query)}`,
        signal: goneSignal(reply),
      }),
  };
}

/** Route options that limit each API token to `max` calls a minute. Signed-in users are not limited. */
export function tokenRoute(http: Http, what: string, max: number): TokenRoute {
  const limit = limitTo(
    http,
    { max, per: (request) => `${what}:${actorOf(request).sessionId}` },
    accountApiMessages.apiTokenRate(max, what),
  );
  return {
    onRequest: async (request: FastifyRequest) => {
      if (actorOf(request).role === 'api-token') await limit(request);
    },
  };
}

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
    const input = inputOf<E>(request);
    return { data: await run(request, reply, input, async () => read(actorOf(request), input)) };
  };
  route(http, endpoint, options, handler as unknown as RouteHandler<E>);
}
