import { apiMessages } from '@bidwell/contract/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../errors.ts';
import { addToSum } from '../group-by.ts';
import { lruCache } from '../lru-cache.ts';
import type { Http } from './server.ts';

/** Shorter responses are not counted. */
const COUNTED_BYTES_MIN = 256 * 1024;
/** What building a response takes for each byte of its JSON: the database's answer, its rows, the objects and the text. */
const BUILDING_FACTOR = 5;
/** The most of the limit that one owner has, unless it has only one response. */
const OWNER_SHARE = 0.25;
const RETRY_AFTER_SECONDS = 2;
const SIZES_MAX = 5000;

/** Counts the memory of long responses that are being built or sent, of all companies and of each. */
export class ResponseMemory {
  readonly #bytesMax: number;
  readonly #byOwner = new Map<string, number>();
  /** Lengths of the last long responses, by owner and route. */
  readonly #sizes = lruCache<string, number>(SIZES_MAX);
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
   * Builds the JSON of a response. Its memory is counted by the length that the owner's last response of the same `route` had,
   * if that was long. Throws as {@link take}.
   */
  async build(owner: string, route: string, make: () => Promise<string>): Promise<string> {
    const key = `${owner} ${route}`;
    const known = this.#sizes.get(key);
    const release = known === undefined ? () => {} : this.take(owner, known * BUILDING_FACTOR);
    try {
      const json = await make();
      if (json.length >= COUNTED_BYTES_MIN) this.#sizes.set(key, json.length);
      else this.#sizes.delete(key);
      return json;
    } finally {
      release();
    }
  }

  #add(owner: string, bytes: number): void {
    this.#bytes += bytes;
    addToSum(this.#byOwner, owner, bytes);
    if (this.#byOwner.get(owner) === 0) this.#byOwner.delete(owner);
  }
}

/**
 * Counts the long responses of a scope's routes until they are sent, and answers 503 in place of one that would exceed the
 * limit. Streams and short responses are not counted.
 */
export function limitResponses(
  scope: Http,
  memory: ResponseMemory,
  ownerOf: (request: FastifyRequest) => string,
): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return;
    if (payload.length < COUNTED_BYTES_MIN) return;
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

function countUntilSent({ raw }: FastifyReply, release: () => void): void {
  raw.once('close', release).once('finish', release);
  if (raw.destroyed) release();
}
