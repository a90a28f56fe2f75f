import { API_TOKEN_PREFIX } from '@bidwell/contract/api-token';
import { messages } from '@bidwell/contract/messages';
import { TAB_HEADER } from '@bidwell/contract/wire';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import { Forbidden, Unauthenticated } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the auth hook on every authenticated route. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** Who else than a person that is logged in may call the route. */
    admits?: 'api-token';
    /** True for a call that a suspended company may make although its method is one that changes things. */
    whileSuspended?: boolean;
  }
}

/** What an access token says. */
export interface Session extends Actor {
  userId: string;
  /** The login that the token descends from, or the API token. */
  sessionId: string;
  /** True for an API token, which reads reports and nothing else. */
  apiToken?: boolean;
  /** True where the company reads and changes nothing. */
  suspended?: boolean;
}

/** Why an access token does not count: one that is `expired` can be renewed, one that is `invalid` was not signed here. */
export type TokenFault = 'expired' | 'invalid';

/** Checks an access token; null for one that is expired or not ours. */
export type TokenReader = (token: string) => Promise<Session | null>;

/**
 * An onRequest hook: sets `request.session` from the bearer token, or from an API token where the route admits them, or
 * throws Unauthenticated.
 */
export function requireSession(readToken: TokenReader, readApiToken: TokenReader) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearer(request);
    const isApiToken = token?.startsWith(API_TOKEN_PREFIX) ?? false;
    if (isApiToken && request.routeOptions.config.admits !== 'api-token')
      throw new Unauthenticated('An API token reads reports and nothing else.');
    request.session = token ? await (isApiToken ? readApiToken : readToken)(token) : null;
    if (!request.session) throw new Unauthenticated();
    request.session.tab = tabOf(request);
    if (request.session.suspended && changesThings(request)) throw new Forbidden(messages.suspended);
  };
}

/** Whether a call is none that a suspended company may make. */
function changesThings({ method, routeOptions }: FastifyRequest): boolean {
  return isChange(method) && !routeOptions.config.whileSuspended;
}

/** Whether calls of a method change things, unless their route says otherwise. */
export function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Who asks. Only for routes behind {@link requireSession}. */
export function actorOf(request: FastifyRequest): Session {
  if (!request.session) throw new Unauthenticated();
  return request.session;
}

function tabOf({ headers }: FastifyRequest): string | undefined {
  const tab = headers[TAB_HEADER];
  return typeof tab === 'string' && /^[\w-]{1,64}$/.test(tab) ? tab : undefined;
}

/** The token of a request; undefined without one. */
export function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1];
}
