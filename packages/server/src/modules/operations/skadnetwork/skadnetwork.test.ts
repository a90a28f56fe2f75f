import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { AD_SETS_PER_ITEM, SOURCE_IDENTIFIER_DAYS } from '@bidwell/contract/skadnetwork/source-identifiers';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import { iosAppBody, make, newStoreItem } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { type TestExchange, bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { type Fidelity, impressionText } from '../../../delivery/skadnetwork/impression-extension.ts';
import {
  allocateSourceIdentifier,
  ownersOfSourceIdentifier,
} from '../../../delivery/skadnetwork/source-identifiers.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { allocateNumbers } from './skadnetwork-store.ts';

const app = await testApp({ MODERATION: 'auto' });
const DEVICE = { os: 'iOS', osv: '17.5', ip: '203.0.113.9', ua: 'Agent/1.0', geo: { country: 'USA' } };
const PUBLISHER = '880047117';
let lastNetwork = 0;

/** An ad network with a key that is made here. */
async function freshNetwork(settings: object = {}) {
  lastNetwork += 1;
  const id = `testing${lastNetwork}.skadnetwork`;
  const { data } = await app.operator('PUT', `/skadnetwork/networks/${id}`, settings);
  return { id, publicKey: createPublicKey(data.public_key) };
}

/** A running campaign of an iOS app on an exchange with signed bids, and its ad set's number. */
async function signedCampaign() {
  const exchange = await freshExchange(app);
  await app.operator('PUT', `/skadnetwork/exchanges/${exchange.slug}`, { enabled: true });
  const itemId = String(newStoreItem());
  const made = await campaignOn(app, exchange, { app: iosAppBody(Number(itemId)) });
  await app.operator('PUT', `/skadnetwork/apps/${made.appUuid}`, { enabled: true });
  await app.settled();
  const row = await app.ctx.db
    .selectFrom('source_identifiers')
    .selectAll()
    .where('adset_uuid', '=', made.adsetUuid)
    .executeTakeFirstOrThrow();
  const send = (ext: object, over: object = {}) =>
    exchange.bid({
      imp: [{ ...bannerImp(), ext }],
      app: { bundle: PUBLISHER },
      device: { ...DEVICE, ...over },
    });
  return { exchange, itemId, number: row.number, send, ...made };
}

/** The `ext` of a bid once the thread that signs has started. */
const signedBid = (send: () => ReturnType<TestExchange['bid']>) =>
  eventually(async () => {
    const bid = await send();
    expect(bid).not.toBeNull();
    expect(bid.ext).toBeDefined();
    return bid.ext!;
  });

test('a bid is signed for both fidelities with the highest version that the request and the device have', async () => {
  const network = await freshNetwork();
  const { send, itemId, number } = await signedCampaign();
  const skadn = {
    versions: ['2.0', '2.2', '3.0', '4.0'],
    sourceapp: PUBLISHER,
    skadnetids: ['other.skadnetwork', network.id.toUpperCase()],
  };
  const { skadn: signed } = await signedBid(() => send({ skadn }));
  expect(signed).toMatchObject({
    version: '4.0',
    network: network.id,
    sourceidentifier: String(number),
    itunesitem: itemId,
    sourceapp: PUBLISHER,
  });
  expect(signed).not.toHaveProperty('campaign');
  expect(signed.fidelities.map(({ fidelity }: { fidelity: number }) => fidelity)).toEqual([0, 1]);
  expect(new Set(signed.fidelities.map(({ nonce }: { nonce: string }) => nonce)).size).toBe(2);
  const isValid = (version: SkadnetworkVersion, fidelity: Fidelity, part: Record<string, string>) =>
    verify(
      'sha256',
      Buffer.from(
        impressionText(
          version,
          {
            network: network.id,
            sourceIdentifier: number,
            itemId,
            sourceApp: PUBLISHER,
            nonce: part['nonce']!,
            timestampMs: Number(part['timestamp']),
          },
          fidelity,
        ),
      ),
      network.publicKey,
      Buffer.from(part['signature']!, 'base64'),
    );
  for (const part of signed.fidelities) expect(isValid('4.0', part.fidelity, part)).toBe(true);

  const { skadn: older } = await signedBid(() => send({ skadn }, { osv: '15.2' }));
  expect(older).toMatchObject({ version: '3.0', campaign: String(number % 100) });
  expect(older).not.toHaveProperty('sourceidentifier');
  for (const part of older.fidelities) expect(isValid('3.0', part.fidelity, part)).toBe(true);

  const { skadn: oldest } = await signedBid(() =>
    send({ skadn: { ...skadn, versions: undefined, version: '2.0' } }),
  );
  expect(oldest).toMatchObject({ version: '2.0', campaign: String(number % 100) });
  expect(oldest).not.toHaveProperty('fidelities');
  expect(isValid('2.0', 1, oldest)).toBe(true);
});

test('a bid is signed for AdAttributionKit where the request has its object', async () => {
  const network = await freshNetwork();
  const { send, itemId, number } = await signedCampaign();
  const adattributionkit = { version: '1.0', sourceapp: PUBLISHER, skadnetids: [network.id] };
  const ext = await signedBid(() => send({ adattributionkit }));
  expect(ext).not.toHaveProperty('skadn');
  const { jwt, version, itunesitem } = ext['adattributionkit'];
  expect({ version, itunesitem }).toEqual({ version: '1.0', itunesitem: itemId });
  const [header = '', claims = '', signature = ''] = jwt.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: network.id });
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    'publisher-item-identifier': Number(PUBLISHER),
    'source-identifier': number,
    'advertised-item-identifier': Number(itemId),
  });
  const key = { key: network.publicKey, dsaEncoding: 'ieee-p1363' as const };
  expect(verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
});

test('a bid names the custom product page and the overlay of its ad set in addition to its signatures', async () => {
  const network = await freshNetwork();
  const { company, adsetUuid, send } = await signedCampaign();
  const page = '45812c9b-c296-43d3-c6a0-c5a02f74bf6e';
  const fields = { product_page_id: page, overlay: { delay: 5, dismissible: false, position: 'raised' } };
  await company.call('PUT', `/adset/${adsetUuid}`, fields);
  await app.settled();
  const listed = { sourceapp: PUBLISHER, skadnetids: [network.id] };
  const skadn = { ...listed, versions: ['4.0'] };
  const both = { skadn: { ...skadn, productpage: 1, skoverlay: 1 }, adattributionkit: listed };
  const signed = await signedBid(() => send(both));
  expect(signed['skadn']).toMatchObject({
    version: '4.0',
    productpageid: page,
    skoverlay: { delay: 5, dismissible: 0, pos: 1 },
  });
  expect(signed['skadn'].fidelities).toHaveLength(2);
  expect(signed['adattributionkit']).toMatchObject({ itunesitem: expect.any(String), cpp: page });
  const { skadn: without } = await signedBid(() => send({ skadn }));
  expect(without).not.toHaveProperty('productpageid');
  expect(without).not.toHaveProperty('skoverlay');
});

test('an ad is bought without signatures where there cannot be any, and operators see why', async () => {
  const network = await freshNetwork();
  const { send, exchange } = await signedCampaign();
  const skadn = { versions: ['4.0'], sourceapp: PUBLISHER, skadnetids: [network.id] };
  await signedBid(() => send({ skadn }));
  const counted = async () => {
    await app.settled();
    const { exchanges } = (await app.operator('GET', '/skadnetwork')).data;
    const own = exchanges.find(({ slug }: { slug: string }) => slug === exchange.slug);
    return Object.fromEntries(
      own.outcomes.map(({ outcome, requests }: { outcome: string; requests: number }) => [outcome, requests]),
    );
  };
  const before = await counted();
  const unsigned: [object, object][] = [
    [{}, {}],
    [{ skadn: 'yes' }, {}],
    [{ skadn: { ...skadn, skadnetids: [] } }, {}],
    [{ skadn }, { osv: '16.0' }],
  ];
  for (const [ext, device] of unsigned) {
    const bid = await send(ext, device);
    expect(bid).not.toBeNull();
    expect(bid.ext).toBeUndefined();
  }
  expect(await counted()).toEqual({ ...before, no_object: 2, not_listed: 1, too_old: 1 });

  await app.operator('PUT', `/skadnetwork/exchanges/${exchange.slug}`, { enabled: false });
  await app.settled();
  expect((await send({ skadn })).ext).toBeUndefined();
});

test('a company sees where bids of its iOS app are not signed, with the shares, and who can change it', async () => {
  const network = await freshNetwork();
  const { exchange, company, campaignUuid, appUuid, send } = await signedCampaign();
  const textsOf = async (code: string): Promise<string[]> => {
    await app.settled();
    const today = app.ctx.now().toISOString().slice(0, 10);
    const path = `/campaign/${campaignUuid}/findings?start_date=${today}&end_date=${today}`;
    const { findings } = (await company.call('GET', path)).data;
    return findings.flatMap((one: { code: string; text: string }) => (one.code === code ? one.text : []));
  };
  const skadn = { versions: ['4.0'], sourceapp: PUBLISHER, skadnetids: [network.id] };
  for (let count = 0; count < 50; count += 1) await send({ skadn });
  for (let count = 0; count < 50; count += 1) await send({});
  const { exchanges } = (await app.operator('GET', '/skadnetwork')).data;
  const { name } = exchanges.find(({ slug }: { slug: string }) => slug === exchange.slug);
  expect(await textsOf('signing_not_possible')).toContainEqual(
    `Of the requests of iOS apps from ${name} in the last 7 days, 50% have no SKAdNetwork. Bids on them are not signed, and Apple reports no installs of them.`,
  );
  await app.operator('PUT', `/skadnetwork/apps/${appUuid}`, { enabled: false });
  expect(await textsOf('signing_not_possible')).toEqual([]);
  const [off, ...others] = await textsOf('signing_off');
  expect(off).toMatch(/^Bids for “.*” are not signed .* An operator of this installation can switch it on/);
  expect(others).toEqual([]);
});

test('the numbered list of the IAB names a network too', async () => {
  const network = await freshNetwork({ iab_number: 40 });
  const { send } = await signedCampaign();
  const skadn = { versions: ['4.0'], sourceapp: PUBLISHER };
  const { skadn: signed } = await signedBid(() => send({ skadn: { ...skadn, skadnetlist: { max: 40 } } }));
  expect(signed.network).toBe(network.id);
  for (const skadnetlist of [{ max: 39 }, { max: 90, excl: [12, 40] }])
    expect((await send({ skadn: { ...skadn, skadnetlist } })).ext).toBeUndefined();
  const { skadn: added } = await signedBid(() =>
    send({ skadn: { ...skadn, skadnetlist: { max: 90, excl: [40], addl: [network.id] } } }),
  );
  expect(added.network).toBe(network.id);
});

test('the time of the last bid is stored with the number, by which a postback finds the ad set', async () => {
  const network = await freshNetwork();
  const { send, itemId, number, adsetUuid } = await signedCampaign();
  await signedBid(() => send({ skadn: { versions: ['4.0'], skadnetids: [network.id] } }));
  await app.settled();
  const owners = await ownersOfSourceIdentifier(app.ctx.db, Number(itemId), String(number));
  expect(owners).toMatchObject([{ adsetId: adsetUuid, until: null }]);
  expect(owners[0]!.lastBidAt).not.toBeNull();
});

test('an ad set that begins to run gets its number by the job, once', async () => {
  const { company, appUuid, campaignUuid, adsetUuid } = await signedCampaign();
  const second = await make(company, '/adset', {
    ...(await copyOf(company, adsetUuid)),
    name: 'Second',
  });
  await company.call('PUT', `/campaign/${campaignUuid}`, {
    name: 'Campaign',
    app_uuid: appUuid,
    adset_uuids: [adsetUuid, second],
  });
  const numbers = async () =>
    (
      await app.ctx.db
        .selectFrom('source_identifiers')
        .select(['adset_uuid', 'number'])
        .where('adset_uuid', 'in', [adsetUuid, second])
        .execute()
    ).map(({ number }) => number);
  await eventually(async () => {
    await allocateNumbers(app.ctx);
    expect(await numbers()).toHaveLength(2);
  });
  await allocateNumbers(app.ctx);
  expect(new Set(await numbers()).size).toBe(2);
});

test('a number is kept while its ad set can be bid for, and not for one whose campaign is paused', async () => {
  const { itemId, number, company, campaignUuid } = await signedCampaign();
  const { companyId: other } = await app.freshCompany();
  const at = new Date(app.ctx.now().getTime() + (SOURCE_IDENTIFIER_DAYS + 2) * 86_400_000);
  const others = Array.from({ length: AD_SETS_PER_ITEM }, (_, index) => 1110 + index).filter(
    (one) => one % 100 !== number % 100,
  );
  await app.ctx.db
    .insertInto('source_identifiers')
    .values(
      others.map((one) => ({
        uuid: uuidv7(),
        company_uuid: company.companyId,
        item_id: Number(itemId),
        number: one,
        adset_uuid: uuidv7(),
        allocated_at: at,
        last_bid_at: at,
      })),
    )
    .execute();
  const allocated = async () =>
    transact(app.ctx.db, async (tx) => allocateSourceIdentifier(tx, other, uuidv7(), Number(itemId), at));
  expect(await allocated()).toBeNull();
  await company.call('POST', `/campaign/${campaignUuid}/pause`);
  expect(await allocated()).toBe(number);
});

test('a company sees which number is which of its ad sets, also one that was given to another since', async () => {
  const { company, appUuid, adsetUuid, number } = await signedCampaign();
  const path = `/app/${appUuid}/source_identifiers`;
  const { data } = await company.call('GET', path);
  expect(data).toMatchObject({
    enabled: true,
    source_identifiers: [
      { number, digits: number % 100, adset_uuid: adsetUuid, adset: 'Ad set', released_at: null },
    ],
    without_number: [],
  });
  await app.ctx.db
    .updateTable('source_identifiers')
    .set({ released_at: app.ctx.now() })
    .where('adset_uuid', '=', adsetUuid)
    .execute();
  // Meanwhile the job may have given the ad set a new number, which is listed first.
  const later = (await company.call('GET', path)).data.source_identifiers.at(-1);
  expect(later).toMatchObject({ number, adset_uuid: adsetUuid });
  expect(later.released_at).not.toBeNull();
  expect((await (await app.freshCompany()).call('GET', path)).status).toBe(404);
});

test('after a change of the store link the numbers of the former App Store ID are listed with it', async () => {
  const { company, appUuid, adsetUuid, itemId, number } = await signedCampaign();
  const path = `/app/${appUuid}/source_identifiers`;
  const itemIds = async () =>
    (await company.call('GET', path)).data.source_identifiers.map((one: { item_id: number }) => one.item_id);
  expect(await itemIds()).toEqual([Number(itemId)]);
  const later = newStoreItem();
  await company.call('PUT', `/app/${appUuid}`, { store_link: `https://apps.apple.com/app/id${later}` });
  await app.settled();
  const { data } = await company.call('GET', path);
  expect(data).toMatchObject({
    enabled: false,
    item_id: later,
    source_identifiers: [{ item_id: Number(itemId), number, adset_uuid: adsetUuid, released_at: null }],
  });
  await app.operator('PUT', `/skadnetwork/apps/${appUuid}`, { enabled: true });
  await eventually(async () => expect(await itemIds()).toEqual([later, Number(itemId)]));
  await company.call('PUT', `/app/${appUuid}`, { store_link: 'https://apps.apple.com/us/app/puzzle' });
  expect((await company.call('GET', path)).data).toMatchObject({ item_id: null });
  expect((await itemIds()).toSorted()).toEqual([later, Number(itemId)].toSorted());
});

test('a private key is stored encrypted and never returned; a wrong one is refused with the reason', async () => {
  const path = '/skadnetwork/networks/Keytest01.SKAdNetwork';
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  const { status, data } = await app.operator('PUT', path, { private_key: pem });
  expect(status).toBe(200);
  expect(data).toMatchObject({ id: 'keytest01.skadnetwork', has_private_key: true });
  expect(data.public_key).toBe(pair.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const { rows } = await sql<{ private_key: string }>`
    select private_key from skadnetwork_networks where id = 'keytest01.skadnetwork'`.execute(app.ctx.db);
  expect(rows[0]!.private_key).toMatch(/^enc:1:/);

  const kept = await app.operator('PUT', path, { iab_number: 12 });
  expect(kept.data).toMatchObject({ iab_number: 12, public_key: data.public_key });
  const wrong = await app.operator('PUT', path, { private_key: data.public_key });
  expect(wrong).toMatchObject({
    status: 422,
    errors: [{ field: 'private_key', message: 'This is a public key: paste the private one' }],
  });
  const everything = JSON.stringify([
    (await app.operator('GET', '/skadnetwork')).data,
    (await app.operator('GET', '/acts')).data,
  ]);
  expect(everything).toContain('keytest01.skadnetwork');
  expect(everything).not.toContain('PRIVATE KEY');
  expect(everything).not.toContain('enc:1:');

  expect((await app.operator('DELETE', path)).status).toBe(200);
  expect((await app.operator('DELETE', path)).status).toBe(404);
});

test('a network whose private key was lost does not get a new one automatically', async () => {
  const path = '/skadnetwork/networks/losttest01.skadnetwork';
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const private_key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { public_key } = (await app.operator('PUT', path, { private_key })).data;
  // As a start with LOST_ENCRYPTION_KEYS leaves it.
  await app.ctx.db
    .updateTable('skadnetwork_networks')
    .set({ private_key: null })
    .where('id', '=', 'losttest01.skadnetwork')
    .execute();
  const refused = await app.operator('PUT', path, { iab_number: 12 });
  expect(refused.status).toBe(422);
  expect(refused.errors[0]).toMatchObject({
    field: 'private_key',
    message: expect.stringMatching(/^The private key of this network is lost .* paste it again/),
  });
  const { networks } = (await app.operator('GET', '/skadnetwork')).data;
  expect(networks.find(({ id }: { id: string }) => id === 'losttest01.skadnetwork')).toMatchObject({
    public_key,
    iab_number: null,
    has_private_key: false,
  });
  const again = await app.operator('PUT', path, { iab_number: 12, private_key });
  expect(again.data).toMatchObject({ public_key, iab_number: 12, has_private_key: true });
  await app.operator('DELETE', path);
});

test('operators find iOS apps by name, company and number in the store', async () => {
  const company = await app.freshCompany();
  const itemId = newStoreItem();
  const uuid = await make(company, '/app', iosAppBody(itemId));
  const found = (await app.operator('GET', `/skadnetwork/apps?q=id${itemId}`)).data;
  expect(found).toMatchObject({ total: 1, apps: [{ uuid, item_id: itemId, enabled: false }] });
  expect((await app.operator('GET', '/skadnetwork/apps?q=%25%25%25')).data.total).toBe(0);
});

test.each([
  ['https://apps.apple.com/app/id#', true],
  ['https://apps.apple.com/us/app/a-developer-story/id#?mt=8&id=77777#top', true],
  ['http://itunes.apple.com/app/id#/', true],
  ['https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=#&mt=8', true],
  ['https://apps.apple.com//us/app//candy%20crush/id#%20', true],
  ['https://apps.apple.com/us/developer/king/id#', false],
  ['https://apps.apple.com/us/developer/king?id=#', false],
  ['https://apps.apple.com/us/app/puzzle', false],
  ['https://apps.apple.com/us/app/puzzle/id#1234567', false],
])('the link %s determines the number in the store, also after a change', async (form, hasNumber) => {
  const company = await app.freshCompany();
  const itemOf = async (uuid: string) =>
    (await app.operator('GET', `/skadnetwork/apps?q=${company.companyId}`)).data.apps.find(
      (one: { uuid: string }) => one.uuid === uuid,
    )?.item_id;
  const itemId = newStoreItem();
  const store_link = form.replace('#', String(itemId));
  const uuid = await make(company, '/app', iosAppBody(itemId, { store_link, name: company.companyId }));
  const expected = hasNumber ? itemId : null;
  expect(await itemOf(uuid)).toBe(expected);
  expect(Number(parseStoreLink(store_link)?.bundleId ?? NaN) || null).toBe(expected);
  const other = newStoreItem();
  await company.call('PUT', `/app/${uuid}`, { store_link: `https://apps.apple.com/app/id${other}` });
  expect(await itemOf(uuid)).toBe(other);
});

/** The body of another ad set with the references of this one. */
async function copyOf(company: Pick<TestCompany, 'call'>, uuid: string) {
  const { data } = await company.call('GET', `/adset/${uuid}`);
  return {
    target_id: data.target.uuid,
    tracking_link_id: data.tracking_link.uuid,
    creative_group_ids: data.creative_groups.map((group: { uuid: string }) => group.uuid),
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  };
}
