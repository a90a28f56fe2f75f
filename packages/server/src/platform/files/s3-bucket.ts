import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { S3ServiceError, S3mini } from 's3mini';
import { Agent } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { childSpan } from '../telemetry/tracing.ts';
import { abortAfter } from '../concurrency/time-limits.ts';
import { backoffMs } from '../concurrency/backoff.ts';
import { type Digest, digestMeter } from './digest.ts';
import { FilesUnavailable, writeFileFrom } from './file-store.ts';
import { boundedFetch, S3Refused, type S3Settings, refusalOf } from './s3.ts';

/** Objects of one S3 bucket, under the prefix of its settings. Every call throws {@link FilesUnavailable}. */
export interface S3Bucket {
  /** Uploads a local file. S3 compares its MD5 sum, and stores its SHA-256 sum as metadata. */
  put(name: string, path: string, digest: Digest): Promise<void>;
  /**
   * Downloads an object into a new local file, and compares its length and, where it was stored by `put`, its SHA-256 sum.
   * Null, and no file, where there is no such object.
   */
  get(name: string, path: string): Promise<Digest | null>;
  /** The size and the stored SHA-256 sum of an object; null if there is none. */
  describe(name: string): Promise<{ bytes: number; sha256: string | null } | null>;
  /** Deletes an object, if there is one. */
  delete(name: string): Promise<void>;
  /** Writes, reads and deletes an object. Throws {@link S3Refused} where a setting or a permission is wrong. */
  check(scratchPath: string): Promise<void>;
  /** Why the last call failed, in a sentence; null if it succeeded. */
  fault(): string | null;
  /** Aborts the calls in progress. */
  close(): Promise<void>;
}

/** Limits of calls; tests shorten them. */
export interface S3Limits {
  connectMs: number;
  /** Longest time without a byte in either direction. */
  idleMs: number;
  /** Longest time of a call with all its attempts. */
  totalMs: number;
  attempts: number;
  /** Delay before the second attempt, doubled for each further one. */
  retryMs: number;
  atOnceMax: number;
  /** Calls that wait for a free place, and for how long; more are rejected. */
  waitingMax: number;
  waitingMs: number;
  /** Size of the largest object that is read. */
  bytesMax: number;
}

const DEFAULT_LIMITS: S3Limits = {
  connectMs: 3000,
  idleMs: 5000,
  totalMs: 60_000,
  attempts: 3,
  retryMs: 200,
  atOnceMax: 16,
  waitingMax: 256,
  waitingMs: 10_000,
  bytesMax: 1024 ** 3,
};

const RETRY_MS_MAX = 2000;

/** Opens a bucket without calling it. */
export function openBucket(
  settings: S3Settings,
  log: Pick<Logger, 'warn' | 'error'>,
  replaced: Partial<S3Limits> = {},
): S3Bucket {
  const limits = { ...DEFAULT_LIMITS, ...replaced };
  const closing = new AbortController();
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.idleMs,
    bodyTimeout: limits.idleMs,
    connections: limits.atOnceMax,
    maxHeaderSize: 32 * 1024,
  });
  const inTurn = waitingRoom(limits);
  const keyOf = (name: string) => `${settings.prefix}${name}`;
  let fault: string | null = null;

  async function call<T>(
    verb: string,
    work: (client: S3mini, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await childSpan(`s3 ${verb}`, {}, async () =>
        inTurn(async () =>
          abortAfter(limits.totalMs, [closing.signal], async (signal) =>
            attempt(work, { settings, limits, agent, signal }),
          ),
        ),
      );
      fault = null;
      return result;
    } catch (error) {
      const refusal = refusalOf(error, verb, settings);
      fault =
        refusal?.message ??
        'S3 does not answer: files that are not in the local cache cannot be read or stored.';
      // The error of a response has its whole body, which does not belong in a log.
      const err = error instanceof S3ServiceError ? new Error(error.message) : error;
      if (refusal) log.error({ err, call: verb }, 'S3 refuses a call');
      else log.warn({ err, call: verb }, 'a call of S3 failed');
      throw new FilesUnavailable(refusal ?? error);
    }
  }

  const bucket: S3Bucket = {
    async put(name, path, { bytes, sha256, md5 }) {
      const headers: Record<string, string> = { 'content-md5': md5, 'x-amz-meta-sha256': sha256 };
      await call('write', async (client) => {
        const content = Readable.toWeb(createReadStream(path)) as globalThis.ReadableStream;
        await client.putObject(keyOf(name), content, 'application/octet-stream', undefined, headers, bytes);
      });
    },
    async get(name, path) {
      return call('read', async (client, signal) => {
        const response = await found(client.getObjectRaw(keyOf(name)));
        if (!response) return null;
        try {
          return await download(response, path, limits.bytesMax, signal);
        } catch (error) {
          await response.body?.cancel().catch(() => {});
          await rm(path, { force: true });
          throw error;
        }
      });
    },
    async describe(name) {
      return call('read', async (client) => {
        const response = await found(client.getObjectRaw(keyOf(name), false, 0, 1));
        if (!response) return null;
        await response.body?.cancel();
        const bytes = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
        if (!Number.isSafeInteger(bytes)) throw new Error('S3 did not say how long an object is.');
        return { bytes, sha256: response.headers.get('x-amz-meta-sha256') };
      });
    },
    async delete(name) {
      await call('delete', async (client) => client.deleteObject(keyOf(name)));
    },
    check: async (scratchPath) => check(bucket, scratchPath, settings),
    fault: () => fault,
    async close() {
      closing.abort();
      await agent.destroy();
    },
  };
  return bucket;
}

/** Runs a bounded number of calls at once, and lets a bounded number of others wait for a bounded time. */
function waitingRoom({ atOnceMax, waitingMax, waitingMs }: S3Limits) {
  const limit = pLimit(atOnceMax);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waitingMax) throw new Error('Too many calls of S3 are waiting.');
    return new Promise<T>((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new Error('A call of S3 waited too long for others.'));
      }, waitingMs);
      void limit(async () => {
        clearTimeout(timer);
        if (!isLate) await work().then(resolve, reject);
      });
    });
  };
}

/** Calls S3, and again after failures that may pass. */
async function attempt<T>(
  work: (client: S3mini, signal: AbortSignal) => Promise<T>,
  from: { settings: S3Settings; limits: S3Limits; agent: Agent; signal: AbortSignal },
): Promise<T> {
  const { settings, limits, agent, signal } = from;
  const client = clientOf(settings, boundedFetch(agent, signal));
  for (let failures = 1; ; failures += 1) {
    try {
      return await work(client, signal);
    } catch (error) {
      if (failures >= limits.attempts || signal.aborted || refusalOf(error, '', settings)) throw error;
      const waitMs = backoffMs(limits.retryMs, failures, RETRY_MS_MAX);
      await pause(waitMs, undefined, { signal });
    }
  }
}

/** The response, or null where there is no such object. */
async function found(response: Promise<globalThis.Response>): Promise<globalThis.Response | null> {
  try {
    return await response;
  } catch (error) {
    const isMissing =
      error instanceof S3ServiceError && error.status === 404 && error.serviceCode !== 'NoSuchBucket';
    if (isMissing) return null;
    throw error;
  }
}

async function download(
  response: globalThis.Response,
  path: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Digest> {
  const meter = digestMeter(bytesMax);
  const body = Readable.fromWeb(response.body as ReadableStream);
  await writeFileFrom(path, [body, meter.stream], { signal });
  const digest = meter.digest();
  const length = Number(response.headers.get('content-length') ?? digest.bytes);
  const sha256 = response.headers.get('x-amz-meta-sha256') ?? digest.sha256;
  if (digest.bytes !== length || digest.sha256 !== sha256)
    throw new Error('S3 sent an object that is not the one that was stored.');
  return digest;
}

async function check(bucket: S3Bucket, scratchPath: string, { bucket: name }: S3Settings): Promise<void> {
  const object = `check/${uuidv7()}`;
  const content = Buffer.from('Bidwell checks that it can write, read and delete objects here.');
  const md5 = createHash('md5').update(content).digest('base64');
  const sha256 = createHash('sha256').update(content).digest('hex');
  try {
    await writeFileFrom(scratchPath, [Readable.from([content])]);
    await bucket.put(object, scratchPath, { bytes: content.length, sha256, md5 });
    if (!(await bucket.get(object, scratchPath)))
      throw new S3Refused(`The bucket "${name}" does not have an object that was just written to it.`);
    await bucket.delete(object);
    // Where objects may not be listed, S3 sends 403 in place of 404, and a missing file looks like a forbidden one.
    if (await bucket.get(object, scratchPath))
      throw new S3Refused(`The bucket "${name}" still has an object that was just deleted from it.`);
  } catch (error) {
    if (error instanceof FilesUnavailable && error.cause instanceof S3Refused) throw error.cause;
    throw error;
  } finally {
    await rm(scratchPath, { force: true });
  }
}

function clientOf(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  send: ReturnType<typeof boundedFetch>,
): S3mini {
  const address = `${endpoint}/${bucket}`;
  return new S3mini({ endpoint: address, region, accessKeyId, secretAccessKey, fetch: send });
}
