import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { type AddressSeams, checkedLookup, publicResolver } from './checked-lookup.ts';
import { isPublicAddress, bareHost } from './public-address.ts';
import { PrivateAddress } from './receivers.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Why a hop has no response. */
export type HopFailure = 'private' | 'timeout' | 'unreachable';

/** One request of a chain of redirects. */
export interface FollowedHop {
  url: URL;
  status: number | null;
  /** Milliseconds until the response. */
  ms: number;
  failure: HopFailure | null;
}

/** A chain of redirects, and why it ended. */
export interface FollowedLink {
  hops: FollowedHop[];
  /** `page`: a response without a redirect. `target`: the address `target`, which is not requested. */
  end: 'page' | 'target' | 'loop' | 'too_many' | 'too_long' | 'failed' | 'bad_address';
  /** Where the last redirect leads to, if that was not requested; '' otherwise. */
  target: string;
}

/** Options of following one link. */
export interface FollowOptions {
  userAgent: string;
  hopsMax: number;
  /** Whether an address is where the chain ends without a request. Addresses that are not http or https always are. */
  isTarget: (url: URL) => boolean;
}

/**
 * Follows the redirects of an address as a device would: by status and location, and by the refresh of a page. Sends no cookies,
 * and requests public addresses on the ports of http and https only. At most 5 s and 64 KB for each request and 30 s in all.
 * Throws {@link TooManyLinks}.
 */
export type FollowLink = (address: string, options: FollowOptions) => Promise<FollowedLink>;

/** Too many links are being followed in this process. */
export class TooManyLinks extends Error {}

/** Dependencies that tests replace to reach a local server; production uses the defaults. */
export interface LinkFollowerSeams extends AddressSeams {
  isAllowedPort: (port: number) => boolean;
  /** An additional certificate authority. */
  ca: string | undefined;
  hopMs: number;
  totalMs: number;
  /** A server that gets the requests to some hosts, which become the first part of the path; null for none. */
  standIn: StandIn | null;
}

/** See {@link LinkFollowerSeams.standIn}. */
export interface StandIn {
  origin: string;
  isFor: (host: string) => boolean;
}

const BYTES_MAX = 64 * 1024;
const ADDRESS_CHARS_MAX = 8000;
const AT_ONCE_MAX = 16;
const HEADER_BYTES_MAX = 32 * 1024;

const production: LinkFollowerSeams = {
  resolve: publicResolver(),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: (port) => port === 80 || port === 443,
  ca: undefined,
  hopMs: 5000,
  totalMs: 30_000,
  standIn: null,
};

/** Creates a follower of links that is safe against server-side request forgery (SSRF); at most 16 links at once. */
export function createLinkFollower(seams: Partial<LinkFollowerSeams> = {}): FollowLink {
  const deps = { ...production, ...seams };
  let atOnce = 0;
  return async (address, options) => {
    if (atOnce >= AT_ONCE_MAX) throw new TooManyLinks('Too many links are being checked');
    atOnce += 1;
    // One agent per link, so that no connection, and no checked address with it, outlives it.
    const agent = new Agent({
      connect: {
        lookup: checkedLookup(deps, (host) => new PrivateAddress(`${host} is not in the public internet`)),
        timeout: deps.hopMs,
        ...(deps.ca && { ca: deps.ca }),
      },
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    try {
      return await follow(address, options, deps, agent);
    } finally {
      atOnce -= 1;
      void agent.destroy().catch(() => {});
    }
  };
}

async function follow(
  address: string,
  { userAgent, hopsMax, isTarget }: FollowOptions,
  deps: LinkFollowerSeams,
  agent: Agent,
): Promise<FollowedLink> {
  const endsAtMs = performance.now() + deps.totalMs;
  const hops: FollowedHop[] = [];
  const visited = new Set<string>();
  let next = address;
  for (let base: URL | undefined; ;) {
    if (next.length > ADDRESS_CHARS_MAX || !canParseUrl(next, base?.href))
      return { hops, end: 'bad_address', target: next.slice(0, ADDRESS_CHARS_MAX) };
    const url = new URL(next, base);
    if (!/^https?:$/.test(url.protocol) || isTarget(url)) return { hops, end: 'target', target: url.href };
    if (visited.has(url.href)) return { hops, end: 'loop', target: url.href };
    if (hops.length >= hopsMax) return { hops, end: 'too_many', target: url.href };
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0) return { hops, end: 'too_long', target: url.href };
    visited.add(url.href);
    const { hop, location } = await visit(url, userAgent, Math.min(deps.hopMs, leftMs), { deps, agent });
    hops.push(hop);
    if (hop.failure) return { hops, end: 'failed', target: '' };
    if (location === null) return { hops, end: 'page', target: '' };
    next = location;
    base = url;
  }
}

/** Requests one address. `location` is where the response leads to; null for nowhere. */
async function visit(
  url: URL,
  userAgent: string,
  timeoutMs: number,
  { deps, agent }: { deps: LinkFollowerSeams; agent: Agent },
): Promise<{ hop: FollowedHop; location: string | null }> {
  const startMs = performance.now();
  const hopOf = (status: number | null, failure: HopFailure | null): FollowedHop => ({
    url,
    status,
    ms: Math.round(performance.now() - startMs),
    failure,
  });
  const standIn = deps.standIn?.isFor(url.hostname) ? deps.standIn : null;
  if (!standIn && !isAllowed(url, deps)) return { hop: hopOf(null, 'private'), location: null };
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  // The operator chose the address of the stand-in, which may be private.
  const own = standIn ? new Agent() : null;
  try {
    const requested = standIn ? new URL(`/${url.host}${url.pathname}${url.search}`, standIn.origin) : url;
    const { statusCode, headers, body } = await request(requested, {
      dispatcher: own ?? agent,
      signal,
      headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', 'user-agent': userAgent },
    });
    const hop = hopOf(statusCode, null);
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      body.on('error', () => {}).destroy();
      return { hop, location };
    }
    const isPage = statusCode === 200 && String(headers['content-type']).includes('text/html');
    return { hop, location: isPage ? refreshIn(await readStart(body)) : discard(body) };
  } catch (error) {
    const isPrivate = error instanceof PrivateAddress;
    return {
      hop: hopOf(null, isPrivate ? 'private' : signal.aborted ? 'timeout' : 'unreachable'),
      location: null,
    };
  } finally {
    void own?.destroy().catch(() => {});
  }
}

function isAllowed(url: URL, { isAllowedAddress, isAllowedPort }: LinkFollowerSeams): boolean {
  const host = bareHost(url);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  // An IP address is not looked up, and so would not be checked by the connection.
  return (
    isAllowedPort(port) &&
    url.username === '' &&
    url.password === '' &&
    (isIP(host) === 0 || isAllowedAddress(host))
  );
}

function discard(body: Readable): null {
  body.on('error', () => {}).destroy();
  return null;
}

/** The start of a page, as text; up to the error if there was one. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, BYTES_MAX - bytes));
      bytes += chunk.length;
      if (bytes >= BYTES_MAX) break;
    }
  } catch {
    // A page that does not end may still refresh.
  } finally {
    discard(body);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The address that a page refreshes to; null without one. */
function refreshIn(page: string): string | null {
  for (const part of page.split(/<meta\b/i).slice(1)) {
    const tag = part.slice(0, part.indexOf('>') + 1).slice(0, ADDRESS_CHARS_MAX);
    if (!/http-equiv=["']?refresh/i.test(tag)) continue;
    const [, address = ''] = tag.split(/url=/i, 2);
    const [quoted = ''] = address.split(/["'>]/).filter((each) => each !== '');
    if (quoted.trim() !== '') return quoted.trim().replaceAll('&amp;', '&');
  }
  return null;
}
