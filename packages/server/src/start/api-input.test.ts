import fc from 'fast-check';
import { test } from 'vitest';
import { documentOf } from '../platform/http/openapi/document.ts';
import { apiCases } from '@bidwell/testing/api-cases';
import { fromSchema } from '@bidwell/testing/from-schema';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp({ MODERATION: 'auto', CAPTCHA: 'altcha', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const document = documentOf(app.http);

/** A value as query parameters carry it. */
const queryText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

for (const { method, path, operation } of operations) {
  const body = operation.requestBody?.content['application/json']?.schema;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (!body && query.length === 0) continue;

  test(`${method} ${path} answers any input and never fails`, async () => {
    const company = await app.freshCompany();
    const good = await cases[`${method} ${path}`]!.good(company);
    const operator = path.startsWith('/api/operator');
    const token = operator ? app.ctx.config.operatorToken : company.token;
    // Some fields of a valid call are unchanged, so that the invalid value lies deeper.
    const bodies = body
      ? fc
          .tuple(fromSchema(body, document), fc.subarray(Object.entries(good.body ?? {})))
          .map(([value, validFields]) =>
            typeof value === 'object' && value !== null && !Array.isArray(value)
              ? { ...value, ...Object.fromEntries(validFields) }
              : value,
          )
      : fc.constant(undefined);
    const queries = fc.record(
      Object.fromEntries(query.map(({ name, schema }) => [name, fromSchema(schema ?? {}, document)])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(bodies, queries, async (payload, values) => {
        const url = new URL(`http://bidwell.test${operator ? '/api/operator' : '/api/internal'}${good.path}`);
        for (const [name, value] of Object.entries(values))
          url.searchParams.set(name, queryText(value) ?? '');
        const response = await app.http.inject({
          method: method as 'POST',
          url: url.pathname + url.search,
          headers: {
            authorization: `Bearer ${token}`,
            ...(payload !== undefined && { 'content-type': 'application/json' }),
          },
          remoteAddress: `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
          ...(payload !== undefined && { payload: JSON.stringify(payload) }),
        });
        if (response.statusCode >= 500) throw new Error(`${response.statusCode} ${response.body}`);
      }),
      runs(30),
    );
  });
}
