import { API_TOKEN_PREFIX } from '@bidwell/contract/accounts/api-token';
import type { Permission } from '@bidwell/contract/accounts/permission';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { TAB_HEADER } from '@bidwell/contract/lib/wire';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { Unauthenticated } from '../../errors.ts';
import { hasPermission, requirePermission } from '../../permissions.ts';
import type { IncomingMessage } from 'node:http';
import { lruCache } from '../../lru-cache.ts';
import { clientAddress } from './client.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the auth hook on every authenticated route. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** The requirements of the call of a route behind sessions; its endpoint declares it. */
    companyPermission?: Permission;
  }
}

/** Contents of an access token. */
export interface Session extends Actor {
  userId: string;
  /** The login that the token descends from, or the API key's id. */
  sessionId: string;
  /** The limit of an API key. */
  callsPerMinute?: number;
}

/** Why an access token is rejected: one that is `expired` can be renewed, one that is `invalid` was not signed here. */
export type TokenError = 'expired' | 'invalid';

/** Verifies an access token; null for one that is expired or was not signed here. */
export type TokenReader = (token: string) => Promise<Session | null>;

/** How API keys are admitted. */
export interface ApiKeyAdmission {
  /** Verifies a key; null for an unknown or revoked one. Throws Unauthenticated for one that has expired. */
  read(this: void, token: string, request: FastifyRequest): Promise<Session | null>;
  /** Throws RateLimited beyond the calls that the request's key may make. */
  limit(this: void, request: FastifyRequest): Promise<void>;
}

/**
 * onRequest hook that sets `request.session` from the bearer token or API key. Throws Unauthenticated, RateLimited for an API key,
 * and like {@link requirePermission}, which the call checks again, before the body is received.
 */
export function requireSession(readToken: TokenReader, apiKeys: ApiKeyAdmission) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearer(request);
    const isApiKey = token?.startsWith(API_TOKEN_PREFIX) ?? false;
    if (token) request.session = isApiKey ? await apiKeys.read(token, request) : await readToken(token);
    if (!token || !request.session)
      throw new Unauthenticated(isOfProgram(request) ? accountApiMessages.keyUnknown : undefined);
    rememberCaller(token, request.session.companyId);
    request.session.tab = tabOf(request);
    if (isApiKey) await apiKeys.limit(request);
    requirePermission(request.session, permissionOf(request));
  };
}

/** Whether the caller means to send an API key, in any form. */
function isOfProgram({ headers }: FastifyRequest): boolean {
  return headers.authorization?.includes(API_TOKEN_PREFIX) ?? false;
}

/** The permission that a route behind sessions needs. Throws for one that does not declare any. */
function permissionOf({ routeOptions: { url, config } }: FastifyRequest): Permission {
  if (!config.companyPermission) throw new Error(`${url} declares no permission`);
  return config.companyPermission;
}

/** Whether a call behind sessions makes changes: one that an operator who only views the company may not make. */
export function makesChanges(request: FastifyRequest): boolean {
  return !hasPermission({ role: 'viewer' }, permissionOf(request));
}

/** Whether calls of a method make changes, unless their route says otherwise. */
export function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** The session of the caller. Only for routes behind {@link requireSession}. */
export function actorOf(request: FastifyRequest): Session {
  if (!request.session) throw new Unauthenticated();
  return request.session;
}

function tabOf({ headers }: FastifyRequest): string | undefined {
  const tab = headers[TAB_HEADER];
  return typeof tab === 'string' && /^[\w-]{1,64}$/.test(tab) ? tab : undefined;
}

/** Tokens of the callers of some minutes; an evicted one is only treated as unknown until it is verified again. */
const REMEMBERED_MAX = 20_000;
const companies = lruCache<string, string>(REMEMBERED_MAX);

/** Remembers whose token this is, once it has been verified, so that its next requests are in their company's turn from the start. */
function rememberCaller(token: string, companyId: string): void {
  companies.set(token, companyId);
}

/** The company whose token a request carries; undefined for a token that has not been verified before. Proves nothing. */
export function companyOfCaller(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const token = bearer(request);
  return token === undefined ? undefined : companies.get(token);
}

/** The owner in whose turn a request is handled: a company, or the address it comes from (a proxy's, if there is one). */
export function turnOf(request: IncomingMessage): string {
  return companyOfCaller(request) ?? clientAddress({ ip: request.socket.remoteAddress ?? '' });
}

const BEARER = /^Bearer +([\w.~+/=-]{1,4096})$/i;

/**
 * The bearer token of a request; undefined without one. Characters pasted along with a token are removed: quotation marks and spaces of
 * other kinds around it, and invisible characters.
 */
export function bearer({ headers }: { headers: { authorization?: string | undefined } }): string | undefined {
  const { authorization = '' } = headers;
  return (BEARER.exec(authorization) ?? BEARER.exec(pastedIn(authorization)))?.[1];
}

/** Characters of a header that are read. */
const HEADER_CHARS_MAX = 5000;

/** A header decoded as UTF-8, since Node.js passes on its bytes, without quotes and invisible characters from pasting. */
function pastedIn(header: string): string {
  return Buffer.from(header.slice(0, HEADER_CHARS_MAX), 'latin1')
    .toString()
    .replaceAll(/[\s"'\u{FFFD}\p{Cf}]/gu, ' ')
    .trim();
}
