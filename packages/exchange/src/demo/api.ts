import { CaptchaChallenge, SessionTokens, User } from '@bidwell/contract/accounts/schema';
import { Failure } from '@bidwell/contract/lib/wire';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/** The server responded to a call with the error `status`. */
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
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
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

/** A session of a user. */
export interface UserSession {
  api: Api;
  companyUuid: string;
  /** Values of the `Set-Cookie` headers that give a browser this session. */
  cookies: readonly string[];
}

const TIMEOUT_MS = 120_000;
const WAIT_SECONDS_MAX = 60;
const TOO_MANY_REQUESTS = 429;

/**
 * Registers a company and its first user, whose session begins. Sends `headers` with each call. Throws ApiError (409 if the
 * login is taken).
 */
export async function register(
  url: string,
  { login, password }: DemoUser,
  headers: HeaderFields = {},
): Promise<UserSession> {
  const person = {
    login,
    password,
    email: 'demo@bidwell.invalid',
    first_name: 'Demo',
    last_name: 'Advertiser',
    contact: 'demo@bidwell.invalid',
  };
  const Registered = z.object({ company_id: z.string() });
  const { data: registered, cookies: given } = await callWithCaptcha(
    { url, headers },
    '/registration',
    person,
    Registered,
  );
  const refreshing = { method: 'POST', headers: { ...headers, cookie: cookieHeader(given) } };
  const { data: tokens, cookies } = await call(
    `${url}/api/internal/refresh-token`,
    refreshing,
    SessionTokens,
  );
  const api = consoleApi(url, () => tokens.access_token);
  return { api, companyUuid: registered.company_id, cookies };
}

/** Logs a registered user in to the console's API. Sends `headers` with the calls of the login. Throws ApiError. */
export async function logIn(url: string, user: DemoUser, headers: HeaderFields = {}): Promise<UserSession> {
  const { data: tokens, cookies } = await callWithCaptcha({ url, headers }, '/login', user, SessionTokens);
  const api = consoleApi(url, () => tokens.access_token);
  const { company } = await api.get(`/users/${tokens.user_id}`, User);
  return { api, companyUuid: company.uuid, cookies };
}

/** A client of the operator's API. */
export function operatorApi(url: string, token: string): Api {
  return apiAt(`${url}/api/operator`, () => bearer(token));
}

/** A client of the operator's API with an operator's session. `cookie` is called for each call. */
export function operatorSessionApi(url: string, cookie: () => string): Api {
  return apiAt(`${url}/api/operator`, () => ({ cookie: cookie() }));
}

/** A client of the console's API. `token` is called for each call. */
export function consoleApi(url: string, token: () => string): Api {
  return apiAt(`${url}/api/internal`, () => bearer(token()));
}

/** Solves the captcha, as a browser does, and makes one call with the pass. */
async function callWithCaptcha<T extends z.ZodType>(
  { url, headers }: { url: string; headers: HeaderFields },
  path: string,
  body: object,
  schema: T,
): Promise<ApiResponse<z.infer<T>>> {
  const base = `${url}/api/internal`;
  const challenge = await call(`${base}/captcha`, { headers }, CaptchaChallenge);
  const cookie = await captchaPass(base, headers, challenge.data);
  return call(`${base}${path}`, jsonOptions('POST', body, { ...headers, ...cookie }), schema);
}

/** The cookie with the pass for a solved captcha. */
async function captchaPass(
  base: string,
  headers: HeaderFields,
  captcha: CaptchaChallenge,
): Promise<HeaderFields> {
  if (captcha.kind === 'off') return {};
  if (captcha.kind === 'recaptcha')
    throw new ApiError(400, 'The demo cannot solve reCAPTCHA: set CAPTCHA=altcha.');
  const challenge = captcha.challenge as unknown as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new ApiError(400, 'The captcha was not solved.');
  const payload = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
  const options = jsonOptions('POST', { captcha: payload }, headers);
  const { cookies } = await call(`${base}/captcha`, options, z.object({}));
  return { cookie: cookieHeader(cookies) };
}

/** The `Cookie` header that returns the cookies of `Set-Cookie` headers. */
const cookieHeader = (cookies: readonly string[]): string =>
  cookies.map((cookie) => cookie.split(';')[0]).join('; ');

const bearer = (token: string): HeaderFields => ({ authorization: `Bearer ${token}` });

function apiAt(base: string, authorization: () => HeaderFields): Api {
  return {
    get: async (path, schema) => (await call(`${base}${path}`, { headers: authorization() }, schema)).data,
    send: async (method, path, body, schema) => {
      const options =
        body instanceof FormData
          ? { method, body }
          : body === undefined
            ? { method }
            : jsonOptions(method, body);
      const headers = { ...options.headers, ...authorization() };
      return (await call(`${base}${path}`, { ...options, headers }, schema)).data;
    },
  };
}

type HeaderFields = Readonly<Record<string, string>>;

interface CallOptions {
  method?: string;
  headers?: HeaderFields;
  body?: string | FormData;
}

interface ApiResponse<T> {
  data: T;
  cookies: string[];
}

function jsonOptions(method: string, body: object, headers: HeaderFields = {}): CallOptions {
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

async function call<T extends z.ZodType>(
  address: string,
  options: CallOptions,
  schema: T,
): Promise<ApiResponse<z.infer<T>>> {
  const send = () => fetch(address, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  let response = await send();
  const waitSeconds = Number(response.headers.get('retry-after'));
  // Rate limited: retry once after the time in Retry-After.
  if (response.status === TOO_MANY_REQUESTS && waitSeconds > 0 && waitSeconds <= WAIT_SECONDS_MAX) {
    await response.body?.cancel();
    await wait(waitSeconds * 1000);
    response = await send();
  }
  const content: unknown = await response.json().catch(() => null);
  const { pathname } = new URL(address);
  if (!response.ok) {
    const failure = Failure.safeParse(content);
    const fields = failure.data?.errors?.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new ApiError(
      response.status,
      `${pathname} answered ${response.status}: ${[failure.data?.data, fields].filter(Boolean).join(' ')}`,
    );
  }
  const parsed = schema.safeParse(z.object({ data: z.unknown() }).safeParse(content).data?.data);
  if (!parsed.success) throw new ApiError(response.status, `${pathname} answered what is not expected.`);
  return { data: parsed.data, cookies: response.headers.getSetCookie() };
}
