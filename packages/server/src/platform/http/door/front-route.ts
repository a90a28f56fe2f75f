import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { registerRawHandler } from '../raw-handler.ts';
import { type FrontRoute, HttpCall } from './call.ts';
import { Door } from './door.ts';

const doors = new WeakMap<Server, Door>();

/**
 * Answers the requests of a route however they are read: by a {@link Door}; by node:http, where their connection was passed on to it; or
 * as injected requests, which reach only the router.
 */
export function registerFrontRoute(http: FastifyInstance, route: FrontRoute): void {
  const door = doorOf(http);
  const { method, prefix, kinds, template, bodyBytesMax, bodyMsMax, respond } = route;
  const respondTo = (request: IncomingMessage, response: ServerResponse): void =>
    respond(new HttpCall(request, response, { bodyBytesMax, arrivals: door.arrivals }));
  const paths = kinds ? [...kinds].map((kind) => `${prefix}${kind}/:rest`) : [`${prefix}*`];
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const url of paths)
      scope.route({
        method,
        url,
        handler(request, reply) {
          reply.hijack();
          respondTo(request.raw, reply.raw);
        },
      });
  });
  registerRawHandler(http, {
    route: template,
    takes: (request) => isOf(route, request),
    respond: respondTo,
    bodyMsMax,
  });
  door.add(route);
}

/** The {@link Door} of a server. */
export function doorOf(http: FastifyInstance): Door {
  const known = doors.get(http.server);
  if (known) return known;
  const door = new Door(http.server);
  doors.set(http.server, door);
  http.addHook('preClose', async () => door.close());
  http.addHook('onClose', async () => door.arrivals.close());
  return door;
}

function isOf({ method: own, prefix, kinds }: FrontRoute, { method, url = '' }: IncomingMessage): boolean {
  if (method !== own && !(method === 'HEAD' && own === 'GET')) return false;
  if (!url.startsWith(prefix)) return false;
  return !kinds || kinds.has(url.slice(prefix.length, url.indexOf('/', prefix.length)));
}
