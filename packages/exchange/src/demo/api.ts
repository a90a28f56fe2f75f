import { CaptchaChallenge, SessionTokens, User } from '@bidwell/contract/account';
import { Failure } from '@bidwell/contract/wire';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** The server answered a call with the error `status`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the server's API as a logged-in user or as the operator. Each call resolves to the response's `data`. */
export interface Api {
  get<T extends z.ZodType>(path: string, schema: T): Promise<z.infer<T>>;
  send<T extends z.ZodType>(
    method: 'POST' | 'PUT',
    path: string,
    body: object | FormData | undefined,
    schema: T,
  ): Promise<z.infer<T>>;
}

/** The first user of the demo company. */
export interface DemoUser {
  login: string;
  password: string;
}

const TIMEOUT_MS = 30_000;
const WAIT_SECONDS_MAX = 60;
const TOO_MANY_REQUESTS = 429;

/** Registers a company and its first user. Throws ApiError (409 if the login is taken). */
export async function register(url: string, { login, password }: DemoUser): Promise<void> {
  const person = {
    login,
    password,
    email: 'demo@bidwell.invalid',
    first_name: 'Demo',
    last_name: 'Advertiser',
    contact: 'demo@bidwell.invalid',
  };
  await callWithCaptcha(url, '/registration', person, z.object({}));
}

/** Logs a registered user in to the console's API. Throws ApiError. */
export async function logIn(url: string, user: DemoUser): Promise<{ api: Api; companyUuid: string }> {
  const tokens = await callWithCaptcha(url, '/login', user, SessionTokens);
  const api = apiAt(`${url}/api/internal`, tokens.access_token);
  const { company } = await api.get(`/users/${tokens.user_id}`, User);
  return { api, companyUuid: company.uuid };
}

/** A client of the operator's API. */
export function operatorApi(url: string, token: string): Api {
  return apiAt(`${url}/api/operator`, token);
}

/** Solves the captcha, as a browser does, and makes one call with the pass. */
async function callWithCaptcha<T extends z.ZodType>(
  url: string,
  path: string,
  body: object,
  schema: T,
): Promise<z.infer<T>> {
  const base = `${url}/api/internal`;
  const challenge = await call(`${base}/captcha`, {}, CaptchaChallenge);
  const cookie = await captchaPass(base, challenge.data);
  return (await call(`${base}${path}`, jsonOptions('POST', body, cookie), schema)).data;
}

async function captchaPass(base: string, captcha: CaptchaChallenge): Promise<string> {
  if (captcha.kind === 'off') return '';
  if (captcha.kind === 'recaptcha')
    throw new ApiError(400, 'The demo cannot solve reCAPTCHA: set CAPTCHA=altcha.');
  const challenge = captcha.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new ApiError(400, 'The captcha was not solved.');
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const { cookies } = await call(`${base}/captcha`, jsonOptions('POST', { captcha: payload }), z.object({}));
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

function apiAt(base: string, token: string): Api {
  const authorization = { authorization: `Bearer ${token}` };
  return {
    get: async (path, schema) => (await call(`${base}${path}`, { headers: authorization }, schema)).data,
    send: async (method, path, body, schema) => {
      const options =
        body instanceof FormData
          ? { method, body }
          : body === undefined
            ? { method }
            : jsonOptions(method, body);
      const headers = { ...options.headers, ...authorization };
      return (await call(`${base}${path}`, { ...options, headers }, schema)).data;
    },
  };
}

interface CallOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

function jsonOptions(method: string, body: object, cookie = ''): CallOptions {
  const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) };
  return { method, headers, body: JSON.stringify(body) };
}

async function call<T extends z.ZodType>(
  address: string,
  options: CallOptions,
  schema: T,
): Promise<{ data: z.infer<T>; cookies: string[] }> {
  const send = () => fetch(address, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  let response = await send();
  const waitSeconds = Number(response.headers.get('retry-after'));
  // Rate limited: retry once after the time in Retry-After.
  if (response.status === TOO_MANY_REQUESTS && waitSeconds > 0 && waitSeconds <= WAIT_SECONDS_MAX) {
    await response.body?.cancel();
    await wait(waitSeconds * 1000);
    response = await send();
  }
  const answer: unknown = await response.json().catch(() => null);
  const { pathname } = new URL(address);
  if (!response.ok) {
    const failure = Failure.safeParse(answer);
    const fields = failure.data?.errors?.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new ApiError(
      response.status,
      `${pathname} answered ${response.status}: ${[failure.data?.data, fields].filter(Boolean).join(' ')}`,
    );
  }
  const parsed = schema.safeParse(z.object({ data: z.unknown() }).safeParse(answer).data?.data);
  if (!parsed.success) throw new ApiError(response.status, `${pathname} answered what is not expected.`);
  return { data: parsed.data, cookies: response.headers.getSetCookie() };
}
