import { expect, onTestFinished, test, vi } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import type { TestCompany } from '../../testing/test-app.ts';
import type { BidRef } from './event.ts';
import { sampleRef } from './sample-ref.ts';
import { createSigner } from './signing.ts';

const SECRET = 'a signing secret of the postback tests, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET });
const signer = createSigner(SECRET, 'http://bidwell.test');

async function freshAdvertiser() {
  const company = await app.freshCompany();
  const { postback_secret: secret } = await app.engines.db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  const ref = sampleRef({ companyId: company.companyId });
  return { company, secret, ref, clickId: signer.clickIdFor(ref) };
}

const get = (path: string) => app.http.inject({ method: 'GET', url: path });
const post = (path: string, type: string, payload: string) =>
  app.http.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload });

async function installsOf(ref: BidRef): Promise<number> {
  await app.settled();
  const [row] = await app.engines.clickhouse.query<{ installs: number }>(
    "select count() as installs from events where bid_id = {bid:UUID} and kind = 'install'",
    { bid: ref.bidId },
  );
  return row!.installs;
}

/** The raw postbacks kept of a company, once there are `count` of them. */
async function keptOf({ companyId }: TestCompany, count: number) {
  return vi.waitFor(
    async () => {
      const rows = await app.engines.clickhouse.query<{ mmp: string; outcome: string; parameters: string }>(
        'select mmp, outcome, parameters from postbacks where company_id = {company:UUID} order by outcome',
        { company: companyId },
      );
      expect(rows).toHaveLength(count);
      return rows;
    },
    { timeout: 10_000, interval: 20 },
  );
}

const installs = [
  ['appsflyer', 'clickid', { event_name: 'install' }],
  ['adjust', 'click_id', { activity_kind: 'install' }],
  ['appmetrica', 'click_id', { transaction_id: '7' }],
] as const;

test.each(installs)('an install of %s counts by GET, by form and as JSON', async (mmp, name, more) => {
  const { company, secret, ref } = await freshAdvertiser();
  const path = `/postback/${mmp}/${secret}`;
  const refs = [
    ref,
    sampleRef({ companyId: company.companyId }),
    sampleRef({ companyId: company.companyId }),
  ];
  const sent = refs.map((each) => ({ ...more, [name]: signer.clickIdFor(each) }));
  const answers = [
    await get(`${path}?${new URLSearchParams(sent[0]).toString()}`),
    await post(path, 'application/x-www-form-urlencoded', new URLSearchParams(sent[1]).toString()),
    await post(path, 'application/json', JSON.stringify(sent[2])),
  ];
  for (const answer of answers) {
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { outcome: 'stored' } }]);
  }
  for (const each of refs) expect(await installsOf(each)).toBe(1);
  const kept = await keptOf(company, 3);
  expect(kept.map(({ parameters }) => JSON.parse(parameters) as unknown)).toEqual(
    expect.arrayContaining(sent),
  );
});

test('an install that is reported again is answered 200 and counted once', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/appmetrica/${secret}?click_id=${clickId}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(path)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
  const outcomes = answers.map((answer) => answer.json<{ data: { outcome: string } }>().data.outcome);
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
  expect((await get(path)).json()).toEqual({ data: { outcome: 'duplicate' } });
  expect(await installsOf(ref)).toBe(1);
});

test('a wrong secret, an unknown partner and a bare address are 404', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const query = `?click_id=${clickId}`;
  const paths = [
    `/postback/adjust/${'x'.repeat(43)}${query}`,
    `/postback/adjust/${'x'.repeat(300)}${query}`,
    `/postback/nobody/${secret}${query}`,
    `/postback/adjust/${query}`,
  ];
  for (const path of paths) expect((await get(path)).statusCode, path).toBe(404);
  expect(await installsOf(ref)).toBe(0);
});

test("another company's click, a tracker's token and an invented id are accepted and count nothing", async () => {
  const { company, secret, ref } = await freshAdvertiser();
  const other = await freshAdvertiser();
  const impressionToken = signer.urlsFor(ref).impression.split('/').at(-1)!;
  for (const clickId of [other.clickId, impressionToken, 'invented', '']) {
    const answer = await get(`/postback/adjust/${secret}?click_id=${clickId}&activity_kind=install`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: { outcome: 'unknown_click' } }]);
  }
  expect(await installsOf(other.ref)).toBe(0);
  expect(await installsOf(ref)).toBe(0);
  expect(await keptOf(company, 4)).toHaveLength(4);
  expect(await keptOf(other.company, 0)).toEqual([]);
});

test.each([
  ['appsflyer', { blocked_reason: 'bots' }, 'rejected'],
  ['appsflyer', { event_name: 'af_purchase' }, 'event'],
  ['adjust', { activity_kind: 'rejected_install' }, 'rejected'],
  ['adjust', { activity_kind: 'reinstall' }, 'event'],
  ['adjust', { activity_kind: 'event' }, 'event'],
  ['appmetrica', { conversion_event_name: 'purchase' }, 'event'],
])('%s with %o is kept and is no install', async (mmp, more, outcome) => {
  const { company, secret, ref, clickId } = await freshAdvertiser();
  const query = new URLSearchParams({ click_id: clickId, ...more }).toString();
  expect((await get(`/postback/${mmp}/${secret}?${query}`)).json()).toEqual({ data: { outcome } });
  expect(await installsOf(ref)).toBe(0);
  expect(await keptOf(company, 1)).toMatchObject([{ mmp, outcome }]);
});

test.each([
  ['appsflyer', { blocked_reason: '(blocked_reason)' }],
  ['appsflyer', { blocked_reason: 'null', event_name: '(event_name)' }],
  ['adjust', { activity_kind: '{activity_kind}' }],
  ['appmetrica', { conversion_event_name: '{conversion_event_name}' }],
])('%s with the unfilled %o is an install', async (mmp, more) => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const query = new URLSearchParams({ click_id: clickId, ...more }).toString();
  expect((await get(`/postback/${mmp}/${secret}?${query}`)).json()).toEqual({ data: { outcome: 'stored' } });
  expect(await installsOf(ref)).toBe(1);
});

test('an install long after its bid is answered 200 and not counted', async () => {
  const { company, secret } = await freshAdvertiser();
  const ref = sampleRef({ companyId: company.companyId }, app.clock.now.getTime() - 31 * 86_400_000);
  const answer = await get(`/postback/adjust/${secret}?click_id=${signer.clickIdFor(ref)}`);
  expect([answer.statusCode, answer.json()]).toEqual([200, { data: { outcome: 'expired' } }]);
  expect(await installsOf(ref)).toBe(0);
});

test('a value that is an object is kept as it came', async () => {
  const { company, secret, clickId } = await freshAdvertiser();
  const body = { clickid: clickId, event_name: 'af_purchase', event_value: { af_revenue: 3 } };
  await post(`/postback/appsflyer/${secret}`, 'application/json', JSON.stringify(body));
  const [kept] = await keptOf(company, 1);
  expect(JSON.parse(kept!.parameters)).toMatchObject({ event_value: '{"af_revenue":3}' });
});

test('what is too large or cannot be read is refused', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const path = `/postback/adjust/${secret}`;
  const large = 'x'.repeat(70_000);
  expect((await post(path, 'application/json', JSON.stringify({ clickId, large }))).statusCode).toBe(413);
  const form = new URLSearchParams({ click_id: clickId, large }).toString();
  expect((await post(path, 'application/x-www-form-urlencoded', form)).statusCode).toBe(413);
  expect((await post(path, 'application/json', '{"click_id":')).statusCode).toBe(400);
  expect((await post(path, 'application/json', '["click_id"]')).statusCode).toBe(400);
  expect((await post(path, 'application/xml', '<click/>')).statusCode).toBe(415);
  expect(await installsOf(ref)).toBe(0);
});

test('while the state database is away a postback is asked to come back', async () => {
  const { secret, ref, clickId } = await freshAdvertiser();
  const away = vi.spyOn(app.engines.db, 'selectFrom').mockImplementation(() => {
    throw new Error('connection refused');
  });
  onTestFinished(() => away.mockRestore());
  app.engines.log.level = 'silent';
  const path = `/postback/adjust/${secret}?click_id=${clickId}`;
  const answer = await get(path);
  app.engines.log.level = 'error';
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  away.mockRestore();
  expect((await get(path)).json()).toEqual({ data: { outcome: 'stored' } });
  expect(await installsOf(ref)).toBe(1);
});
