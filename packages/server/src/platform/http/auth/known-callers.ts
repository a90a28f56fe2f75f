import type { IncomingMessage } from 'node:http';
import { lruCache } from '../../lru-cache.ts';
import { bearer } from './bearer.ts';
import { clientAddress } from './client-address.ts';

/** Tokens of the callers of some minutes; a forgotten one is only treated as a stranger's until it is verified again. */
const REMEMBERED_MAX = 20_000;

const companies = lruCache<string, string>(REMEMBERED_MAX);

/** Remembers whose token this is, once it has been verified, so that its next requests are in their company's turn from the start. */
export function rememberCaller(token: string, companyId: string): void {
  companies.set(token, companyId);
}

/** The company whose token a request carries; undefined for a token that has not been verified before. Proves nothing. */
export function companyOfCaller(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const token = bearer(request);
  return token === undefined ? undefined : companies.get(token);
}

/** In whose turn a request is handled: that of a company, or of the address it comes from (a proxy's, where there is one). */
export function turnOf(request: IncomingMessage): string {
  return companyOfCaller(request) ?? clientAddress({ ip: request.socket.remoteAddress ?? '' });
}
