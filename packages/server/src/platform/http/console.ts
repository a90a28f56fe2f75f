import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isConsolePath } from '@bidwell/contract/reference/console-paths';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrandReader } from '../brand/brand-reader.ts';
import { brandedPage, domainOrigins } from '../brand/page-brand.ts';
import { sendUnknownRoute } from './errors.ts';
import { type PolicySettings, policyWithStyles } from './security-headers.ts';
import type { Http } from './server.ts';

/** Placeholder in the page for the nonce of the styles that its component library adds. */
const NONCE_PLACE = '__CSP_NONCE__';

/**
 * Serves the built console: files with a hash in their name with an immutable cache header, and for the paths of its screens the page itself
 * with the brand of the moment, except for those below `except`. With `onlyAt`, a path, screens that are not below it lead to it. Any other
 * address is 404: for browsers as the page, which says so, for others as JSON. Without a folder every address is 404, and with an empty one (a
 * console that was not built) the paths of screens are too.
 */
export async function serveConsole(
  http: Http,
  config: PolicySettings,
  folder: string | null,
  { brand, except, onlyAt }: { brand: BrandReader; except?: string | undefined; onlyAt?: string },
): Promise<void> {
  if (!folder) {
    http.setNotFoundHandler(sendUnknownRoute);
    return;
  }
  const isBuilt = existsSync(join(folder, 'index.html'));
  const sendPage = isBuilt ? await builtPage(http, config, { folder, brand }) : sendUnknownRoute;
  http.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading || (except !== undefined && isBelow(except, path)))
      return sendUnknownRoute(request, reply);
    if (isConsolePath(path)) {
      if (onlyAt !== undefined && !isBelow(onlyAt, path)) return reply.redirect(onlyAt);
      return sendPage(request, reply);
    }
    void reply.header('vary', 'accept');
    return prefersPage(request.headers.accept)
      ? sendPage(request, reply.code(404))
      : sendUnknownRoute(request, reply);
  });
}

/** Serves the files of the built console, and returns the function that sends its page. */
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

/** Whether a path is another one or below it, in any case. Pure. */
function isBelow(parent: string, path: string): boolean {
  return `${path.toLowerCase()}/`.startsWith(`${parent}/`);
}

/** Whether an `Accept` header names pages, and prefers them to JSON: a browser's does, a program's does not. Pure. */
function prefersPage(accept = ''): boolean {
  const qualityOf = (type: string): number => {
    const [, quality] = new RegExp(
      `(?:^|,)\\s*${type}\\s*(?:;[^,]*?\\bq=([\\d.]+)[^,]*|;[^,]*)?(?:,|$)`,
      'i',
    ).exec(accept) ?? [null, '0'];
    return Number(quality ?? 1);
  };
  return qualityOf('text/html') > qualityOf('application/json');
}
