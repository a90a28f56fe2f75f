import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { abortAfter } from '../concurrency/time-limits.ts';
import { type AddressSeams, checkedLookup, publicResolver, resolveTrustedHost } from './checked-lookup.ts';
import { isPublicAddress, bareHost } from './public-address.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** One request to an identity provider, as the library of OpenID Connect makes it. */
export interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

/**
 * Requests an address of an identity provider on behalf of a company, over https only. Follows no redirects and sends no cookies. At most
 * 5 seconds and 256 KB a response. Throws {@link ProviderUnavailable}.
 */
export type ProviderFetch = (companyId: string, url: string, request: ProviderRequest) => Promise<Response>;

/** A provider could not be reached, did not answer in time, or with too much; or its address is not allowed. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Settings of an installation, and replacements for tests. */
export interface ProviderFetchSeams extends AddressSeams {
  /** Hosts with their port, as `host:port`, that may be requested at any address, since an operator trusts them. */
  trustedHosts: ReadonlySet<string>;
  /** All addresses of one of them. */
  resolveTrusted: AddressSeams['resolve'];
  /** An additional certificate authority. */
  ca: string | undefined;
  totalMs: number;
}

const production: ProviderFetchSeams = {
  resolve: publicResolver(),
  isAllowedAddress: isPublicAddress,
  trustedHosts: new Set(),
  resolveTrusted: resolveTrustedHost,
  ca: undefined,
  totalMs: 5000,
};

const BYTES_MAX = 256 * 1024;
/** Requests at once of one company, and of all: a company's silent provider holds no more than its own. */
const AT_ONCE_MAX = 4;
const AT_ONCE_TOTAL_MAX = 64;

/** Creates a {@link ProviderFetch} that is safe against server-side request forgery (SSRF). */
export function createProviderFetch(seams: Partial<ProviderFetchSeams> = {}): ProviderFetch {
  const deps = { ...production, ...seams };
  const atOnce = new Map<string, number>();
  let total = 0;
  return async (companyId, address, sent) => {
    const own = atOnce.get(companyId) ?? 0;
    if (own >= AT_ONCE_MAX || total >= AT_ONCE_TOTAL_MAX)
      throw new ProviderUnavailable('Too many requests to providers are under way');
    atOnce.set(companyId, own + 1);
    total += 1;
    try {
      return await fetchOnce(address, sent, deps);
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      throw new ProviderUnavailable((error as Error).message, { cause: error });
    } finally {
      total -= 1;
      const left = atOnce.get(companyId)! - 1;
      if (left === 0) atOnce.delete(companyId);
      else atOnce.set(companyId, left);
    }
  };
}

async function fetchOnce(
  address: string,
  { method, headers, body, signal }: ProviderRequest,
  deps: ProviderFetchSeams,
): Promise<Response> {
  const url = allowedUrl(address, deps);
  const isTrusted = deps.trustedHosts.has(hostAndPort(url));
  const trusted = { resolve: deps.resolveTrusted, isAllowedAddress: () => true };
  // One agent per request, so that no connection, and no checked address with it, outlives it.
  const agent = new Agent({
    connect: {
      lookup: checkedLookup(isTrusted ? trusted : deps, rejectedHost),
      timeout: deps.totalMs,
      ...(deps.ca && { ca: deps.ca }),
    },
    maxHeaderSize: 32 * 1024,
  });
  try {
    return await abortAfter(deps.totalMs, signal ? [signal] : [], async (inTime) => {
      const response = await request(url, {
        dispatcher: agent,
        method: method as 'GET',
        signal: inTime,
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Bidwell' },
        ...(body !== undefined && { body }),
      });
      const bytes = await readBytes(response.body);
      return responseOf(response.statusCode, response.headers, bytes);
    });
  } finally {
    void agent.destroy().catch(() => {});
  }
}

const rejectedHost = (host: string) => new ProviderUnavailable(`${host} is not in the public internet`);

const hostAndPort = (url: URL): string => `${url.hostname}:${url.port || '443'}`;

function allowedUrl(address: string, { trustedHosts }: ProviderFetchSeams): URL {
  if (!canParseUrl(address)) throw new ProviderUnavailable('No address');
  const url = new URL(address);
  const isAllowed =
    url.protocol === 'https:' &&
    // An IP address is not looked up, and so would not be checked.
    isIP(bareHost(url)) === 0 &&
    (url.port === '' || trustedHosts.has(hostAndPort(url))) &&
    url.username === '' &&
    url.password === '';
  if (!isAllowed) throw new ProviderUnavailable(`${url.host} may not be requested`);
  return url;
}

async function readBytes(body: Readable): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new ProviderUnavailable('The response is too large');
      chunks.push(chunk);
    }
  } finally {
    body.on('error', () => {}).destroy();
  }
  return Buffer.concat(chunks);
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(
  status: number,
  received: Record<string, string | string[] | undefined>,
  body: Buffer<ArrayBuffer>,
): Response {
  if (status < 200) throw new ProviderUnavailable(`The status was ${status}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
}
