import type { FastifyCompressOptions } from '@fastify/compress';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { limits } from '@bidwell/contract/limits';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import Fastify, { LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { constants } from 'node:zlib';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { Malformed } from '../errors.ts';
import { replyToError } from './errors.ts';
import { serializerCompiler } from './serializer.ts';
import { proxyTrust } from './trusted-proxies.ts';

/** The HTTP server with zod schemas on its routes. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** An empty server: security headers, cookies, compression, errors in the envelope. Routes come from the modules. */
export async function createHttp(config: Config, log: Logger): Promise<Http> {
  const http = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxyTrust(config.trustProxy),
    bodyLimit: limits.jsonBodyBytesMax,
    // Trackers carry a signed bid in their path.
    routerOptions: { maxParamLength: 1000 },
    // A large video on a slow line takes minutes; who only opens connections has a minute for the headers.
    requestTimeout: 600_000,
    http: { headersTimeout: 60_000 },
    // Connections that carry a request are closed when it has been answered: see ./drain.ts.
    forceCloseConnections: 'idle',
  }).withTypeProvider<ZodTypeProvider>();
  http.setValidatorCompiler(validatorCompiler);
  http.setSerializerCompiler(serializerCompiler);
  http.setErrorHandler(replyToError);
  const parseJson = http.getDefaultJsonParser('error', 'error');
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (holdsNul(body as string))
      done(new Malformed('The request holds a NUL character, which cannot be kept.'));
    // A call without a body may still name the type of one.
    else if (body === '' && !request.routeOptions.schema?.body) done(null, undefined);
    else void parseJson(request, body as string, done);
  });
  await http.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(config) },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ?? false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  await http.register(cookie);
  http.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.compress = forOneReader;
  });
  await http.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'identity'],
    // It would unzip without a limit on what comes out; the one route that takes zipped bodies has one.
    globalDecompression: false,
  });
  return http;
}

/** True when a text of the JSON has a NUL, which PostgreSQL keeps in no text. */
function holdsNul(json: string): boolean {
  return json.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(json);
}

/** An answer of the API is made for one reader, and lists repeat themselves: what is fast comes before what is small. */
const forOneReader = {
  threshold: 1024,
  encodings: ['br', 'gzip', 'identity'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, chunkSize: 65_536 },
  zlibOptions: { level: 1, chunkSize: 65_536 },
} satisfies FastifyCompressOptions;

function contentPolicy(config: Config): Record<string, string[]> {
  const assets = config.assetOrigin ? [config.assetOrigin] : [];
  const recaptcha =
    config.captcha.kind === 'recaptcha' ? ['https://www.google.com', 'https://www.gstatic.com'] : [];
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...recaptcha],
    // The component library sets style attributes.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', 'https:'],
    'media-src': ["'self'", 'blob:', ...assets],
    'font-src': ["'self'", 'data:'],
    'worker-src': ["'self'", 'blob:'],
    'connect-src': ["'self'", ...assets, 'ws:', 'wss:'],
    'frame-src': ["'self'", 'blob:', ...assets, ...recaptcha],
    'object-src': ["'none'"],
    'base-uri': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
}
