import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrandReader } from '../brand/brand-reader.ts';
import { BRAND_PATH, brandedPage, domainOrigins } from '../brand/page-brand.ts';
import { sendUnknownRoute } from './errors.ts';
import { type PolicySettings, policyWithStyles } from './security-headers.ts';
import type { Http } from './server.ts';

const serverPrefixes = [
  BRAND_PATH,
  '/metrics',
  '/api/',
  '/connection/',
  '/openrtb/',
  '/t/',
  '/m/',
  '/postback/',
];

/** Placeholder in the page for the nonce of the styles that its component library adds. */
const NONCE_PLACE = '__CSP_NONCE__';

/**
 * Serves the built console: files with a hash in their name with an immutable cache header, every other address as the
 * page itself with the brand of the moment, except for `withoutPaths`. With `onlyAt`, a path, pages that are not below it lead to it.
 * Without a folder an unknown address is a plain 404, and with an empty one every page.
 */
export async function serveConsole(
  http: Http,
  config: PolicySettings,
  folder: string | null,
  {
    brand,
    withoutPaths = [],
    onlyAt,
  }: { brand: BrandReader; withoutPaths?: readonly string[]; onlyAt?: string },
): Promise<void> {
  if (!folder) {
    http.setNotFoundHandler(sendUnknownRoute);
    return;
  }
  const sendPage = existsSync(join(folder, 'index.html'))
    ? await builtPage(http, config, { folder, brand })
    : sendUnknownRoute;
  http.setNotFoundHandler(async (request, reply) => {
    const isPage =
      request.method === 'GET' &&
      ![...serverPrefixes, ...withoutPaths].some((prefix) => request.url.startsWith(prefix));
    if (!isPage) return sendUnknownRoute(request, reply);
    if (onlyAt !== undefined && !isBelow(onlyAt, request.url)) return reply.redirect(onlyAt);
    return sendPage(request, reply);
  });
}

/** Serves the files of the built console, and returns what sends its page. */
async function builtPage(
  http: Http,
  config: PolicySettings,
  { folder, brand }: { folder: string; brand: BrandReader },
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return async (_request, reply) => {
    const current = await brand.current();
    const nonce = randomBytes(16).toString('base64');
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header(
        'content-security-policy',
        policyWithStyles(config, `'nonce-${nonce}'`, domainOrigins(current, config)),
      )
      .send(brandedPage(page.replace(NONCE_PLACE, nonce), current));
  };
}

/** Whether the URL of a request is a path or below it. */
function isBelow(path: string, url: string): boolean {
  return url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
}
