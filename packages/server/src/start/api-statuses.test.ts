import type { InjectOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { scopesHave } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { consoleEndpoints } from '@bidwell/testing/console-endpoints';
import { hasPermission } from '../platform/permissions.ts';
import { documentOf } from '../platform/http/openapi/document.ts';
import { type Call, freshAddress, multipart } from '@bidwell/testing/api-cases/case';
import { apiCases } from '@bidwell/testing/api-cases';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { apiKeyOf, requireSecondFactor, viewerTokenOf } from '@bidwell/testing/caller-tokens';

const app = await testApp({
  MODERATION: 'auto',
  CAPTCHA: 'altcha',
  LOG_LEVEL: 'silent',
  // Nothing listens there: mails fail in the background.
  SMTP_URL: 'smtp://127.0.0.1:9',
});
const cases = apiCases(app);
const permissions = new Map(
  (await consoleEndpoints()).map(({ method, path, companyPermission }) => [
    `${method} ${CONSOLE_API}${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    companyPermission,
  ]),
);
const document = documentOf(app.http);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as 'GET',
    path,
    statuses: Object.keys(operation.responses ?? {}).map(Number),
    takesJson: !!operation.requestBody?.content['application/json'],
    open: operation.security?.length === 0,
  })),
);

test('each call of the document has exactly one case', () => {
  expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
});

const usedKey = { 'idempotency-key': 'used-with-another' };
beforeAll(() => app.operator('PUT', '/rates/XAF', { dollars: 1 }, usedKey));

for (const { name, method, path, statuses, takesJson, open } of operations) {
  test(`${name} answers each status that the document lists`, async () => {
    const scenario = cases[name]!;
    const isOperator = path.startsWith('/api/operator');
    const prefix = isOperator ? '/api/operator' : '/api/internal';
    const company = await app.freshCompany();
    const good = await scenario.good(company);
    const authorization = `Bearer ${isOperator ? app.ctx.config.operatorToken : company.token}`;
    const optionsOf = async (
      request: Call,
      headers: Record<string, string> = {},
    ): Promise<InjectOptions> => ({
      method,
      url: prefix + request.path,
      remoteAddress: freshAddress(),
      ...(request.cookies && { cookies: request.cookies }),
      ...(request.parts
        ? await multipart(method, request.path, company, request.parts, headers)
        : {
            // A call with a cookie belongs to a session.
            headers: { ...(!open && !request.cookies && { authorization }), ...headers },
            ...(request.body && { payload: request.body }),
          }),
    });
    const statusOf = async (options: InjectOptions) => (await app.http.inject(options)).statusCode;
    const raw = async (type: string, payload: string) => ({
      ...(await optionsOf({ path: good.path })),
      payload,
      headers: { ...(!open && { authorization }), 'content-type': type },
    });
    const has = (status: number) => statuses.includes(status) && !scenario.others?.[status];

    const expected: [number, () => Promise<InjectOptions>][] = [];
    if (has(401))
      expected.push([401, async () => ({ ...(await optionsOf(good)), headers: {}, cookies: {} })]);
    if (has(400))
      expected.push([
        400,
        () =>
          good.body || good.parts
            ? raw('application/json', '{"name":')
            : optionsOf(good, { 'if-match': 'without quotes' }),
      ]);
    if (has(413) && takesJson)
      expected.push([
        413,
        () => raw('application/json', JSON.stringify({ name: 'x'.repeat(4 * 1024 * 1024) })),
      ]);
    if (has(415)) expected.push([415, () => raw('text/csv', 'name')]);
    if (has(422)) expected.push([422, () => optionsOf(scenario.invalid?.(good) ?? wrong(good, method))]);
    if (has(403) && isOperator)
      expected.push([
        403,
        async () => {
          const { headers } = await app.freshOperator('viewer');
          const request = await optionsOf(good);
          // Rejected because of the role or, where every role may make the call, as a call of another site.
          return { ...request, headers: { ...headers, 'sec-fetch-site': 'cross-site' } };
        },
      ]);
    if (has(403) && !isOperator)
      expected.push([
        403,
        async () => {
          const other = await app.freshCompany();
          const token = await tokenWithout(permissions.get(name)!, other);
          return optionsOf(good, { authorization: `Bearer ${token}` });
        },
      ]);
    if (has(429) && isOperator)
      expected.push([
        429,
        async () => {
          const request = { ...(await optionsOf(good)), headers: { authorization: 'Bearer wrong' } };
          for (let n = 0; n < 20; n += 1) await app.http.inject(request);
          return request;
        },
      ]);
    if (has(404))
      expected.push([
        404,
        async () => {
          if (scenario.nothing) return optionsOf(scenario.nothing(good));
          const { token } = await app.freshCompany();
          return optionsOf(good, { authorization: `Bearer ${token}` });
        },
      ]);
    if (has(412)) expected.push([412, () => optionsOf(good, { 'if-match': '"0000000000000000"' })]);
    const success = statuses.find((status) => status < 300)!;
    // Every repeatable call can conflict with another use of its key.
    const operatorWrites = isOperator && method !== 'GET' && statuses.includes(409);
    const key = { 'idempotency-key': operatorWrites ? name.replace(' ', ':') : 'one' };
    expected.push([success, () => optionsOf(good, success === 201 || operatorWrites ? key : {})]);
    if (has(409)) {
      const again =
        scenario.conflict ??
        ((request: Call) => ({
          ...request,
          ...(request.parts
            ? { parts: { ...request.parts, name: 'Other' } }
            : { body: { ...request.body, name: 'Other', amount: 21 } }),
        }));
      const headers = scenario.conflict ? {} : key;
      // An operator's call without its own conflict repeats the idempotency key of another call.
      expected.push([
        409,
        isOperator && !scenario.conflict
          ? () => optionsOf(good, usedKey)
          : async () => optionsOf(await again(good, company), headers),
      ]);
    }
    for (const [status, request] of Object.entries(scenario.others ?? {}))
      expected.push([Number(status), () => request!(good, company)]);

    const received: number[] = [];
    for (const [, request] of expected) received.push(await statusOf(await request()));
    expect(received).toEqual(expected.map(([status]) => status));
    if (operatorWrites) {
      const again = await app.http.inject(await optionsOf(good, key));
      expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([success, 'true']);
    }
    expect([...new Set(received)].sort()).toEqual(statuses.toSorted((a, b) => a - b));
  });
}

/** The same call with every field, or the query, of a wrong type. */
function wrong(good: Call, method: string): Call {
  const query = 'start_date=never&page=none&limit=none&group=none';
  if (method === 'GET') return { path: `${good.path.split('?')[0]}?${query}` };
  const body = Object.fromEntries(Object.keys(good.body ?? {}).map((field) => [field, { wrong: true }]));
  return { ...good, body };
}

/** A token of a person of the company who lacks a permission. */
async function tokenWithout(permission: Permission, company: TestCompany): Promise<string> {
  if (!hasPermission({ role: 'viewer' }, permission)) return viewerTokenOf(app, company.companyId);
  if (!companyRoleHas('finance', permission)) return (await app.freshPerson(company, 'finance')).token;
  if (!scopesHave(['creatives'], permission)) return apiKeyOf(company, ['creatives']);
  await requireSecondFactor(app, company);
  return company.token;
}
