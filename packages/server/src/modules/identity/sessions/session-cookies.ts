import {
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
import { cookieName, cookieOptions } from '../../../platform/http/cookies.ts';
import { type OpenedSession, logout } from '../service.ts';
import { PASS_SECONDS } from '../captcha.ts';
import { STEP_SECONDS } from '../sign-in/login.ts';
import { type LoginClient, loginClientOf } from '../sign-in/login-client.ts';

const REFRESH_COOKIE = 'bidwell_refresh_token';
const CAPTCHA_COOKIE = 'bidwell_captcha';
const SIGN_IN_COOKIE = 'bidwell_sso';
const LOGIN_COOKIE = 'bidwell_login';
const PASSKEY_COOKIE = 'bidwell_passkey';

/** Reads the refresh token from the request's cookies. */
export function refreshTokenOf(config: Config, { cookies }: FastifyRequest): string | undefined {
  return cookies[cookieName(config, REFRESH_COOKIE)];
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
  void reply.setCookie(cookieName(config, REFRESH_COOKIE), refreshToken, {
    ...cookieOptions(config),
    maxAge,
  });
  const hint = { ...cookieOptions(config), httpOnly: false, maxAge };
  void reply.setCookie(cookieName(config, SESSION_HINT_COOKIE), '1', hint);
  clearPageCookie(config, REFRESHING_COOKIE, request, reply);
}

export function clearSessionCookies(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(config, REFRESH_COOKIE), cookieOptions(config));
  void reply.clearCookie(cookieName(config, SESSION_HINT_COOKIE), {
    ...cookieOptions(config),
    httpOnly: false,
  });
  clearPageCookie(config, REFRESHING_COOKIE, request, reply);
}

/** Whether the page logged out while the server was unreachable: of this session, or of all the user's sessions. */
export function loggedOutMark(config: Config, { cookies }: FastifyRequest): 'this' | 'everywhere' | null {
  const mark = cookies[cookieName(config, LOGGED_OUT_COOKIE)];
  if (mark === undefined || mark === '') return null;
  return mark === 'everywhere' ? 'everywhere' : 'this';
}

export function clearLoggedOutMark(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  clearPageCookie(config, LOGGED_OUT_COOKIE, request, reply);
}

/** Deletes a cookie that a page has set. */
function clearPageCookie(
  config: Config,
  name: string,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): void {
  const own = cookieName(config, name);
  if (Object.hasOwn(cookies, own)) void reply.clearCookie(own, { ...cookieOptions(config), httpOnly: false });
}

/** Keeps the secret of a begun login, which waits for a second factor. */
export function setLoginStep(config: Config, reply: FastifyReply, step: string): void {
  void reply.setCookie(cookieName(config, LOGIN_COOKIE), step, {
    ...cookieOptions(config),
    maxAge: STEP_SECONDS,
  });
}

/** Reads the secret of a begun login. */
export function loginStepOf(config: Config, { cookies }: FastifyRequest): string | undefined {
  return cookies[cookieName(config, LOGIN_COOKIE)];
}

function clearLoginStep(config: Config, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(config, LOGIN_COOKIE), cookieOptions(config));
}

/** Sets the secret that binds the options of a login by passkey to this browser. */
export function setPasskeyCookie(config: Config, reply: FastifyReply, secret: string): void {
  const maxAge = PASSKEY_SECONDS;
  void reply.setCookie(cookieName(config, PASSKEY_COOKIE), secret, { ...cookieOptions(config), maxAge });
}

/** Reads the secret of a login by passkey from its cookie and deletes the cookie, as options are answered once. */
export function takePasskeyCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = cookieName(config, PASSKEY_COOKIE);
  void reply.clearCookie(name, cookieOptions(config));
  return cookies[name];
}

export function setCaptchaPass(config: Config, reply: FastifyReply, pass: string): void {
  void reply.setCookie(cookieName(config, CAPTCHA_COOKIE), pass, {
    ...cookieOptions(config),
    maxAge: PASS_SECONDS,
  });
}

/** Reads the captcha pass from its cookie and deletes the cookie, as a pass can be used once. */
export function takeCaptchaPass(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = cookieName(config, CAPTCHA_COOKIE);
  void reply.clearCookie(name, cookieOptions(config));
  return cookies[name];
}

/** Sets the secret that binds a sign-in at a provider to this browser. */
export function setSignInCookie(config: Config, reply: FastifyReply, secret: string): void {
  const maxAge = SSO_SIGN_IN_MINUTES * 60;
  void reply.setCookie(cookieName(config, SIGN_IN_COOKIE), secret, { ...cookieOptions(config), maxAge });
}

/** Reads the secret of a sign-in from its cookie and deletes the cookie, as a sign-in is completed once. */
export function takeSignInCookie(
  config: Config,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const name = cookieName(config, SIGN_IN_COOKIE);
  void reply.clearCookie(name, cookieOptions(config));
  return cookies[name];
}

/** Gives a session to a browser and ends its previous one, since a browser has one at a time. Returns the body of the response. */
export async function replaceSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenedSession,
): Promise<{ data: SessionTokens }> {
  await logout(ctx, refreshTokenOf(ctx.config, request));
  return sendSession(ctx, request, reply, session);
}

/** Completes the login that the browser has begun with its second factor, which `pass` checks. Throws the errors of `pass`. */
export async function completeLogin(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  pass: (step: string | undefined, client: LoginClient) => Promise<OpenedSession>,
): Promise<{ data: SessionTokens }> {
  const { config } = ctx;
  const session = await pass(loginStepOf(config, request), loginClientOf(config, request, reply));
  clearLoginStep(config, reply);
  return replaceSession(ctx, request, reply, session);
}
