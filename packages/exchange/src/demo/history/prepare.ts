import { SavedBillingDetails } from '@bidwell/contract/invoices/schema';
import type { Config } from '@bidwell/server/config/config';
import type { Context } from '@bidwell/server/context';
import { open } from '@bidwell/server/start/main';
import { registerInvited } from '@bidwell/server/modules/identity/people/joining';
import { logout, register, startSession } from '@bidwell/server/modules/identity/service';
import { startOperatorSession } from '@bidwell/server/modules/identity/operators/login';
import { operatorCookieName } from '@bidwell/server/modules/identity/operators/session-cookie';
import type { AddressInfo } from 'node:net';
import { exportEvents } from '../bucket.ts';
import { type DemoUser, consoleApi, operatorApi } from '../api.ts';
import {
  createOperator,
  demoCompanies,
  ensureExchange,
  equipDemoCompany,
  markAllRead,
  moneySteps,
} from '../company.ts';
import { invoiceSteps, setUpBookkeeping } from '../bookkeeping.ts';
import { labelEvents } from '../event-labels.ts';
import { type Staff, hireStaff, lastLogins } from '../operators.ts';
import type { ColleaguePlan, CompanyPlan } from '../plan.ts';
import { teamSteps } from '../team.ts';
import { COMPANIES } from '../companies.ts';
import { sendCosts } from '../partners.ts';
import { connectReviews } from '../reviews.ts';
import { type Progress, progressEachSecond } from '../progress.ts';
import { EXCHANGES, PEOPLE } from '../exchanges.ts';
import { seededRandom } from '../../random.ts';
import { type HistoryAdset, readHistoryAdsets } from './adsets.ts';
import { daysBefore } from './clock.ts';
import { createHistoryFunnel } from './funnel.ts';
import { createHistory } from './generate.ts';
import { buildLiveAudiences } from './live-audiences.ts';
import { createHistoryBidPrices } from './bid-prices.ts';
import { createHistoryMinutes } from './minutes.ts';
import { ownerFinder } from './owners.ts';
import { HISTORY_DAYS } from './seasons.ts';
import { type Written, continueHistory, writeHistory } from './write.ts';
import { type DeviceKey, newDeviceKey, sendPastPostbacks } from '../skadnetwork/past-postbacks.ts';

/** Days before the first start on which the operators began. */
const STAFF_DAYS_AGO = 95;
/** Days before the first start on which the advertisers gave labels to the events of their apps. */
const LABELLED_DAYS_AGO = 2;
/** The hour of UTC of the last backup, on the day before the first start. */
const BACKUP_HOUR = 22;
/** The hours of UTC in which the price that was set by mistake (plan-northlight.ts) has its effect. */
const WATCHED = { daysAgo: 3, fromHour: 10, untilHour: 18 };

export interface PrepareOptions {
  /** Public URL of the server once it is prepared. */
  url: string;
  /** Bid requests of all exchanges, with which the history ends. */
  requestsPerSecond: number;
  seed: number;
  /** The bucket that gets the events of the first company, by its host; none by default. */
  bucket?: { host: string } | null;
  /** Days of history; 90 by default. */
  days?: number | undefined;
  onProgress: (line: string) => void;
}

/** The configuration of the server while it is prepared. */
function privateConfig(config: Config, publicUrl: string, { publicSpki }: DeviceKey): Config {
  // People of the past get no mails.
  const reach = { port: 0, host: '127.0.0.1', admin: null, publicUrl, storePages: false, mail: null };
  return { ...config, ...reach, installPostbackTestKey: publicSpki };
}

/**
 * Creates the demo's companies in the databases of `config`, and writes their history: starts a server on a private port
 * whose clock is moved from the past to now, uses its API as the advertisers and the operator would have, and writes the
 * events and ledger postings of each day. The server is closed afterwards: the next start books the spend on the ad sets'
 * budgets and restores what bidders have learned, as after a restore. Null, without an effect, where companies of the demo exist.
 */
export async function prepareDemo(config: Config, options: PrepareOptions): Promise<Written | null> {
  const { url, requestsPerSecond, seed, bucket = null, days = HISTORY_DAYS, onProgress } = options;
  const nowMs = Date.now();
  const clock = { now: new Date(nowMs) };
  const deviceKey = newDeviceKey();
  const app = await open(privateConfig(config, url, deviceKey), { now: () => clock.now });
  const progress = progressEachSecond(onProgress);
  try {
    await app.listen();
    const { port } = app.http.server.address() as AddressInfo;
    const deps = { app, base: `http://127.0.0.1:${port}`, clock, url, nowMs, progress, bucket };
    const token = operatorApi(deps.base, app.ctx.config.operatorToken);
    if ((await demoCompanies(token)).length > 0) return null;
    clock.now = new Date(daysBefore(nowMs, STAFF_DAYS_AGO));
    const staff = await hireStaff(deps.base, token, async (uuid) => operatorCookie(app.ctx, uuid));
    const operator = staff.api;
    for (const exchange of EXCHANGES) await ensureExchange(operator, exchange);
    await createOperator(operator);
    await setUpBookkeeping(operator);
    const adsets: HistoryAdset[] = [];
    const made: MadeCompany[] = [];
    for (const plan of COMPANIES) {
      progress.phase(`Creating ${plan.name}`);
      const company = await createCompany({ ...deps, staff }, plan);
      made.push(company);
      adsets.push(...company.adsets);
    }
    const random = seededRandom(seed);
    const traffic = {
      adsets,
      random,
      worldSeed: seed,
      people: PEOPLE,
      exchanges: EXCHANGES,
      requestsPerSecond,
      nowMs,
    };
    const history = createHistory(traffic);
    const funnel = createHistoryFunnel(app.ctx, traffic, days);
    const minutes = createHistoryMinutes(random, nowMs);
    const prices = createHistoryBidPrices(nowMs);
    const actions = actionsOf(made, { app, staff, days, nowMs });
    progress.phase(`Writing ${days} days of history`);
    const parts = {
      ctx: app.ctx,
      history,
      adsets,
      ownerOf: ownerFinder(seed),
      setClock: (atMs: number) => void (clock.now = new Date(atMs)),
    };
    const written = await writeHistory({
      ...parts,
      days,
      nowMs,
      actions,
      watched: {
        fromMs: daysBefore(nowMs, WATCHED.daysAgo, WATCHED.fromHour),
        untilMs: daysBefore(nowMs, WATCHED.daysAgo, WATCHED.untilHour),
      },
      sinks: [
        {
          bid: (adset, _exchange, atMs) => funnel.addSent(adset, atMs),
          budgetSpent: (adset, atMs) => funnel.budgetSpent(adset, atMs),
          event() {},
        },
        minutes,
        prices,
      ],
      onProgress: (share) => progress.done(share),
    });
    clock.now = new Date();
    staff.logIn();
    // Without a stand-in the creatives would go to the exchange.
    if (config.partnerStandIn !== null) await connectReviews(operator);
    await noteLastLogins(app.ctx, nowMs);
    await confirmAddresses(app.ctx);
    for (const company of made) {
      await company.labelEvents();
      await company.readLatest();
    }
    clock.now = new Date();
    await buildLiveAudiences(app.ctx);
    progress.phase('Following bid requests of the last week');
    await funnel.write((share) => progress.done(share));
    await prices.write(app.ctx);
    // All of this took a minute or longer, which would be a gap before the live traffic.
    const last = await continueHistory({ ...parts, nowMs: Date.now(), sinks: [minutes] }, nowMs);
    await minutes.write(app.ctx);
    await sendPastPostbacks({ ...deps, staff, adsets, deviceKey, nowMs: Date.now() });
    await rescheduleReports(app.ctx);
    return {
      events: written.events + last.events,
      spendMicros: written.spendMicros + last.spendMicros,
    };
  } finally {
    progress.stop();
    await app.close();
  }
}

/** The actions of operators for money and backups, each after the earlier spend is posted. */
function actionsOf(
  made: readonly MadeCompany[],
  { app, staff, days, nowMs }: Pick<CompanyDeps, 'app' | 'staff' | 'nowMs'> & { days: number },
): { atMs: number; run: () => Promise<void> }[] {
  const { api: operator } = staff;
  const fromMs = daysBefore(nowMs, days, 0);
  const ofMoney = made.flatMap(({ uuid, plan }) => [
    ...moneySteps(operator, uuid, plan, nowMs).map(({ daysAgo, hour, run }) => ({
      atMs: daysBefore(nowMs, daysAgo, hour),
      run,
    })),
    ...(plan.billing ? invoiceSteps(operator, uuid, { fromMs, nowMs }) : []),
  ]);
  const backup = {
    atMs: daysBefore(nowMs, 1, BACKUP_HOUR),
    run: async () => staff.noteBackup(app.ctx),
  };
  return [...ofMoney, backup].map(({ atMs, run }) => ({
    atMs,
    run: async () => {
      // A session lasts hours.
      staff.logIn();
      await run();
    },
  }));
}

/** Notes when the operators logged in last: their sessions were started without a login. */
async function noteLastLogins({ db }: Context, nowMs: number): Promise<void> {
  for (const [login, at] of lastLogins(nowMs))
    await db.updateTable('operators').set({ last_login_at: at }).where('login', '=', login).execute();
}

/** Confirms all mail addresses: the links for that were not sent. */
async function confirmAddresses({ db }: Context): Promise<void> {
  await db
    .updateTable('users')
    .set(({ ref }) => ({ email_confirmed_at: ref('created_at') }))
    .execute();
  await db.updateTable('billing_details').set({ email_confirmed_at: new Date() }).execute();
}

/** Lets the next start make the latest of the scheduled reports: without mails, this server could send none. */
async function rescheduleReports({ db, now }: Context): Promise<void> {
  await db.deleteFrom('report_runs').execute();
  await db.updateTable('report_schedules').set({ next_at: now() }).where('is_enabled', '=', true).execute();
}

interface CompanyDeps {
  app: Awaited<ReturnType<typeof open>>;
  /** Address of the server while it is prepared. */
  base: string;
  clock: { now: Date };
  url: string;
  nowMs: number;
  progress: Progress;
  staff: Staff;
  bucket: { host: string } | null;
}

/** A company of the demo with its ad sets. */
interface MadeCompany {
  uuid: string;
  plan: CompanyPlan;
  adsets: readonly HistoryAdset[];
  /** Its user gives labels to the events that its apps have sent. */
  labelEvents(): Promise<void>;
  /** Its user reads the notifications that the history has brought until the user's last visit, begins the export of events, and logs out. */
  readLatest(): Promise<void>;
}

/** The cookie with a new session of an operator. */
async function operatorCookie({ config, db, now }: Context, uuid: string): Promise<string> {
  const { token } = await startOperatorSession(db, uuid, now());
  return `${operatorCookieName(config)}=${token}`;
}

/** A person with a login, as they register. */
function personOf(
  { firstName, lastName, email }: Pick<ColleaguePlan, 'firstName' | 'lastName' | 'email'>,
  user: DemoUser,
) {
  return { ...user, email, first_name: firstName, last_name: lastName, contact: email };
}

/** Registers a company on the day of its first credit, and makes its entities. */
async function createCompany(
  { app, base, clock, url, nowMs, progress, staff, bucket }: CompanyDeps,
  plan: CompanyPlan,
): Promise<MadeCompany> {
  const firstDaysAgo = Math.max(...plan.credits.map(({ daysAgo }) => daysAgo));
  clock.now = new Date(daysBefore(nowMs, firstDaysAgo, 6));
  const { name, team, billing } = plan;
  const owner = { ...personOf(plan, plan.user), company_name: name };
  const ids = await register(app.ctx, owner, '127.0.0.1');
  let token = '';
  let refreshToken: string | undefined;
  const api = consoleApi(base, () => token);
  // A session lasts minutes, and each step is on another day.
  const moveTo = async (daysAgo: number, hour?: number): Promise<void> => {
    const movedMs = Math.min(daysBefore(nowMs, daysAgo, hour), nowMs);
    if (token !== '' && clock.now.getTime() === movedMs) return;
    // The visitor sees the sessions that have not ended on the profile.
    await logout(app.ctx, refreshToken);
    clock.now = new Date(movedMs);
    const session = await startSession(app.ctx, ids);
    ({ refreshToken } = session);
    token = session.tokens.access_token;
    staff.logIn();
  };
  await moveTo(firstDaysAgo, 6);
  if (billing) await api.send('PUT', '/finance/billing_details', billing, SavedBillingDetails);
  const users = new Map([[plan.user.login, ids.userId]]);
  const steps = team
    ? teamSteps(
        {
          owner: api,
          async as(login, run) {
            const session = await startSession(app.ctx, { ...ids, userId: users.get(login)! });
            await run(consoleApi(base, () => session.tokens.access_token));
            await logout(app.ctx, session.refreshToken);
          },
          async join(invitation, colleague) {
            // The visitor may log in as the editor, with the password of the others.
            const { password } = plan.user;
            const person = personOf(colleague, { login: colleague.login, password });
            const joined = await registerInvited(app.ctx, { token: invitation, ...person }, '127.0.0.1');
            users.set(colleague.login, joined.userId);
          },
        },
        team,
      )
    : [];
  const operator = staff.api;
  const onStep = (share: number) => progress.done(share);
  // Without a stand-in the costs would go to the partner.
  if (app.ctx.config.partnerStandIn !== null)
    steps.push({ daysAgo: 1, hour: 16, run: async () => sendCosts(api, plan) });
  await equipDemoCompany({ api, operator, url, moveTo, onStep, steps }, ids.companyId, plan);
  const adsets = await readHistoryAdsets(api, plan, { companyId: ids.companyId, nowMs });
  return {
    uuid: ids.companyId,
    plan,
    adsets,
    async labelEvents() {
      await moveTo(LABELLED_DAYS_AGO);
      await labelEvents(api, plan);
    },
    async readLatest() {
      await moveTo(0, 24);
      await markAllRead(api, new Date(daysBefore(nowMs, plan.lastReadDaysAgo)));
      if (bucket && plan === COMPANIES[0]) await exportEvents(api, bucket.host);
      await logout(app.ctx, refreshToken);
    },
  };
}
