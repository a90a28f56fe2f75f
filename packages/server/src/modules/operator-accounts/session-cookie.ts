import { SECURE_PREFIX } from '@bidwell/contract/accounts/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';

/** The session is sent only to the operator's API: an advertiser's page never carries it. */
const PATH = '/api/operator';
const COOKIE = 'bidwell_operator';

const isSecure = ({ publicUrl }: Config): boolean => publicUrl?.startsWith('https:') ?? false;

/** The name of the cookie with the operator's session. */
export const operatorCookieName = (config: Config): string =>
  (isSecure(config) ? SECURE_PREFIX : '') + COOKIE;

/** The token of the operator's session; undefined without one. */
export function operatorSessionOf(config: Config, { cookies }: FastifyRequest): string | undefined {
  return cookies[operatorCookieName(config)];
}

/** Sets the cookie of an operator's session. */
export function setOperatorSession(
  config: Config,
  reply: FastifyReply,
  { token, maxAgeSeconds: maxAge }: { token: string; maxAgeSeconds: number },
): void {
  void reply.setCookie(operatorCookieName(config), token, { ...options(config), maxAge });
}

/** Deletes the cookie of an operator's session. */
export function clearOperatorSession(config: Config, reply: FastifyReply): void {
  void reply.clearCookie(operatorCookieName(config), options(config));
}

function options(config: Config) {
  return { httpOnly: true, sameSite: 'strict', path: PATH, secure: isSecure(config) } as const;
}
