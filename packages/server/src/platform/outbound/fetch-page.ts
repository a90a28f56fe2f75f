import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { type AddressSeams, checkedLookup, publicResolver } from './checked-lookup.ts';
import { isPublicAddress, bareHost } from './public-address.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/**
 * The page could not be fetched: a network error, a host that is not allowed, an error status, a timeout or too many
 * bytes.
 */
export class PageUnavailable extends Error {
  /** The error status of the response; null for other reasons. */
  readonly status: number | null;
  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = options.status ?? null;
  }
}

/**
 * Fetches one page as text, from one of `hosts` only, over https. The addresses of the host must be public, for each of
 * at most 3 redirects too. At most 5 seconds and 2 MB in total, no cookies. Throws {@link PageUnavailable}.
 */
export type FetchPage = (address: string, hosts: ReadonlySet<string>) => Promise<string>;

const LIMITS = { totalMs: 5000, bytesMax: 2 * 1024 * 1024, redirectsMax: 3, atOnceMax: 8 };

/** Dependencies that tests replace to reach a local server; production uses the defaults. */
export interface PageFetcherSeams extends AddressSeams {
  /** The only allowed port. */
  port: number;
  /** An additional certificate authority. */
  ca: string | undefined;
  totalMs: number;
}

const production: PageFetcherSeams = {
  resolve: publicResolver(),
  isAllowedAddress: isPublicAddress,
  port: 443,
  ca: undefined,
  totalMs: LIMITS.totalMs,
};

/**
 * Creates a fetcher of external pages that is safe against server-side request forgery (SSRF); at most 8 fetches at once.
 */
export function createPageFetcher(seams: Partial<PageFetcherSeams> = {}): FetchPage {
  const deps = { ...production, ...seams };
  let atOnce = 0;
  return async (address, hosts) => {
    if (atOnce >= LIMITS.atOnceMax) throw new PageUnavailable('Too many pages are being read');
    atOnce += 1;
    // One agent per page, so that no connection, and no checked address with it, outlives the fetch.
    const agent = new Agent({
      connect: {
        lookup: checkedLookup(deps, rejectedHost),
        timeout: deps.totalMs,
        ...(deps.ca && { ca: deps.ca }),
      },
      maxHeaderSize: 32 * 1024,
    });
    try {
      return await follow(address, hosts, deps, agent);
    } catch (error) {
      if (error instanceof PageUnavailable) throw error;
      throw new PageUnavailable((error as Error).message, { cause: error });
    } finally {
      atOnce -= 1;
      void agent.destroy().catch(() => {});
    }
  };
}

const rejectedHost = (host: string) => new PageUnavailable(`${host} is not in the public internet`);

async function follow(
  address: string,
  hosts: ReadonlySet<string>,
  deps: PageFetcherSeams,
  agent: Agent,
): Promise<string> {
  const signal = AbortSignal.timeout(deps.totalMs);
  const budget = { bytes: LIMITS.bytesMax };
  let url = assertAllowed(address, undefined, hosts, deps);
  for (let redirects = 0; ; redirects += 1) {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal,
      headers: {
        accept: 'text/html, application/json;q=0.9',
        'accept-encoding': 'gzip',
        'accept-language': 'en',
        'user-agent': 'Bidwell',
      },
    });
    const location = headers['location'];
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      body.on('error', () => {}).destroy();
      if (redirects === LIMITS.redirectsMax) throw new PageUnavailable('Too many redirects');
      url = assertAllowed(location, url, hosts, deps);
    } else if (statusCode === 200) {
      return await readText(body, String(headers['content-encoding'] ?? ''), budget, signal);
    } else {
      body.on('error', () => {}).destroy();
      throw new PageUnavailable(`The answer was ${statusCode}`, { status: statusCode });
    }
  }
}

function assertAllowed(
  address: string,
  base: URL | undefined,
  hosts: ReadonlySet<string>,
  { port }: PageFetcherSeams,
): URL {
  if (!canParseUrl(address, base?.href)) throw new PageUnavailable('No address');
  const url = new URL(address, base);
  const allowed =
    url.protocol === 'https:' &&
    hosts.has(url.hostname) &&
    // An IP address is not looked up, and so would not be checked.
    isIP(bareHost(url)) === 0 &&
    Number(url.port || 443) === port &&
    url.username === '' &&
    url.password === '';
  if (!allowed) throw new PageUnavailable(`${url.host} may not be read`);
  return url;
}

async function readText(
  body: Readable,
  encoding: string,
  budget: { bytes: number },
  signal: AbortSignal,
): Promise<string> {
  if (encoding !== '' && encoding !== 'identity' && encoding !== 'gzip') {
    body.on('error', () => {}).destroy();
    throw new PageUnavailable(`The answer is packed as ${encoding}`);
  }
  const unpacked = encoding === 'gzip' ? unpack(body, budget.bytes) : body;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      signal.throwIfAborted();
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) throw new PageUnavailable('The page is too large');
      chunks.push(chunk);
    }
  } finally {
    body.on('error', () => {}).destroy();
    unpacked.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unpack(body: Readable, bytesMax: number): Readable {
  const gunzip = createGunzip();
  let bytes = 0;
  // A compressed stream may be long and decompress to almost nothing.
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) gunzip.destroy(new PageUnavailable('The page is too large'));
  });
  body.on('error', (error) => gunzip.destroy(error));
  return body.pipe(gunzip);
}
