import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { multipart } from '@bidwell/testing/api-cases/case';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';
import { once } from './idempotency.ts';

const app = await testApp();
const aMinuteAgo = () => new Date(app.clock.now.getTime() - 61_000);
const under = (key: string) => ({ 'idempotency-key': key });
const appsOf = async (company: Awaited<ReturnType<typeof app.freshCompany>>) =>
  (await company.call('GET', '/app')).data.apps as { uuid: string }[];

test('the same key and body return the first result again', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  const first = await company.call('POST', '/app', body, under('one'));
  const again = await company.call('POST', '/app', body, under('one'));
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.data).toEqual(first.data);
  expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
  expect(await appsOf(company)).toHaveLength(1);
});

test('the same key with another body or call is a conflict', async () => {
  const company = await app.freshCompany();
  const uuid = (await company.call('POST', '/app', appBody(), under('two'))).data.uuid;
  const conflict = { status: 409, data: 'This Idempotency-Key was used with another request.' };
  expect(await company.call('POST', '/app', appBody(), under('two'))).toMatchObject(conflict);
  const target = { app_id: uuid, name: 'Everyone' };
  expect(await company.call('POST', '/target', target, under('two'))).toMatchObject(conflict);
  expect(await appsOf(company)).toHaveLength(1);
});

test('a call whose response has a secret says that it takes no key, and is not carried out', async () => {
  const company = await app.freshCompany();
  const channel = { type: 'webhook', name: 'Ours', url: 'https://hooks.example.com/a', kinds: ['balance'] };
  for (const [path, body] of [
    ['/alerts/channels', channel],
    ['/postbacks/secret', undefined],
    ['/api_tokens', { name: 'Nightly', scopes: ['read'] }],
  ] as const)
    expect(await company.call('POST', path, body, under('secret'))).toMatchObject({
      status: 400,
      data: expect.stringMatching(/^This call takes no Idempotency-Key: its response has a secret/),
    });
  expect((await company.call('GET', '/alerts/channels')).data.channels).toEqual([]);
});

test('twenty concurrent requests create one entity, and all get it', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => company.call('POST', '/app', body, under('at-once'))),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(new Set(responses.map(({ data }) => data.uuid)).size).toBe(1);
  expect(await appsOf(company)).toHaveLength(1);
});

test('a key belongs to one company', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const body = appBody();
  const mine = await company.call('POST', '/app', body, under('shared'));
  const theirs = await stranger.call('POST', '/app', body, under('shared'));
  expect(theirs.status).toBe(201);
  expect(theirs.data.uuid).not.toBe(mine.data.uuid);
});

test('a failed request leaves its key unused', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  await make(company, '/app', body);
  expect((await company.call('POST', '/app', body, under('retry'))).status).toBe(409);
  expect((await company.call('POST', '/app', { name: 'Only' }, under('retry'))).status).toBe(422);
  expect((await company.call('POST', '/app', appBody(), under('retry'))).status).toBe(201);
});

test('a call that a killed process carried out is not carried out again', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  const { uuid } = (await company.call('POST', '/app', body, under('killed'))).data;
  // The process ended between the transaction and its response.
  await app.ctx.db
    .updateTable('idempotency_keys')
    .set({ state: 'committed', answer: null, claimed_at: aMinuteAgo() })
    .where('company_uuid', '=', company.companyId)
    .execute();
  const again = company.call('POST', '/app', body, under('killed'));
  expect((await again).status).toBe(409);
  expect((await appsOf(company)).map((one) => one.uuid)).toEqual([uuid]);
});

test('a key whose request was killed before its change is free within seconds', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  // As the process left it: begun, and not renewed since.
  const killed = async (renewedSecondsAgo: number) => {
    await app.ctx.db
      .updateTable('idempotency_keys')
      .set({
        state: 'running',
        answer: null,
        renewed_at: sql`clock_timestamp() - make_interval(secs => ${renewedSecondsAgo})`,
      })
      .where('company_uuid', '=', company.companyId)
      .execute();
  };
  const first = await company.call('POST', '/app', body, under('dead'));
  await company.call('DELETE', '/app/batch', { uuids: [first.data.uuid] });
  // A repetition that comes before waits for it.
  await killed(4);
  const again = await company.call('POST', '/app', body, under('dead'));
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  expect((await company.call('POST', '/app', body, under('dead'))).data).toEqual(again.data);
  expect(await appsOf(company)).toHaveLength(1);
});

test('a repetition of a request that runs for long says when to try again', async () => {
  const { companyId } = await app.freshCompany();
  const use = { companyId, key: 'long', fingerprint: 'the same' };
  let finish = () => {};
  const store = { db: app.ctx.db, now: () => app.clock.now, waitMsMax: 0 };
  let first: Promise<object> | undefined;
  // The repetition comes after the first has claimed the key and begun its work.
  await new Promise<void>((begun) => {
    const work = async () =>
      new Promise<object>((resolve) => {
        finish = () => resolve({});
        begun();
      });
    first = once(store, use, work);
  });
  await expect(once(store, use, async () => ({}))).rejects.toMatchObject({
    message: 'A request with this Idempotency-Key is still running. Please try again in a moment.',
    retryAfterSeconds: 5,
  });
  finish();
  // It changed nothing in a transaction, which would have marked the key.
  await first;
});

test('a key whose request never ended is taken over after a minute', async () => {
  const company = await app.freshCompany();
  const body = appBody();
  const first = await company.call('POST', '/app', body, under('hung'));
  await app.ctx.db
    .updateTable('idempotency_keys')
    .set({ state: 'running', answer: null, claimed_at: aMinuteAgo() })
    .where('company_uuid', '=', company.companyId)
    .execute();
  await company.call('DELETE', '/app/batch', { uuids: [first.data.uuid] });
  expect((await company.call('POST', '/app', body, under('hung'))).status).toBe(201);
  expect(await appsOf(company)).toHaveLength(1);
});

test('an upload is identified by its fields and its file, with any multipart boundary', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const upload = async (over: object = {}) => {
    const banner = { name: 'b.png', content: await picture(320, 50) };
    const parts = { name: 'Banner', type: 'Banner', app_id: appUuid, banner, ...over };
    const path = '/v2/internal_creative';
    // Each form has its own boundary.
    return app.http.inject(await multipart('POST', path, company, parts, under('upload')));
  };
  const [first, again] = [await upload(), await upload()];
  expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
  expect(again.json()).toEqual(first.json());
  expect(again.headers['idempotent-replayed']).toBe('true');
  const otherFile = { banner: { name: 'b.png', content: await picture(300, 250) } };
  for (const over of [{ name: 'Other' }, otherFile]) expect((await upload(over)).statusCode).toBe(409);
  const { data } = await company.call('GET', '/internal_creative');
  expect(data.internal_creatives).toHaveLength(1);
});

test.each(['', 'with space', 'ü', 'x'.repeat(256)])('the key "%s" is rejected', async (key) => {
  const company = await app.freshCompany();
  const response = await company.call('POST', '/app', appBody(), under(key));
  expect(response).toMatchObject({
    status: 400,
    data: 'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  });
});

test('in any order and number of repetitions, each key creates one top-up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }),
      async (order) => {
        const company = await app.freshCompany();
        const calls = order.map((number) =>
          company.call('POST', '/finance/top_up', { amount: 10 + number }, under(`key-${number}`)),
        );
        for (const { status } of await Promise.all(calls)) expect(status).toBe(201);
        const { data } = await company.call('GET', '/finance/transactions');
        expect(data.total).toBe(new Set(order).size);
      },
    ),
    runs(10),
  );
});

test('an operator’s key is carried out once, also concurrently, and returns the same result', async () => {
  const { companyId, call } = await app.freshCompany();
  const credit = (reason: string) =>
    app.operator('POST', `/companies/${companyId}/credit`, { amount: 25, reason }, under(`op-${companyId}`));
  const responses = await Promise.all(Array.from({ length: 10 }, () => credit('Trial')));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(new Set(responses.map(({ data }) => data.uuid)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(9);
  expect((await call('GET', '/finance/balance')).data.balance).toBe(25);
  const conflict = { status: 409, data: 'This Idempotency-Key was used with another request.' };
  expect(await credit('Another')).toMatchObject(conflict);
});

test('an operator’s key for one company is independent of those for other companies, and of a company’s own keys', async () => {
  const [one, other] = [await app.freshCompany(), await app.freshCompany()];
  const key = under(`op-${one.companyId}`);
  const credit = ({ companyId }: typeof one) =>
    app.operator('POST', `/companies/${companyId}/credit`, { amount: 5, reason: 'Trial' }, key);
  expect((await credit(one)).status).toBe(201);
  expect((await credit(other)).status).toBe(409);
  expect((await one.call('POST', '/finance/top_up', { amount: 5 }, key)).status).toBe(201);
});

test('a failed write of an operator leaves its key unused, and a decision is repeated by its key alone', async () => {
  const company = await app.freshCompany();
  const key = under(`op-${company.companyId}`);
  const debit = () =>
    app.operator('POST', `/companies/${company.companyId}/debit`, { amount: 5, reason: 'Back' }, key);
  expect((await debit()).status).toBe(409);
  await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 9, reason: 'Trial' });
  expect((await debit()).status).toBe(201);
  const topUp = (await company.call('POST', '/finance/top_up', { amount: 10 })).data.uuid;
  const decide = (headers: Record<string, string>) =>
    app.operator('POST', `/top-ups/${topUp}/decision`, { status: 'success' }, headers);
  const decided = under(`decide-${topUp}`);
  const first = await decide(decided);
  expect(await decide(decided)).toMatchObject({ status: 200, data: first.data });
  expect((await decide({})).status).toBe(409);
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(14);
});
