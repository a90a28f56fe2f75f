import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleRef } from '../../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../../delivery/trackers/signer.ts';
import { testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';

const SECRET = 'a signing secret of acknowledged postbacks';
const app = await testApp({ SIGNING_SECRET: SECRET });
const signer = createSigner(SECRET, 'http://bidwell.test');

test('a postback is answered before it is decided, and with its outcome where that is asked for', async () => {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clickId = signer.clickIdFor(sampleRef({ companyId: company.companyId }));
  const url = `/postback/appsflyer/${secret}?clickid=${clickId}`;
  const outcomeOf = async (headers: Record<string, string>) =>
    (await app.http.inject({ url, headers })).json<{ data: { outcome: string } }>().data.outcome;
  expect(await outcomeOf({})).toBe('pending');
  for (const prefer of ['respond-async', 'wait=0', 'wait=soon', 'await=3'])
    expect([prefer, await outcomeOf({ prefer })]).toEqual([prefer, 'pending']);
  await expect.poll(() => outcomeOf({ prefer: 'respond-async, wait=100' })).toBe('no_touchpoint');
  await app.settled();
  const { counts } = (await company.call('GET', '/postbacks')).data;
  expect(counts).toMatchObject([{ outcome: 'no_touchpoint' }]);
  expect(counts[0].count).toBeGreaterThanOrEqual(6);
});

exhaustive(
  'large postbacks at the address in a link leave room for the others of the company, and of all companies',
  async () => {
    const [company, other] = [await app.freshCompany(), await app.freshCompany()];
    const { secret } = (await company.call('GET', '/postbacks')).data;
    const linkOf = (companyId: string) =>
      `/postback/adjust/click/${signer.installTokenFor(sampleRef({ companyId }))}`;
    const link = linkOf(company.companyId);
    const send = async (url: string) =>
      app.http.inject({ method: 'POST', url, payload: { event_name: 'x', rest: 'x'.repeat(57_000) } });
    // Nothing is decided meanwhile.
    const away = vi.spyOn(app.ctx.clickhouse, 'insert').mockRejectedValue(new Error('connection refused'));
    onTestFinished(() => away.mockRestore());
    app.ctx.log.level = 'silent';
    await expect.poll(async () => (await send(link)).statusCode, { interval: 0 }).toBe(503);
    expect((await send(link)).json()).toMatchObject({
      data: apiMessages.queueFullForCompany(postbackApiMessages.postbacks),
    });
    expect((await send(`/postback/adjust/${secret}`)).statusCode).toBe(200);
    expect((await send(linkOf(other.companyId))).statusCode).toBe(200);
    away.mockRestore();
    await app.settled();
    app.ctx.log.level = 'error';
    expect((await send(link)).statusCode).toBe(200);
  },
);

test('a company whose partner sends many at once does not make the others wait for their outcomes', async () => {
  const [busy, other] = [await app.freshCompany(), await app.freshCompany()];
  const addressOf = async (company: typeof busy) =>
    `/postback/adjust/${(await company.call('GET', '/postbacks')).data.secret}`;
  const [busyAddress, otherAddress] = [await addressOf(busy), await addressOf(other)];
  const send = async (url: string, payload: object) => app.http.inject({ method: 'POST', url, payload });
  const insert = app.ctx.clickhouse.insert.bind(app.ctx.clickhouse);
  let goOn = (): void => {};
  const sent = new Promise<void>((resolve) => (goOn = resolve));
  const companies: string[] = [];
  const watched = vi.spyOn(app.ctx.clickhouse, 'insert').mockImplementation(async (table, rows, options) => {
    await sent;
    if (table === 'postbacks')
      companies.push(...(rows as { company_id: string }[]).map((row) => row.company_id));
    return insert(table, rows, options);
  });
  onTestFinished(() => watched.mockRestore());
  const long = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(4000)]));
  // All at once: what comes after a batch has begun is decided after the next one.
  const many = Array.from({ length: 40 }, async () => send(busyAddress, { event_name: 'x', ...long }));
  const answer = send(otherAddress, { event_name: 'x' });
  await Promise.all(many);
  expect((await answer).json()).toMatchObject({ data: { outcome: 'pending' } });
  goOn();
  await app.settled();
  expect(companies.filter((id) => id === busy.companyId)).toHaveLength(40);
  expect(companies.indexOf(other.companyId)).toBeGreaterThan(-1);
  expect(companies.indexOf(other.companyId)).toBeLessThan(companies.lastIndexOf(busy.companyId));
});
