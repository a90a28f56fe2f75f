import { apiMessages } from '@bidwell/contract/text/messages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Socket } from 'node:net';
import { Unavailable } from '../../errors.ts';
import { addToSum } from '../../group-by.ts';
import { type FairQueueLimits, fairQueue } from '../../concurrency/fair-queue.ts';
import { lruCache } from '../../lru-cache.ts';
import type { Http } from '../server.ts';

/** Responses that become shorter are not counted while they are built, and those are not while they are sent. */
const COUNTED_BYTES_MIN = 256 * 1024;
const SENT_BYTES_MIN = 16 * 1024;
/** A connection on which nothing of such a response could be sent for this long is closed. */
const UNREAD_MS_MAX = 60_000;
/** Memory to build a response, for each byte of its JSON: the database's response, its rows, the objects and the text. */
const BUILDING_FACTOR = 5;
/** The most of the limit that one owner has, unless it has only one response. */
const OWNER_SHARE = 0.25;
const RETRY_AFTER_SECONDS = 2;
const SIZES_MAX = 5000;
/** Responses of one owner and route are built one after another: how long they become is known for sure only afterwards. */
const BUILD_LIMITS: FairQueueLimits = {
  running: Infinity,
  runningEach: 1,
  waiting: 5000,
  waitingEach: 200,
  waitMs: 30_000,
};

/** A response that is built for an owner, by the pattern of its route and the requested address. */
export interface BuiltResponse {
  owner: string;
  route: string;
  address: string;
  /** About how many bytes of JSON it has, for routes that can tell. */
  estimate?: () => Promise<number>;
}

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
   * Builds a response when those of its owner and route before it are built. Its memory is counted by the length of JSON that
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

/**
 * Counts the long responses of a scope's routes until they are sent, and sends 503 in place of one that would exceed the
 * limit. A client that reads nothing of one for a minute is cut off. Streams and short responses are not counted.
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

function countUntilSent({ raw }: FastifyReply, release: () => void): void {
  if (raw.socket instanceof Socket) raw.socket.setTimeout(UNREAD_MS_MAX);
  raw.once('close', release).once('finish', release);
  if (raw.destroyed) release();
}
