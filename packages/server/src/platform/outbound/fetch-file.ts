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
  /** Whether the response said where the file ends. Otherwise it ends where the server closed the connection, which may be too early. */
  isEndKnown: boolean;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Whether the file has more bytes than may be fetched. */
  isTooLong: boolean;
  /** Whether it came more slowly than a file may come. */
  isTooSlow: boolean;
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

/** Dependencies that tests replace; production uses the defaults. */
interface FileFetcherSeams extends ReceiverSeams {
  /** Time before the rate of a file counts, ms. */
  slowMs: number;
}

/** Time to fetch two gigabytes slowly. */
const TOTAL_MS = 30 * 60_000;
const HEADERS_MS = 30_000;
const PAUSE_MS = 30_000;
const SLOW_MS = 20_000;
/** The slowest average rate of a file after that time, so that a server does not hold a place for half an hour with a few bytes. */
const BYTES_PER_SECOND_MIN = 64 * 1024;

/** Creates a {@link FetchFile}. */
export function createFileFetcher(
  internalHosts: ReadonlySet<string>,
  seams: Partial<FileFetcherSeams> = {},
): FetchFile {
  const deps = { ...receiverDefaults, slowMs: SLOW_MS, ...seams };
  return async (address, path, { bytesMax, signal: brokenOff }) => {
    if (!canParseUrl(address)) return failed('unreachable');
    const url = new URL(address);
    const connection = { isReset: false };
    const agent = receiverAgent(url, internalHosts, deps, (socket) => {
      // Before the listeners of undici, which takes a response without a length as whole where the connection was reset, and ends
      // the connection of a whole one with an error of its own.
      socket.once('error', ({ code }: NodeJS.ErrnoException) => {
        if (code !== 'UND_ERR_INFO') connection.isReset = true;
      });
    });
    if (!agent) return failed('private');
    try {
      return await abortAfter(TOTAL_MS, brokenOff ? [brokenOff] : [], async (signal) =>
        fetchOnce(url, path, { agent, connection, signal, bytesMax, slowMs: deps.slowMs }),
      );
    } finally {
      void agent.destroy().catch(() => {});
    }
  };
}

async function fetchOnce(
  url: URL,
  path: string,
  {
    agent,
    connection,
    signal,
    bytesMax,
    slowMs,
  }: {
    agent: Agent;
    connection: { isReset: boolean };
    signal: AbortSignal;
    bytesMax: number;
    slowMs: number;
  },
): Promise<FetchedFile> {
  let status: number | null = null;
  let bytes = 0;
  let isTooSlow = false;
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
      return { ...failed(null), status };
    }
    const began = performance.now();
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        const slowSeconds = (performance.now() - began - slowMs) / 1000;
        isTooSlow = slowSeconds > 0 && bytes < slowSeconds * BYTES_PER_SECOND_MIN;
        done(bytes > bytesMax || isTooSlow ? new Error('The file is too long, or too slow.') : null, chunk);
      },
    });
    await writeFileFrom(path, [response.body, meter], { signal });
    const { 'content-length': length, 'transfer-encoding': encoding } = response.headers;
    const isEndKnown = length !== undefined || String(encoding ?? '').includes('chunked');
    // undici ends a shorter body, and one without its last chunk, with an error; a longer one than it said is cut there.
    const isWhole = isEndKnown ? length === undefined || Number(length) === bytes : !connection.isReset;
    return { ...failed(isWhole ? null : 'unreachable'), isWhole, isEndKnown, status };
  } catch (error) {
    if (error instanceof PrivateAddress) return failed('private');
    if (isTooSlow) return { ...failed('timeout'), status, isTooSlow };
    if (bytes > bytesMax) return { ...failed(null), status, isTooLong: true };
    return { ...failed(signal.aborted ? 'timeout' : 'unreachable'), status };
  }
}

const failed = (failure: ReceiverFailure | null): FetchedFile => ({
  isWhole: false,
  isEndKnown: false,
  status: null,
  isTooLong: false,
  isTooSlow: false,
  failure,
});
