import { expect, test } from 'vitest';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { everythingStored } from '@bidwell/testing/everything-stored';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { personKeyText } from '../../delivery/event-store/event-store.ts';
import { createSample, storeSample } from '../../delivery/funnel/request-sample.ts';
import type { BidRef } from '../../delivery/model/event.ts';
import { digestText } from '../../delivery/model/frequency.ts';
import { readBidRequest } from '../../delivery/openrtb/read/read-request.ts';
import { keysOfDevice } from '../../delivery/privacy/person-key.ts';
import { pathOf, sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../delivery/trackers/signer.ts';
import { type OpenErasures, carryOutErasures } from './device-erasures.ts';

const SECRET = 'a signing secret of the erasure tests, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET }, undefined, { postbackAnswerMs: () => 2 ** 31 - 1 });
const signer = createSigner(SECRET, 'http://bidwell.test');
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';
const { now } = app.clock;
const ERASED = 'cdda802e-fb9c-47ad-9866-0794d394c912';
const OTHER = '11111111-2222-4333-8444-555555555555';

/** The key of a device's person, by which frequency caps count. */
const keyOf = (gaid: string) => digestText(keysOfDevice(SECRET, gaid)[0]!);

/** Stored events with that key. */
async function keyedEvents(gaid: string): Promise<number> {
  const [row] = await app.ctx.clickhouse.query<{ count: number }>(
    'select count() as count from events where person_key = {key:UInt64}',
    { key: personKeyText(keyOf(gaid)) },
  );
  return row!.count;
}

/** Requests of the sample of a device's person. */
async function sampledRequests(gaid: string): Promise<number> {
  const keys = keysOfDevice(SECRET, gaid, 'sample').map((key) => personKeyText(digestText(key)));
  const [row] = await app.ctx.clickhouse.query<{ count: number }>(
    `select count() as count from request_sample where person in (${keys.join(', ')})`,
  );
  return row!.count;
}

/** Stores a bid request of a device in the sample. */
async function sampleRequestOf(gaid: string): Promise<void> {
  const sample = createSample({ now: app.ctx.now, bidders: () => 1, personSecret: SECRET });
  const body = { id: 'r', imp: [{ id: '1', banner: {} }], app: {}, device: { os: 'Android', ifa: gaid } };
  sample.offer(readBidRequest(body, 'sample')!, body);
  await storeSample(app.ctx.clickhouse, sample.take());
}

/** A device of whose bid everything is reported, the id in different ways. */
async function reportAll(company: TestCompany, gaid: string): Promise<{ ref: BidRef; address: string }> {
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const address = `/postback/appsflyer/${secret}`;
  const personKey = keyOf(gaid);
  const ref = sampleRef({ companyId: company.companyId, ifa: gaid, os: 'android', personKey });
  const urls = signer.urlsFor(ref);
  for (const url of [urls.billing.replace('${AUCTION_PRICE}', '1'), urls.impression, urls.click])
    await app.http.inject({ url: pathOf(url), headers: { 'user-agent': PHONE } });
  const click = { click_id: signer.clickIdFor(ref) };
  const sha1 = createHash('sha1').update(gaid.toUpperCase()).digest('hex');
  const nested = JSON.stringify({ user: { gaid: gaid.toUpperCase() } });
  const purchase = { ...click, event_name: 'purchase', revenue: '4.99', currency: 'USD' };
  const reported = [
    { ...click, event_name: 'install', advertising_id: gaid },
    { ...purchase, event_id: `${gaid} 1`, gaid_sha1: sha1 },
    { ...purchase, event_id: '2' },
    { ...purchase, event_id: '2', is_rejected: 'true', event_value: nested },
  ];
  for (const parameters of reported)
    expect(await outcomeOf(address, parameters)).toMatch(/^(stored|taken_back)$/);
  return { ref, address };
}

const sizeOf = async (company: TestCompany, list: string) =>
  (await company.call('GET', `/audience/${list}`)).data.size;

/** A list with ids. */
async function listOf(company: TestCompany, ids: string[]): Promise<string> {
  const list = await make(company, '/audience', { name: 'List' });
  await company.call('POST', `/audience/${list}/ids`, { mode: 'add', ids });
  await eventually(async () => expect(await sizeOf(company, list)).toBe(ids.length));
  return list;
}

/** A list with ids whose file is lost. */
async function lostList(company: TestCompany, ids: string[]) {
  const list = await listOf(company, ids);
  const row = await app.ctx.db
    .selectFrom('audiences')
    .select('file_uuid')
    .where('uuid', '=', list)
    .executeTakeFirstOrThrow();
  const file = row.file_uuid!;
  const content = await buffer(app.ctx.files.read(file));
  await app.ctx.files.remove(file);
  return { list, file, content };
}

async function erasureOf(uuid: string) {
  const { erasures } = (await app.operator('GET', '/device-erasures')).data;
  return erasures.find((erasure: { uuid: string }) => erasure.uuid === uuid);
}

/** Waits until all is removed that was stored; what is on its way follows ten minutes later. */
async function removedOf(uuid: string): Promise<void> {
  const erasure = app.ctx.db.selectFrom('device_erasures').select('removed_at').where('uuid', '=', uuid);
  await eventually(async () => expect((await erasure.executeTakeFirstOrThrow()).removed_at).not.toBeNull());
}

async function outcomeOf(address: string, parameters: Record<string, string>): Promise<string> {
  const response = await app.http.inject({ url: `${address}?${new URLSearchParams(parameters).toString()}` });
  return response.json<{ data: { outcome: string } }>().data.outcome;
}

/** Number and spend of a company's events by kind. */
async function eventsOf({ companyId }: TestCompany) {
  await app.settled();
  return app.ctx.clickhouse.query<{ kind: string; count: number; spend: number }>(
    `select kind, count() as count, toFloat64(sum(spend_micros)) as spend from events
     where company_id = {company:UUID} group by kind order by kind`,
    { company: companyId },
  );
}

const everything = () => everythingStored(app);

/** The forms of an id: in plain text, and as a SHA-1 hash. */
const formsOf = (gaid: string) => [gaid, createHash('sha1').update(gaid.toUpperCase()).digest('hex')];

test('erasing a device removes it everywhere, and changes neither money nor other devices', async () => {
  const company = await app.freshCompany();
  const [{ ref, address }] = await Promise.all([reportAll(company, ERASED), reportAll(company, OTHER)]);
  const appId = await make(company, '/app', appBody());
  const unattributed = { app: appId, event_name: 'purchase', event_value: `{"id":"${ERASED}"}` };
  expect(await outcomeOf(address, unattributed)).toBe('unattributed');
  const before = await eventsOf(company);
  expect(before).toContainEqual({ kind: 'app_event', count: 4, spend: 0 });
  expect(before).toContainEqual({ kind: 'app_event_rejected', count: 2, spend: 0 });
  const outcomes = async (): Promise<{ outcome: string; count: number }[]> =>
    (await company.call('GET', '/postbacks')).data.counts;
  const outcomesBefore = await outcomes();
  expect(outcomesBefore).toMatchObject([
    { outcome: 'event', count: 6 },
    { outcome: 'stored', count: 2 },
    { outcome: 'unattributed', count: 1 },
  ]);
  const storedBefore = await everything();
  expect(await Promise.all([ERASED, OTHER].map(keyedEvents))).toEqual([7, 7]);
  await Promise.all([ERASED, OTHER].map(sampleRequestOf));
  expect(await Promise.all([ERASED, OTHER].map(sampledRequests))).toEqual([1, 1]);
  for (const form of formsOf(ERASED)) expect(storedBefore).toContain(form);

  const asked = await app.operator('POST', '/device-erasures', { id: ERASED.toUpperCase() });
  expect(asked).toMatchObject({ status: 201, data: { finished_at: null } });
  const erasure = async () =>
    (await app.operator('GET', '/device-erasures')).data.erasures.find(
      ({ uuid }: { uuid: string }) => uuid === asked.data.uuid,
    );
  await eventually(async () =>
    expect(await erasure()).toMatchObject({ postbacks: 5, events: 3, clicks: 1, finished_at: null }),
  );
  await removedOf(asked.data.uuid);
  // Half of the in-app events are of the other device.
  expect(await eventsOf(company)).toEqual(
    before.map((row) => (row.kind.startsWith('app_event') ? { ...row, count: row.count / 2 } : row)),
  );
  expect(await outcomes()).toEqual(
    outcomesBefore.map((row) => (row.outcome === 'event' ? { ...row, count: row.count / 2 } : row)),
  );

  // Later postbacks about it, with its id or only its click, are not stored.
  const click = { click_id: signer.clickIdFor(ref), event_name: 'purchase', event_id: '3' };
  expect(await outcomeOf(address, click)).toBe('erased');
  expect(await outcomeOf(address, { app: appId, event_name: 'purchase', idfa: ERASED })).toBe('erased');

  // A tracker may store events that it was handling when the erasure was requested.
  const onItsWay = { outcome: 'unknown_click', click_id: '', parameters: JSON.stringify({ idfa: ERASED }) };
  await app.ctx.clickhouse.insert('postbacks', [
    { ...onItsWay, time: clickhouseTime(now.getTime()), company_id: company.companyId, mmp: 'appsflyer' },
  ]);
  app.clock.now = new Date(now.getTime() + 11 * 60_000);
  await eventually(async () => expect((await erasure()).finished_at).not.toBeNull());
  expect(await Promise.all([ERASED, OTHER].map(keyedEvents))).toEqual([0, 7]);
  expect(await Promise.all([ERASED, OTHER].map(sampledRequests))).toEqual([0, 1]);
  const stored = await everything();
  for (const form of [...formsOf(ERASED), signer.clickIdFor(ref).toLowerCase()])
    expect(stored).not.toContain(form);
  for (const form of formsOf(OTHER)) expect(stored).toContain(form);
  const { acts } = (await app.operator('GET', '/acts')).data;
  expect(acts.filter(({ entity }: { entity: string }) => entity === 'device')).toMatchObject([
    { operator: 'server', action: 'Erased', name: asked.data.id_hash, after: { postbacks: 6, events: 3 } },
    { operator: 'token', action: 'Asked to erase', name: asked.data.id_hash },
  ]);
  app.clock.now = now;
});

test('erasures go on where a list cannot be read, and end ten minutes after they have removed all', async () => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const devices = [randomUUID(), randomUUID()];
  const { list, file, content } = await lostList(company, devices);
  for (const gaid of devices) await sendUnknown(`/postback/appsflyer/${secret}`, { gaid });
  const asked: string[] = [];
  for (const id of devices) asked.push((await app.operator('POST', '/device-erasures', { id })).data.uuid);
  const erasures = async () =>
    (await app.operator('GET', '/device-erasures')).data.erasures.filter(({ uuid }: { uuid: string }) =>
      asked.includes(uuid),
    );
  const removed = { postbacks: 1, audiences: 0, finished_at: null };
  await eventually(async () => expect(await erasures()).toMatchObject([removed, removed]));

  await app.ctx.files.write(file, Readable.from([content]));
  app.clock.now = new Date(now.getTime() + 11 * 60_000);
  const wholly = { postbacks: 1, audiences: 1, finished_at: null };
  await eventually(async () => expect(await erasures()).toMatchObject([wholly, wholly]));
  expect(await sizeOf(company, list)).toBe(0);
  for (const uuid of asked) await removedOf(uuid);

  // A refresh that read the postbacks before they were removed may store their people later.
  await company.call('POST', `/audience/${list}/ids`, { mode: 'add', ids: devices });
  await eventually(async () => expect(await sizeOf(company, list)).toBe(2));
  app.clock.now = new Date(now.getTime() + 22 * 60_000);
  const ended = { postbacks: 1, audiences: 2, finished_at: expect.any(String) };
  await eventually(async () => expect(await erasures()).toMatchObject([ended, ended]));
  app.clock.now = now;
  expect(await sizeOf(company, list)).toBe(0);
});

test('the erasure of a person who stays active ends, and leaves the keys from later than ten minutes', async () => {
  const company = await app.freshCompany();
  const gaid = randomUUID();
  await listOf(company, [gaid]);
  const asked = await app.operator('POST', '/device-erasures', { id: gaid });
  app.clock.now = new Date(now.getTime() + 60_000);
  await eventually(async () => {
    await sampleRequestOf(gaid);
    expect(await erasureOf(asked.data.uuid)).toMatchObject({ audiences: 1, finished_at: null });
  });
  await removedOf(asked.data.uuid);

  app.clock.now = new Date(now.getTime() + 11 * 60_000);
  const ref = sampleRef({ companyId: company.companyId, ifa: gaid, os: 'android', personKey: keyOf(gaid) });
  const { impression } = signer.urlsFor(ref);
  await app.http.inject({ url: pathOf(impression), headers: { 'user-agent': PHONE } });
  await app.settled();
  let later = 0;
  await eventually(async () => {
    await sampleRequestOf(gaid);
    later += 1;
    expect((await erasureOf(asked.data.uuid)).finished_at).not.toBeNull();
  });
  expect([await keyedEvents(gaid), await sampledRequests(gaid)]).toEqual([1, later]);
  app.clock.now = now;
});

test('audiences are read in the first pass of an erasure that is not complete, and not in each that follows', async () => {
  const company = await app.freshCompany();
  const gaid = randomUUID();
  const { file, content } = await lostList(company, [gaid]);
  const asked = await app.operator('POST', '/device-erasures', { id: gaid });
  let reads = 0;
  const files = Object.assign(Object.create(app.ctx.files) as typeof app.ctx.files, {
    read(key: string) {
      reads += 1;
      return key === file ? Readable.from([content]) : app.ctx.files.read(key);
    },
  });
  const incomplete = {
    removeDevice: async () => ({ postbacks: 0, events: 0, clicks: 0, isComplete: false }),
    countedByAllMs: async () => -Infinity,
  };
  const open: OpenErasures = new Map();
  await carryOutErasures({ ...app.ctx, files }, incomplete, open);
  expect(await erasureOf(asked.data.uuid)).toMatchObject({ audiences: 1, finished_at: null });
  const readsBefore = reads;
  await carryOutErasures({ ...app.ctx, files }, incomplete, open);
  expect(reads).toBe(readsBefore);
});

const WORD =
  'An id has a digit, and at least 8 letters and digits: a word is in the postbacks of other people too';

test.each([
  ['id-1234', 'An id has at least 8 characters'],
  ['1700000000', 'An id of digits only needs 14 of them: a shorter one also occurs as a time or an amount'],
  ['00000000-0000-0000-0000-000000000000', 'Zeros are no id: devices send them in place of one'],
  ["12345678' or 1", 'An id has letters, digits and . : @ _ - only'],
  ['click_id', WORD],
  ['af_purchase', WORD],
  ['........', WORD],
  ['2026-11-27', 'An id of digits only needs 14 of them: a shorter one also occurs as a time or an amount'],
  ['2026-11-27T10:00:00Z', 'A time is no id'],
])('an id that would be others’ too (%s) is refused', async (id, message) => {
  const { status, errors } = await app.operator('POST', '/device-erasures', { id });
  expect(status).toBe(422);
  expect(errors).toEqual([{ field: 'id', message }]);
});

/** Sends the postback of an unknown click, of which only the parameters are stored. */
async function sendUnknown(address: string, parameters: Record<string, string>): Promise<string> {
  return outcomeOf(address, {
    click_id: signer.clickIdFor(sampleRef({})),
    event_name: 'purchase',
    ...parameters,
  });
}

test('an id that is in the postbacks of many clicks, or that names an entity here, is refused and erases nothing', async () => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const address = `/postback/appsflyer/${secret}`;
  const appId = await make(company, '/app', appBody());
  const shared = 'spring-offer-2026';
  await Promise.all(Array.from({ length: 51 }, async () => sendUnknown(address, { offer: shared })));
  const before = await everything();
  for (const id of [shared, appId, appId.toUpperCase(), appId.replaceAll('-', '')]) {
    const { status, errors } = await app.operator('POST', '/device-erasures', { id });
    expect([status, errors]).toEqual([
      422,
      [{ field: 'id', message: expect.stringMatching(/not of a device$|may be no id of a device/) }],
    ]);
  }
  expect(await sendUnknown(address, { offer: shared, app: appId })).not.toBe('erased');
  expect(before).toContain(shared);
  expect(await everything()).toContain(shared);
  const insisted = { id: shared, even_if_shared: true };
  expect(await app.operator('POST', '/device-erasures', insisted)).toMatchObject({ status: 201 });
  expect(await sendUnknown(address, { offer: shared })).toBe('erased');
});

test('an id is found however it is written in a value, and a parameter of its name is no id', async () => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const address = `/postback/appsflyer/${secret}`;
  const id = 'b0a1c2d3-1111-4222-8333-944455556666';
  expect(await app.operator('POST', '/device-erasures', { id })).toMatchObject({ status: 201 });
  const written = [
    id,
    `gaid:${id}`,
    `\n${id}`,
    `\t${id}`,
    `${id}.`,
    `%3D${id}`,
    `a=${id}&b`,
    `{"id":"${id}"}`,
    id.replaceAll('-', ''),
  ];
  await Promise.all(
    written.map(async (value) =>
      expect([value, await sendUnknown(address, { other: value })]).toEqual([value, 'erased']),
    ),
  );
  const others: Record<string, string>[] = [{ other: `x${id}` }, { [id]: '1' }];
  const outcomes = others.map(async (other) => sendUnknown(address, other));
  expect(await Promise.all(outcomes)).not.toContain('erased');
});

test('an id of 32 digits is erased as the id of a device without its hyphens, and as an MD5', async () => {
  const company = await app.freshCompany();
  const gaid = randomUUID();
  const digits = gaid.replaceAll('-', '').toUpperCase();
  const { address } = await reportAll(company, gaid);
  await sampleRequestOf(gaid);
  await app.settled();
  expect([await keyedEvents(gaid), await sampledRequests(gaid)]).toEqual([7, 1]);
  const asked = await app.operator('POST', '/device-erasures', { id: digits });
  await eventually(async () =>
    expect(await erasureOf(asked.data.uuid)).toMatchObject({ postbacks: 4, events: 3, clicks: 1 }),
  );
  await removedOf(asked.data.uuid);
  const sha1 = createHash('sha1').update(gaid).digest('hex');
  for (const value of [gaid, sha1, digits.toLowerCase()])
    expect(await sendUnknown(address, { advertising_id: value })).toBe('erased');

  app.clock.now = new Date(now.getTime() + 11 * 60_000);
  await eventually(async () => expect((await erasureOf(asked.data.uuid)).finished_at).not.toBeNull());
  expect([await keyedEvents(gaid), await sampledRequests(gaid)]).toEqual([0, 0]);
  app.clock.now = now;
});

test('an erasure that is revoked stays what it was for the past, and later postbacks count again', async () => {
  const company = await app.freshCompany();
  const id = 'a7f1c2d3-1111-4222-8333-94445555aaaa';
  const { ref, address } = await reportAll(company, id);
  const asked = await app.operator('POST', '/device-erasures', { id });
  const again = await app.operator('POST', '/device-erasures', { id });
  const listed = async (uuid: string) =>
    (await app.operator('GET', '/device-erasures')).data.erasures.find(
      (erasure: { uuid: string }) => erasure.uuid === uuid,
    );
  await eventually(async () => expect(await listed(asked.data.uuid)).toMatchObject({ clicks: 1 }));
  const click = { click_id: signer.clickIdFor(ref), event_name: 'purchase', event_id: 'later' };
  expect(await outcomeOf(address, { ...click, gaid: id })).toBe('erased');

  // Another erasure of the same id holds on.
  const revoke = (uuid: string) => app.operator('DELETE', `/device-erasures/${uuid}`);
  const revoked = await revoke(again.data.uuid);
  expect(revoked).toMatchObject({
    status: 200,
    data: { uuid: again.data.uuid, revoked_at: now.toISOString(), finished_at: now.toISOString() },
  });
  expect(await outcomeOf(address, { ...click, gaid: id })).toBe('erased');
  expect(await revoke(asked.data.uuid)).toMatchObject({ status: 200 });
  expect(await outcomeOf(address, { ...click, gaid: id })).toBe('stored');
  expect(await eventsOf(company)).toContainEqual({ kind: 'app_event', count: 1, spend: 0 });

  expect(await listed(asked.data.uuid)).toMatchObject({ revoked_at: now.toISOString() });
  expect((await revoke(asked.data.uuid)).status).toBe(409);
  expect((await revoke(ref.bidId)).status).toBe(404);
  const { acts } = (await app.operator('GET', '/acts')).data;
  expect(acts).toContainEqual(
    expect.objectContaining({
      action: 'Revoked the erasure of',
      entity: 'device',
      name: asked.data.id_hash,
    }),
  );
});

test('clicks that a postback only claims are not taken for clicks of its device', async () => {
  const [device, other] = ['0d2c6a4e-9b57-4f3a-8c1e-5a7b3d9f1e20', '7e1f5b3c-2a48-4d69-9e80-c4b6a2d8f013'];
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const { ref } = await reportAll(company, other);
  const address = async (of: TestCompany) =>
    `/postback/appsflyer/${(await of.call('GET', '/postbacks')).data.secret}`;
  const before = await eventsOf(company);
  // Another company names the click, and so does a stranger at the address that is in its link.
  const claim = { click_id: signer.clickIdFor(ref), event_name: 'purchase', gaid: device };
  const token = signer.installTokenFor(ref);
  const constant = { click_id: 'organic-0001', event_name: 'purchase' };
  const claims = [
    outcomeOf(await address(stranger), claim),
    outcomeOf(`/postback/adjust/click/${token}`, { event_name: 'x', idfa: device }),
    outcomeOf(await address(company), { ...constant, gaid: device }),
    outcomeOf(await address(company), { ...constant, gaid: other }),
  ];
  expect(await Promise.all(claims)).toEqual(['event', 'event', 'event', 'event']);

  const asked = await app.operator('POST', '/device-erasures', { id: device });
  const erasure = async () =>
    (await app.operator('GET', '/device-erasures')).data.erasures.find(
      ({ uuid }: { uuid: string }) => uuid === asked.data.uuid,
    );
  await eventually(async () => expect(await erasure()).toMatchObject({ postbacks: 3, events: 0, clicks: 0 }));
  expect(await eventsOf(company)).toEqual(before);
  expect(
    await outcomeOf(await address(company), { ...claim, gaid: other, event_id: 'later', revenue: '1' }),
  ).toBe('stored');
});

exhaustive.each([
  [
    'in parameters that were too long to be stored whole',
    (id: string) => ({ gaid: id, rest: 'x'.repeat(10_000) }),
  ],
  ['percent-encoded', (id: string) => ({ other: encodeURIComponent(id) })],
  ['in the reason of a rejection', (id: string) => ({ gaid: id, blocked_reason: `device ${id}` })],
])('an id is erased %s', async (_, parametersOf) => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const id = `somebody.${company.companyId.slice(-8)}@example.com`;
  await sendUnknown(`/postback/appsflyer/${secret}`, parametersOf(id));
  expect(await everything()).toMatch(/somebody/);
  await app.operator('POST', '/device-erasures', { id });
  const rows = async () =>
    app.ctx.clickhouse.query<{ parameters: string }>(
      'select * from postbacks where company_id = {company:UUID}',
      { company: company.companyId },
    );
  await expect.poll(rows).toMatchObject([{ parameters: '{}' }]);
  expect(JSON.stringify(await rows())).not.toContain('somebody');
});
