import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { localServer } from '@bidwell/testing/local-server';
import { testApp } from '@bidwell/testing/test-app';

interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
}

const exports: Export[] = [];
const { port: collectorPort } = await localServer((request, response) => {
  void json(request).then((body) => {
    exports.push(body as Export);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

const app = await testApp({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
  OTEL_TRACES_SAMPLER_ARG: '1',
});

test('a collector gets requests with their statements, in the trace of the caller and without secrets', async () => {
  const company = await app.freshCompany();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await company.call('GET', '/app', undefined, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await app.listen();
  const { port } = app.http.server.address() as AddressInfo;
  const secret = 'the-secret-of-an-exchange';
  await fetch(`http://127.0.0.1:${port}/openrtb/nobody/${secret}`, { method: 'POST', body: '{}' });
  await app.close();

  const spans = exports.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const request = spans.find(({ name }) => name === 'GET /api/internal/app')!;
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(request.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
  const statements = spans.filter(
    ({ name, traceId: of }) => name === 'postgresql statement' && of === traceId,
  );
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.every(({ parentSpanId }) => parentSpanId === request.spanId)).toBe(true);
  expect(spans.map(({ name }) => name)).toContain('POST /openrtb/{ssp}/{secret}');
  const text = JSON.stringify(exports);
  for (const hidden of [secret, company.token, company.userId]) expect(text).not.toContain(hidden);
});
