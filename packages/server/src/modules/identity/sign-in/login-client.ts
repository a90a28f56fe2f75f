import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { type Client, clientOf } from '../../../platform/http/auth/client.ts';
import { cookieName, cookieOptions } from '../../../platform/http/cookies.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';

const COOKIE = 'bidwell_device';
/** The longest that browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 86_400;
const TOKEN = /^[\w-]{43}$/;

/** The browser of a person who logs in; a cookie identifies its device at later logins. */
export interface LoginClient extends Client {
  /** The hash of the device's cookie. */
  deviceHash: string;
}

/** The client of a login; gives a device that has none a cookie by which it is recognized from now on. */
export function loginClientOf(config: Config, request: FastifyRequest, reply: FastifyReply): LoginClient {
  const name = cookieName(config, COOKIE);
  const sent = request.cookies[name];
  const token = sent !== undefined && TOKEN.test(sent) ? sent : newSecretToken();
  void reply.setCookie(name, token, { ...cookieOptions(config), maxAge: MAX_AGE_SECONDS });
  return { ...clientOf(request), deviceHash: hashToken(token) };
}
