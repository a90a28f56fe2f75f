import { PASSKEY_SECONDS } from '@bidwell/contract/accounts/passkey';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { cookieName, cookieOptions } from '../../../platform/http/cookies.ts';

const COOKIE = 'bidwell_operator';
const PASSKEY_COOKIE = 'bidwell_operator_passkey';

/** The name of the cookie with the operator's session. */
export const operatorCookieName = (config: Config): string => cookieName(config, COOKIE);

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

/** Sets the secret that binds the options of a login by passkey to this browser. */
export function setOperatorPasskeyCookie(config: Config, reply: FastifyReply, secret: string): void {
  const name = cookieName(config, PASSKEY_COOKIE);
  void reply.setCookie(name, secret, { ...options(config), maxAge: PASSKEY_SECONDS });
}

/** Reads the secret of a login by passkey from its cookie and deletes the cookie, as options are answered once. */
export function takeOperatorPasskeyCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = cookieName(config, PASSKEY_COOKIE);
  void reply.clearCookie(name, options(config));
  return cookies[name];
}

/** Without https, where no prefix requires the path `/`, the cookies are sent to the operator's API only. */
function options(config: Config) {
  const common = cookieOptions(config);
  return common.secure ? common : { ...common, path: '/api/operator' };
}
