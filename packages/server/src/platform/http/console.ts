import fastifyStatic from '@fastify/static';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replyToUnknownRoute } from './errors.ts';
import type { Http } from './server.ts';

const serverPrefixes = ['/api/', '/connection/', '/openrtb/', '/t/', '/m/', '/postback/'];

/**
 * Serves the built console: files with a hash in their name for ever, every other address as the page itself. Without a
 * folder, or with nothing built in it, an unknown address is a plain 404.
 */
export async function serveConsole(http: Http, folder: string | null): Promise<void> {
  if (!folder || !existsSync(join(folder, 'index.html'))) {
    http.setNotFoundHandler(replyToUnknownRoute);
    return;
  }
  await http.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  http.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !serverPrefixes.some((prefix) => request.url.startsWith(prefix));
    if (!isPage) return replyToUnknownRoute(request, reply);
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
