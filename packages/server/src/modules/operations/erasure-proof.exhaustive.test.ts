import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { make } from '@bidwell/testing/advertising';
import { backUp, temporaryFolder } from '@bidwell/testing/backups';
import { eventually } from '@bidwell/testing/eventually';
import { everythingStored } from '@bidwell/testing/everything-stored';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { filesWith, formsIn, storedFormsOf } from '@bidwell/testing/id-search';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { pathOf } from '../../delivery/trackers/sample-ref.ts';

const SECRET = 'a signing secret of the proof of erasure, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET, MODERATION: 'auto' }, undefined, {
  postbackAnswerMs: () => 2 ** 31 - 1,
});
/** Other tests of a run let the same ClickHouse delete rows, too, which it does one after the other. */
const REMOVAL_MS = 240_000;
const folder = await temporaryFolder();
const ERASED = 'd4f0b4c6-3a1e-4c8b-9d57-6e2f81a9c073';
const OTHER = '7b1c9e52-8d36-4f0a-a2e4-c5d7f9031b68';
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';

const hashOf = (hash: string, id: string) => createHash(hash).update(id).digest('hex');

/** A list in each kind of ids, which has both people. */
const lists: Record<string, (id: string) => string> = {
  plain: (id) => id,
  'plain in upper case': (id) => id.toUpperCase(),
  ...Object.fromEntries(
    ['md5', 'sha1', 'sha256'].flatMap((hash) => [
      [`${hash} of lower case`, (id: string) => hashOf(hash, id)],
      [`${hash} of upper case`, (id: string) => hashOf(hash, id.toUpperCase()).toUpperCase()],
    ]),
  ),
};

async function imported(company: TestCompany, uuid: string, size: number): Promise<void> {
  await eventually(async () =>
    expect((await company.call('GET', `/audience/${uuid}`)).data).toMatchObject({ state: 'ready', size }),
  );
}

/** Sends a list in two parts. Returns its audience, and the path of the upload, which is not finished. */
async function begin(company: TestCompany, name: string, ids: readonly string[]) {
  const form = name.startsWith('md5') ? { id_form: 'md5' } : {};
  const uuid = await make(company, '/audience', { name, ...form });
  const content = Buffer.from(ids.join('\n'));
  const { data } = await company.call('POST', `/audience/${uuid}/upload`, { bytes: content.length });
  const path = `/audience/${uuid}/upload/${data.uuid}`;
  for (const [from, to] of [
    [0, 20],
    [20, content.length],
  ] as const)
    await company.upload('PUT', `${path}?offset=${from}`, {
      part: { name: 'ids.csv', content: content.subarray(from, to) },
    });
  return { uuid, path };
}

/** Uploads a list. */
async function upload(company: TestCompany, name: string, ids: readonly string[]): Promise<string> {
  const { uuid, path } = await begin(company, name, ids);
  expect((await company.call('POST', `${path}/finish`)).status).toBe(200);
  await imported(company, uuid, ids.length);
  return uuid;
}

test('after an erasure no file, no database and no new backup has the id, or a digest of it, in any form', async () => {
  const [forms, others] = [storedFormsOf(ERASED), storedFormsOf(OTHER)];
  // Replaced parts of tables would stay for eight minutes.
  for (const table of ['events', 'postbacks'])
    await app.ctx.clickhouse.command(`alter table ${table} modify setting old_parts_lifetime = 1`);
  const exchange = await freshExchange(app, { charge_on: 'billing' });
  const caps = { frequency_caps: [{ impressions: 50, minutes: 1440 }] };
  const { company, adsetUuid, appUuid } = await campaignOn(app, exchange, { adset: caps });

  const uuids: string[] = [];
  for (const [name, formOf] of Object.entries(lists))
    uuids.push(await upload(company, name, [formOf(ERASED), formOf(OTHER), formOf(randomUUID())]));
  const byCall = await make(company, '/audience', { name: 'By call' });
  await company.call('POST', `/audience/${byCall}/ids`, { mode: 'add', ids: [ERASED, OTHER] });
  await imported(company, byCall, 2);
  await company.call('PUT', `/adset/${adsetUuid}`, {
    audience_include: [[uuids[0]!], [byCall]],
    exclude_installed: false,
  });
  await app.settled();

  // Bids, which are sampled and looked up, then notices, a click and an install.
  const { secret } = (await company.call('GET', '/postbacks')).data;
  for (const ifa of [ERASED, OTHER]) {
    const device = { os: 'Android', osv: '14', geo: { country: 'USA' }, ua: PHONE, ifa };
    const bid = await exchange.bid({ device });
    expect(bid).not.toBeNull();
    const addresses = `${bid.burl ?? ''} ${bid.nurl ?? ''} ${bid.adm}`.match(/https?:\/\/[^\s"'<>\\]+/g)!;
    for (const address of addresses)
      await app.http.inject({
        url: pathOf(address.replaceAll('&amp;', '&').replace('${AUCTION_PRICE}', '1')),
        headers: { 'user-agent': PHONE },
      });
    const { companyId } = company;
    await app.settled();
    const [stored] = await app.ctx.clickhouse.query<{ bid: string }>(
      'select toString(bid_id) as bid from events where company_id = {company:UUID} order by time desc limit 1',
      { company: companyId },
    );
    expect(stored).toBeDefined();
    const reported: Record<string, string>[] = [
      {
        app: appUuid,
        event_name: 'purchase',
        advertising_id: ifa,
        event_value: `{"id":"${ifa.toUpperCase()}"}`,
      },
      { app: appUuid, event_name: 'purchase', gaid_sha1: hashOf('sha1', ifa.toUpperCase()) },
      { app: appUuid, event_name: 'purchase', gaid_md5: hashOf('md5', ifa) },
    ];
    for (const parameters of reported)
      await app.http.inject({
        url: `/postback/appsflyer/${secret}?${new URLSearchParams(parameters).toString()}`,
      });
  }
  // The people of a live audience are in postbacks of the company's campaigns.
  const { campaigns } = (await company.call('GET', '/campaign')).data;
  for (const id of [ERASED, OTHER])
    await app.ctx.clickhouse.insert('postbacks', [
      {
        id: randomUUID(),
        time: app.ctx.now().toISOString().replace('T', ' ').replace('Z', ''),
        company_id: company.companyId,
        campaign_id: campaigns[0].uuid,
        mmp: 'appsflyer',
        outcome: 'stored',
        parameters: JSON.stringify({ advertising_id: id }),
      },
    ]);
  const live = await make(company, '/audience', {
    name: 'Live',
    kind: 'live',
    app_id: appUuid,
    rule: { type: 'installed', days: null },
  });
  await company.call('POST', `/audience/${live}/refresh`);
  await imported(company, live, 2);
  await app.settled();

  const open = await begin(company, 'Unfinished', [ERASED, OTHER]);

  const { dataDir } = app.ctx.config;
  const inDatabases = async (of: typeof forms) => formsIn(Buffer.from(await everythingStored(app)), of);
  expect(await inDatabases(forms)).not.toEqual([]);
  expect((await filesWith(dataDir, forms)).length).toBeGreaterThan(uuids.length);
  await backUp(app.ctx.config, join(folder, 'before'), app);
  expect((await filesWith(join(folder, 'before'), forms)).length).toBeGreaterThan(uuids.length);

  const asked = await app.operator('POST', '/device-erasures', { id: ERASED });
  expect(asked.status).toBe(201);
  const erasure = async () =>
    (await app.operator('GET', '/device-erasures')).data.erasures.find(
      ({ uuid }: { uuid: string }) => uuid === asked.data.uuid,
    );
  // The live audience may be refreshed, without the person, before the person is removed from it.
  await eventually(
    async () => expect((await erasure()).audiences).toBeGreaterThanOrEqual(uuids.length + 1),
    REMOVAL_MS,
  );
  const removed = app.ctx.db.selectFrom('device_erasures').select('removed_at');
  await eventually(
    async () => expect((await removed.executeTakeFirstOrThrow()).removed_at).not.toBeNull(),
    REMOVAL_MS,
  );
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() + 11 * 60_000);
  // An upload from before may have the person: the erasure lasts until its ids are imported.
  expect((await erasure()).finished_at).toBeNull();
  expect((await company.call('POST', `${open.path}/finish`)).status).toBe(200);
  await eventually(async () => expect((await erasure()).finished_at).not.toBeNull(), REMOVAL_MS);
  expect((await erasure()).audiences).toBeGreaterThanOrEqual(uuids.length + 2);
  app.clock.now = now;

  expect(await inDatabases(forms)).toEqual([]);
  await backUp(app.ctx.config, join(folder, 'after'), app);
  expect(await filesWith(join(folder, 'after'), forms)).toEqual([]);
  await expect.poll(async () => filesWith(dataDir, forms), { timeout: 120_000, interval: 2000 }).toEqual([]);
  // Other people are where they were.
  for (const uuid of uuids) expect((await company.call('GET', `/audience/${uuid}`)).data.size).toBe(2);
  expect(await inDatabases(others)).not.toEqual([]);
  expect((await filesWith(join(folder, 'after'), others)).length).toBeGreaterThan(uuids.length);
  // A server that stops stores what it has in memory, such as the counts of frequency caps.
  await app.close();
  expect(await filesWith(dataDir, forms)).toEqual([]);
}, 300_000);
