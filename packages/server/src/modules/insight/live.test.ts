import type { LiveMessage } from '@bidwell/contract/live/schema';
import { Centrifuge } from 'centrifuge';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { pathOf, sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { partnersOf } from '@bidwell/testing/partners';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';

const app = await testApp({ MODERATION: 'auto' });
const { signer } = partnersOf(app);
beforeAll(() => app.listen());

const clients: Centrifuge[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

type Today = Extract<LiveMessage, { type: 'today' }>;

/** Opens a page of a company; returns the messages it receives, and the figures among them. */
async function openPage({ token }: TestCompany) {
  const { port } = app.http.server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/connection/websocket`;
  const client = new Centrifuge(url, { token, websocket: WebSocket });
  clients.push(client);
  const messages: LiveMessage[] = [];
  const figures: Today[] = [];
  client.on('publication', ({ data }: { data: LiveMessage }) => {
    messages.push(data);
    if (data.type === 'today') figures.push(data);
  });
  client.connect();
  await client.ready();
  return { messages, figures };
}

/** Makes an impression of `cpm` dollars: the exchange's billing notice and the device's impression. */
async function impression(over: Parameters<typeof sampleRef>[0], cpm: number): Promise<void> {
  const urls = signer.urlsFor(sampleRef(over));
  for (const path of [pathOf(urls.billing, String(cpm)), pathOf(urls.impression)])
    expect((await app.http.inject({ url: path })).statusCode).toBe(200);
}

test("an open page gets today's metrics and the balance, at most once a second", async () => {
  const company = await app.freshCompany();
  const { campaignUuid: campaignId } = await makeRunningCampaign(app, company, { amount: 10 });
  const { companyId } = company;
  const page = await openPage(company);
  const other = await openPage(await app.freshCompany());
  const beganMs = performance.now();
  for (let count = 0; count < 30; count += 1) await impression({ companyId, campaignId }, 2.5);
  await app.settled();
  await eventually(() =>
    expect(page.figures.at(-1)).toMatchObject({
      date: app.clock.now.toISOString().slice(0, 10),
      counts: { impressions: 30, clicks: 0, installs: 0, spends: 0.075 },
      balance: { balance: 9.925, currency: 'USD', spent_today: 0.075 },
    }),
  );
  await impression({ companyId, campaignId }, 2.5);
  await eventually(() => expect(page.figures.at(-1)!.counts.impressions).toBe(31));
  const passedMs = performance.now() - beganMs;
  expect((page.figures.length - 1) * 1000).toBeLessThanOrEqual(passedMs);
  expect(other.messages).toEqual([]);
});

test('metrics are not computed for companies without open pages', async () => {
  const quiet = await app.freshCompany();
  const looking = await app.freshCompany();
  const { figures } = await openPage(looking);
  const query = vi.spyOn(app.ctx.clickhouse, 'query');
  await impression({ companyId: quiet.companyId }, 2.5);
  await impression({ companyId: looking.companyId }, 2.5);
  await eventually(() => expect(figures.at(-1)?.counts.impressions).toBe(1));
  const queries = JSON.stringify(query.mock.calls);
  query.mockRestore();
  expect([queries.includes(looking.companyId), queries.includes(quiet.companyId)]).toEqual([true, false]);
});

test('a change has the id of the tab that made it, or none', async () => {
  const company = await app.freshCompany();
  const { messages } = await openPage(company);
  const named = await company.call('POST', '/app', appBody(), { 'x-tab': 'tab-1' });
  await company.call('POST', '/app', appBody(), { 'x-tab': 'not a name' });
  await make(company, '/app', appBody());
  await eventually(() => expect(messages).toHaveLength(3));
  expect(messages[0]).toMatchObject({ uuid: named.data.uuid, tab: 'tab-1' });
  for (const message of messages.slice(1)) expect(message).not.toHaveProperty('tab');
});

test('a notification read on one page is marked on the others', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody());
  await app.operator('POST', `/apps/${uuid}/decision`, { status: 'Rejected', reason: 'Blurred' });
  const { data } = await company.call('GET', '/notifications');
  const { messages } = await openPage(company);
  const ids = (data as { uuid: string }[]).map((notification) => notification.uuid);
  expect(ids).toHaveLength(1);
  await company.call('PATCH', '/notifications', { ids });
  await eventually(() => expect(messages).toEqual([{ type: 'read', uuids: ids }]));
});
