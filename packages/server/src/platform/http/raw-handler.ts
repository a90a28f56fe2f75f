import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginRequestSpan, endWithResponse } from '../telemetry/request-span.ts';
import { type RawHandler, admitPipelined } from './limits/pipelining.ts';
import { limitChunks, limitSlowBodyTime } from './bodies/request-body.ts';

/** A route whose requests are handled in front of the router. */
export interface RawRoute {
  /** Template of its address, for traces. */
  route: string;
  takes: (request: IncomingMessage) => boolean;
  respond: RawHandler;
  /** How long a body may take, ms; 30 seconds if not given. */
  bodyMsMax?: number;
}

// Headers are the flat lists that Node takes without copying them.
export const NOSNIFF = ['x-content-type-options', 'nosniff'];

/**
 * Passes requests that `takes` accepts to `respond`, in front of the router: for the routes with by far the most requests,
 * which do not need the server's hooks. The route must be registered as well, since injected requests reach only the
 * router.
 */
export function registerRawHandler(
  http: FastifyInstance,
  { route: template, takes, respond, bodyMsMax }: RawRoute,
): void {
  const [route] = http.server.listeners('request');
  http.server.removeAllListeners('request');
  http.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (takes(request)) {
      if (!admitPipelined(request.socket, response)) return;
      limitChunks(request);
      limitSlowBodyTime(request, bodyMsMax);
      const span = beginRequestSpan(request, template);
      if (span) endWithResponse(span, response);
      respond(request, response);
    } else route?.call(http.server, request, response);
  });
}

/**
 * A header of a request by its name in lower case; several with the name are joined. `IncomingMessage.headers` builds an
 * object of all headers first, which takes longer than the few looks that a small request needs.
 */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const own = rawHeaders[at]!;
    if (own.length !== name.length || own.toLowerCase() !== name) continue;
    found = found === undefined ? rawHeaders[at + 1]! : `${found}, ${rawHeaders[at + 1]!}`;
  }
  return found;
}
