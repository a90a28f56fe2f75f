import compress, { type FastifyCompressOptions } from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { limits } from '@bidwell/contract/lib/limits';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
  type FastifyRequest,
} from 'fastify';
import { type ZodTypeProvider, validatorCompiler } from 'fastify-type-provider-zod';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:zlib';
import type { Logger } from 'pino';
import { Invalid } from '../errors.ts';
import { sendError, sendUnknownRoute } from './errors.ts';
import { turnOf } from './auth/auth.ts';
import { IdleConnections, type IdleTerms } from './limits/idle-connections.ts';
import { type RawHandler, oneAfterAnother } from './limits/pipelining.ts';
import { readJsonBodies } from './bodies/read-json.ts';
import { limitBodies, limitChunks } from './bodies/request-body.ts';
import { PERMISSIONS_POLICY, type PolicySettings, securityHeaders } from './security-headers.ts';
import { serializerCompiler } from './bodies/serializer.ts';
import { type TrustedProxies, proxyTrust } from './auth/trusted-proxies.ts';
import { inTurns } from '../concurrency/in-turns.ts';
import { requestIdOf, withRequest } from '../telemetry/request-id.ts';
import { AsyncResource } from 'node:async_hooks';
import { type Span, context, trace } from '@opentelemetry/api';
import { beginRequestSpan, endRequestSpan } from '../telemetry/request-span.ts';
import { clientAddress } from './auth/client.ts';

/** Settings of the HTTP server. */
export interface HttpSettings extends PolicySettings {
  trustProxy: TrustedProxies;
  /** Connections at once; more are closed as soon as they are accepted, idle ones before. */
  connectionsMax: number;
  /** How long a connection stays open without a request, ms; {@link KEEP_ALIVE_MS} if not given. */
  keepAliveMs?: number;
  /** When idle connections are closed earlier; see {@link IdleConnections}. */
  idle?: Omit<IdleTerms, 'connectionsMax'>;
}

/**
 * How long connections stay open without a request. Exchanges demand up to five minutes; a connection that is closed just when an exchange
 * uses it costs a bid.
 */
export const KEEP_ALIVE_MS = 310_000;

/** The HTTP server with zod schemas on its routes. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/**
 * Creates a server without routes: security headers, cookies, compression, errors in the envelope. The modules add
 * routes.
 */
export async function createHttp(config: HttpSettings, log: Logger): Promise<Http> {
  const http = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    // The logger already writes the id of the request.
    childLoggerFactory: (logger) => logger,
    // A path that cannot be decoded, among others.
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    trustProxy: proxyTrust(config.trustProxy),
    bodyLimit: limits.jsonBodyBytesMax,
    // Trackers carry a signed bid in their path.
    routerOptions: { maxParamLength: 1000 },
    // A large video on a slow connection takes minutes; the headers must arrive within one.
    requestTimeout: 600_000,
    // Counted from the first byte of a request, so that an idle connection may be older.
    http: { headersTimeout: 60_000 },
    keepAliveTimeout: config.keepAliveMs ?? KEEP_ALIVE_MS,
    // Connections that carry a request are closed after its response: see ./drain.ts.
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();
  http.server.maxConnections = config.connectionsMax;
  const idle = new IdleConnections(http.server, { ...config.idle, connectionsMax: config.connectionsMax });
  const [router] = http.server.listeners('request') as RawHandler[];
  const turns = inTurns();
  const handle = oneAfterAnother((request, response) =>
    turns(turnOf(request), () => {
      if (!request.socket.destroyed) router!.call(http.server, request, response);
    }),
  );
  http.server
    .removeAllListeners('request')
    .on('request', (request: IncomingMessage, response: ServerResponse) => {
      limitChunks(request);
      idle.busy(request, response);
      handle(request, response);
    });
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler);
  http.setErrorHandler(sendError);
  scopeRequests(http);
  readJsonBodies(http);
  limitBodies(http);
  rejectNulInQueries(http);
  // Before its body is received and parsed.
  http.addHook('onRequest', async (request, reply) => {
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (request.is404 && !isReading) return sendUnknownRoute(request, reply);
    return undefined;
  });
  await http.register(helmet, securityHeaders(config));
  http.addHook('onRequest', async (_request, reply) => {
    void reply.header('permissions-policy', PERMISSIONS_POLICY);
  });
  // Responses of the API are personal: no cache stores them, unless the route says otherwise. Errors are not cached either: a
  // content delivery network would go on sending 404 for a creative that was approved since.
  http.addHook('onSend', async ({ url }, reply) => {
    const isPassing = url.startsWith('/api/') || reply.statusCode >= 400;
    if (isPassing && !reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
  });
  await http.register(cookie);
  http.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.compress ??= forOneReader;
  });
  await http.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'identity'],
    // It would decompress without a limit on the output; the one route that takes compressed bodies has one.
    globalDecompression: false,
  });
  return http;
}

/** Rejects a NUL in a query, as {@link readJsonBodies} does in a body: PostgreSQL does not store or compare it. */
function rejectNulInQueries(http: FastifyInstance): void {
  http.addHook('preValidation', async ({ url, query }) => {
    if (!url.startsWith('/api/')) return;
    for (const [field, value] of Object.entries(query as Record<string, string | string[]>))
      if ([value].flat().some((text) => text.includes('\0')))
        throw new Invalid([{ field, message: apiMessages.nulCharacter }]);
  });
}

/**
 * Compression of API responses: each is made for one reader, and lists are repetitive, so speed matters more than size.
 */
const forOneReader = {
  threshold: 1024,
  encodings: ['br', 'gzip', 'identity'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, chunkSize: 65_536 },
  zlibOptions: { level: 1, chunkSize: 65_536 },
} satisfies FastifyCompressOptions;

interface Scope {
  span: Span | null;
  /** Carries the request's id and span into the work that its body's events start. */
  resource: AsyncResource;
}

/**
 * Gives each request's id to the log lines of all that it starts and to the caller (`x-request-id`), and records its
 * span. Call it before other hooks are added.
 */
function scopeRequests(http: FastifyInstance): void {
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
