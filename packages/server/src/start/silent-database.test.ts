import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../platform/postgres/embedded/embedded-postgres.ts';
import { installEmptyPostgres } from '@bidwell/testing/empty-engines';
import { eventually } from '@bidwell/testing/eventually';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { silentStatement } from '@bidwell/testing/engines/silent-statement';
import { testApp } from '@bidwell/testing/test-app';

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-silent-'));
const folder = await installEmptyPostgres(dataDir);
const silent = await silentStatement(folder);
const times = { everyMs: 10, rejectMs: Infinity, giveUpMs: Infinity };
const app = await testApp({ MODERATION: 'auto' }, undefined, {
  embedded: startEmbeddedPostgres({ folder, settings: {} }, () => {}),
  silenceTimes: times,
});
afterAll(() => rm(dataDir, { recursive: true, maxRetries: 10 }));

const ready = async () => {
  const response = await app.http.inject('/readyz');
  return {
    status: response.statusCode,
    ...response.json<{ data: { roles: Record<string, unknown> } }>().data,
  };
};

test('while the disk of the embedded PostgreSQL does not answer, bids, notices and probes are answered, and calls refused', async () => {
  const exchange = await freshExchange(app);
  const { company } = await campaignOn(app, exchange);
  await app.settled();
  const running = silent.statement.execute(app.ctx.db).catch((error: unknown) => error);
  times.rejectMs = 50;

  const fault = expect.stringMatching(/^The embedded PostgreSQL has not answered for \d+ seconds\.$/);
  await eventually(async () =>
    expect(await ready()).toMatchObject({ status: 503, roles: { api: fault, jobs: fault, tracker: true } }),
  );
  expect((await app.http.inject('/healthz')).statusCode).toBe(200);
  const bid = await exchange.bid();
  const notice = await app.http.inject(bid.burl.replace('http://bidwell.test', ''));
  expect(notice.statusCode).toBeLessThan(300);
  const rejected = await company.call('GET', '/campaign');
  expect(rejected.status).toBe(503);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);

  // A request whose own statement gets no response does not wait for ever either.
  times.giveUpMs = 60;
  expect(await running).toMatchObject({ code: '08007' });
  [times.rejectMs, times.giveUpMs] = [Infinity, Infinity];
  await silent.answer();
  expect(await company.call('GET', '/campaign')).toMatchObject({ status: 200 });
  await eventually(async () => expect((await ready()).status).toBe(200));
});
