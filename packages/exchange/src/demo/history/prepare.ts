import type { Config } from '@bidwell/server/config';
import { open } from '@bidwell/server/main';
import { register, startSession } from '@bidwell/server/modules/accounts/service';
import type { AddressInfo } from 'node:net';
import { consoleApi, operatorApi } from '../api.ts';
import { DEMO_SSP, createOperator, demoCompanies, equipDemoCompany, ensureExchange } from '../company.ts';
import type { CompanyPlan } from '../plan.ts';
import { COMPANIES } from '../companies.ts';
import { seededRandom } from '../../random.ts';
import type { HistoryAdset } from './adsets.ts';
import { readHistoryAdsets } from './adsets.ts';
import { daysBefore } from './clock.ts';
import { createHistoryFunnel } from './funnel.ts';
import { createHistory } from './generate.ts';
import { HISTORY_DAYS } from './seasons.ts';
import type { Written } from './write.ts';
import { writeHistory } from './write.ts';

export interface PrepareOptions {
  /** Public URL of the server once it is prepared. */
  url: string;
  /** Bid requests of the sample exchange, with which the history ends. */
  requestsPerSecond: number;
  seed: number;
  /** Days of history; 90 by default. */
  days?: number | undefined;
  onProgress: (line: string) => void;
}

/**
 * Creates the demo's companies in the databases of `config`, and writes their history: starts a server on a private port
 * whose clock is moved from the past to now, uses its API as the advertisers and the operator would have, and writes the
 * events and ledger postings of each day. The server is closed afterwards: the next start books the spend on the ad sets'
 * budgets and restores what bidders have learned, as after a restore. Null, without an effect, where companies of the demo exist.
 */
export async function prepareDemo(config: Config, options: PrepareOptions): Promise<Written | null> {
  const { url, requestsPerSecond, seed, days = HISTORY_DAYS, onProgress } = options;
  const nowMs = Date.now();
  const clock = { now: new Date(nowMs) };
  const own = { ...config, port: 0, host: '127.0.0.1', admin: null, publicUrl: url, storePages: false };
  const app = await open(own, { now: () => clock.now });
  try {
    await app.listen();
    const { port } = app.http.server.address() as AddressInfo;
    const deps = { app, base: `http://127.0.0.1:${port}`, clock, url, nowMs };
    const operator = operatorApi(deps.base, app.engines.config.operatorToken);
    if ((await demoCompanies(operator)).length > 0) return null;
    await ensureExchange(operator);
    await createOperator(operator);
    const adsets: HistoryAdset[] = [];
    for (const plan of COMPANIES) {
      onProgress(`Creating ${plan.firstName} ${plan.lastName} …`);
      adsets.push(...(await createCompany(deps, plan)));
    }
    const random = seededRandom(seed);
    const traffic = { adsets, random, worldSeed: seed, exchange: DEMO_SSP, requestsPerSecond, nowMs };
    const history = createHistory(traffic);
    const funnel = createHistoryFunnel(app.engines, traffic, days);
    const written = await writeHistory({
      engines: app.engines,
      history,
      adsets,
      days,
      nowMs,
      setClock: (atMs) => void (clock.now = new Date(atMs)),
      onEvents: (events) => funnel.addSent(events),
      onProgress: quarters((percent) => onProgress(`Writing ${days} days of history: ${percent} %`)),
    });
    clock.now = new Date();
    await funnel.write();
    return written;
  } finally {
    await app.close();
  }
}

/** Reports each quarter of a progress once. */
function quarters(report: (percent: number) => void): (share: number) => void {
  let reported = -1;
  return (share) => {
    const quarter = Math.floor(share * 4);
    if (quarter > reported) report((reported = quarter) * 25);
  };
}

interface CompanyDeps {
  app: Awaited<ReturnType<typeof open>>;
  /** Address of the server while it is prepared. */
  base: string;
  clock: { now: Date };
  url: string;
  nowMs: number;
}

/** Registers a company on the day of its first credit, and makes its entities. */
async function createCompany(
  { app, base, clock, url, nowMs }: CompanyDeps,
  plan: CompanyPlan,
): Promise<HistoryAdset[]> {
  const firstDaysAgo = Math.max(...plan.credits.map(({ daysAgo }) => daysAgo));
  clock.now = new Date(daysBefore(nowMs, firstDaysAgo, 6));
  const { user, firstName, lastName, email } = plan;
  const person = { ...user, email, first_name: firstName, last_name: lastName, contact: email };
  const ids = await register(app.engines, person, '127.0.0.1');
  let token = '';
  const api = consoleApi(base, () => token);
  // A session lasts minutes, and each step is on another day.
  const moveTo = async (daysAgo: number, hour?: number): Promise<void> => {
    clock.now = new Date(Math.min(daysBefore(nowMs, daysAgo, hour), nowMs));
    token = (await startSession(app.engines, ids)).tokens.access_token;
  };
  const operator = operatorApi(base, app.engines.config.operatorToken);
  await equipDemoCompany({ api, operator, url, moveTo }, ids.companyId, plan);
  return readHistoryAdsets(api, plan, { companyId: ids.companyId, nowMs });
}
