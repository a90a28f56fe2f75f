import type { LightMyRequestResponse } from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRunner, afterAll, afterEach, expect } from 'vitest';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import { type App, createApp } from '@bidwell/server/start/app';
import type { AppOptions } from '@bidwell/server/start/composition/options';
import { readConfig } from '@bidwell/server/config/config';
import type { Actor } from '@bidwell/server/platform/actor';
import { registerHashed, startSession } from '@bidwell/server/modules/identity/service';
import type { FetchPage } from '@bidwell/server/platform/outbound/fetch-page';
import { type SentResponse, conformanceOf } from './conformance.ts';
import { type FormParts, formOf } from './forms.ts';
import { type IdentityProvider, identityProvider } from './sso/identity-provider.ts';
import { confirmMail, joined } from './people.ts';
import { type TestOperator, freshOperator } from './operator-session.ts';
import { emptyPostgres, installEmptyClickHouse } from './empty-engines.ts';
import { ownServices } from './engines/services.ts';

/** A response without its envelope. */
export interface ApiResponse {
  status: number;
  /** The response's `data`: an entity, a list, or an error message. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
  data: any;
  errors: { field: string; message: string }[];
  headers: LightMyRequestResponse['headers'];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A new company for one test, with its first user logged in. Verbs can be called as this user too. */
export interface TestCompany extends Actor {
  userId: string;
  /** Its password is 'correct horse'. */
  login: string;
  token: string;
  /** Calls `/api/internal{path}` as the company's user. */
  call(method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Sends a multipart form with texts as strings and files as `{ name, content }`. */
  upload(method: 'POST' | 'PUT', path: string, parts: FormParts): Promise<ApiResponse>;
}

export interface TestApp extends App {
  /** The server's clock; set `now` to change the time. */
  clock: { now: Date };
  /** Does work with the clock that many milliseconds ahead. */
  after<T>(ms: number, work: () => Promise<T>): Promise<T>;
  /** The providers of single sign-on, and the DNS, unless the test has others. */
  identityProvider: IdentityProvider;
  /** A company whose first person has confirmed their mail address. */
  freshCompany(): Promise<TestCompany>;
  /** A new person with a role in a company, logged in. */
  freshPerson(company: { companyId: string }, role: CompanyRole): Promise<TestCompany>;
  /** Calls `/api/operator{path}` with the operator's token. */
  operator(
    method: Method,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  /** An operator of a role with an authenticator app, logged in. */
  freshOperator(role: OperatorRole): Promise<TestOperator>;
}

/** Dependencies of the server that a test may replace. */
type Replaced = Pick<
  AppOptions,
  | 'postbackAnswerMs'
  | 'followLink'
  | 'postMessage'
  | 'alertsEveryMs'
  | 'providerFetch'
  | 'embedded'
  | 'silenceTimes'
>;

/** Settings of a test that starts services itself. */
const SERVICES = ['DATABASE_URL', 'NATS_URL', 'S3_ENDPOINT'];
const PASSWORD = 'correct horse';
/** Its hash with the least work: a login takes as long as the hash that it compares with. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$68zRWS0emJWHD8g+aVx65A$1ZjGZnFK54Odd259vgLWKjTWs903w5fgzGHH40GLjvo';

/** Settings of all tests that do not choose others. */
const usual = {
  NODE_ENV: 'test',
  PORT: '0',
  PUBLIC_URL: 'http://bidwell.test',
  CAPTCHA: 'off',
  LOG_LEVEL: 'error',
  // A fast machine makes many changes a minute.
  WRITES_PER_MINUTE: '1000000',
};

/**
 * A complete server on embedded engines in a temporary folder, closed after the file's tests; on services where the run has
 * them (services.ts). One per file, started outside of its tests. Fetches external pages through `fetchPage` only.
 */
export async function testApp(
  environment: Record<string, string> = {},
  fetchPage?: FetchPage,
  replaced: Replaced = {},
): Promise<TestApp> {
  // Vitest would not close it after the file, and the next files of the process could not open ClickHouse.
  if (TestRunner.getCurrentTest()) throw new Error('Start the server of a file outside of its tests');
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-test-'));
  // A test with services of its own does not need others.
  const services = SERVICES.some((name) => environment[name]) ? null : await ownServices();
  const config = readConfig({
    ...usual,
    DATA_DIR: folder,
    STORE_PAGES: fetchPage ? 'on' : 'off',
    ...services?.environment,
    ...environment,
  });
  if (!config.clickhouseUrl) await installEmptyClickHouse(folder);
  const clock = { now: new Date() };
  const providers = await identityProvider();
  const responses: SentResponse[] = [];
  const app = await createApp(config, {
    ...(!config.databaseUrl && !replaced.embedded && { embedded: await emptyPostgres() }),
    now: () => clock.now,
    // Tests that send alerts do it themselves: a delivery does not change while it is looked at.
    alertsEveryMs: 3_600_000,
    fetchPage,
    ...providers.options,
    ...replaced,
    onResponse: (response) => responses.push(response),
  });
  const { faultOf } = conformanceOf(app.http);
  // A response that the OpenAPI document does not describe fails the test.
  afterEach(() => {
    const problems = responses.splice(0).flatMap((response) => faultOf(response) ?? []);
    expect([...new Set(problems)]).toEqual([]);
  });
  afterAll(async () => {
    await app.close();
    await services?.remove();
    // The engine may still be removing files of its own.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const inject = async (
    method: Method,
    url: string,
    token: string,
    body?: object,
    headers: Record<string, string> = {},
    server = app.http,
  ): Promise<ApiResponse> =>
    responseOf(
      await server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body && { payload: body }),
      }),
    );
  const logIn = async (
    { login, ...ids }: { userId: string; companyId: string; login: string },
    companyRole: CompanyRole,
  ): Promise<TestCompany> => {
    const { tokens } = await startSession(app.ctx, ids);
    const token = tokens.access_token;
    return {
      ...ids,
      login,
      role: 'person',
      companyRole,
      token,
      call: (method, path, body, headers) => inject(method, `/api/internal${path}`, token, body, headers),
      async upload(method, path, parts) {
        const { headers, payload } = await formOf(parts);
        const url = `/api/internal${path}`;
        const all = { authorization: `Bearer ${token}`, ...headers };
        return responseOf(await app.http.inject({ method, url, headers: all, payload }));
      },
    };
  };
  let people = 0;
  return {
    ...app,
    clock,
    async after(ms, work) {
      const { now } = clock;
      clock.now = new Date(now.getTime() + ms);
      try {
        return await work();
      } finally {
        clock.now = now;
      }
    },
    identityProvider: providers,
    operator: (method, path, body, headers) =>
      inject(method, `/api/operator${path}`, config.operatorToken, body, headers, app.admin),
    freshOperator: (role) => freshOperator(app.ctx, role),
    async freshCompany() {
      const person = userNumber((people += 1));
      const ids = await registerHashed(app.ctx, person, PASSWORD_HASH);
      await confirmMail(app.ctx, ids.userId);
      return logIn({ ...ids, login: person.login }, 'owner');
    },
    async freshPerson({ companyId }, role) {
      const person = { ...userNumber((people += 1)), role };
      const userId = await joined(app.ctx, companyId, person, PASSWORD_HASH);
      return logIn({ companyId, userId, login: person.login }, role);
    },
  };
}

function responseOf(response: LightMyRequestResponse): ApiResponse {
  const isJson = String(response.headers['content-type'] ?? '').includes('json');
  const body = isJson
    ? response.json<{ data: unknown; errors?: ApiResponse['errors'] }>()
    : { data: response.body };
  return {
    status: response.statusCode,
    data: body.data,
    errors: body.errors ?? [],
    headers: response.headers,
  };
}

const userNumber = (number: number) => ({
  login: `tester.${letters(number)}`,
  password: PASSWORD,
  email: 'tester@example.com',
  first_name: 'Test',
  last_name: 'Er',
  contact: 'none',
});

function letters(number: number): string {
  return number
    .toString(26)
    .replaceAll(/./g, (digit) => String.fromCodePoint('a'.codePointAt(0)! + Number.parseInt(digit, 26)))
    .padStart(3, 'a');
}
