import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import {
  CaptchaChallenge,
  CaptchaSolution,
  Credentials,
  LogoutInput,
  ProfileInput,
  Registration,
  SESSION_HINT_COOKIE,
  SessionTokens,
  User,
} from '@bidwell/contract/account';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Failure, Uuid, envelope } from '@bidwell/contract/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { Invalid } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { conflict } from '../../platform/http/openapi/document.ts';
import { limitTo } from '../../platform/http/rate-limit.ts';
import type { Http } from '../../platform/http/server.ts';
import { PASS_SECONDS, newChallenge, spendPass, verifyCaptcha } from './captcha.ts';
import type { AvatarChange } from './profile.ts';
import { updateProfile } from './profile.ts';
import type { OpenedSession } from './service.ts';
import { getUser, login, logout, refresh, register } from './service.ts';
import { REFRESH_TOKEN_DAYS } from './tokens.ts';

const REFRESH_COOKIE = 'bidwell_refresh';
const CAPTCHA_COOKIE = 'bidwell_captcha';
const TOO_MANY = 'Too many attempts. Please wait a moment.';
const BASE = '/api/internal';
const refused = { 401: Failure } as const;
const limited = { 429: Failure } as const;
/** The refresh token travels to these two and nowhere else. */
const refreshPaths = [`${BASE}/refresh-token`, `${BASE}/logout`];

/** Routes that anyone may call: captcha, registration, login, refresh, logout. */
export async function registerPublicAccounts(http: Http, engines: Engines): Promise<void> {
  await http.register(rateLimit, { global: false });
  const perAddress = limitTo(http, { max: 60, timeWindow: 60_000 }, TOO_MANY);
  const perLogin = limitTo(
    http,
    {
      max: 10,
      timeWindow: 10 * 60_000,
      keyGenerator: (request) => `login:${(request.body as Credentials).login}`,
    },
    TOO_MANY,
  );

  http.get(
    '/captcha',
    {
      schema: {
        summary: 'A challenge to solve before login or registration',
        security: [],
        response: { 200: envelope(CaptchaChallenge), ...limited },
      },
      preHandler: perAddress,
    },
    async () => ({
      data: await newChallenge(engines),
    }),
  );

  http.post(
    '/captcha',
    {
      schema: {
        summary: 'Verify a solved captcha',
        security: [],
        body: CaptchaSolution,
        response: { 200: envelope(z.object({ verified: z.literal(true) })), ...limited },
      },
      preHandler: perAddress,
    },
    async (request, reply) => {
      const pass = await verifyCaptcha(engines, request.body.captcha);
      void reply.setCookie(CAPTCHA_COOKIE, pass, {
        ...cookieOptions(engines),
        path: BASE,
        maxAge: PASS_SECONDS,
      });
      return { data: { verified: true as const } };
    },
  );

  http.post(
    '/registration',
    {
      schema: {
        summary: 'Register a company and its first user',
        security: [],
        body: Registration,
        response: { 201: envelope(z.object({ user_id: Uuid, company_id: Uuid })), ...conflict, ...limited },
      },
      preHandler: perAddress,
    },
    async (request, reply) => {
      await spendPass(engines, takeCaptchaPass(request, reply));
      const { userId, companyId } = await register(engines, request.body);
      return reply.code(201).send({ data: { user_id: userId, company_id: companyId } });
    },
  );

  http.post(
    '/login',
    {
      schema: {
        summary: 'Log in',
        security: [],
        body: Credentials,
        response: { 200: envelope(SessionTokens), ...limited },
      },
      preHandler: [perAddress, perLogin],
    },
    async (request, reply) => {
      await spendPass(engines, takeCaptchaPass(request, reply));
      return openSession(engines, reply, await login(engines, request.body));
    },
  );

  http.post(
    '/refresh-token',
    {
      schema: {
        summary: 'Renew the access token',
        security: [],
        response: { 200: envelope(SessionTokens), ...refused },
      },
    },
    async (request, reply) => {
      try {
        return openSession(engines, reply, await refresh(engines, request.cookies[REFRESH_COOKIE]));
      } catch (error) {
        clearSession(engines, reply);
        throw error;
      }
    },
  );

  http.post(
    '/logout',
    {
      schema: {
        summary: 'Log out',
        security: [],
        body: LogoutInput,
        response: { 200: envelope(z.object({ logged_out: z.literal(true) })) },
      },
    },
    async (request, reply) => {
      await logout(engines, request.cookies[REFRESH_COOKIE], {
        everywhere: request.body?.everywhere ?? false,
      });
      clearSession(engines, reply);
      return { data: { logged_out: true as const } };
    },
  );
}

const ProfileForm = ProfileInput.safeExtend({ avatar: z.file().nullish() });

/** Routes of the person who is logged in. */
export async function registerUsers(http: Http, engines: Engines): Promise<void> {
  await http.register(multipart, {
    limits: { files: 1, fileSize: limits.avatarBytesMax, fields: 20, fieldSize: 10_000 },
  });
  const params = z.object({ user_id: Uuid });
  const response = { 200: envelope(User) };

  http.get('/users/:user_id', { schema: { summary: 'Read a user', params, response } }, async (request) => ({
    data: await getUser(engines, actorOf(request), request.params.user_id),
  }));

  http.put(
    '/users/:user_id',
    {
      schema: { summary: 'Update the profile', params, response },
      config: { form: ProfileForm, formOrJson: true },
    },
    async (request) => {
      const { fields, avatar } = await readProfileForm(request);
      return { data: await updateProfile(engines, actorOf(request), request.params.user_id, fields, avatar) };
    },
  );
}

/** Reads a profile from JSON or from a multipart form; the form's `avatar` is a file, or empty to remove it. */
async function readProfileForm(
  request: FastifyRequest,
): Promise<{ fields: ProfileInput; avatar: AvatarChange }> {
  if (!request.isMultipart()) {
    const body = z.looseObject({}).catch({}).parse(request.body);
    return { fields: parseProfile(body), avatar: body['avatar'] === null ? 'remove' : 'keep' };
  }
  const values: Record<string, string> = {};
  let avatar: AvatarChange = 'keep';
  for await (const part of request.parts()) {
    if (part.type === 'field') values[part.fieldname] = String(part.value);
    else if (part.fieldname === 'avatar') avatar = await part.toBuffer();
    else throw new Invalid([{ field: part.fieldname, message: messages.invalidFileType }]);
  }
  if (avatar === 'keep' && values['avatar'] === '') avatar = 'remove';
  return { fields: parseProfile(values), avatar };
}

function parseProfile(values: unknown): ProfileInput {
  const parsed = ProfileInput.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Invalid(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  );
}

function cookieOptions({ config }: Engines) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl?.startsWith('https:') ?? false,
  } as const;
}

function takeCaptchaPass(request: FastifyRequest, reply: FastifyReply): string | undefined {
  void reply.clearCookie(CAPTCHA_COOKIE, { path: BASE });
  return request.cookies[CAPTCHA_COOKIE];
}

function openSession(engines: Engines, reply: FastifyReply, { tokens, refreshToken }: OpenedSession) {
  const maxAge = REFRESH_TOKEN_DAYS * 86_400;
  for (const path of refreshPaths)
    void reply.setCookie(REFRESH_COOKIE, refreshToken, { ...cookieOptions(engines), path, maxAge });
  void reply.setCookie(SESSION_HINT_COOKIE, '1', {
    ...cookieOptions(engines),
    httpOnly: false,
    path: '/',
    maxAge,
  });
  return { data: tokens };
}

function clearSession(engines: Engines, reply: FastifyReply): void {
  for (const path of refreshPaths)
    void reply.clearCookie(REFRESH_COOKIE, { ...cookieOptions(engines), path });
  void reply.clearCookie(SESSION_HINT_COOKIE, { path: '/' });
}
