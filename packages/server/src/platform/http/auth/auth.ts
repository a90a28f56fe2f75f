import { API_TOKEN_PREFIX } from '@bidwell/contract/accounts/api-token';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { TAB_HEADER } from '@bidwell/contract/lib/wire';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../actor.ts';
import { Forbidden, Unauthenticated } from '../../errors.ts';
import { bearer } from './bearer.ts';
import { rememberCaller } from './known-callers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the auth hook on every authenticated route. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** Callers beside logged-in users that may call the route. */
    admits?: 'api-token';
    /** True where the call changes nothing, whatever its method. */
    isRead?: boolean;
    /** True where a suspended company may make the call although it makes changes. */
    whileSuspended?: boolean;
  }
}

/** Contents of an access token. */
export interface Session extends Actor {
  userId: string;
  /** The login that the token descends from, or the API token's id. */
  sessionId: string;
  /** True for an API token, which can only read reports. */
  apiToken?: boolean;
  /** True where the company is suspended: it may read, and change nothing. */
  suspended?: boolean;
  /** True for an operator who views the company's console: reads, changes nothing, and sees no secrets. */
  viewer?: boolean;
}

/** Why an access token is rejected: one that is `expired` can be renewed, one that is `invalid` was not signed here. */
export type TokenError = 'expired' | 'invalid';

/** Verifies an access token; null for one that is expired or was not signed here. */
export type TokenReader = (token: string) => Promise<Session | null>;

/**
 * onRequest hook that sets `request.session` from the bearer token, or from an API token where the route admits them.
 * Throws Unauthenticated, or Forbidden for a change by a suspended company or an operator who views it.
 */
export function requireSession(readToken: TokenReader, readApiToken: TokenReader) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearer(request);
    const isApiToken = token?.startsWith(API_TOKEN_PREFIX) ?? false;
    if (isApiToken && request.routeOptions.config.admits !== 'api-token')
      throw new Unauthenticated(apiMessages.apiTokenReports);
    request.session = token ? await (isApiToken ? readApiToken : readToken)(token) : null;
    if (!token || !request.session) throw new Unauthenticated();
    rememberCaller(token, request.session.companyId);
    request.session.tab = tabOf(request);
    if (!makesChanges(request)) return;
    if (request.session.viewer) throw new Forbidden(messages.viewing);
    if (request.session.suspended && !request.routeOptions.config.whileSuspended)
      throw new Forbidden(messages.suspended);
  };
}

/** Whether a call makes changes. */
export function makesChanges({ method, routeOptions }: FastifyRequest): boolean {
  return isChange(method) && !routeOptions.config.isRead;
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
