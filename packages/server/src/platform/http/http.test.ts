import { existsSync } from 'node:fs';
import type { InjectOptions } from 'fastify';
import { fileURLToPath } from 'node:url';
import { messages } from '@bidwell/contract/text/messages';
import { expect, test } from 'vitest';
import { appBody, make, targetBody } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ LOG_LEVEL: 'silent' });

const login = { method: 'POST', url: '/api/internal/login' } as const;
const json = { 'content-type': 'application/json' };

const failures: [string, InjectOptions, number, string][] = [
  ['an unknown address', { url: '/api/internal/nothing' }, 404, 'There is nothing at this address.'],
  ['a method that is not there', { url: '/api/internal/login' }, 404, 'There is nothing at this address.'],
  [
    'another method',
    { method: 'DELETE', url: '/api/internal/login' },
    404,
    'There is nothing at this address.',
  ],
  [
    'JSON that is none',
    { ...login, headers: json, payload: '{"login":' },
    400,
    'The body of the request is not valid JSON.',
  ],
  ['an empty body', { ...login, headers: json, payload: '' }, 400, 'The request has no body.'],
  [
    'a field that would pollute prototypes',
    { ...login, headers: json, payload: '{"login":"a","\\u005f_proto__":{}}' },
    400,
    'A field must not be named “__proto__” or “constructor”.',
  ],
  [
    'a text',
    { ...login, headers: { 'content-type': 'text/plain' }, payload: '{"login":"a"}' },
    415,
    'The content type of the body is not accepted here: send application/json in the header Content-Type.',
  ],
  [
    'a part of an address that is too long',
    { url: `/api/internal/campaign/${'x'.repeat(1001)}` },
    414,
    'The address of the request is too long.',
  ],
  [
    'a body above a megabyte',
    { ...login, headers: json, payload: JSON.stringify({ login: 'x'.repeat(1024 * 1024) }) },
    413,
    'The request is too large.',
  ],
  [
    'a body of an unknown address, which is not read',
    { method: 'POST', url: '/nothing', headers: json, payload: '{"login":' },
    404,
    'There is nothing at this address.',
  ],
  [
    'a body above what a call before the login may have',
    { ...login, headers: json, payload: JSON.stringify({ login: 'x'.repeat(64 * 1024) }) },
    413,
    'The request is too large.',
  ],
  [
    'a type that is not taken',
    { ...login, headers: { 'content-type': 'text/csv' }, payload: 'login,password' },
    415,
    'The content type of the body is not accepted here: send application/json in the header Content-Type.',
  ],
  ['no session', { url: '/api/internal/app' }, 401, 'Please log in.'],
];
for (const [what, request, status, sentence] of failures) {
  test(`${what} gets ${status} in the envelope`, async () => {
    const response = await app.http.inject(request);
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({ data: sentence });
  });
}

test('a NUL in a text is rejected, and a text that only looks like one is accepted', async () => {
  const company = await app.freshCompany();
  const nul = await company.call('POST', '/audience', { name: 'a\0b' });
  expect(nul).toMatchObject({
    status: 400,
    data: 'The request holds a NUL character, which cannot be stored.',
  });
  const typed = await company.call('POST', '/audience', { name: String.raw`a\u0000b` });
  expect(typed.status).toBe(201);
});

test('a NUL in a query is rejected like one in a body', async () => {
  const response = await app.http.inject({
    url: '/api/operator/companies?q=a%00b',
    headers: { authorization: `Bearer ${app.ctx.config.operatorToken}` },
  });
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({
    data: 'The request holds a NUL character, which cannot be stored.',
  });
});

test.each([
  ['half of a character', String.raw`{"amount":20,"note":"a\ud800b"}`],
  ['the other half', String.raw`{"amount":20,"note":"\uDC00"}`],
  ['half of one in a name', String.raw`{"amount":20,"\ud83d":1}`],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('%s is rejected when it is parsed', async (_what, payload) => {
  const { token } = await app.freshCompany();
  const url = '/api/internal/finance/top_up';
  const headers = { ...json, authorization: `Bearer ${token}` };
  const response = await app.http.inject({ method: 'POST', url, headers, payload });
  expect(response.statusCode).toBe(400);
});

test('a character written as two escapes is accepted', async () => {
  const { token } = await app.freshCompany();
  const url = '/api/internal/api_tokens';
  const headers = { ...json, authorization: `Bearer ${token}` };
  const payload = String.raw`{"name":"\ud83d\ude00 \\ud800"}`;
  const response = await app.http.inject({ method: 'POST', url, headers, payload });
  expect(response.json()).toMatchObject({ data: { name: `😀 ${String.raw`\ud800`}` } });
});

test('responses of the API are not cached by shared caches', async () => {
  const company = await app.freshCompany();
  for (const path of ['/app', `/users/${company.userId}`, '/finance/balance', '/no-such-thing'])
    expect((await company.call('GET', path)).headers['cache-control']).toBe('no-store');
  expect((await app.operator('GET', '/companies')).headers['cache-control']).toBe('no-store');
});

test('responses of trackers and exchanges have a fixed content type', async () => {
  const responses = [
    await app.http.inject({ url: '/t/win/nothing' }),
    await app.http.inject({ url: '/t/impression/nothing' }),
    await app.http.inject({ url: '/t/click/nothing' }),
    await app.http.inject({ method: 'POST', url: '/openrtb/nobody', payload: {} }),
  ];
  for (const { headers } of responses) expect(headers['x-content-type-options']).toBe('nosniff');
});

test('the Host header of a request is never repeated', async () => {
  const company = await app.freshCompany();
  const addresses = ['/', '/api/docs', '/api/openapi.json', '/healthz', '/campaigns?x=1', '/t/click/nothing'];
  const own = ['/postbacks', '/internal_creative', '/app', `/users/${company.userId}`].map(
    (path) => `/api/internal${path}`,
  );
  for (const url of [...addresses, ...own])
    for (const headers of [
      { host: 'evil.example' },
      { host: 'bidwell.test', 'x-forwarded-host': 'evil.example' },
    ]) {
      const response = await app.http.inject({
        url,
        headers: { ...headers, authorization: `Bearer ${company.token}` },
      });
      expect([url, JSON.stringify(response.headers) + response.body]).toEqual([
        url,
        expect.not.stringContaining('evil.example'),
      ]);
    }
});

test('a body that is not an object gets errors for its missing fields', async () => {
  for (const payload of ['null', '[]', '"text"', '5']) {
    const response = await app.http.inject({ ...login, headers: json, payload });
    expect(response.statusCode).toBe(422);
    expect(typeof response.json<{ data: string }>().data).toBe('string');
  }
});

test.each(['/api/internal/campaign/%', '/m/%', '/openrtb/%/x'])(
  '%s, which cannot be decoded, is answered as any error',
  async (url) => {
    const response = await app.http.inject({ url });
    expect([response.statusCode, response.json()]).toEqual([400, { data: 'The request cannot be read.' }]);
  },
);

test('the message of an internal error is not sent', async () => {
  const company = await app.freshCompany();
  const { db } = app.ctx;
  app.ctx.db = db.withPlugin({
    transformQuery: () => {
      throw new Error('relation "secret_table" does not exist');
    },
    transformResult: async ({ result }) => result,
  });
  try {
    const response = await company.call('GET', '/app');
    expect(response).toMatchObject({
      status: 500,
      data: 'Something went wrong on our side. Please try again.',
    });
  } finally {
    app.ctx.db = db;
  }
});

test('a reference to an entity that was deleted meanwhile is a conflict', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const { db } = app.ctx;
  app.ctx.db = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'InsertQueryNode')
        throw Object.assign(new Error('violates foreign key constraint'), { code: '23503' });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  try {
    const response = await company.call('POST', '/target', targetBody(appUuid));
    expect(response).toMatchObject({ status: 409, data: messages.deletedMeanwhile });
  } finally {
    app.ctx.db = db;
  }
});

test.each([
  ['PostgreSQL refuses the connection', { code: 'ECONNREFUSED' }],
  ['PostgreSQL is shutting down', { code: '57P01' }],
])('when %s, the response is 503 with Retry-After', async (_what, error) => {
  const company = await app.freshCompany();
  const { db } = app.ctx;
  app.ctx.db = db.withPlugin({
    transformQuery: () => {
      throw Object.assign(new Error('connect to 10.0.0.5'), error);
    },
    transformResult: async ({ result }) => result,
  });
  try {
    const response = await company.call('GET', '/app');
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(response.data).toBe('The service is busy. Please try again in a moment.');
  } finally {
    app.ctx.db = db;
  }
});

test('responses have security headers', async () => {
  const { headers } = await app.http.inject({ url: '/healthz' });
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  expect(headers['x-powered-by']).toBeUndefined();
  expect(headers['content-security-policy']).not.toContain('unsafe-inline');
  expect(headers['content-security-policy']).toContain("connect-src 'self' ws://bidwell.test;");
  expect(headers['permissions-policy']).toContain('camera=(), ');
  // People log in by passkeys.
  expect(headers['permissions-policy']).not.toContain('publickey-credentials');
});

test('/readyz reports the state of the server and its databases', async () => {
  expect((await app.http.inject({ url: '/healthz' })).json()).toEqual({ data: 'ok' });
  await app.settled();
  const ready = await app.http.inject({ url: '/readyz' });
  expect(ready.json()).toMatchObject({
    data: {
      ready: true,
      roles: { api: true, bidder: true, tracker: true, jobs: true },
      postgres: true,
      clickhouse: true,
      degraded: [],
      snapshot: { source: 'postgres' },
    },
  });
  expect((await app.http.inject({ url: '/metrics' })).body).toContain('# TYPE');
});

const built = existsSync(fileURLToPath(new URL('../../../../console/dist/index.html', import.meta.url)));
test.runIf(built)(
  'the screens of the console are served, if it is built, and other addresses are not found',
  async () => {
    for (const url of ['/', '/campaigns', '/assets?tab=targets']) {
      const response = await app.http.inject({ url });
      expect([url, response.statusCode]).toEqual([url, 200]);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.headers['cache-control']).toBe('no-cache');
      const [, nonce] = /name="csp-nonce" content="([^"]+)"/.exec(response.body)!;
      expect(response.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}';`);
      expect(nonce).not.toBe('__CSP_NONCE__');
    }
    for (const url of ['/api/nothing', '/t/nothing', '/m/nothing', '/openrtb/nothing', '/no/such/page']) {
      const { statusCode, headers } = await app.http.inject({ url });
      expect([url, statusCode, headers['content-type']]).toEqual([
        url,
        404,
        'application/json; charset=utf-8',
      ]);
    }
  },
);
