import { Invitation, Person } from '@bidwell/contract/accounts/people';
import { Audience } from '@bidwell/contract/audiences/schema';
import { Approval } from '@bidwell/contract/approvals/schema';
import { Comment } from '@bidwell/contract/comments/schema';
import { DraftSummary } from '@bidwell/contract/drafts/schema';
import { SignInSession } from '@bidwell/contract/accounts/sign-in';
import { Campaign } from '@bidwell/contract/campaigns/schema';
import { Balance } from '@bidwell/contract/finance/schema';
import { Notification } from '@bidwell/contract/notifications/schema';
import { WarehouseExport } from '@bidwell/contract/warehouse/schema';
import { SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { AuditEntry } from '@bidwell/contract/operator-accounts/schema';
import { installEmptyEngines } from '@bidwell/testing/empty-engines';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Api, logIn, operatorApi } from './api.ts';
import { DEMO_OPERATOR, DEMO_USER } from './company.ts';
import { COMPANIES, PLAN } from './companies.ts';
import { EXCHANGES } from './exchanges.ts';
import { type Demo, startDemo } from './start-demo.ts';
import { freePorts } from '@bidwell/testing/cluster/ports';

const OPERATOR_TOKEN = 'operator-token-of-the-test-of-the-demo';
const Campaigns = z.object({ campaigns: z.array(Campaign) });
const Sessions = z.object({ sessions: z.array(SignInSession) });

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-demo-'));
// Creating the databases takes ten seconds of CPU time, and is tested elsewhere.
await installEmptyEngines(dataDir);
/** The same at each start, since the export has the address. */
const [bucketPort] = await freePorts(1);
let running: Demo | undefined;
afterAll(async () => {
  // Left over by a failed test; other test files run in this process.
  await running?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}): Promise<Demo> {
  const env = {
    PORT: String((await freePorts(1))[0]),
    DATA_DIR: dataDir,
    OPERATOR_TOKEN,
    NODE_ENV: 'test',
    ...settings,
  };
  running = await startDemo(env, {
    requestsPerSecond: 150,
    history: { days: 2, requestsPerSecond: 0.05 },
    onProgress: () => {},
    // A call that takes two seconds on a busy machine is no failure of the server.
    callTimeoutMs: 60_000,
    auctionsMax: 8,
    outboxPort: 0,
    bucketPort,
  });
  return running;
}

async function stop(demo: Demo): Promise<void> {
  running = undefined;
  await demo.close();
}

/** Polls until the condition holds; limited by the test's timeout. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(20);
}

/** Expects what the people of the main company have left for the visitor. */
async function expectWorkOfATeam(api: Api): Promise<void> {
  const { people, invitations } = await api.get(
    '/people',
    z.object({ people: z.array(Person), invitations: z.array(Invitation) }),
  );
  expect(people.map(({ role }) => role).sort()).toEqual(['analyst', 'editor', 'finance', 'owner']);
  expect(invitations).toHaveLength(1);
  const { approvals } = await api.get('/approval', z.object({ approvals: z.array(Approval) }));
  expect(approvals).toMatchObject([{ state: 'open', requested_by: { name: 'Tomás Ribeiro' } }]);
  const { drafts } = await api.get('/campaign_draft', z.object({ drafts: z.array(DraftSummary) }));
  expect(drafts).toMatchObject([{ name: 'Lumen Drift season two', created_by: 'Tomás Ribeiro' }]);
  const { uuid } = approvals[0]!.campaign;
  const { comments } = await api.get(`/campaign/${uuid}/comment`, z.object({ comments: z.array(Comment) }));
  // The answer on the mistaken price is by the person who made and corrected it, as the change log says.
  expect(comments.map(({ author }) => author.name).toSorted()).toEqual(['Aiko Brandt', 'Elena Marsh']);
}

/** Waits until the audiences have been imported, and expects that the uploaded one is used. */
async function expectAudiences(api: Api): Promise<void> {
  const Audiences = z.object({ audiences: z.array(Audience) });
  const read = async () => (await api.get('/audience', Audiences)).audiences;
  let audiences = await read();
  while (!audiences.every(({ state }) => state === 'ready')) {
    await delay(500);
    audiences = await read();
  }
  const uploaded = audiences.filter(({ kind }) => kind === 'list');
  expect(uploaded).toMatchObject([{ size: 3200, used_by: [{ type: 'adset' }] }]);
  expect(audiences.map(({ kind }) => kind)).toContain('live');
}

/** Expects that events are exported to a bucket that takes files. */
async function expectExport(api: Api): Promise<void> {
  const { export: exported } = await api.get('/warehouse-export', z.object({ export: WarehouseExport }));
  expect(exported.is_enabled).toBe(true);
  const tested = await api.send(
    'POST',
    `/report-destinations/${exported.destination_uuid}/test`,
    undefined,
    z.object({ is_delivered: z.boolean(), error: z.string().nullable() }),
  );
  expect(tested).toEqual({ is_delivered: true, error: null });
}

/** Waits for a mail in the demo's outbox, opens it, and expects that it can run no script. */
async function expectMail(outboxUrl: string, subject: string): Promise<void> {
  const page = async (path: string) => (await fetch(outboxUrl + path)).text();
  let link: string | undefined;
  while (!link) {
    link = new RegExp(`href="(/mails/\\d+)">[^<]*${subject}`).exec(await page('/'))?.[1];
    await delay(100);
  }
  expect(await page(link)).toContain('sandbox=');
  expect((await fetch(outboxUrl + link)).headers.get('content-security-policy')).toContain(
    "default-src 'none'",
  );
  expect((await fetch(`${outboxUrl}/mails/999`)).status).toBe(404);
}

test('the demo buys impressions without input, and a second start reuses the company, also with a port for operators', async () => {
  const first = await start();
  await until(() => first.counts().impressions >= 20 && first.counts().losses > 0);
  const { api } = await logIn(first.url, DEMO_USER);
  // Not those in which the history was made.
  const { sessions } = await api.get('/account/sessions', Sessions);
  expect(sessions.map(({ is_current: isCurrent }) => isCurrent)).toEqual([true]);
  const { campaigns } = await api.get('/campaign', Campaigns);
  const planned = PLAN.flatMap((app) => app.campaigns.map(({ name }) => name));
  expect(campaigns.map(({ name }) => name).sort()).toEqual(planned.sort());
  for (const { name, status, adsets } of campaigns) {
    expect(status, name).toBe(name === 'Basket Bloom welcome offer' ? 'Paused' : 'Active');
    expect(adsets.length).toBeGreaterThan(0);
  }
  const notifications = await api.get('/notifications', z.array(Notification));
  const unread = notifications.filter(({ read }) => !read).map(({ title }) => title);
  // An alarm of the history would be shown above every screen. The review by an exchange is not of the history.
  const alarms = notifications.filter(
    ({ read, severity, kind }) => !read && severity !== 'info' && kind !== 'exchange_review',
  );
  expect(alarms.map(({ title }) => title)).toEqual([]);
  expect(unread.filter((title) => title === 'Creative approved').length).toBeGreaterThan(1);
  expect(notifications.map(({ title }) => title)).toContain('Creative rejected');
  expect(first.logins.map(({ login }) => login)).toEqual([
    'demo.bidwell',
    'demo.editor',
    'demo.tidewell',
    'demo.kestrel',
    DEMO_OPERATOR.login,
  ]);
  await expectWorkOfATeam(api);
  await expectExport(api);
  await expectAudiences(api);
  await expectMail(first.outboxUrl!, 'scheduled report');
  const operator = operatorApi(first.url, OPERATOR_TOKEN);
  const { acts } = await operator.get('/acts?limit=200', z.object({ acts: z.array(AuditEntry) }));
  const ofExchanges = acts.filter(({ name }) => EXCHANGES.some((exchange) => exchange.name === name));
  expect(ofExchanges.map(({ operator: by }) => by)).not.toContain('token');
  await stop(first);
  expect(first.counts()).toMatchObject({ badAnswers: 0, noticeFailures: 0 });

  const [adminPort] = await freePorts(1);
  const operatorUrl = `http://localhost:${adminPort}`;
  const second = await start({ ADMIN_PORT: String(adminPort) });
  expect(second.logins.at(-1)).toMatchObject({
    ...DEMO_OPERATOR,
    of: `Operator, at ${operatorUrl}/operator`,
  });
  const again = await logIn(second.url, DEMO_USER);
  const seen = await again.api.get('/campaign', Campaigns);
  expect(seen.campaigns.map(({ uuid }) => uuid).sort()).toEqual(campaigns.map(({ uuid }) => uuid).sort());
  // The balance is the single credit, less the spend.
  const credited = COMPANIES[0]!.credits.reduce((sum, { dollars }) => sum + dollars, 0);
  const { balance } = await again.api.get('/finance/balance', Balance);
  expect(balance).toBeLessThan(credited);
  expect(balance).toBeGreaterThan(credited - 1000);
  await expectExport(again.api);
  await until(() => second.counts().impressions > 0);
  const { exchanges } = await operatorApi(operatorUrl, OPERATOR_TOKEN).get(
    '/skadnetwork',
    SkadnetworkSettings,
  );
  const outcomes = new Set(exchanges.flatMap((exchange) => exchange.outcomes.map(({ outcome }) => outcome)));
  expect(outcomes).toContain('signable');
  expect(outcomes).toContain('not_listed');
  await stop(second);
});
