import { Transform } from 'node:stream';
import { type Agent, request } from 'undici';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';
import { abortAfter } from '../concurrency/time-limits.ts';
import { writeFileFrom } from '../files/file-store.ts';
import {
  PrivateAddress,
  type ReceiverFailure,
  type ReceiverSeams,
  receiverAgent,
  receiverDefaults,
} from './receivers.ts';

/** The outcome of a fetch: the file is whole where `isWhole`, and else does not exist. */
export interface FetchedFile {
  isWhole: boolean;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Whether the file has more bytes than may be fetched. */
  isTooLong: boolean;
  failure: ReceiverFailure | null;
}

/**
 * Fetches a file from an address that a user entered to a path. To the addresses that {@link receiverAgent} allows; redirects are not
 * followed. A file that is cut off is not whole. `signal` breaks it off. Throws only errors of the disk.
 */
export type FetchFile = (
  address: string,
  path: string,
  options: { bytesMax: number; signal?: AbortSignal },
) => Promise<FetchedFile>;

/** Time to fetch two gigabytes slowly. */
const TOTAL_MS = 30 * 60_000;
const HEADERS_MS = 60_000;
const PAUSE_MS = 60_000;

/** Creates a {@link FetchFile}. */
export function createFileFetcher(
  internalHosts: ReadonlySet<string>,
  seams: Partial<ReceiverSeams> = {},
): FetchFile {
  const deps = { ...receiverDefaults, ...seams };
  return async (address, path, { bytesMax, signal: brokenOff }) => {
    if (!canParseUrl(address)) return failed('unreachable');
    const url = new URL(address);
    const agent = receiverAgent(url, internalHosts, deps);
    if (!agent) return failed('private');
    try {
      return await abortAfter(TOTAL_MS, brokenOff ? [brokenOff] : [], async (signal) =>
        fetchOnce(url, path, { agent, signal, bytesMax }),
      );
    } finally {
      void agent.destroy().catch(() => {});
    }
  };
}

async function fetchOnce(
  url: URL,
  path: string,
  { agent, signal, bytesMax }: { agent: Agent; signal: AbortSignal; bytesMax: number },
): Promise<FetchedFile> {
  let status: number | null = null;
  let bytes = 0;
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headersTimeout: HEADERS_MS,
      bodyTimeout: PAUSE_MS,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Bidwell' },
    });
    status = response.statusCode;
    if (status !== 200) {
      response.body.on('error', () => {}).destroy();
      return { isWhole: false, status, isTooLong: false, failure: null };
    }
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(bytes > bytesMax ? new Error('The file is too long.') : null, chunk);
      },
    });
    await writeFileFrom(path, [response.body, meter], { signal });
    const length = response.headers['content-length'];
    // undici ends a shorter body with an error; a longer one than it said is cut there.
    const isWhole = length === undefined || Number(length) === bytes;
    return { isWhole, status, isTooLong: false, failure: isWhole ? null : 'unreachable' };
  } catch (error) {
    if (error instanceof PrivateAddress) return failed('private');
    if (bytes > bytesMax) return { isWhole: false, status, isTooLong: true, failure: null };
    return { ...failed(signal.aborted ? 'timeout' : 'unreachable'), status };
  }
}

const failed = (failure: ReceiverFailure): FetchedFile => ({
  isWhole: false,
  status: null,
  isTooLong: false,
  failure,
});
