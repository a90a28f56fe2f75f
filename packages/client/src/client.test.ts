import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { BidwellError, type ClientOptions, createClient, etagInList, etagOf, paginate } from './client.ts';

/** A client of a server that sends these responses in turn, and then repeats the last one. */
function clientOf(
  responses: readonly (() => Response | Promise<Response>)[],
  over: Partial<ClientOptions> = {},
) {
  const sent: Request[] = [];
  const answer: typeof fetch = async (input, init) => {
    sent.push(new Request(input));
    init?.signal?.throwIfAborted();
    return responses[Math.min(sent.length, responses.length) - 1]!();
  };
  const bidwell = createClient({
    url: 'https://ads.example.com/',
    key: 'bidwell_key',
    fetch: answer,
    ...over,
  });
  return { bidwell, sent };
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });
const busy = json(429, { data: 'Please wait a moment.' }, { 'retry-after': '0' });
const campaigns = json(200, { data: { campaigns: [] } });
const uuid = '01938f3e-5d20-7c41-9a6b-000000000001';

test('a call has the key, its parameters and its query, and resolves to the data', async () => {
  const { bidwell, sent } = clientOf([json(200, { data: { rows: [] } })]);
  const query = { start_date: '2026-01-01', end_date: '2026-01-02' };
  expect(await bidwell.readCampaignPrices({ params: { uuid }, query })).toEqual({ rows: [] });
  expect(sent).toMatchObject([
    {
      method: 'GET',
      url: `https://ads.example.com/api/internal/campaign/${uuid}/prices?start_date=2026-01-01&end_date=2026-01-02`,
    },
  ]);
  expect(sent[0]!.headers.get('authorization')).toBe('Bearer bidwell_key');
});

test('an error has the sentence of the server, its status, fields and when to try again', async () => {
  const errors = [{ field: 'name', message: 'Required' }];
  const { bidwell } = clientOf([json(422, { data: 'Required', errors })]);
  const failure = bidwell.createTarget({ body: { app_id: uuid, name: '' } });
  await expect(failure).rejects.toThrow(BidwellError);
  await expect(failure).rejects.toMatchObject({ message: 'Required', status: 422, fields: errors });
  const limited = clientOf([json(429, { data: 'Wait.' }, { 'retry-after': '900' })]).bidwell.listCampaigns();
  await expect(limited).rejects.toMatchObject({ status: 429, retryAfterSeconds: 900 });
  const html = clientOf([
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  ]).bidwell.listCampaigns();
  await expect(html).rejects.toMatchObject({ status: 502, message: 'The server answered 502' });
});

test('reads are sent again after 429, 503 and a lost connection, three times at most', async () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  const unavailable = json(503, { data: 'Later.' }, { 'retry-after': '0' });
  const { bidwell, sent } = clientOf([lost, busy, unavailable, campaigns]);
  expect(await bidwell.listCampaigns()).toEqual({ campaigns: [] });
  expect(sent).toHaveLength(4);
  const always = clientOf([busy]);
  await expect(always.bidwell.listCampaigns()).rejects.toMatchObject({ status: 429 });
  expect(always.sent).toHaveLength(4);
});

test('a call that creates is sent again with the same idempotency key, other changes and calls that return a secret are not', async () => {
  const unavailable = json(503, { data: 'Later.' }, { 'retry-after': '0' });
  const { bidwell, sent } = clientOf([unavailable, json(201, { data: { uuid } })]);
  await bidwell.createTarget({ body: { app_id: uuid, name: 'Everyone' } });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  await bidwell.createTarget({ body: { app_id: uuid, name: 'Everyone' } }, { idempotencyKey: 'target-1' });
  expect(sent.at(-1)!.headers.get('idempotency-key')).toBe('target-1');
  const secret = clientOf([unavailable]);
  const channel = { type: 'webhook', name: 'Hook', url: 'https://example.com' } as const;
  const failure = secret.bidwell.createAlertChannel({ body: { ...channel, kinds: ['balance'] } });
  await expect(failure).rejects.toMatchObject({ status: 503 });
  expect(secret.sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([null]);
  const withKey = secret.bidwell.createAlertChannel(
    { body: { ...channel, kinds: ['balance'] } },
    { idempotencyKey: 'channel-1' },
  );
  await expect(withKey).rejects.toThrow('createAlertChannel takes no idempotencyKey');
  const changing = clientOf([unavailable]);
  await expect(changing.bidwell.startCampaign({ params: { uuid } })).rejects.toMatchObject({ status: 503 });
  expect(changing.sent).toHaveLength(1);
});

test('any call is sent again after 429 when the server says, since it was not carried out', async () => {
  const soon = new Date(Date.now() - 1000).toUTCString();
  const started = clientOf([
    busy,
    json(429, { data: 'Wait.' }, { 'retry-after': soon }),
    json(200, { data: {} }),
  ]);
  await started.bidwell.startCampaign({ params: { uuid } });
  expect(started.sent).toHaveLength(3);
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const later = clientOf([json(429, { data: 'Wait.' }, { 'retry-after': inAnHour })]);
  const failure = later.bidwell.startCampaign({ params: { uuid } }).catch((error: BidwellError) => error);
  const { retryAfterSeconds } = (await failure) as BidwellError;
  expect(retryAfterSeconds).toBeGreaterThan(3590);
  expect(retryAfterSeconds).toBeLessThanOrEqual(3600);
  expect(later.sent).toHaveLength(1);
});

test('a call ends with its signal, also while it waits to be sent again, and after its time', async () => {
  const controller = new AbortController();
  const { bidwell, sent } = clientOf([json(503, { data: 'Later.' }, { 'retry-after': '50' })]);
  const waiting = bidwell.listCampaigns({}, { signal: controller.signal });
  await expect.poll(() => sent.length).toBe(1);
  controller.abort(new Error('Enough'));
  await expect(waiting).rejects.toMatchObject({ status: 0, message: 'The call was not answered: Enough' });
  const hanging: typeof fetch = async (_input, { signal } = {}) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  const slow = clientOf([], { fetch: hanging, timeoutMs: 1, retries: 0 }).bidwell.listCampaigns();
  await expect(slow).rejects.toMatchObject({ status: 0, message: expect.stringContaining('in time') });
});

test('a file is the response itself, a form is sent as it is', async () => {
  const { bidwell, sent } = clientOf([() => new Response('campaign,spends\n')]);
  const file = await bidwell.exportReport({
    body: { start_date: '2026-01-01', end_date: '2026-01-02', levels: { campaign: '' } },
  });
  expect(await file.text()).toBe('campaign,spends\n');
  const upload = clientOf([json(201, { data: { uuid } })]);
  const form = new FormData();
  form.append('name', 'Banner');
  await upload.bidwell.uploadCreative({ form });
  expect(upload.sent[0]!.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
  expect([...(await upload.sent[0]!.formData())]).toEqual([...form]);
  expect(sent[0]!.headers.get('content-type')).toBe('application/json');
});

test('a file that is still read ends with the signal of its call', async () => {
  const server = createServer((_request, response) => response.write('campaign,spends\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const controller = new AbortController();
  const file = await createClient({ url, key: 'bidwell_key' }).exportReport(
    { body: { start_date: '2026-01-01', end_date: '2026-01-02', levels: { campaign: '' } } },
    { signal: controller.signal },
  );
  const reading = file.text();
  // The request of the call is not needed any more.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    collectGarbage();
  }
  controller.abort(new Error('Enough'));
  await expect(reading).rejects.toThrow('Enough');
});

test('an entity has its ETag, and a change of it is made of that version only', async () => {
  const target = (name: string, etag: string) => json(200, { data: { uuid, name } }, { etag });
  const { bidwell, sent } = clientOf([target('Germany', '"one"'), target('Austria', '"two"')]);
  const read = await bidwell.readTarget({ params: { uuid } });
  expect(etagOf(read)).toBe('"one"');
  const body = { name: 'Austria' };
  const changed = await bidwell.updateTarget({ params: { uuid }, body }, { ifMatch: etagOf(read) });
  expect([changed.name, etagOf(changed)]).toEqual(['Austria', '"two"']);
  expect(sent.map(({ headers }) => headers.get('if-match'))).toEqual([null, '"one"']);
  // A copy may have been changed.
  expect(() => etagOf({ ...read })).toThrow(TypeError);
});

test('the ETag of an entity in a list equals the server’s, without the fields that change by themselves', () => {
  const channel = { name: 'Für Ada \u{1F600}', kinds: ['balance', 'anomaly'], nested: { b: 1, a: null } };
  // FNV-1a of 64 bits of the canonical JSON, as docs/api.md says.
  let hash = 0xcbf29ce484222325n;
  const canonical = '{"kinds":["balance","anomaly"],"name":"Für Ada \u{1F600}","nested":{"a":null,"b":1}}';
  for (const byte of new TextEncoder().encode(canonical))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  for (const entity of [channel, { ...channel, delivered_at: '2026-01-01', failing_since: 'x' }])
    expect(etagInList('updateAlertChannel', entity)).toBe(`"${hash.toString(16).padStart(16, '0')}"`);
  expect(etagInList('deleteAlertChannel', { ...channel, failing_since: 'x' })).toBe(
    etagInList('updateAlertChannel', channel),
  );
});

test('a change of a version is sent once, and a call that takes no version refuses one', async () => {
  const lost = () => Promise.reject(new TypeError('fetch failed'));
  for (const [response, status] of [
    [lost, 0],
    [json(503, { data: 'Later.' }, { 'retry-after': '0' }), 503],
    [json(412, { data: 'Changed.' }), 412],
  ] as const) {
    const { bidwell, sent } = clientOf([response]);
    const failure = bidwell.updateTarget({ params: { uuid }, body: {} }, { ifMatch: '"one"' });
    await expect(failure).rejects.toMatchObject({ status });
    expect([status, sent.length]).toEqual([status, 1]);
  }
  const { bidwell, sent } = clientOf([campaigns]);
  // @ts-expect-error -- it reads
  await expect(bidwell.listCampaigns({}, { ifMatch: '"one"' })).rejects.toThrow(TypeError);
  // @ts-expect-error -- its result is the requested one, for any entity
  await expect(bidwell.startCampaign({ params: { uuid } }, { ifMatch: '"one"' })).rejects.toThrow(TypeError);
  expect(sent).toHaveLength(0);
});

test('a list of pages is read to its end', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'];
  const read = async (page: number) => ({ total: all.length, items: all.slice((page - 1) * 2, page * 2) });
  const found: string[] = [];
  for await (const item of paginate(read, ({ items }) => items)) found.push(item);
  expect(found).toEqual(all);
  const none = paginate(
    async () => ({ total: 3, items: [] as string[] }),
    ({ items }) => items,
  );
  expect(await none.next()).toEqual({ done: true, value: undefined });
});
