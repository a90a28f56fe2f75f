import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Database } from '../postgres/client.ts';
import { versionOf } from '../postgres/versions-store.ts';
import { actorOf } from './auth.ts';

const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** A longer answer is made anew each time: kept, one company's would drive out those of the others. */
const KEPT_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const COMPRESS_BYTES_MIN = 1024;

type Make = () => Promise<string | Buffer>;
export type KeptLists = LRUCache<string, string | Buffer, Make>;

/** The answers of lists as they were last sent, the least used forgotten first. */
export function createKeptLists(): KeptLists {
  return new LRUCache<string, string | Buffer, Make>({
    maxSize: KEPT_BYTES_MAX,
    maxEntrySize: KEPT_ANSWER_BYTES_MAX,
    sizeCalculation: (answer, key) => answer.length + key.length,
    // Two that ask for the same at once wait for one reading.
    fetchMethod: async (_key, _stale, { context }) => context(),
  });
}

/**
 * Answers with what `read` reads, in the form of the route's schema, and keeps the answer until the company changes: lists
 * are whole, and asked for far more often than anything in them changes. `read` may depend on nothing but the company's
 * entities and the address asked for.
 */
export async function keptList(
  engines: { db: Database; keptLists: KeptLists },
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<object>,
): Promise<FastifyReply> {
  const { companyId } = actorOf(request);
  // Before the list itself: what is read later can only be newer than its version says.
  const version = await versionOf(engines.db, companyId);
  const brotli = acceptsBrotli(request);
  const make: Make = async () => {
    const json = reply.serialize({ data: await read() }) as string;
    return brotli && json.length >= COMPRESS_BYTES_MIN ? compress(json) : json;
  };
  const key = `${companyId} ${version} ${brotli ? 'br' : 'plain'} ${request.url}`;
  const answer = await engines.keptLists.forceFetch(key, { context: make });
  void reply.type('application/json; charset=utf-8');
  if (typeof answer !== 'string')
    void reply.header('content-encoding', 'br').header('vary', 'accept-encoding');
  return reply.send(answer);
}

function acceptsBrotli({ headers }: FastifyRequest): boolean {
  return /(?:^|,)\s*br\s*(?:,|$)/.test(headers['accept-encoding'] ?? '');
}

const deflate = promisify(brotliCompress);
// What is fast comes before what is small; nearly all of the gain is in the repetition.
const compress = async (json: string): Promise<Buffer> =>
  deflate(json, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
  });
