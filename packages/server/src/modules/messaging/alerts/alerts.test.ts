import type { NotificationKind } from '@bidwell/contract/alerts/kinds';
import { createHmac } from 'node:crypto';
import type { AlertMessage } from '@bidwell/contract/alerts/schema';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { beforeEach, expect, test } from 'vitest';
import type { PostMessage, PostedMessage } from '../../../platform/outbound/post-message.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { createMessenger } from '../messenger.ts';
import { notify } from '../notifications/service.ts';
import { adoptDeliveries, alertMessages } from './channel-messages.ts';
import { deleteExpiredDeliveries } from './deliveries.ts';
import { planAlerts } from './plan-alerts.ts';

interface Posted {
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const HOUR_MS = 3_600_000;
const ok: PostedMessage = { status: 204, start: '', failure: null };
const broken: PostedMessage = { status: 500, start: 'Not today', failure: null };
let posted: Posted[] = [];
let answer: (address: string) => PostedMessage | Promise<PostedMessage> = () => ok;
const postMessage: PostMessage = async (address, message) => {
  posted.push({ address, ...message });
  return answer(address);
};
// Alerts are written and sent where a test says so.
const app = await testApp({ LOG_LEVEL: 'silent' }, undefined, { postMessage, alertsEveryMs: 3_600_000 });
const createAlertSender = (ctx: typeof app.ctx, stopMs = 1000) =>
  createMessenger(ctx, [alertMessages], { stopMs });
const sender = createAlertSender(app.ctx);

beforeEach(() => {
  posted = [];
  answer = () => ok;
  app.clock.now = new Date();
});

const hook = (path: string) => ({
  type: 'webhook',
  name: 'Ours',
  url: `https://alerts.example/${path}`,
  kinds: ['balance', 'anomaly'],
});

async function addChannel(company: TestCompany, body: object) {
  const { status, data } = await company.call('POST', '/alerts/channels', body);
  expect(status).toBe(201);
  return data;
}

async function happens(
  { companyId }: TestCompany,
  kind: NotificationKind = 'balance',
  title = 'Balance used up',
) {
  await transact(app.ctx.db, async (tx) =>
    notify(app.ctx, tx, companyId, { kind, severity: 'critical', title, text: 'No bids.' }),
  );
}

/** Writes and sends all that is due. */
async function send() {
  await planAlerts(app.ctx);
  await sender.tick();
  await sender.idle();
}

/** The posts to an address: other tests' companies have deliveries too. */
const postedTo = (path: string) => posted.filter(({ address }) => address.endsWith(`/${path}`));
const deliveries = async (company: TestCompany, { uuid }: { uuid: string }) =>
  (await company.call('GET', `/alerts/channels/${uuid}/deliveries`)).data.deliveries;
const channelOf = async (company: TestCompany) =>
  (await company.call('GET', '/alerts/channels')).data.channels[0];

test('a webhook gets the alerts of its kinds, signed by its secret as Standard Webhooks says', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('signed'));
  await happens(company);
  await happens(company, 'moderation', 'App approved');
  await send();
  const [{ headers, body }] = postedTo('signed') as [Posted];
  expect(postedTo('signed')).toHaveLength(1);
  expect(JSON.parse(body)).toMatchObject({
    type: 'alert.balance',
    data: {
      company_uuid: company.companyId,
      title: 'Balance used up',
      text: 'No bids.',
      severity: 'critical',
    },
  });
  const key = Buffer.from(made.signing_secret.replace('whsec_', ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(app.clock.now.getTime() / 1000)));
  expect(await deliveries(company, made)).toMatchObject([
    { status: 'delivered', attempts: 1, response_status: 204, next_attempt_at: null },
  ]);
});

test('Slack and Telegram get a text in which names cannot mention or hide anything', async () => {
  const company = await app.freshCompany();
  await company.call('PUT', `/company/${company.companyId}`, {
    name: '<!channel> @here https://evil.example & co',
  });
  const slack = await addChannel(company, {
    type: 'slack',
    name: 'Slack',
    url: 'https://hooks.slack.example/services/T0/B0/secretslack',
    kinds: ['balance'],
  });
  const token = '123456:ABC-def_ghi-jkl-mno-pqr-stu';
  const telegram = await addChannel(company, {
    type: 'telegram',
    name: 'Telegram',
    bot_token: token,
    chat_id: '-100123',
    kinds: ['balance'],
  });
  expect([slack.target, telegram.target]).toEqual(['hooks.slack.example/…lack', '-100123']);
  await happens(company);
  await send();
  await send();
  const bodies = posted.map(({ address, body }) => [address, JSON.parse(body)]);
  expect(bodies).toContainEqual([
    'https://hooks.slack.example/services/T0/B0/secretslack',
    {
      text: 'Balance used up (&lt;!channel&gt; @ here https: //evil.\u2060example &amp; co)\nNo bids.',
      unfurl_links: false,
      unfurl_media: false,
    },
  ]);
  expect(bodies).toContainEqual([
    `https://api.telegram.org/bot${token}/sendMessage`,
    expect.objectContaining({
      chat_id: '-100123',
      text: 'Balance used up (<!channel> @ here https: //evil.\u2060example & co)\nNo bids.',
    }),
  ]);
});

test('the secret of a channel is in no later response, nor in the database or the change log', async () => {
  const company = await app.freshCompany();
  const url = 'https://hooks.slack.example/services/T0/B0/hidden';
  await addChannel(company, { type: 'slack', name: 'Slack', url, kinds: [] });
  const { signing_secret: secret } = await addChannel(company, hook('hidden'));
  const rows = await app.ctx.db.selectFrom('alert_channels').selectAll().execute();
  const all = [
    rows,
    (await company.call('GET', '/alerts/channels')).data,
    (await company.call('GET', `/company/${company.companyId}/changes`)).data,
  ];
  for (const text of all.map((each) => JSON.stringify(each))) {
    expect(text).not.toContain('T0/B0/hidden');
    expect(text).not.toContain(secret.replace('whsec_', ''));
  }
});

test('a delivery that fails is tried again for a day with longer and longer delays, with the same id', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('down'));
  answer = () => broken;
  const begun = app.clock.now.getTime();
  await happens(company);
  await send();
  expect(await deliveries(company, made)).toMatchObject([
    { status: 'waiting', attempts: 1, response_status: 500, response_start: 'Not today' },
  ]);
  expect((await channelOf(company)).failing_since).toBe(app.clock.now.toISOString());
  await send();
  expect(postedTo('down')).toHaveLength(1);
  const row = async () =>
    app.ctx.db
      .selectFrom('alert_deliveries')
      .select(['status', 'next_attempt_at'])
      .where('channel_uuid', '=', made.uuid)
      .executeTakeFirstOrThrow();
  for (let state = await row(); state.next_attempt_at; state = await row()) {
    app.clock.now = state.next_attempt_at;
    await send();
  }
  expect((await row()).status).toBe('failed');
  const hours = (app.clock.now.getTime() - begun) / HOUR_MS;
  expect(hours).toBeGreaterThan(23);
  expect(hours).toBeLessThan(28);
  expect(postedTo('down')).toHaveLength(11);
  expect(new Set(postedTo('down').map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('a delivery that an error of this server prevents each time is given up, says so, and is not begun again', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('errors'));
  await happens(company);
  answer = () => {
    throw new Error('a fault of this server');
  };
  for (let tries = 0; tries < 12; tries += 1) {
    await send();
    app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  }
  const tried = postedTo('errors').length;
  expect(tried).toBe(11);
  await adoptDeliveries(app.ctx);
  await send();
  expect(postedTo('errors')).toHaveLength(tried);
  expect(await deliveries(company, made)).toMatchObject([
    {
      status: 'failed',
      next_attempt_at: null,
      error: 'It could not be sent because of an error on our side.',
    },
  ]);
});

test('a delivery is replayed with its id and is then delivered', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('again'));
  await company.call('POST', `/alerts/channels/${made.uuid}/test`);
  await send();
  const [{ uuid, kind, title }] = await deliveries(company, made);
  expect([kind, title]).toEqual(['alert.test', 'Test alert']);
  expect((await company.call('POST', `/alerts/deliveries/${uuid}/replay`)).data).toMatchObject({
    uuid,
    status: 'waiting',
  });
  expect((await company.call('POST', `/alerts/deliveries/${uuid}/replay`)).status).toBe(409);
  await send();
  expect(postedTo('again').map(({ headers }) => headers['webhook-id'])).toEqual([uuid, uuid]);
  expect(await deliveries(company, made)).toMatchObject([{ uuid, status: 'delivered' }]);
});

test('a channel that fails for three days, or is gone, is switched off with a notification; on again, it works', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('gone'));
  answer = () => broken;
  await happens(company);
  await send();
  app.clock.now = new Date(app.clock.now.getTime() + 73 * HOUR_MS);
  await send();
  const off = { is_enabled: false, is_given_up: true };
  // Read directly: the session expires when the clock is moved.
  const rows = async () =>
    app.ctx.db.selectFrom('alert_channels').selectAll().where('uuid', '=', made.uuid).execute();
  expect(await rows()).toMatchObject([off]);
  const told = await app.ctx.db
    .selectFrom('notifications')
    .select(['title', 'entity_uuid'])
    .where('company_uuid', '=', company.companyId)
    .where('kind', '=', 'alert_channel')
    .execute();
  expect(told).toEqual([{ title: 'Alert channel switched off', entity_uuid: made.uuid }]);

  const other = await app.freshCompany();
  const second = await addChannel(other, hook('gone-at-once'));
  answer = () => ({ status: 410, start: '', failure: null });
  await other.call('POST', `/alerts/channels/${second.uuid}/test`);
  await send();
  expect(await channelOf(other)).toMatchObject(off);
  expect((await other.call('POST', `/alerts/channels/${second.uuid}/test`)).status).toBe(409);
  answer = () => ok;
  await other.call('PATCH', `/alerts/channels/${second.uuid}`, { is_enabled: true });
  await other.call('POST', `/alerts/channels/${second.uuid}/test`);
  await send();
  expect(await channelOf(other)).toMatchObject({ is_enabled: true, is_given_up: false, failing_since: null });
});

test("a receiver that hangs delays neither another company's alerts nor its own other channels", async () => {
  const [slow, fast] = [await app.freshCompany(), await app.freshCompany()];
  await addChannel(slow, hook('hangs'));
  await addChannel(slow, hook('own-other'));
  await addChannel(fast, hook('quick'));
  let release = () => {};
  const hanging = new Promise<PostedMessage>((resolve) => {
    release = () => resolve({ status: null, start: '', failure: 'timeout' });
  });
  answer = (address) => (address.endsWith('/hangs') ? hanging : ok);
  for (let n = 0; n < 5; n += 1) await happens(slow);
  await planAlerts(app.ctx);
  await sender.tick();
  await happens(fast);
  await planAlerts(app.ctx);
  await sender.tick();
  await expect.poll(() => postedTo('quick').length).toBe(1);
  await expect.poll(() => postedTo('own-other').length).toBeGreaterThan(0);
  expect(postedTo('hangs')).toHaveLength(1);
  release();
  await sender.idle();
});

test('a process that stops waits a second for receivers that hang, and their alerts are sent by another one', async () => {
  const company = await app.freshCompany();
  await addChannel(company, hook('hangs-at-stop'));
  await happens(company);
  await planAlerts(app.ctx);
  let brokenOff: AbortSignal | undefined;
  const neverAnswered: typeof app.ctx.postMessage = async (_address, _message, signal) => {
    brokenOff = signal;
    return new Promise((resolve) =>
      signal!.addEventListener('abort', () => resolve({ status: null, start: '', failure: 'timeout' })),
    );
  };
  const stopping = createAlertSender({ ...app.ctx, postMessage: neverAnswered }, 10);
  await stopping.tick();
  await expect.poll(() => brokenOff !== undefined).toBe(true);
  await stopping.stop();
  await stopping.tick();
  expect((await channelOf(company)).failing_since).toBeNull();
  answer = () => ok;
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await send();
  expect(postedTo('hangs-at-stop')).toHaveLength(1);
});

test('a delivered alert ends a failure, so that the next one days later starts a new count', async () => {
  const company = await app.freshCompany();
  await addChannel(company, hook('recovers'));
  answer = () => broken;
  await happens(company);
  await send();
  expect((await channelOf(company)).failing_since).toBe(app.clock.now.toISOString());
  answer = () => ok;
  app.clock.now = new Date(app.clock.now.getTime() + 300_000);
  await send();
  expect(await channelOf(company)).toMatchObject({ is_enabled: true, failing_since: null });
});

test('another process sends the alerts that a killed one had begun a minute later', async () => {
  const company = await app.freshCompany();
  await addChannel(company, hook('taken-over'));
  await happens(company);
  answer = () => Promise.reject(new Error('killed'));
  await send();
  answer = () => ok;
  await send();
  expect(postedTo('taken-over')).toHaveLength(1);
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await send();
  expect(postedTo('taken-over')).toHaveLength(2);
});

test('a notification that is rolled back sends nothing, and two servers send each alert once', async () => {
  const company = await app.freshCompany();
  await addChannel(company, hook('once'));
  const undone = transact(app.ctx.db, async (tx) => {
    const alert = { kind: 'balance', severity: 'info', title: 'Never', text: '' } as const;
    await notify(app.ctx, tx, company.companyId, alert);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await happens(company);
  const second = createAlertSender(app.ctx);
  await Promise.all([planAlerts(app.ctx), planAlerts(app.ctx)]);
  await Promise.all([sender.tick(), second.tick()]);
  await Promise.all([sender.idle(), second.idle()]);
  expect(postedTo('once').map(({ body }) => (JSON.parse(body) as AlertMessage).data.title)).toEqual([
    'Balance used up',
  ]);
});

test('at most 500 alerts wait for a channel; further ones are in its log', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('full'));
  for (let n = 0; n < 3; n += 1) await happens(company);
  await app.ctx.db
    .insertInto('alert_deliveries')
    .values(
      Array.from({ length: 499 }, (_, n) => ({
        uuid: `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`,
        company_uuid: company.companyId,
        channel_uuid: made.uuid,
        message: JSON.stringify({ type: 'alert.test', data: { title: 'Waits' } }),
        status: 'waiting' as const,
        attempted_at: null,
        next_attempt_at: new Date(app.clock.now.getTime() + HOUR_MS),
        response_status: null,
        response_start: null,
        error: null,
        created_at: app.clock.now,
      })),
    )
    .execute();
  await planAlerts(app.ctx);
  const all = await app.ctx.db
    .selectFrom('alert_deliveries')
    .select(['status', 'error'])
    .where('channel_uuid', '=', made.uuid)
    .execute();
  expect(all).toHaveLength(502);
  expect(all.filter(({ status }) => status === 'failed').map(({ error }) => error)).toEqual([
    'Too many alerts wait for this channel.',
    'Too many alerts wait for this channel.',
  ]);
});

test('the log of a channel goes on page by page, so that tried deliveries behind a hundred waiting ones are found', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('paged'));
  await happens(company, 'balance', 'First');
  await send();
  for (let n = 0; n < 205; n += 1) await happens(company, 'balance', `Alert ${n}`);
  while (await planAlerts(app.ctx));
  const path = `/alerts/channels/${made.uuid}/deliveries`;
  const pages: { deliveries: { uuid: string; title: string; status: string }[]; next: string | null }[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)!.next)
    pages.push((await company.call('GET', cursor ? `${path}?cursor=${cursor}` : path)).data);
  expect(pages.map((page) => page.deliveries.length)).toEqual([100, 100, 6]);
  const all = pages.flatMap((page) => page.deliveries);
  expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(206);
  expect(all.at(-1)).toMatchObject({ title: 'First', status: 'delivered' });
  expect((await company.call('GET', `${path}?cursor=1`)).status).toBe(422);
  const other = await app.freshCompany();
  const hidden = await addChannel(other, hook('hidden'));
  const read = await other.call('GET', `/alerts/channels/${hidden.uuid}/deliveries?cursor=${pages[0]!.next}`);
  expect(read.data).toEqual({ deliveries: [], next: null });
});

test('deliveries are deleted after thirty days', async () => {
  const company = await app.freshCompany();
  const made = await addChannel(company, hook('old'));
  await company.call('POST', `/alerts/channels/${made.uuid}/test`);
  const count = async () =>
    (
      await app.ctx.db
        .selectFrom('alert_deliveries')
        .where('channel_uuid', '=', made.uuid)
        .select('uuid')
        .execute()
    ).length;
  app.clock.now = new Date(app.clock.now.getTime() + 29 * 24 * HOUR_MS);
  await deleteExpiredDeliveries(app.ctx);
  expect(await count()).toBe(1);
  app.clock.now = new Date(app.clock.now.getTime() + 2 * 24 * HOUR_MS);
  await deleteExpiredDeliveries(app.ctx);
  expect(await count()).toBe(0);
});

test.each([
  ['http', 'http://alerts.example/hook'],
  ['a user', 'https://user:pass@alerts.example/'],
  ['another scheme', 'ftp://alerts.example/'],
  ['no address', 'alerts.example'],
  ['a private host', 'https://10.0.0.7/hook'],
  ['this host', 'https://localhost/hook'],
  ['a name of the own network', 'https://chat:8443/hook'],
  ['another port', 'https://alerts.example:9000/hook'],
])('a webhook at an address with %s is rejected', async (_what, url) => {
  const company = await app.freshCompany();
  const { status, errors } = await company.call('POST', '/alerts/channels', { ...hook('x'), url });
  expect([status, errors[0]?.field]).toEqual([422, 'url']);
});

test('a channel at a private host is not added, and the error names the setting by which operators allow it', async () => {
  const company = await app.freshCompany();
  for (const type of ['webhook', 'slack']) {
    const channel = { ...hook('x'), type, url: 'https://192.168.1.20:8443/hook' };
    const { errors } = await company.call('POST', '/alerts/channels', channel);
    expect(errors[0]!.message).toMatch(/^Enter an address on the public internet.* ALERT_INTERNAL_HOSTS\.$/);
  }
  expect((await company.call('GET', '/alerts/channels')).data.channels).toEqual([]);
});
