import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type ReadCache, readCache } from '../../lru-cache.ts';
import type { Database } from '../../postgres/client.ts';
import type { Replica } from '../../postgres/replica.ts';
import { versionOf } from '../../postgres/stores/versions-store.ts';
import { actorOf } from '../auth/auth.ts';
import type { ResponseMemory } from './response-memory.ts';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Longer responses are not cached, since those of one company would evict the others'. */
const CACHED_RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const COMPRESS_BYTES_MIN = 1024;

export type ResponseCache = ReadCache<string | Buffer>;

/** Cached responses of lists. Concurrent requests for the same list share one read. */
export function createResponseCache(): ResponseCache {
  return readCache<string | Buffer>({
    sizeMax: CACHE_BYTES_MAX,
    entrySizeMax: CACHED_RESPONSE_BYTES_MAX,
    sizeOf: (body, key) => body.length + key.length,
  });
}

/** What lists are read from. */
export interface ListContext {
  db: Database;
  /** A read replica of `db`; null without one. */
  replica: Replica | null;
  responseCache: ResponseCache;
  responseMemory: ResponseMemory;
}

/**
 * Responds with the result of `read`, serialized by the route's schema, and caches the response until the company's
 * version changes: lists are not paged, and are read far more often than they change. `read` may depend only on the
 * company's entities and the request's address. It reads the replica if that has the same version of the company, else the
 * primary. `estimate` says about how many bytes of JSON the list has. A list that depends on who reads it is cached for each
 * `reader`. Throws as {@link ResponseMemory.build}.
 */
export async function cachedList(
  ctx: ListContext,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (db: Database) => Promise<object>,
  { estimate, reader = null }: { estimate?: (db: Database) => Promise<number>; reader?: string | null } = {},
): Promise<FastifyReply> {
  const { companyId } = actorOf(request);
  // Read before the list, so that the list is never older than the version it is cached under.
  const version = await versionOf(ctx.db, companyId);
  const brotli = acceptsBrotli(request);
  const list = {
    owner: companyId,
    route: request.routeOptions.url ?? '',
    address: request.url,
    ...(estimate && { estimate: async () => estimate(ctx.db) }),
  };
  const make = async (): Promise<string | Buffer> =>
    ctx.responseMemory.build(list, async () => {
      const copied = await ctx.replica?.read(companyId, version, read);
      const json = reply.serialize({ data: copied ? copied.value : await read(ctx.db) }) as string;
      const body = brotli && json.length >= COMPRESS_BYTES_MIN ? await compress(json) : json;
      return { body, jsonLength: json.length };
    });
  const key = `${companyId} ${version} ${brotli ? 'br' : 'plain'} ${reader ?? 'all'} ${request.url}`;
  const body = await ctx.responseCache.forceFetch(key, { context: make });
  void reply.type('application/json; charset=utf-8');
  if (typeof body !== 'string') void reply.header('content-encoding', 'br').header('vary', 'accept-encoding');
  return reply.send(body);
}

function acceptsBrotli({ headers }: FastifyRequest): boolean {
  return /(?:^|,)\s*br\s*(?:,|$)/.test(headers['accept-encoding'] ?? '');
}

const deflate = promisify(brotliCompress);
// Fast rather than small: most of the gain comes from repetition.
const compress = async (json: string): Promise<Buffer> =>
  deflate(json, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
  });
