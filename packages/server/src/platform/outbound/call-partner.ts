import type { Readable } from 'node:stream';
import { type Agent, request } from 'undici';
import { abortAfter } from '../concurrency/time-limits.ts';
import {
  PrivateAddress,
  type ReceiverFailure,
  type ReceiverSeams,
  receiverAgent,
  receiverDefaults,
} from './receivers.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** One call. */
export interface PartnerCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** The outcome of one call. */
export interface PartnerResponse {
  /** HTTP status; null without a response. */
  status: number | null;
  /** The first 256 KB of the response, as text; '' without one. */
  text: string;
  /** How long the partner asks to wait, in ms; null where it does not. */
  retryAfterMs: number | null;
  failure: ReceiverFailure | null;
}

/**
 * Calls a server of a measurement partner or of an exchange. To the addresses that {@link receiverAgent} allows; redirects are not followed. One try of at most
 * 30 seconds. `signal` breaks it off. Never throws.
 */
export type CallPartner = (
  address: string,
  call: PartnerCall,
  signal?: AbortSignal,
) => Promise<PartnerResponse>;

/** Time to send a megabyte. */
const TOTAL_MS = 30_000;
const RESPONSE_BYTES_MAX = 256 * 1024;

/**
 * Creates a {@link CallPartner}. With `standIn`, an origin, it gets all calls in place of the partners: their host becomes the first part of
 * the path.
 */
export function createPartnerCaller(standIn: string | null, seams: Partial<ReceiverSeams> = {}): CallPartner {
  const deps = { ...receiverDefaults, totalMs: TOTAL_MS, ...seams };
  const internalHosts = new Set(standIn === null ? [] : [hostAndPort(new URL(standIn))]);
  return async (address, call, brokenOff) => {
    if (!canParseUrl(address)) return failed('unreachable');
    const named = new URL(address);
    const url = standIn === null ? named : new URL(`/${named.host}${named.pathname}${named.search}`, standIn);
    const agent = receiverAgent(url, internalHosts, deps);
    if (!agent) return failed('private');
    return abortAfter(deps.totalMs, brokenOff ? [brokenOff] : [], async (signal) =>
      callOnce(url, call, { agent, signal }),
    );
  };
}

const hostAndPort = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

async function callOnce(
  url: URL,
  { method, headers, body }: PartnerCall,
  { agent, signal }: { agent: Agent; signal: AbortSignal },
): Promise<PartnerResponse> {
  try {
    const response = await request(url, {
      method,
      dispatcher: agent,
      signal,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Bidwell' },
      ...(body !== undefined && { body }),
    });
    const text = await startOf(response.body);
    const after = response.headers['retry-after'];
    return {
      status: response.statusCode,
      text,
      retryAfterMs: retryAfterOf(Array.isArray(after) ? after[0] : after),
      failure: null,
    };
  } catch (error) {
    if (error instanceof PrivateAddress) return failed('private');
    return failed(signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    void agent.destroy().catch(() => {});
  }
}

const failed = (failure: ReceiverFailure): PartnerResponse => ({
  status: null,
  text: '',
  retryAfterMs: null,
  failure,
});

/** Longest wait that a partner may ask for. */
const RETRY_AFTER_MAX_MS = 6 * 3_600_000;

/** The seconds of a `Retry-After` header in ms, up to six hours; null without seconds. */
function retryAfterOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,9}$/.test(header.trim())
    ? Math.min(Number(header) * 1000, RETRY_AFTER_MAX_MS)
    : null;
}

/** The start of a response; up to the error if there was one. */
async function startOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, RESPONSE_BYTES_MAX - bytes));
      bytes += chunk.length;
      if (bytes >= RESPONSE_BYTES_MAX) break;
    }
  } catch {
    // The status came: what is missing of the response shows when it is read.
  } finally {
    body.on('error', () => {}).destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}
