import { PASSKEY_SECONDS } from '@bidwell/contract/accounts/passkey';
import { SECURE_PREFIX } from '@bidwell/contract/accounts/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';

/** The session is sent only to the operator's API: an advertiser's page never carries it. */
const PATH = '/api/operator';
const COOKIE = 'bidwell_operator';
const PASSKEY_COOKIE = 'bidwell_operator_passkey';

const isSecure = ({ publicUrl }: Config): boolean => publicUrl?.startsWith('https:') ?? false;

/** The name of the cookie with the operator's session. */
export const operatorCookieName = (config: Config): string => named(config, COOKIE);

const named = (config: Config, name: string): string => (isSecure(config) ? SECURE_PREFIX : '') + name;

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
  const name = named(config, PASSKEY_COOKIE);
  void reply.setCookie(name, secret, { ...options(config), maxAge: PASSKEY_SECONDS });
}

/** Reads the secret of a login by passkey from its cookie and deletes the cookie, as options are answered once. */
export function takeOperatorPasskeyCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = named(config, PASSKEY_COOKIE);
  void reply.clearCookie(name, options(config));
  return cookies[name];
}

function options(config: Config) {
  return { httpOnly: true, sameSite: 'strict', path: PATH, secure: isSecure(config) } as const;
}
