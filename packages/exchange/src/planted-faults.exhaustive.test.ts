import type { Findings } from '@bidwell/contract/insight/finding';

import { type RunningCampaign, makeRunningCampaign } from '@bidwell/testing/bidding';
import { freePort } from '../../../chaos/server-process.ts';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Counts } from './counts.ts';
import { startExchange } from './run.ts';
import { PUBLISHER_APPS } from './traffic/publishers.ts';

const port = await freePort();
const app = await testApp({
  MODERATION: 'auto',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
});
const url = `http://127.0.0.1:${port}`;
await app.listen();

const REQUESTS = 40;
/** Few enough for the first lease of a budget, and for bids in time on a busy machine. */
const REQUESTS_PER_SECOND = 40;
/** A call that takes two seconds on a busy machine is no failure of the server. */
const CALL_TIMEOUT_MS = 20_000;
const DAY_MS = 86_400_000;
/** Wins nearly every auction of the sample exchange. */
const BID = 15;

interface Planted extends RunningCampaign {
  company: TestCompany;
  /** Runs a sample exchange that only this campaign targets. */
  run: (isEnough?: (counts: Readonly<Counts>) => boolean) => Promise<void>;
  /** The first finding of today about a fault. */
  first: () => Promise<string>;
}

function addTime(ms: number): void {
  app.clock.now = new Date(app.clock.now.getTime() + ms);
}

type Over = Parameters<typeof makeRunningCampaign>[2];
let campaigns = 0;

/** A campaign with banners for most of the sample exchange's placements, in which a test plants a fault. */
async function campaign(over: Over = {}): Promise<Planted> {
  addTime(3 * 60_000);
  const ssp = `sample-${(campaigns += 1)}`;
  const secret = `known-to-${ssp}-and-us`;
  await app.operator('PUT', `/ssps/${ssp}`, { name: 'Sample exchange', secret });
  const company = await app.freshCompany();
  const made = await makeRunningCampaign(app, company, {
    ...over,
    target: { exchange_include: [ssp], ...over?.target },
    adset: { bet_cpm: BID, ...over?.adset },
  });
  await show(company, made, [made.creativeUuid, await upload(company, made.appUuid, [300, 250])]);
  return {
    ...made,
    company,
    async run(isEnough = ({ requests }) => requests >= REQUESTS) {
      await app.settled();
      const stop = new AbortController();
      const exchange = startExchange({
        url,
        ssp,
        secret,
        requestsPerSecond: REQUESTS_PER_SECOND,
        steady: true,
        seed: 7,
        callTimeoutMs: CALL_TIMEOUT_MS,
        signal: stop.signal,
      });
      while (!isEnough(exchange.counts())) {
        await delay(20);
        // Requests are explained for a limited time in each second: in these seconds all of them are, also on a busy machine.
        addTime(1000);
      }
      stop.abort();
      await exchange.finished;
      await app.settled();
    },
    async first() {
      await app.settled();
      const [today] = app.clock.now.toISOString().split('T');
      const path = `/campaign/${made.campaignUuid}/findings?start_date=${today}&end_date=${today}`;
      const { data } = await company.call('GET', path);
      // The first sentence is the share of the budget that is used.
      return (data as Findings).findings.find((finding) => finding.code !== 'budget_use')!.code;
    },
  };
}

async function show(company: TestCompany, { groupUuid }: RunningCampaign, banners: readonly string[]) {
  const { status } = await company.call('PUT', `/creative_group/${groupUuid}`, { banner_creatives: banners });
  expect(status).toBe(200);
}

async function upload(company: TestCompany, appUuid: string, [width, height]: readonly [number, number]) {
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: `${width}×${height}`,
    type: 'Banner',
    app_id: appUuid,
    banner: { name: 'image.png', content: await picture(width, height) },
  });
  return data.uuid as string;
}

/** Faults that show in what happens to bid requests. */
test.each<[string, Over]>([
  ['country', { target: { location_include: ['IS'] } }],
  ['floor', { adset: { bet_cpm: 0.02 } }],
  ['daily_budget', { adset: { daily_budget_const: BID / 1000 } }],
  ['blocklist', { adset: { black_list_bundles: PUBLISHER_APPS.map(({ bundle }) => bundle) } }],
  ['os_version', { target: { device_min_os_version: '99' } }],
  ['pacing', { adset: { algo: 'Max installs', daily_budget_const: 5 } }],
])('%s is the first finding where it is planted', async (code, over) => {
  const planted = await campaign(over);
  await planted.run();
  expect(await planted.first()).toBe(code);
});

test('a size that is missing is the first finding', async () => {
  const planted = await campaign();
  await show(planted.company, planted, [await upload(planted.company, planted.appUuid, [1024, 768])]);
  await planted.run();
  expect(await planted.first()).toBe('size_missing');
});

/** Faults that stop a campaign. */
test.each<[string, (planted: Planted) => Promise<unknown>]>([
  [
    'balance',
    async ({ company: { companyId } }) =>
      app.operator('POST', `/companies/${companyId}/debit`, { amount: 100, reason: 'Test' }),
  ],
  [
    'creative_rejected',
    async ({ company: { companyId } }) =>
      app.ctx.db
        .updateTable('creatives')
        .set({ status: 'Rejected', approved: null })
        .where('company_uuid', '=', companyId)
        .execute(),
  ],
  [
    'tracking_link_rejected',
    async ({ company: { companyId } }) =>
      app.ctx.db
        .updateTable('tracking_links')
        .set({ status: 'Rejected', approved: null })
        .where('company_uuid', '=', companyId)
        .execute(),
  ],
  [
    'ended',
    async ({ company: { companyId } }) =>
      app.ctx.db
        .updateTable('campaigns')
        .set({ end_date: new Date(app.clock.now.getTime() - 2 * DAY_MS).toISOString().slice(0, 10) })
        .where('company_uuid', '=', companyId)
        .execute(),
  ],
])('%s is the first finding where it is planted', async (code, plant) => {
  const planted = await campaign();
  await plant(planted);
  await planted.run();
  expect(await planted.first()).toBe(code);
});

test('a wrong secret of the postbacks is the first finding', async () => {
  const planted = await campaign();
  const { company } = planted;
  await company.call('PUT', '/postbacks/appsflyer', { secret: 'what AppsFlyer was told to send' });
  const { postback_secret: secret } = await app.ctx.db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  await planted.run();
  const authorization = 'Bearer something else';
  const postback = `${url}/postback/appsflyer/${secret}?clickid=of-some-click`;
  await fetch(postback, { headers: { authorization } });
  expect(await planted.first()).toBe('postbacks_refused');
});

test('nothing is wrong with a campaign that buys', async () => {
  const planted = await campaign();
  await planted.run(({ requests, impressions }) => requests >= REQUESTS && impressions >= 1);
  expect(await planted.first()).toBe('fine');
});
