import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { statementsOf } from '@bidwell/testing/engines/statements';
import { makeCampaign } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test, vi } from 'vitest';
import * as jobs from '../../../platform/jobs/repeat.ts';
import type { CheckHost, HostState } from '../../../platform/outbound/check-host.ts';
import { listNotifications } from '../../messaging/notifications/service.ts';
import { checkTrackingHosts } from './tracking-hosts.ts';

// No background job checks anything; these tests call the check.
vi.spyOn(jobs, 'repeat').mockReturnValue({ stop: async () => {} });

const app = await testApp({ LOG_LEVEL: 'silent' });
const { ctx, clock } = app;
const HOUR_MS = 3_600_000;
let hosts = 0;

/** A company with a running ad set whose clicks and views go to a host of its own, or the given one. */
async function running(host = `click${(hosts += 1)}.example`, over: object = {}) {
  clock.now = new Date();
  const company = await app.freshCompany();
  const campaign = await makeCampaign(ctx, company, 'Running');
  const { body } = await makeAdsetParts(app, company);
  const adset = await make(company, '/adset', body);
  const { tracking_link_id: link } = body as { tracking_link_id: string };
  const set = {
    click_url: `https://${host}/c?id={click_id}`,
    view_url: `https://${host.toUpperCase()}`,
    name: 'Spring',
  };
  await ctx.db
    .updateTable('tracking_links')
    .set({ ...set, ...over })
    .where('uuid', '=', link)
    .execute();
  await ctx.db.updateTable('campaigns').set({ status: 'Active' }).where('uuid', '=', campaign).execute();
  await ctx.db
    .updateTable('adsets')
    .set({ campaign_uuid: campaign, status: 'Active' })
    .where('uuid', '=', adset)
    .execute();
  return { company, host, origin: `https://${host}`, link, adset };
}

/** A check that returns the test's state of an origin, and counts its calls. */
function checker(states: Record<string, HostState>) {
  const asked: string[] = [];
  const check: CheckHost = async (origin) => {
    asked.push(origin);
    return states[origin] ?? 'reachable';
  };
  return { asked, run: async () => checkTrackingHosts(ctx, check) };
}
const later = (hours: number) => (clock.now = new Date(clock.now.getTime() + hours * HOUR_MS));
const noticesOf = async (company: TestCompany) =>
  (await listNotifications(ctx, company))
    .filter(({ kind }) => kind === 'tracking_host')
    .map(({ title, text, severity }) => ({ title, text, severity }));

test('a host is checked once a day for all companies that use it, by the address that runs', async () => {
  const { origin, host, adset } = await running();
  await running(host);
  await running('x', {
    click_url: 'https://user:secret@host.example/',
    view_url: 'https://{macro}.example/',
  });
  const { asked, run } = checker({});
  const times = () => asked.filter((each) => each === origin).length;
  await run();
  await run();
  expect(times()).toBe(1);
  expect(asked.filter((each) => /host|macro/.test(each))).toEqual([]);
  later(23);
  await run();
  expect(times()).toBe(1);
  later(1);
  await run();
  expect(times()).toBe(2);
  await ctx.db.updateTable('adsets').set({ status: 'Paused' }).where('uuid', '=', adset).execute();
  later(24);
  await run();
  expect(times()).toBe(3);
});

test('after two failures in a row the companies are notified once of the problem, and later that it works again', async () => {
  const { company, origin, host, link } = await running();
  const other = await running();
  const states: Record<string, HostState> = { [origin]: 'certificate_expired' };
  const { run } = checker(states);
  await run();
  later(0.5);
  await run();
  expect(await noticesOf(company)).toEqual([]);
  later(0.5);
  await run();
  const down = {
    title: 'Tracking links cannot be reached',
    text: `“Spring” goes to ${host}, which cannot be reached: its certificate has expired. People who tap an ad do not arrive, and installs are not counted. Ask the measurement partner, or change the link.`,
    severity: 'warning',
  };
  expect(await noticesOf(company)).toEqual([down]);
  const [notification] = await listNotifications(ctx, company);
  expect(notification).toMatchObject({ entity_type: 'tracking_link', entity_uuid: link });
  later(1);
  await run();
  // Whose ad set began to run meanwhile was not notified of the failure by then, and is now.
  const late = await running(host);
  later(25);
  await run();
  expect([(await noticesOf(company)).length, await noticesOf(late.company)]).toEqual([1, [down]]);
  states[origin] = 'reachable';
  later(1);
  await run();
  const works = {
    title: 'Tracking links work again',
    text: `${host} can be reached again.`,
    severity: 'info',
  };
  expect(await noticesOf(company)).toEqual([works, down]);
  // A warning that is no longer true is not unread.
  expect((await listNotifications(ctx, company)).map(({ read }) => read)).toEqual([false, true]);
  expect(await noticesOf(other.company)).toEqual([]);
  states[origin] = 'not_found';
  for (const _again of [1, 2]) {
    later(25);
    await run();
  }
  expect((await noticesOf(company)).map(({ title }) => title)).toEqual([down.title, works.title, down.title]);
});

test('the companies of all hosts that fail are found by one query', async () => {
  const failing = [await running(), await running(), await running()];
  const { run } = checker(Object.fromEntries(failing.map(({ origin }) => [origin, 'refused' as const])));
  await run();
  later(1);
  const statements = await statementsOf(ctx, run);
  // The first finds the hosts that are due.
  expect(statements.filter((text) => text.includes('join tracking_links'))).toHaveLength(2);
  for (const { company } of failing) expect(await noticesOf(company)).toHaveLength(1);
});

test('a failure between two successes, and an unknown state, cause no notification', async () => {
  const { company, origin } = await running();
  const states: Record<string, HostState> = { [origin]: 'timeout' };
  const { run } = checker(states);
  await run();
  later(1);
  states[origin] = 'unknown';
  await run();
  later(1);
  states[origin] = 'reachable';
  await run();
  later(25);
  states[origin] = 'timeout';
  await run();
  expect(await noticesOf(company)).toEqual([]);
});

test('where no host at all can be reached, it is this server that cannot', async () => {
  const all = [];
  for (let n = 0; n < 5; n += 1) all.push(await running());
  clock.now = new Date(Date.now() + 40 * 24 * HOUR_MS);
  for (const _again of [1, 2, 3]) {
    await checkTrackingHosts(ctx, async () => 'not_found');
    later(2);
  }
  for (const { company } of all) expect(await noticesOf(company)).toEqual([]);
});

test('hosts that cannot be reached are not asked again before the others had their turn', async () => {
  const dead: string[] = [];
  for (let n = 0; n < 5; n += 1) dead.push((await running()).origin);
  clock.now = new Date(Date.now() + 80 * 24 * HOUR_MS);
  await checkTrackingHosts(ctx, async () => 'not_found');
  const { asked, run } = checker({});
  await run();
  expect(asked.filter((origin) => dead.includes(origin))).toEqual([]);
  later(1);
  await run();
  expect(dead.filter((origin) => !asked.includes(origin))).toEqual([]);
});

test('a host that hangs does not delay a stop: its check has no result and is repeated', async () => {
  const { company, origin } = await running();
  const stopping = new AbortController();
  const hanging: CheckHost = (_origin, signal) =>
    new Promise((resolve) => {
      signal!.addEventListener('abort', () => resolve('unknown'));
      stopping.abort();
    });
  await checkTrackingHosts(ctx, hanging, stopping.signal);
  const { asked, run } = checker({ [origin]: 'not_found' });
  await run();
  expect(asked).toContain(origin);
  later(1);
  await run();
  expect(await noticesOf(company)).toHaveLength(1);
});
