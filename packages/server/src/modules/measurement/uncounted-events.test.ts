import type { UncountedEvents } from '@bidwell/contract/measurement/uncounted-events';
import { expect, test } from 'vitest';
import type { BidRef } from '../../delivery/model/event.ts';
import { pathOf, sampleRef } from '../../delivery/trackers/sample-ref.ts';
import { createSigner } from '../../delivery/trackers/signer.ts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';

const SECRET = 'a signing secret of events that do not count';
const app = await testApp({ SIGNING_SECRET: SECRET }, undefined, { postbackAnswerMs: () => 2 ** 31 - 1 });
const signer = createSigner(SECRET, 'http://bidwell.test');
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Mobile Safari/537.36';
const DAY_MS = 86_400_000;
const today = app.clock.now.toISOString().slice(0, 10);
app.clock.now = new Date(`${today}T12:00:00Z`);
const nowMs = app.clock.now.getTime();
const timeOf = (atMs: number) => new Date(Math.floor(atMs / 1000) * 1000).toISOString();

async function freshCompany() {
  const company = await app.freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clicked = async (): Promise<BidRef> => {
    const ref = sampleRef({ companyId: company.companyId }, nowMs);
    await app.http.inject({ url: pathOf(signer.urlsFor(ref).click), headers: { 'user-agent': PHONE } });
    return ref;
  };
  const send = async (clickid: string, more: Record<string, string> = {}): Promise<string> => {
    const text = new URLSearchParams({ clickid, event_name: 'purchase', ...more }).toString();
    const response = await app.http.inject({ url: `/postback/appsflyer/${secret}?${text}` });
    return response.json<{ data: { outcome: string } }>().data.outcome;
  };
  return { company, clicked, send };
}

async function uncounted(company: TestCompany): Promise<UncountedEvents[]> {
  await app.settled();
  const { status, data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(status).toBe(200);
  return data.uncounted_events;
}

test('events with a time that cannot be read are dated as they arrive, and counted with the time as it was sent', async () => {
  const { company, clicked, send } = await freshCompany();
  const ours = signer.clickIdFor(await clicked());
  expect(await send(ours, { event_name: 'a', event_time: '2026-13-40 25:61' })).toBe('stored');
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  expect(await send(ours, { event_name: 'b', event_time: 'yesterday at noon' })).toBe('stored');
  expect(await send(ours, { event_name: 'c', event_time: timeOf(nowMs) })).toBe('stored');
  expect(await send(ours, { event_name: 'd' })).toBe('stored');
  await app.settled();
  const { data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  expect(data.unread_times).toEqual([
    { mmp: 'appsflyer', count: 2, last_at: app.clock.now.toISOString(), example: 'yesterday at noon' },
  ]);
  expect(data.in_app_events).toHaveLength(4);
  expect(data.uncounted_events).toEqual([]);
});

test('a form is read in the character set that it names', async () => {
  const { company, clicked } = await freshCompany();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const clickid = encodeURIComponent(signer.clickIdFor(await clicked()));
  for (const [charset, name] of [
    ['iso-8859-1', 'caf%E9+1'],
    ['"windows-1251"', '%EA%EE%F4%E5'],
    ['utf-8', 'caf%C3%A9+2'],
  ]) {
    const response = await app.http.inject({
      method: 'POST',
      url: `/postback/appsflyer/${secret}`,
      headers: { 'content-type': `application/x-www-form-urlencoded; charset=${charset}` },
      payload: `clickid=${clickid}&event_name=${name}`,
    });
    expect(response.json()).toEqual({ data: { outcome: 'stored' } });
  }
  await app.settled();
  const { data } = await company.call('GET', `/measurement?start_date=${today}&end_date=${today}`);
  const names = (data.in_app_events as { name: string }[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['café 1', 'café 2', 'кофе']);
});

test('events that do not count are shown with the reason and the latest of them', async () => {
  const { company, clicked, send } = await freshCompany();
  const ref = await clicked();
  const ours = signer.clickIdFor(ref);
  const early = { event_time: timeOf(nowMs - 40 * DAY_MS), event_id: 'early' };
  expect(await send(ours, early)).toBe('unattributed');
  expect(await send(ours, { event_time: timeOf(nowMs - 600_000), event_id: 'clock' })).toBe('stored');
  expect(await send(ours, { event_time: timeOf(nowMs + 2 * DAY_MS), event_id: 'future' })).toBe('expired');
  for (const cut of [1, 2, 3, 4])
    expect(await send(ours.slice(0, -cut), { event_name: `cut ${cut}` })).toBe('event');
  expect(await send('')).toBe('event');
  expect(await send(signer.clickIdFor(sampleRef({ companyId: company.companyId }, nowMs)))).toBe(
    'no_touchpoint',
  );

  const found = await uncounted(company);
  expect(found.map(({ mmp, reason, count, last_at: at }) => [mmp, reason, count, at])).toEqual([
    ['appsflyer', 'unknown_click', 4, app.clock.now.toISOString()],
    ...['before_click', 'in_future', 'no_click_id', 'no_touchpoint'].map((reason) => [
      'appsflyer',
      reason,
      1,
      app.clock.now.toISOString(),
    ]),
  ]);
  const [unknown, before] = found;
  expect(unknown!.examples).toHaveLength(3);
  for (const { name, click_id: id } of unknown!.examples)
    expect(ours.startsWith(id) && name).toMatch(/^cut \d$/);
  expect(before!.examples).toEqual([
    {
      at: app.clock.now.toISOString(),
      name: 'purchase',
      event_at: timeOf(nowMs - 40 * DAY_MS),
      click_id: ours,
    },
  ]);
  // What does not count is in no report.
  const report = await company.call('POST', '/analytics/level', {
    start_date: today,
    end_date: today,
    levels: { app: '' },
    metrics: ['app_events'],
  });
  expect(report.data.total).toMatchObject({ app_events: 1 });
});

exhaustive(
  'events with a foreign click id fill the disk with no more than a company’s share, and all are counted',
  async () => {
    const [flooded, other] = [await freshCompany(), await freshCompany()];
    const elsewhere = signer.clickIdFor(await other.clicked());
    for (let sent = 0; sent < 100; sent += 1) await flooded.send(elsewhere);
    app.clock.now = new Date(nowMs + 1000);
    for (let sent = 0; sent < 5; sent += 1) await flooded.send(elsewhere);
    await other.send('not ours');
    expect(await uncounted(flooded.company)).toMatchObject([
      {
        reason: 'unknown_click',
        count: 105,
        examples: [{ name: null }, { name: null }, { name: null }].map((one) => ({
          ...one,
          click_id: elsewhere,
        })),
      },
    ]);
    const [own] = await uncounted(other.company);
    expect(own).toMatchObject({ count: 1, examples: [{ name: 'purchase', click_id: 'not ours' }] });
  },
);
