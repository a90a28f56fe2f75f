import { S3ServiceError, S3mini } from 's3mini';
import type { Agent } from 'undici';
import { abortAfter } from '../concurrency/time-limits.ts';
import { boundedFetch } from '../files/s3.ts';
import {
  PrivateAddress,
  type ReceiverFailure,
  type ReceiverSeams,
  receiverAgent,
  receiverDefaults,
  startOfText,
} from './receivers.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** A bucket of a company, in Amazon S3 or in a service with the same interface. */
export interface ObjectPlace {
  /** Without a path: the bucket becomes the first part of the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The outcome of one object. */
export interface PutResult {
  /** HTTP status; null without a response. */
  status: number | null;
  /** The error code of S3, such as `AccessDenied`; null for a stored object. */
  code: string | null;
  failure: ReceiverFailure | null;
}

/** An object to store, by its name in the bucket. */
export interface StoredObject {
  name: string;
  content: Buffer;
  contentType: string;
}

/**
 * Stores an object in a bucket that a user entered, in place of one with the same name. To the addresses that
 * {@link receiverAgent} allows; redirects are not followed. One try of at most 30 seconds. `signal` breaks it off. Never throws.
 */
export type PutObject = (
  place: ObjectPlace,
  object: StoredObject,
  signal?: AbortSignal,
) => Promise<PutResult>;

/** Time to send some megabytes. */
const TOTAL_MS = 30_000;
const CODE_CHARS_MAX = 100;

/** Creates a function that stores objects, safe against server-side request forgery: see {@link receiverAgent}. */
export function createObjectPutter(
  internalHosts: ReadonlySet<string>,
  seams: Partial<ReceiverSeams> = {},
): PutObject {
  const deps = { ...receiverDefaults, totalMs: TOTAL_MS, ...seams };
  return async (place, object, brokenOff) => {
    if (!canParseUrl(place.endpoint)) return failed('unreachable');
    const agent = receiverAgent(new URL(place.endpoint), internalHosts, deps);
    if (!agent) return failed('private');
    return abortAfter(deps.totalMs, brokenOff ? [brokenOff] : [], async (signal) =>
      put(place, object, { agent, signal }),
    );
  };
}

async function put(
  { endpoint, bucket, ...signing }: ObjectPlace,
  { name, content, contentType }: StoredObject,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<PutResult> {
  try {
    const address = `${new URL(endpoint).origin}/${bucket}`;
    const client = new S3mini({ endpoint: address, ...signing, fetch: boundedFetch(agent, signal) });
    const { status } = await client.putObject(name, content, contentType);
    return { status, code: null, failure: null };
  } catch (error) {
    if (error instanceof S3ServiceError)
      return {
        status: error.status,
        code: startOfText(error.serviceCode ?? '', CODE_CHARS_MAX),
        failure: null,
      };
    if (isPrivate(error)) return failed('private');
    return failed(signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    void agent.destroy().catch(() => {});
  }
}

const failed = (failure: ReceiverFailure): PutResult => ({ status: null, code: null, failure });

/** Fetch wraps the error of a connection, and s3mini the error of fetch. */
function isPrivate(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof PrivateAddress) return true;
  return false;
}
