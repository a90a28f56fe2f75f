import { storeEvents } from '@bidwell/testing/stored-events';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp } from '@bidwell/testing/test-app';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient, etagInList, etagOf } from '../src/client.ts';
import { createCampaign, spendByCampaign } from './campaign.ts';

const app = await testApp({ MODERATION: 'auto', HOST: '127.0.0.1' });
await app.listen();
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

test('a program makes a campaign from the app to the ad set, and reads its report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-client-'));
  const banner = join(folder, 'banner.png');
  await writeFile(banner, await picture(320, 50));
  const company = await app.freshCompany();
  const bidwell = createClient({ url, key: await apiKeyOf(company, ['campaigns', 'creatives']) });
  const campaign = await createCampaign(bidwell, {
    app: { name: 'Puzzle Quest', bundleId: 'com.example.quest', domain: 'example.com' },
    banner,
    clickUrl: 'https://app.appsflyer.com/com.example.quest?clickid={click_id}',
    viewUrl: 'https://impression.appsflyer.com/com.example.quest?clickid={click_id}',
    countries: ['DE', 'AT'],
    cpm: 2.5,
    dailyBudget: 50,
  });
  await rm(folder, { recursive: true });
  expect(campaign).toMatchObject({ name: 'Puzzle Quest', status: 'Paused' });
  const { adsets } = await bidwell.listAdsets();
  expect(adsets).toMatchObject([{ name: 'Puzzle Quest, banners', bet_cpm: 2.5, daily_budget_const: 50 }]);

  const reports = createClient({ url, key: await apiKeyOf(company, ['reports']) });
  const days = { start_date: '2026-01-10', end_date: '2026-01-10' };
  const at = '2026-01-10T12:00:00Z';
  await storeEvents(app.ctx, company.companyId, [
    { at, kind: 'impression', campaignId: campaign.uuid, spendMicros: 1_500_000 },
  ]);
  expect(await spendByCampaign(reports, days)).toEqual(new Map([['Puzzle Quest', 1.5]]));
  await expect(reports.listCampaigns()).rejects.toMatchObject({ status: 401 });
});

test('only one of two programs can change a version that both have read', async () => {
  const company = await app.freshCompany();
  const key = await apiKeyOf(company, ['campaigns']);
  const [ada, sam] = [createClient({ url, key }), createClient({ url, key })];
  const uuid = await make(company, '/target', {
    name: 'Germany',
    app_id: (await makeAdsetParts(app, company)).appUuid,
  });
  const params = { uuid };
  const [hers, his] = [await ada.readTarget({ params }), await sam.readTarget({ params })];
  const changed = await ada.updateTarget({ params, body: { name: 'Austria' } }, { ifMatch: etagOf(hers) });
  await expect(
    sam.updateTarget({ params, body: { name: 'Poland' } }, { ifMatch: etagOf(his) }),
  ).rejects.toMatchObject({ status: 412 });
  expect((await sam.readTarget({ params })).name).toBe('Austria');
  await ada.updateTarget({ params, body: { name: 'Poland' } }, { ifMatch: etagOf(changed) });
});

test('an entity that is in a list only is changed in the version that the list has', async () => {
  const company = await app.freshCompany();
  const bidwell = createClient({ url, key: await apiKeyOf(company, ['settings']) });
  const body = {
    type: 'webhook',
    name: 'Hook',
    url: 'https://example.com/hook',
    kinds: ['balance'],
  } as const;
  const { uuid } = await bidwell.createAlertChannel({ body: { ...body, kinds: [...body.kinds] } });
  const { channels } = await bidwell.listAlertChannels();
  const ifMatch = etagInList('updateAlertChannel', channels[0]!);
  const rename = async (name: string) =>
    bidwell.updateAlertChannel({ params: { uuid }, body: { name } }, { ifMatch });
  expect(await rename('Ours')).toMatchObject({ name: 'Ours' });
  await expect(rename('Theirs')).rejects.toMatchObject({ status: 412 });
});
