/** The serving process of the overload bench: a whole embedded server with a market of ad sets, and a company with events. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresSnapshot } from '@bidwell/testing/engines/postgres-snapshot';
import { benchApp, benchCompany } from './bench-app.ts';
import { handleOrders } from './child.ts';
import { cpuMicros } from './cpu.ts';
import { addMarket } from './market.ts';

/** Asks for the server's state; `stop` ends the process. */
export interface OverloadOrder {
  stop?: boolean;
}

export interface OverloadState {
  port: number;
  /** Path of the exchange, and of an exchange that is limited to a request a second, so that all others are shed. */
  path: string;
  limitedPath: string;
  /** Access token of a company whose reports read many events. */
  token: string;
  cpuMicros: number;
}

const [companies = '20', events = '1000000'] = process.argv.slice(2);
const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const app = await benchApp(
  { DATA_DIR: dataDir },
  {
    postgresInMemory: true,
    postgresSnapshot: await postgresSnapshot(async () => {}),
  },
);
await app.listen();
await addMarket(app.ctx.db, Number(companies));
// No notices come, so the money of each bid stays reserved for minutes.
for (const { uuid } of await app.ctx.db.selectFrom('companies').select('uuid').execute())
  await callOperator('POST', `/companies/${uuid}/credit`, { amount: 100_000, reason: 'Bench' });
const path = await addExchange('bench', null);
const limitedPath = await addExchange('limited', 1);
const { companyId, token } = await benchCompany(app, 'bench.reports');
await app.ctx.clickhouse.command(`
  insert into events (time, kind, company_id, campaign_id, adset_id, bundle, country, os, exchange, spend_micros)
  select now() - 86400 - number % (50 * 86400), if(number % 50 = 0, 'click', 'impression'), toUUID('${companyId}'),
    toUUID(concat('00000000-0000-0000-0000-0000000000', leftPad(toString(number % 20 + 10), 2, '0'))),
    toUUID(concat('00000000-0000-0000-0000-0000000000', leftPad(toString(number % 90 + 10), 2, '0'))),
    concat('com.bundle', toString(cityHash64(number) % 20000)),
    ['US', 'DE', 'FR', 'BR', 'IN'][cityHash64(number, 1) % 5 + 1], 'ios', 'bench', 1000
  from numbers(${Number(events)})`);
await app.settled();

handleOrders(async ({ stop }: OverloadOrder): Promise<OverloadState> => {
  const state = {
    port: (app.http.server.address() as AddressInfo).port,
    path,
    limitedPath,
    token,
    cpuMicros: cpuMicros(),
  };
  if (stop) {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
    setImmediate(() => process.exit(0));
  }
  return state;
});

/** Adds an exchange and returns its path. */
async function addExchange(slug: string, requestsPerSecond: number | null): Promise<string> {
  const settings = { name: slug, charge_on: 'billing', active: true, requests_per_second: requestsPerSecond };
  return (await callOperator<{ path: string }>('PUT', `/ssps/${slug}`, settings)).path;
}

async function callOperator<T>(method: 'POST' | 'PUT', at: string, payload: object): Promise<T> {
  const response = await app.http.inject({
    method,
    url: `/api/operator${at}`,
    headers: { authorization: `Bearer ${app.ctx.config.operatorToken}` },
    payload,
  });
  if (response.statusCode >= 300) throw new Error(`${method} ${at}: ${response.body}`);
  return response.json<{ data: T }>().data;
}
