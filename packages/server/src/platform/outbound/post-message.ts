import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { type AddressSeams, checkedLookup, resolveHost } from './checked-lookup.ts';
import { isPublicAddress } from './public-address.ts';

/** Why there was no response: a host, a port or a scheme that is not allowed, no response in time, no connection. */
export type PostFailure = 'private' | 'timeout' | 'unreachable';

/** What became of one message. */
export interface PostedMessage {
  /** HTTP status; null without a response. */
  status: number | null;
  /** The start of the response, as text; '' without one. */
  start: string;
  failure: PostFailure | null;
}

/**
 * Posts a JSON body to an address that somebody entered. Only over https, to ports 443 and 8443 of public addresses, except for
 * the hosts of the settings; redirects are not followed, cookies not sent. At most 10 seconds with the response, of which it
 * reads 500 characters. Never throws.
 */
export type PostMessage = (
  address: string,
  message: { headers: Readonly<Record<string, string>>; body: string },
) => Promise<PostedMessage>;

/** Dependencies that tests replace to reach a local server; production uses the defaults. */
export interface PosterSeams extends AddressSeams {
  isAllowedPort: (port: number) => boolean;
  /** An additional certificate authority. */
  ca: string | undefined;
  totalMs: number;
}

const RESPONSE_CHARS = 500;
const RESPONSE_BYTES_MAX = 4 * RESPONSE_CHARS;

const production: PosterSeams = {
  resolve: resolveHost,
  isAllowedAddress: isPublicAddress,
  isAllowedPort: (port) => port === 443 || port === 8443,
  ca: undefined,
  totalMs: 10_000,
};

class PrivateAddress extends Error {}

/**
 * Creates a poster of messages that is safe against server-side request forgery (SSRF). `internalHosts` are the hosts, each
 * with its port, that operators allow in spite of their addresses, also over http.
 */
export function createPoster(
  internalHosts: ReadonlySet<string>,
  seams: Partial<PosterSeams> = {},
): PostMessage {
  const deps = { ...production, ...seams };
  return async (address, message) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url) return failed('unreachable');
    const isInternal = isInternalHost(url, internalHosts);
    if (!isInternal && !isAllowed(url, deps)) return failed('private');
    // One agent per message, so that no connection, and no checked address with it, outlives it.
    const agent = new Agent({
      connect: {
        ...(!isInternal && { lookup: checkedLookup(deps, (host) => new PrivateAddress(host)) }),
        timeout: deps.totalMs,
        ...(deps.ca && { ca: deps.ca }),
      },
      maxHeaderSize: 32 * 1024,
    });
    const signal = AbortSignal.timeout(deps.totalMs);
    try {
      const { statusCode, body } = await request(url, {
        method: 'POST',
        dispatcher: agent,
        signal,
        headers: { ...message.headers, 'content-type': 'application/json', 'user-agent': 'Bidwell' },
        body: message.body,
      });
      return { status: statusCode, start: await startOf(body), failure: null };
    } catch (error) {
      if (error instanceof PrivateAddress) return failed('private');
      return failed(signal.aborted ? 'timeout' : 'unreachable');
    } finally {
      void agent.destroy().catch(() => {});
    }
  };
}

const failed = (failure: PostFailure): PostedMessage => ({ status: null, start: '', failure });

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/** Whether an address is one of the hosts, `host:port`, that operators allow in spite of their addresses. */
export function isInternalHost(url: URL, internalHosts: ReadonlySet<string>): boolean {
  return /^https?:$/.test(url.protocol) && internalHosts.has(`${url.hostname}:${portOf(url)}`);
}

function isAllowed(url: URL, { isAllowedAddress, isAllowedPort }: PosterSeams): boolean {
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  return (
    url.protocol === 'https:' &&
    isAllowedPort(portOf(url)) &&
    url.username === '' &&
    url.password === '' &&
    // An IP address is not looked up, and so would not be checked by the connection.
    (isIP(host) === 0 || isAllowedAddress(host))
  );
}

/** The start of a response in one line of visible characters; what came until an error. */
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
  const text = Buffer.concat(chunks).toString('utf8');
  const line = text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, RESPONSE_CHARS);
  // PostgreSQL stores no half of a surrogate pair.
  return line.replace(/[\uD800-\uDBFF]$/, '');
}
