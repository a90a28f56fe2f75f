import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AsyncResource } from 'node:async_hooks';
import { type Span, context, trace } from '@opentelemetry/api';
import { beginRequestSpan, endRequestSpan } from '../telemetry/request-span.ts';
import { withRequest } from '../telemetry/request-id.ts';
import { clientAddress } from './auth/client-address.ts';

interface Scope {
  span: Span | null;
  /** Carries the request's id and span into what its body's events start. */
  resource: AsyncResource;
}

/**
 * Gives each request's id to the log lines of all that it starts and to the caller (`x-request-id`), and records its
 * span. To be called before other hooks are added.
 */
export function scopeRequests(http: FastifyInstance): void {
  const scopes = new WeakMap<FastifyRequest, Scope>();
  http.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const span = beginRequestSpan(request.raw, request.routeOptions.url);
    withRequest(request.id, clientAddress(request), () => {
      const active = span ? trace.setSpan(context.active(), span) : context.active();
      context.with(active, () => {
        scopes.set(request, { span, resource: new AsyncResource('Request') });
        done();
      });
    });
  });
  // The events of a body come from the connection, which other requests used before.
  http.addHook('preValidation', (request, _reply, done) => {
    const scope = scopes.get(request);
    if (scope) scope.resource.runInAsyncScope(done);
    else done();
  });
  http.addHook('onResponse', (request, { statusCode }, done) => {
    const span = scopes.get(request)?.span;
    if (span) endRequestSpan(span, statusCode);
    done();
  });
}
