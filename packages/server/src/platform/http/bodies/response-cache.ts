import type { FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type ReadCache, readCache, lruCache } from '../../lru-cache.ts';
import type { Database } from '../../postgres/client.ts';
import type { Replica } from '../../postgres/replica.ts';
import { versionOf } from '../../postgres/transaction.ts';
import { actorOf } from '../auth/auth.ts';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { Socket } from 'node:net';
import { Unavailable } from '../../errors.ts';
import { addToSum } from '../../group-by.ts';
import { type FairQueueLimits, fairQueue } from '../../concurrency/fair-queue.ts';
import type { Http } from '../server.ts';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Longer responses are not cached, since responses of one company would evict the others'. */
const CACHED_RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const COMPRESS_BYTES_MIN = 1024;

export type ResponseCache = ReadCache<string | Buffer>;

/** Responses that become shorter are not counted while they are built, and are not counted while they are sent. */
const COUNTED_BYTES_MIN = 256 * 1024;

/** Memory to build a response, for each byte of its JSON: the database's response, its rows, the objects and the text. */
const BUILDING_FACTOR = 5;

/** The most of the limit that one owner has, unless it has only one response. */
const OWNER_SHARE = 0.25;
const RETRY_AFTER_SECONDS = 2;
const SIZES_MAX = 5000;

/** Responses of one owner and route are built one after another: their length is known for sure only afterwards. */
const BUILD_LIMITS: FairQueueLimits = {
  running: Infinity,
  runningEach: 1,
  waiting: 5000,
  waitingEach: 200,
  waitMs: 30_000,
};

/** Counts the memory of long responses that are being built or sent, of all companies and of each. */
export class ResponseMemory {
  readonly #bytesMax: number;
  readonly #byOwner = new Map<string, number>();
  /** Lengths of the last long responses, by owner and address. */
  readonly #sizes = lruCache<string, number>(SIZES_MAX);
  readonly #builds = fairQueue(BUILD_LIMITS, 'lists');
  #bytes = 0;

  /** `bytesMax` limits all responses together; the only one under way may be longer. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Counts `bytes` of an owner until the returned function is called, which may be called again. Throws Unavailable beyond
   * the limit of all, or of the owner.
   */
  take(owner: string, bytes: number): () => void {
    const own = this.#byOwner.get(owner) ?? 0;
    const isFull = this.#bytes > 0 && this.#bytes + bytes > this.#bytesMax;
    if (isFull || (own > 0 && own + bytes > this.#bytesMax * OWNER_SHARE))
      throw new Unavailable(apiMessages.responsesFull, RETRY_AFTER_SECONDS);
    this.#add(owner, bytes);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(owner, -bytes);
      isTaken = false;
    };
  }

  /**
   * Builds a response once the earlier ones of its owner and route are built. Its memory is counted by the length of JSON that
   * the last response to the same address had, or by the estimate, if that is long. Throws RateLimited and Unavailable as a
   * {@link fairQueue}, and as {@link take}.
   */
  async build<Body>(
    { owner, route, address, estimate }: BuiltResponse,
    make: () => Promise<{ body: Body; jsonLength: number }>,
  ): Promise<Body> {
    const key = `${owner} ${address}`;
    return this.#builds.run(`${owner} ${route}`, async () => {
      const expected = Math.max(this.#sizes.get(key) ?? 0, (await estimate?.()) ?? 0);
      const isCounted = expected >= COUNTED_BYTES_MIN;
      const release = isCounted ? this.take(owner, expected * BUILDING_FACTOR) : () => {};
      try {
        const { body, jsonLength } = await make();
        if (jsonLength >= COUNTED_BYTES_MIN) this.#sizes.set(key, jsonLength);
        else this.#sizes.delete(key);
        return body;
      } finally {
        release();
      }
    });
  }

  #add(owner: string, bytes: number): void {
    this.#bytes += bytes;
    addToSum(this.#byOwner, owner, bytes);
    if (this.#byOwner.get(owner) === 0) this.#byOwner.delete(owner);
  }
}

/** Cached responses of lists. Concurrent requests for the same list share one read. */
export function createResponseCache(): ResponseCache {
  return readCache<string | Buffer>({
    sizeMax: CACHE_BYTES_MAX,
    entrySizeMax: CACHED_RESPONSE_BYTES_MAX,
    sizeOf: (body, key) => body.length + key.length,
  });
}

/** The databases that lists are read from. */
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

/** A response that is built for an owner, by the pattern of its route and the requested address. */
interface BuiltResponse {
  owner: string;
  route: string;
  address: string;
  /** About how many bytes of JSON it has, for routes that know it. */
  estimate?: () => Promise<number>;
}

const SENT_BYTES_MIN = 16 * 1024;

/**
 * Counts the long responses of a scope's routes until they are sent, and sends 503 in place of one that would exceed the
 * limit. A client that reads no byte of one for a minute is cut off. Streams and short responses are not counted.
 */
export function limitResponses(
  scope: Http,
  memory: ResponseMemory,
  ownerOf: (request: FastifyRequest) => string,
): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return;
    if (payload.length < SENT_BYTES_MIN) return;
    countUntilSent(reply, takeFor(memory, ownerOf(request), reply, payload.length));
  });
}

function takeFor(memory: ResponseMemory, owner: string, reply: FastifyReply, bytes: number): () => void {
  try {
    return memory.take(owner, bytes);
  } catch (error) {
    // The headers of the response that is not sent.
    reply.removeHeader('content-encoding').removeHeader('content-length');
    throw error;
  }
}

/** A connection on which no byte of such a response could be sent for this long is closed. */
const UNREAD_MS_MAX = 60_000;

function countUntilSent({ raw }: FastifyReply, release: () => void): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(UNREAD_MS_MAX);
  raw.once('close', release).once('finish', release);
  if (raw.destroyed) release();
}
