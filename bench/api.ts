/**
 * Latency of API calls on an idle server: a company with 200 campaigns, 500 ad sets and 2,000 creatives among 100 others
 * of the same size, on PGlite and on PostgreSQL (a new database on the server in DATABASE_URL, else a server started from
 * Debian's binaries). Baseline: a route of the same process that only runs SELECT 1 on the same database.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '@bidwell/server/start/app';
import { startSession } from '@bidwell/server/modules/identity/service';
import { renewVersion } from '@bidwell/server/platform/postgres/transaction';
import { createHttp } from '@bidwell/server/platform/http/server';
import { LARGE, addCompanies, idOf } from '@bidwell/testing/large-companies';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { countStatements, selectOne } from '@bidwell/testing/engines/statements';
import { benchApp } from './load/bench-app.ts';
import type { Answered, Call } from './load/api.ts';
import { lists, writes } from './load/calls.ts';
import { startLoad } from './load/child.ts';

const OTHERS = 100;
const MINE = 50;
const SMALL = OTHERS + 1;
const SMALL_SIZE = { apps: 2, campaigns: 2, adsets: 2, creatives: 40, targets: 2, history: 2 };
const LIST_CALLS = 60;
const WRITE_CALLS = 40;
const WARM_UP = 10;

const load = await startLoad<Call[], Answered[]>('./api.ts');

function percentile95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!;
}

async function measure(engine: string, databaseUrl: string | undefined): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
  const app = await benchApp({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const reference = await createHttp(app.ctx.config, app.ctx.log);
  reference.get('/select-1', async () => ({ data: await selectOne(app.ctx.db) }));
  try {
    await app.listen();
    await reference.listen({ port: 0, host: '127.0.0.1' });
    const startedMs = performance.now();
    await addCompanies(app.ctx.db, 0, OTHERS, LARGE);
    await addCompanies(app.ctx.db, SMALL, SMALL, SMALL_SIZE);
    await app.settled();
    console.log(`\n${engine}, filled in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    return await measureCalls(app, `${originOf(reference)}/select-1`);
  } finally {
    await reference.close();
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measurePostgres(): Promise<Figures | null> {
  const database = await emptyDatabase(process.env['DATABASE_URL']);
  if (!database) return null;
  try {
    return await measure(`PostgreSQL ${database.version}`, database.url);
  } finally {
    await database.remove();
  }
}

interface Figures {
  select1P95Ms: number;
  listP95Ms: number;
  changedListP95Ms: number;
  writeP95Ms: number;
  settlingP95Ms: number;
  sqlPerList: number;
}

async function measureCalls(app: App, select1Url: string): Promise<Figures> {
  const base = `${originOf(app.http)}/api/internal`;
  const tokenOf = async (company: number) => {
    const ids = { userId: idOf('user', company, 0), companyId: idOf('company', company, 0) };
    return (await startSession(app.ctx, ids)).tokens.access_token;
  };
  const [mine, small] = [await tokenOf(MINE), await tokenOf(SMALL)];
  const select1 = () =>
    load.run(Array.from({ length: WARM_UP + LIST_CALLS }, () => ({ method: 'GET', url: select1Url })));

  const reference = (await select1()).slice(WARM_UP);
  const listP95Ms: number[] = [];
  const changedListP95Ms: number[] = [];
  const statements: number[] = [];
  for (const [index, path] of lists(MINE).entries()) {
    const list: Call = { method: 'GET', url: `${base}/${path}`, token: mine };
    const sameOfSmall: Call = { method: 'GET', url: `${base}/${lists(SMALL)[index]}`, token: small };
    const answers = (await load.run(Array.from({ length: WARM_UP + LIST_CALLS }, () => list))).slice(WARM_UP);
    const p95Ms = percentile95(answers.map(({ latencyMs }) => latencyMs));
    const { bytes } = answers[0]!;
    const afterChanges: number[] = [];
    for (let n = 0; n < LIST_CALLS; n += 1) {
      await renewVersion(app.ctx.db, idOf('company', MINE, 0));
      afterChanges.push((await load.run([list]))[0]!.latencyMs);
    }
    const changedP95Ms = percentile95(afterChanges);
    const statementsOf = async (call: Call, company: number) => {
      await renewVersion(app.ctx.db, idOf('company', company, 0));
      return countStatements(app.ctx, () => load.run([call]));
    };
    const sql = await statementsOf(list, MINE);
    const sqlOfSmall = await statementsOf(sameOfSmall, SMALL);
    listP95Ms.push(p95Ms);
    changedListP95Ms.push(changedP95Ms);
    statements.push(sql);
    const name = path.replace(/\/[\w-]{36}\//, '/…/');
    const growing = sqlOfSmall === sql ? '' : `, ${sqlOfSmall} for a small company`;
    const size = `${(bytes / 1000).toFixed(1).padStart(7)} kB`;
    const changed = `after a change ${changedP95Ms.toFixed(2).padStart(6)} ms`;
    print(`GET ${name}`, p95Ms, `${changed}, ${size}, ${sql} statements${growing}`);
  }
  const writeP95Ms: number[] = [];
  const rebuildsMs: number[] = [];
  for (const [index, { method, path }] of writes(MINE, 0).entries()) {
    const latenciesMs: number[] = [];
    for (let n = 0; n < WARM_UP + WRITE_CALLS; n += 1) {
      const { path: to, body } = writes(MINE, n)[index]!;
      const [answer] = await load.run([{ method, url: `${base}/${to}`, token: mine, body }]);
      latenciesMs.push(answer!.latencyMs);
      // A write makes the bidder reload its snapshot. Wait for that, so that the next write finds the server idle.
      const startedMs = performance.now();
      await app.settled();
      rebuildsMs.push(performance.now() - startedMs);
    }
    writeP95Ms.push(percentile95(latenciesMs.slice(WARM_UP)));
    print(`${method} ${path.split('/')[0]}`, writeP95Ms.at(-1)!);
  }
  print('settling after a write', percentile95(rebuildsMs));
  reference.push(...(await select1()).slice(WARM_UP));
  const select1P95Ms = percentile95(reference.map(({ latencyMs }) => latencyMs));
  print('SELECT 1', select1P95Ms);
  return {
    select1P95Ms: rounded(select1P95Ms),
    listP95Ms: rounded(Math.max(...listP95Ms)),
    changedListP95Ms: rounded(Math.max(...changedListP95Ms)),
    writeP95Ms: rounded(Math.max(...writeP95Ms)),
    settlingP95Ms: rounded(percentile95(rebuildsMs)),
    sqlPerList: Math.max(...statements),
  };
}

function print(what: string, p95Ms: number, more = ''): void {
  console.log(`${what.padEnd(30)} p95 ${p95Ms.toFixed(2).padStart(7)} ms ${more}`);
}

function originOf(http: { server: { address(): unknown } }): string {
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

const rounded = (ms: number) => Number(ms.toFixed(2));

// Exit on signals, so that a PostgreSQL server started here is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const only = process.argv[2];
const pglite = only === 'postgres' ? null : await measure('PGlite', undefined);
const postgres = only === 'pglite' ? null : await measurePostgres();
if (!postgres) console.log('No PostgreSQL: neither DATABASE_URL nor /usr/lib/postgresql.');
load.child.kill();
const main = (postgres ?? pglite)!;
const ratio = rounded(main.listP95Ms / main.select1P95Ms);
console.log(
  JSON.stringify({
    bench: 'api',
    ratio,
    listP95Ms: main.listP95Ms,
    changedListP95Ms: main.changedListP95Ms,
    writeP95Ms: main.writeP95Ms,
    ratioToSelect1: ratio,
    sqlPerList: main.sqlPerList,
    settlingP95Ms: main.settlingP95Ms,
    select1P95Ms: main.select1P95Ms,
    engine: postgres ? 'postgresql' : 'pglite',
    pglite,
  }),
);
