import { TAB_HEADER } from '@bidwell/contract/wire';
import { API_TOKEN_PREFIX } from '@bidwell/contract/api-token';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../engines.ts';
import { Unauthenticated } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the auth hook on every authenticated route. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** Who else than a person that is logged in may call the route. */
    admits?: 'api-token';
  }
}

/** What an access token says. */
export interface Session extends Actor {
  userId: string;
  /** The login that the token descends from, or the API token. */
  sessionId: string;
  /** True for an API token, which reads reports and nothing else. */
  apiToken?: boolean;
}

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
  };
}

/** An onRequest hook: admits only the operator's token. */
export function requireOperator(operatorToken: string) {
  const expected = Buffer.from(operatorToken);
  return async (request: FastifyRequest): Promise<void> => {
    const given = Buffer.from(bearer(request) ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new Unauthenticated('The operator token is wrong.');
  };
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

function bearer(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1];
}
