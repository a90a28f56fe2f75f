import { expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { approveApp, changesOf, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { loadAdsets } from '../../delivery/snapshot/adset-store.ts';
import { freshAddress } from '@bidwell/testing/api-cases/case';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();

const paths = [
  ['GET', '/companies'],
  ['GET', '/moderation'],
  ['GET', '/top-ups'],
  ['GET', '/ssps'],
  ['PUT', '/ssps/somebody'],
  ['POST', `/companies/${uuidv7()}/credit`],
] as const;

test("operator calls require the operator's token, and reject an advertiser's", async () => {
  const { token } = await app.freshCompany();
  const { operatorToken } = app.ctx.config;
  for (const authorization of ['', 'Bearer ', `Bearer ${token}`, operatorToken, `Bearer ${operatorToken}x`]) {
    for (const [method, path] of paths) {
      const url = `/api/operator${path}`;
      // Each request from its own address, since wrong tokens are rate-limited by address.
      const response = await app.http.inject({
        method,
        url,
        headers: { authorization },
        remoteAddress: freshAddress(),
      });
      expect([method, path, response.statusCode]).toEqual([method, path, 401]);
      expect(response.json()).toEqual({ data: 'The operator token is wrong.' });
    }
  }
});

test("the operator's token is not a session of an advertiser", async () => {
  const headers = { authorization: `Bearer ${app.ctx.config.operatorToken}` };
  expect((await app.http.inject({ url: '/api/internal/app', headers })).statusCode).toBe(401);
});

test('companies are listed with their logins and balances', async () => {
  const company = await app.freshCompany();
  await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 12.5, reason: 'Trial' });
  const { data } = await app.operator('GET', '/companies');
  const mine = data.companies.find(({ uuid }: { uuid: string }) => uuid === company.companyId);
  expect(mine).toMatchObject({ name: 'Test Er', balance: 12.5, suspended: false, time_zone: 'UTC' });
  expect(mine.logins).toHaveLength(1);
  expect((await app.operator('GET', `/companies/${company.companyId}`)).data).toEqual(mine);
  expect(await app.operator('GET', `/companies/${uuidv7()}`)).toMatchObject({
    status: 404,
    data: 'Company not found',
  });
});

test('money is credited and debited, with a reason and not below zero', async () => {
  const { companyId, call } = await app.freshCompany();
  const move = (kind: string, body: object) => app.operator('POST', `/companies/${companyId}/${kind}`, body);
  expect(await move('credit', { amount: 20, reason: 'Trial' })).toMatchObject({
    status: 201,
    data: { amount: 20, status: 'success' },
  });
  expect(await move('debit', { amount: 5.25, reason: 'Correction' })).toMatchObject({
    data: { amount: -5.25 },
  });
  expect((await call('GET', '/finance/balance')).data.balance).toBe(14.75);
  expect(await move('debit', { amount: 15, reason: 'Too much' })).toMatchObject({
    status: 409,
    data: 'The balance is only $14.75',
  });
  for (const [body, field] of [
    [{ amount: 0, reason: 'x' }, 'amount'],
    [{ amount: -1, reason: 'x' }, 'amount'],
    [{ amount: '5', reason: 'x' }, 'amount'],
    [{ amount: 0.000_000_1, reason: 'x' }, 'amount'],
    [{ amount: 5, reason: ' ' }, 'reason'],
  ] as const) {
    const response = await move('credit', body);
    expect([response.status, response.errors[0]?.field]).toEqual([422, field]);
  }
  const unknown = await app.operator('POST', `/companies/${uuidv7()}/credit`, { amount: 1, reason: 'x' });
  expect(unknown.status).toBe(404);
});

async function running(company: TestCompany): Promise<string> {
  const { appUuid, body } = await makeAdsetParts(app, company);
  const adsetUuid = await make(company, '/adset', body);
  const campaign = { name: 'Launch', app_uuid: appUuid, adset_uuids: [adsetUuid] };
  const uuid = await make(company, '/campaign', campaign);
  await approveApp(app, appUuid);
  await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 10, reason: 'Trial' });
  expect((await company.call('POST', `/campaign/${uuid}/start`)).status).toBe(200);
  return adsetUuid;
}

test('a suspended company does not bid until it is resumed, and is notified', async () => {
  const company = await app.freshCompany();
  const adsetUuid = await running(company);
  const bids = async () => {
    const adsets = await loadAdsets(app.ctx.db, [company.companyId]);
    return (adsets.get(company.companyId) ?? []).some(({ adsetId }) => adsetId === adsetUuid);
  };
  expect(await bids()).toBe(true);
  const path = `/companies/${company.companyId}/suspension`;
  expect((await app.operator('PUT', path, { suspended: true })).data.suspended).toBe(true);
  expect(await bids()).toBe(false);
  expect((await app.operator('PUT', path, { suspended: true })).data.suspended).toBe(true);
  expect((await app.operator('PUT', path, { suspended: false })).data.suspended).toBe(false);
  expect(await bids()).toBe(true);
  const decided = (await changesOf(app, company, company.companyId)).filter(
    ({ action }) => action === 'decide',
  );
  expect(decided.map(({ fields }) => fields)).toEqual([
    [{ field: 'suspended', before: false, after: true }],
    [{ field: 'suspended', before: true, after: false }],
  ]);
  const notices = async () =>
    (await company.call('GET', '/notifications')).data.map(
      ({ title, read }: { title: string; read: boolean }) => [title, read],
    );
  // The console shows the unread one above every screen.
  expect(await notices()).toEqual([
    ['Company resumed', false],
    ['Company suspended', true],
  ]);
  await app.operator('PUT', path, { suspended: true });
  expect(await notices()).toEqual([
    ['Company suspended', false],
    ['Company resumed', true],
    ['Company suspended', true],
  ]);
});

test('an exchange is added, changed and listed', async () => {
  expect(await app.operator('PUT', '/ssps/alpha', { name: 'Alpha' })).toMatchObject({
    status: 200,
    data: { slug: 'alpha', name: 'Alpha', charge_on: 'billing', active: true },
  });
  const changed = { name: 'Alpha Two', charge_on: 'win', active: false };
  await app.operator('PUT', '/ssps/alpha', changed);
  expect((await app.operator('GET', '/ssps')).data.ssps).toContainEqual({
    slug: 'alpha',
    ...changed,
    profile: 'openrtb',
    profile_changes: [],
    auction_type: 'request',
    click_macro: '',
    price_macro: '${AUCTION_PRICE}',
    loss_macro: '${AUCTION_LOSS}',
    price_format: 'plain',
    decimal_comma: false,
    unreadable_price: 'bid',
    device_notices: 'none',
    has_price_keys: false,
    timeout_ms: null,
    requests_per_second: null,
    answer_bytes_max: null,
    seat: 'bidwell',
    open: false,
    secret: expect.any(String),
    path: expect.stringMatching(/^\/openrtb\/alpha\/.{16}/),
    previous_secret_until: null,
  });
  expect((await app.operator('PUT', '/ssps/alpha', { name: '' })).status).toBe(422);
  expect((await app.operator('PUT', '/ssps/Not%20A%20Slug', { name: 'x' })).status).toBe(404);
});

test('the keys of encrypted prices are stored, never returned, and unchanged if absent', async () => {
  const settings = { name: 'Encrypted', price_format: 'google-encrypted' };
  const missing = await app.operator('PUT', '/ssps/encrypted', settings);
  expect([missing.status, missing.errors.map(({ field }) => field)]).toEqual([
    422,
    ['price_encryption_key', 'price_integrity_key'],
  ]);
  const keys = {
    price_encryption_key: 'skU7Ax_NL5pPAFyKdkfZjZz2-VhIN8bjj1rVFOaJ_5o=',
    price_integrity_key: Buffer.from('arO23ykdNqUQ5LEoQ0FVmPkBd7xB5CO89PDZlSjpFxo=', 'base64url').toString(
      'hex',
    ),
  };
  const responses = [
    await app.operator('PUT', '/ssps/encrypted', { ...settings, ...keys }),
    await app.operator('PUT', '/ssps/encrypted', { ...settings, name: 'Still encrypted' }),
    await app.operator('GET', '/ssps'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(responses[1]!.data).toMatchObject({ price_format: 'google-encrypted', has_price_keys: true });
  for (const response of responses)
    for (const part of ['skU7Ax', 'price_encryption_key', 'price_integrity_key', keys.price_integrity_key])
      expect(JSON.stringify(response)).not.toContain(part);
});

test.each([
  ['price_format', 'secret'],
  ['unreadable_price', 'guess'],
  ['device_notices', 'win'],
  ['price_integrity_key', 'too-short'],
  ['auction_type', 'third'],
  ['charge_on', 'never'],
  ['timeout_ms', 0],
  ['requests_per_second', 1.5],
  ['secret', 'short'],
  ['secret', 'with/slashes-and-more'],
  ['click_macro', 'x'.repeat(201)],
])('an exchange cannot be configured with %s %j', async (field, value) => {
  const response = await app.operator('PUT', '/ssps/wrong', { name: 'Wrong', [field]: value });
  expect([response.status, response.errors[0]?.field]).toEqual([422, field]);
});

test('currency rates are set and listed', async () => {
  expect(await app.operator('PUT', '/rates/EUR', { dollars: 1.08 })).toMatchObject({
    status: 200,
    data: { currency: 'EUR', dollars: 1.08 },
  });
  await app.operator('PUT', '/rates/EUR', { dollars: 1.1 });
  expect((await app.operator('GET', '/rates')).data.rates).toEqual([{ currency: 'EUR', dollars: 1.1 }]);
  expect((await app.operator('PUT', '/rates/EUR', { dollars: 0 })).status).toBe(422);
  expect((await app.operator('PUT', '/rates/euro', { dollars: 1 })).status).toBe(404);
  expect(await app.operator('PUT', '/rates/USD', { dollars: 2 })).toMatchObject({ status: 422 });
});

test('a field that the terms of a company do not have is an error, and nothing is changed', async () => {
  const { companyId } = await app.freshCompany();
  const body = { credit_limit: 5, margin_percnt: 20 };
  expect(await app.operator('PATCH', `/companies/${companyId}`, body)).toMatchObject({ status: 422 });
  const { data } = await app.operator('GET', `/companies/${companyId}`);
  expect(data.credit_limit).toBe(0);
});

test('a top-up waits, is decided once, and the company is notified', async () => {
  const company = await app.freshCompany();
  const { data: topUp } = await company.call('POST', '/finance/top_up', { amount: 30 });
  const { data } = await app.operator('GET', '/top-ups');
  expect(data.top_ups).toContainEqual(
    expect.objectContaining({ uuid: topUp.uuid, company_uuid: company.companyId, amount: 30 }),
  );
  const path = `/top-ups/${topUp.uuid}/decision`;
  expect((await app.operator('POST', path, { status: 'success' })).data.status).toBe('success');
  expect((await app.operator('POST', path, { status: 'declined' })).status).toBe(409);
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(30);
  expect((await company.call('GET', '/notifications')).data).toMatchObject([{ title: 'Top-up confirmed' }]);
});

test('a notification writes its amount with cents and its thousands apart', async () => {
  const company = await app.freshCompany();
  const { data: topUp } = await company.call('POST', '/finance/top_up', { amount: 4218.4 });
  await app.operator('POST', `/top-ups/${topUp.uuid}/decision`, { status: 'success' });
  expect((await company.call('GET', '/notifications')).data).toMatchObject([
    { text: '$4\u00a0218.40 was added to your balance.' },
  ]);
});
