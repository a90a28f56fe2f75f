import {
  HOST_PREFIX,
  LOGGED_OUT_COOKIE,
  REFRESHING_COOKIE,
  SESSION_HINT_COOKIE,
  type SessionTokens,
} from '@bidwell/contract/accounts/schema';
import { PASSKEY_SECONDS } from '@bidwell/contract/accounts/passkey';
import { SSO_SIGN_IN_MINUTES } from '@bidwell/contract/accounts/single-sign-on';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import type { Context } from '../../../context.ts';
import type { OpenedSession } from '../service.ts';
import { PASS_SECONDS } from '../captcha.ts';
import { STEP_SECONDS } from '../sign-in/login.ts';
import { isPrefixedToken } from './access-tokens.ts';

const REFRESH_COOKIE = 'bidwell_refresh_token';
const CAPTCHA_COOKIE = 'bidwell_captcha';
const SIGN_IN_COOKIE = 'bidwell_sso';
const LOGIN_COOKIE = 'bidwell_login';
const PASSKEY_COOKIE = 'bidwell_passkey';
/** Name and paths of the refresh token's cookie in earlier versions, without the `__Host-` prefix. */
const OLD_REFRESH_COOKIE = 'bidwell_refresh';
const OLD_REFRESH_PATHS = ['/api/internal/refresh-token', '/api/internal/logout'];

/**
 * Over https, cookie names begin with `__Host-`: browsers accept such a cookie only from the same host, so that a
 * sibling host cannot plant a session of its own. The prefix requires the path `/`.
 */
const isSecure = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') ?? false;
const named = (config: Config, name: string) => (isSecure(config) ? HOST_PREFIX + name : name);

function options(config: Config) {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isSecure(config) } as const;
}

/** Reads the refresh token from the request's cookies. */
export function refreshTokenOf(config: Config, { cookies }: FastifyRequest): string | undefined {
  const old = cookies[OLD_REFRESH_COOKIE];
  // The old name is accepted only for old tokens, since a sibling host could set a cookie of that name.
  return cookies[named(config, REFRESH_COOKIE)] ?? (old && !isPrefixedToken(old) ? old : undefined);
}

/** Sets the cookies of a session that was opened, and returns the body of the response. */
export function sendSession(
  { config, now }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { tokens, refreshToken, expiresAt }: OpenedSession,
): { data: SessionTokens } {
  const maxAgeSeconds = Math.ceil((expiresAt.getTime() - now().getTime()) / 1000);
  setSessionCookies(config, request, reply, { refreshToken, maxAgeSeconds });
  return { data: tokens };
}

/** Sets the session's cookies. */
function setSessionCookies(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  { refreshToken, maxAgeSeconds: maxAge }: { refreshToken: string; maxAgeSeconds: number },
): void {
  clearOldNames(config, request, reply);
  void reply.setCookie(named(config, REFRESH_COOKIE), refreshToken, { ...options(config), maxAge });
  const hint = { ...options(config), httpOnly: false, maxAge };
  void reply.setCookie(named(config, SESSION_HINT_COOKIE), '1', hint);
  clearPageCookie(REFRESHING_COOKIE, request, reply);
}

export function clearSessionCookies(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  clearOldNames(config, request, reply);
  void reply.clearCookie(named(config, REFRESH_COOKIE), options(config));
  void reply.clearCookie(named(config, SESSION_HINT_COOKIE), { ...options(config), httpOnly: false });
  clearPageCookie(REFRESHING_COOKIE, request, reply);
}

function clearOldNames(config: Config, { cookies }: FastifyRequest, reply: FastifyReply): void {
  if (Object.hasOwn(cookies, OLD_REFRESH_COOKIE))
    for (const path of OLD_REFRESH_PATHS)
      void reply.clearCookie(OLD_REFRESH_COOKIE, { ...options(config), path });
  if (isSecure(config) && Object.hasOwn(cookies, SESSION_HINT_COOKIE))
    void reply.clearCookie(SESSION_HINT_COOKIE, { path: '/' });
}

/** Whether the page logged out while the server was unreachable: of this session, or of all the user's sessions. */
export function loggedOutMark({ cookies }: FastifyRequest): 'this' | 'everywhere' | null {
  const mark = cookies[HOST_PREFIX + LOGGED_OUT_COOKIE] ?? cookies[LOGGED_OUT_COOKIE];
  if (mark === undefined || mark === '') return null;
  return mark === 'everywhere' ? 'everywhere' : 'this';
}

export function clearLoggedOutMark(request: FastifyRequest, reply: FastifyReply): void {
  clearPageCookie(LOGGED_OUT_COOKIE, request, reply);
}

/** Deletes a cookie that a page has set; the page adds the prefix where the browser reaches it over https. */
function clearPageCookie(name: string, { cookies }: FastifyRequest, reply: FastifyReply): void {
  for (const own of [name, HOST_PREFIX + name])
    if (Object.hasOwn(cookies, own))
      void reply.clearCookie(own, { path: '/', sameSite: 'strict', secure: own.startsWith(HOST_PREFIX) });
}

/** Keeps the secret of a begun login, whose second factor is awaited. */
export function setLoginStep(config: Config, reply: FastifyReply, step: string): void {
  void reply.setCookie(named(config, LOGIN_COOKIE), step, { ...options(config), maxAge: STEP_SECONDS });
}

/** Reads the secret of a begun login. */
export function loginStepOf(config: Config, { cookies }: FastifyRequest): string | undefined {
  return cookies[named(config, LOGIN_COOKIE)];
}

export function clearLoginStep(config: Config, reply: FastifyReply): void {
  void reply.clearCookie(named(config, LOGIN_COOKIE), options(config));
}

/** Sets the secret that binds the options of a login by passkey to this browser. */
export function setPasskeyCookie(config: Config, reply: FastifyReply, secret: string): void {
  const maxAge = PASSKEY_SECONDS;
  void reply.setCookie(named(config, PASSKEY_COOKIE), secret, { ...options(config), maxAge });
}

/** Reads the secret of a login by passkey from its cookie and deletes the cookie, as options are answered once. */
export function takePasskeyCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = named(config, PASSKEY_COOKIE);
  void reply.clearCookie(name, options(config));
  return cookies[name];
}

export function setCaptchaPass(config: Config, reply: FastifyReply, pass: string): void {
  void reply.setCookie(named(config, CAPTCHA_COOKIE), pass, { ...options(config), maxAge: PASS_SECONDS });
}

/** Reads the captcha pass from its cookie and deletes the cookie, as a pass can be used once. */
export function takeCaptchaPass(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = named(config, CAPTCHA_COOKIE);
  void reply.clearCookie(name, options(config));
  return cookies[name];
}

/** Sets the secret that binds a sign-in at a provider to this browser. */
export function setSignInCookie(config: Config, reply: FastifyReply, secret: string): void {
  const maxAge = SSO_SIGN_IN_MINUTES * 60;
  void reply.setCookie(named(config, SIGN_IN_COOKIE), secret, { ...options(config), maxAge });
}

/** Reads the secret of a sign-in from its cookie and deletes the cookie, as a sign-in is completed once. */
export function takeSignInCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = named(config, SIGN_IN_COOKIE);
  void reply.clearCookie(name, options(config));
  return cookies[name];
}
