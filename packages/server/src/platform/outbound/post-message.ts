import type { Readable } from 'node:stream';
import { type Agent, request } from 'undici';
import { abortAfter } from '../concurrency/time-limits.ts';
import {
  PrivateAddress,
  type ReceiverFailure,
  type ReceiverSeams,
  receiverAgent,
  receiverDefaults,
  startOfText,
} from './receivers.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** The outcome of one message. */
export interface PostedMessage {
  /** HTTP status; null without a response. */
  status: number | null;
  /** The start of the response, as text; '' without one. */
  start: string;
  failure: ReceiverFailure | null;
}

/**
 * Posts a JSON body to an address that a user entered. Only over https, to ports 443 and 8443 of public addresses, except for
 * the hosts of the settings; redirects are not followed, cookies not sent. Takes at most 10 seconds with the response, of which it
 * reads 500 characters. `signal` breaks it off. Never throws.
 */
export type PostMessage = (
  address: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
  signal?: AbortSignal,
) => Promise<PostedMessage>;

const RESPONSE_CHARS = 500;
const RESPONSE_BYTES_MAX = 4 * RESPONSE_CHARS;

/** Creates a poster of messages that is safe against server-side request forgery: see {@link receiverAgent}. */
export function createPoster(
  internalHosts: ReadonlySet<string>,
  seams: Partial<ReceiverSeams> = {},
): PostMessage {
  const deps = { ...receiverDefaults, ...seams };
  return async (address, message, brokenOff) => {
    const url = canParseUrl(address) ? new URL(address) : null;
    if (!url) return failed('unreachable');
    const agent = receiverAgent(url, internalHosts, deps);
    if (!agent) return failed('private');
    return abortAfter(deps.totalMs, brokenOff ? [brokenOff] : [], async (signal) =>
      post(url, { ...message, agent, signal }),
    );
  };
}

async function post(
  url: URL,
  {
    headers,
    body: content,
    agent,
    signal,
  }: Parameters<PostMessage>[1] & { agent: Agent; signal: AbortSignal },
): Promise<PostedMessage> {
  try {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Bidwell' },
      body: content,
    });
    return { status: statusCode, start: await startOf(body), failure: null };
  } catch (error) {
    if (error instanceof PrivateAddress) return failed('private');
    return failed(signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    void agent.destroy().catch(() => {});
  }
}

const failed = (failure: ReceiverFailure): PostedMessage => ({ status: null, start: '', failure });

/** The start of a response in one line of visible characters; up to the error if there was one. */
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
    // The status came: that the response has no end does not matter.
  } finally {
    body.on('error', () => {}).destroy();
  }
  return startOfText(Buffer.concat(chunks).toString('utf8'), RESPONSE_CHARS);
}
