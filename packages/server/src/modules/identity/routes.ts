import multipart, { type MultipartFile } from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import { ProfileInput } from '@bidwell/contract/accounts/schema';
import * as endpoints from '@bidwell/contract/accounts/endpoints';
import * as people from '@bidwell/contract/accounts/people-endpoints';
import * as signIn from '@bidwell/contract/accounts/sign-in-endpoints';
import { limits } from '@bidwell/contract/lib/limits';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { messages } from '@bidwell/contract/text/messages';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Invalid, TooLarge } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import { clientAddress, clientOf } from '../../platform/http/auth/client.ts';
import { limitTo } from '../../platform/http/limits/rate-limit.ts';
import { dataRoute, named } from '../../platform/http/data-route.ts';
import { formRoute, route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { confirmAddress, requestConfirmation } from './address-confirmation.ts';
import { newChallenge, spendPass, verifyCaptcha } from './captcha.ts';
import { LoginAttempts } from './login-attempts.ts';
import { readInvitation, registerInvited } from './people/joining.ts';
import { passwordResets, resetPassword } from './passwords/password-reset.ts';
import { type AvatarChange, updateProfile } from './profile.ts';
import { registerPasskeyLogin } from './passkeys/routes.ts';
import { loginClientOf } from './sign-in/login-client.ts';
import { login, passSecondFactor } from './sign-in/login.ts';
import {
  completeLogin,
  replaceSession,
  clearLoggedOutMark,
  clearSessionCookies,
  loggedOutMark,
  refreshTokenOf,
  sendSession,
  setCaptchaPass,
  setLoginStep,
  takeCaptchaPass,
} from './sessions/session-cookies.ts';
import { getUser, logout, refresh, register, startSession } from './service.ts';
import { registerSsoSignIn } from './sso/routes.ts';

/** Registers the calls that need no session: captcha, registration, login, refresh, logout. */
export async function registerPublicAccounts(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const perAddress = { preHandler: limitTo(http, { max: 60 }) };
  registerCaptcha(http, ctx, perAddress);
  registerLogin(http, ctx, perAddress);
  registerSessions(http, ctx);
  registerPasswordReset(http, ctx, perAddress);
  route(http, endpoints.confirmAddress, perAddress, async (request) => ({
    data: await confirmAddress(ctx, request.body),
  }));
  registerInvitations(http, ctx, perAddress);
  registerSsoSignIn(http, ctx, perAddress);
  registerPasskeyLogin(http, ctx, perAddress);
}

type Limit = Pick<RouteShorthandOptions, 'preHandler'>;

function registerCaptcha(http: Http, ctx: Context, perAddress: Limit): void {
  route(http, endpoints.readCaptcha, perAddress, async () => ({ data: await newChallenge(ctx) }));
  route(http, endpoints.solveCaptcha, perAddress, async (request, reply) => {
    const pass = await verifyCaptcha(ctx, request.body.captcha);
    setCaptchaPass(ctx.config, reply, pass);
    return { data: { verified: true as const } };
  });
}

function registerLogin(http: Http, ctx: Context, perAddress: Limit): void {
  const attempts = new LoginAttempts(ctx.now);
  const { config } = ctx;
  route(http, endpoints.register, perAddress, async (request, reply) => {
    await spendPass(ctx, takeCaptchaPass(config, request, reply));
    const { userId, companyId } = await register(
      ctx,
      request.body,
      clientAddress(request),
      goneSignal(reply),
    );
    await logInNewcomer(ctx, request, reply, { userId, companyId });
    return reply.code(201).send({ data: { user_id: userId, company_id: companyId } });
  });
  route(http, endpoints.logIn, perAddress, async (request, reply) => {
    await spendPass(ctx, takeCaptchaPass(config, request, reply));
    const subject = `login:${request.body.login}`;
    // Attempts are counted after the captcha, so that delaying others costs a solved captcha per attempt.
    await setTimeout(attempts.count(subject, clientAddress(request)));
    const client = loginClientOf(config, request, reply);
    const address = clientAddress(request);
    const { session, step } = await login(ctx, request.body, address, goneSignal(reply), client);
    attempts.succeeded(subject, clientAddress(request));
    if (session) return replaceSession(ctx, request, reply, session);
    // The step replaces the browser's session.
    await logout(ctx, refreshTokenOf(config, request));
    setLoginStep(config, reply, step.secret);
    return { data: { next: 'second_factor' as const, factors: step.factors } };
  });
  route(http, signIn.passSecondFactor, perAddress, async (request, reply) =>
    completeLogin(ctx, request, reply, (step, client) => passSecondFactor(ctx, step, request.body, client)),
  );
}

/** Registers the calls of a person with the link of an invitation. */
function registerInvitations(http: Http, ctx: Context, perAddress: Limit): void {
  route(http, people.readInvitation, perAddress, async (request) => ({
    data: await readInvitation(ctx, request.body),
  }));
  route(http, people.registerInvited, perAddress, async (request, reply) => {
    const signal = goneSignal(reply);
    const person = await registerInvited(ctx, request.body, clientAddress(request), signal);
    await logInNewcomer(ctx, request, reply, person);
    return reply.code(201).send({ data: { user_id: person.userId, company_id: person.companyId } });
  });
}

function registerPasswordReset(http: Http, ctx: Context, perAddress: Limit): void {
  const resets = passwordResets(ctx);
  const attempts = new LoginAttempts(ctx.now);
  const { config } = ctx;
  route(http, endpoints.readPasswordReset, perAddress, async () => ({
    data: { is_offered: resets !== null },
  }));
  route(http, endpoints.requestPasswordReset, perAddress, async (request, reply) => {
    if (!resets) throw new Invalid([], accountMessages.resetNotOffered);
    await spendPass(ctx, takeCaptchaPass(config, request, reply));
    attempts.count(`reset:${request.body.login}`, clientAddress(request));
    resets.request(request.body.login);
    return { data: { is_accepted: true as const } };
  });
  route(http, endpoints.resetPassword, perAddress, async (request, reply) => {
    await resetPassword(ctx, request.body, clientAddress(request), goneSignal(reply));
    return { data: { is_changed: true as const } };
  });
}

/**
 * Sets the cookies of a new user's first session. The account already exists, so a failure leaves it to the login, and does
 * not fail the registration.
 */
async function logInNewcomer(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  person: { userId: string; companyId: string },
): Promise<void> {
  try {
    // As at a login: a browser has one session at a time.
    await logout(ctx, refreshTokenOf(ctx.config, request));
    const client = loginClientOf(ctx.config, request, reply);
    sendSession(ctx, request, reply, await startSession(ctx, person, client));
  } catch (error) {
    request.log.warn({ err: error }, 'A new user has to log in: no session could be started');
  }
}

function registerSessions(http: Http, ctx: Context): void {
  const { config } = ctx;
  route(http, endpoints.refreshSession, async (request, reply) => {
    try {
      const session = await refresh(ctx, refreshTokenOf(config, request), clientOf(request));
      return sendSession(ctx, request, reply, session);
    } catch (error) {
      clearSessionCookies(config, request, reply);
      throw error;
    }
  });
  route(http, endpoints.logOut, async (request, reply) => {
    await logout(ctx, refreshTokenOf(config, request), {
      everywhere: request.body?.everywhere ?? false,
    });
    clearSessionCookies(config, request, reply);
    return { data: { logged_out: true as const } };
  });
}

/** New passwords, and with them guesses of the current one, and new pictures of a person in each window. */
const PASSWORDS_MAX = 10;
const AVATARS_MAX = 20;
/** New mail addresses: the former one is notified of each, and could be anyone's. */
const ADDRESSES_MAX = 10;
const PROFILE_WINDOW_MS = 10 * 60_000;

/** Registers the calls on the signed-in user. */
export async function registerUsers(http: Http, ctx: Context): Promise<void> {
  await http.register(multipart, {
    limits: { files: 1, fileSize: limits.avatarBytesMax, fields: 20, fieldSize: 10_000 },
  });
  await http.register(rateLimit, { global: false });
  const perPerson = (max: number) => limitTo(http, { max, timeWindow: PROFILE_WINDOW_MS, per: 'person' });
  const countPassword = perPerson(PASSWORDS_MAX);
  const countAvatar = perPerson(AVATARS_MAX);
  const countAddress = perPerson(ADDRESSES_MAX);
  dataRoute(http, ctx, endpoints.readUser, async (_, actor, { user_id }) => getUser(ctx, actor, user_id));
  dataRoute(
    http,
    ctx,
    endpoints.requestAddressConfirmation,
    { preHandler: perPerson(ADDRESSES_MAX) },
    named('is_sent', requestConfirmation),
  );
  formRoute(http, endpoints.updateUser, {}, async (request, reply) => {
    const { fields, avatar } = await readProfileForm(request, countAvatar);
    if (fields.password) await countPassword(request);
    const { user_id: userId } = request.params;
    const change = {
      userId,
      fields,
      avatar,
      signal: goneSignal(reply),
      countAddress: async () => countAddress(request),
    };
    return { data: await updateProfile(ctx, actorOf(request), change) };
  });
}

/** The avatar in a JSON body: null removes it, a string or nothing leaves it. Throws Invalid for anything else. */
function avatarIn(value: unknown): AvatarChange {
  if (value === null) return 'remove';
  if (value === undefined || typeof value === 'string') return 'keep';
  throw new Invalid([{ field: 'avatar', message: messages.invalidFileType }]);
}

/**
 * Reads a profile from JSON or a multipart form. The form's `avatar` is a file, before which `countAvatar` is called, or empty
 * to remove the picture.
 */
async function readProfileForm(
  request: FastifyRequest,
  countAvatar: (request: FastifyRequest) => Promise<void>,
): Promise<{ fields: ProfileInput; avatar: AvatarChange }> {
  if (!request.isMultipart()) {
    const body = z.looseObject({}).catch({}).parse(request.body);
    return { fields: parseProfile(body), avatar: avatarIn(body['avatar']) };
  }
  const values: Record<string, string> = {};
  let avatar: AvatarChange = 'keep';
  for await (const part of request.parts()) {
    if (part.type === 'field') values[part.fieldname] = String(part.value);
    else if (part.fieldname === 'avatar') {
      await countAvatar(request);
      avatar = await avatarOf(part);
    } else throw new Invalid([{ field: part.fieldname, message: messages.invalidFileType }]);
  }
  if (avatar === 'keep' && values['avatar'] === '') avatar = 'remove';
  return { fields: parseProfile(values), avatar };
}

/** Reads a picture. Throws TooLarge. */
async function avatarOf(part: MultipartFile): Promise<Buffer> {
  try {
    return await part.toBuffer();
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
      throw new TooLarge(accountMessages.avatarTooLarge);
    throw error;
  }
}

function parseProfile(values: unknown): ProfileInput {
  const parsed = ProfileInput.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Invalid(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  );
}

/**
 * Creates an onRequest hook for all calls of the console. It ends the session that a page logged out of while the
 * server was unreachable. The hook throws if the session cannot be ended, so that it cannot be used.
 */
export function endLoggedOutSession(ctx: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const mark = loggedOutMark(ctx.config, request);
    if (!mark) return;
    await logout(ctx, refreshTokenOf(ctx.config, request), { everywhere: mark === 'everywhere' });
    clearSessionCookies(ctx.config, request, reply);
    clearLoggedOutMark(ctx.config, request, reply);
  };
}
