import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { COMPANY_ROLES, type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { API_SCOPES, scopesHave } from '@bidwell/contract/accounts/scope';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { hasPermission } from '../platform/permissions.ts';
import { documentOf } from '../platform/http/openapi/document.ts';
import { type Call, freshAddress, multipart } from '@bidwell/testing/api-cases/case';
import { apiCases } from '@bidwell/testing/api-cases';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { addressOfOwner, apiKeyOf, requireSecondFactor, viewerTokenOf } from '@bidwell/testing/caller-tokens';

const app = await testApp({
  MODERATION: 'auto',
  CAPTCHA: 'altcha',
  LOG_LEVEL: 'silent',
  // Nothing listens there: mails fail in the background.
  SMTP_URL: 'smtp://127.0.0.1:9',
});
const cases = apiCases(app);
const permissions = new Map((await permittedCalls()).map(({ name, permission }) => [name, permission]));
const document = documentOf(app.http);
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as 'GET',
    path,
    statuses: Object.keys(operation.responses ?? {}).map(Number),
    takesJson: !!operation.requestBody?.content['application/json'],
    takesKey: !!operation.parameters?.some(
      (parameter) => 'name' in parameter && parameter.name === 'idempotency-key',
    ),
    open: operation.security?.length === 0,
  })),
);

test('each call of the document has exactly one case', () => {
  expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
});

const usedKey = { 'idempotency-key': 'used-with-another' };
const wrongToken = { authorization: 'Bearer wrong' };
/** An address that sent too many wrong tokens of the operator. */
const blockedAddress = freshAddress();
/** An operator who only views. */
let viewer: Record<string, string>;
/** The owner of a company other than the company of each call, and all kinds of callers there. */
let stranger: TestCompany;
let strangers: readonly Caller[];

interface Caller {
  token: string;
  has(permission: Permission): boolean;
  /** The status of a call without its permission. */
  refusal: 401 | 403;
}

beforeAll(async () => {
  await app.operator('PUT', '/rates/XAF', { dollars: 1 }, usedKey);
  const guess = { url: '/api/operator/health', headers: wrongToken, remoteAddress: blockedAddress };
  for (let n = 0; n < 20; n += 1) await app.http.inject(guess);
  viewer = (await app.freshOperator('viewer')).headers;
  stranger = await app.freshCompany();
  strangers = await callersOf(stranger);
});

/** People of each role, one without the second factor that their company requires, API keys of each scope, and an operator who views. */
async function callersOf(company: TestCompany): Promise<Caller[]> {
  const unenrolled = await app.freshCompany();
  await requireSecondFactor(app, unenrolled);
  const people = COMPANY_ROLES.map(async (role): Promise<Caller> => {
    const { token } = await app.freshPerson(company, role);
    return { token, has: (permission) => companyRoleHas(role, permission), refusal: 403 };
  });
  const keys = API_SCOPES.map(async (scope): Promise<Caller> => {
    const token = await apiKeyOf(company, [scope]);
    const refusal = scope === 'reports' ? 401 : 403;
    return { token, has: (permission) => scopesHave([scope], permission), refusal };
  });
  const owner = { role: 'person', companyRole: 'owner', unenrolled: true } as const;
  return [
    ...(await Promise.all([...people, ...keys])),
    {
      token: unenrolled.token,
      has: (permission) => hasPermission(owner, permission),
      refusal: 403,
    },
    {
      token: await viewerTokenOf(app, company.companyId),
      has: (permission) => hasPermission({ role: 'viewer' }, permission),
      refusal: 403,
    },
  ];
}

for (const { name, method, path, statuses, takesJson, takesKey, open } of operations) {
  const permission = permissions.get(name);
  const scenario = cases[name]!;

  test(`${name} answers each status that the document lists${permission ? `, to callers with and without ${permission}` : ''}`, async () => {
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
        async () => {
          const request = await raw('application/json', '{}');
          const bytes = String(4 * 1024 * 1024);
          return { ...request, headers: { ...request.headers, 'content-length': bytes } };
        },
      ]);
    if (has(415)) expected.push([415, () => raw('text/csv', 'name')]);
    if (has(422)) expected.push([422, () => optionsOf(scenario.invalid?.(good) ?? wrong(good, method))]);
    if (has(403) && isOperator)
      expected.push([
        403,
        // Rejected because of the role or, where every role may make the call, as a call of another site.
        async () => ({
          ...(await optionsOf(good)),
          headers: { ...viewer, 'sec-fetch-site': 'cross-site' },
        }),
      ]);
    if (permission)
      for (const { token, refusal } of strangers.filter((each) => !each.has(permission)))
        expected.push([refusal, () => optionsOf(good, { authorization: `Bearer ${token}` })]);
    if (has(429) && isOperator)
      expected.push([
        429,
        async () => ({ ...(await optionsOf(good)), headers: wrongToken, remoteAddress: blockedAddress }),
      ]);
    if (has(404))
      expected.push([
        404,
        () =>
          scenario.nothing
            ? optionsOf(scenario.nothing(good))
            : optionsOf(good, { authorization: `Bearer ${stranger.token}` }),
      ]);
    if (has(412)) expected.push([412, () => optionsOf(good, { 'if-match': '"0000000000000000"' })]);
    const success = statuses.find((status) => status < 300)!;
    // Every repeatable call can conflict with another use of its key.
    const operatorWrites = isOperator && method !== 'GET' && statuses.includes(409);
    const key = { 'idempotency-key': operatorWrites ? name.replace(' ', ':') : 'one' };
    // A call on one's own account reads and writes the caller's own entities.
    const lowest = permission && !scenario.isOfCaller ? await lowestOf(company, permission) : null;
    const asLowest: Record<string, string> = lowest ? { authorization: `Bearer ${lowest.token}` } : {};
    expected.push([success, () => optionsOf(good, { ...asLowest, ...(takesKey ? key : {}) })]);
    if (has(409)) {
      const again =
        scenario.conflict ??
        ((request: Call) => ({
          ...request,
          ...(request.parts
            ? { parts: { ...request.parts, name: 'Other' } }
            : {
                body: {
                  ...request.body,
                  ...(request.body?.['amount'] === undefined ? { name: 'Other' } : { amount: 21 }),
                },
              }),
        }));
      const headers = scenario.conflict ? {} : { ...asLowest, ...key };
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

    const responses: LightMyRequestResponse[] = [];
    for (const [, request] of expected) responses.push(await app.http.inject(await request()));
    const received = responses.map(({ statusCode }) => statusCode);
    expect(received).toEqual(expected.map(([status]) => status));
    if (lowest && !lowest.readsPeople)
      expect(responses[received.indexOf(success)]!.body).not.toContain(lowest.addressOfOwner);
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

/** A person of the lowest role that has a permission, and a mail address that they may have no right to read. */
async function lowestOf(company: TestCompany, permission: Permission) {
  const role = COMPANY_ROLES.findLast((each) => companyRoleHas(each, permission))!;
  const readsPeople = companyRoleHas(role, 'people.read');
  return {
    // The last owner of a company stays, so that no second one is added.
    token: role === 'owner' ? company.token : (await app.freshPerson(company, role)).token,
    readsPeople,
    addressOfOwner: readsPeople ? '' : await addressOfOwner(app, company),
  };
}
