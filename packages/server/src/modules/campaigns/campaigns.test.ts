import { describe, expect, test } from 'vitest';
import {
  appBody,
  approveApp,
  changesOf,
  make,
  makeAdsetParts,
  makeGroup,
} from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { setTimeZone } from '@bidwell/testing/time-zone';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import { startApprovedCampaigns } from './start.ts';
import { creditCompany } from '../money/service.ts';

const app = await testApp();
const unknown = '01890000-0000-7000-8000-000000000000';

/** A campaign with everything that it needs to start. */
async function readyCampaign(company: TestCompany) {
  const { body, ...parts } = await makeAdsetParts(app, company);
  const adsetUuid = await make(company, '/adset', body);
  const input = { name: 'Launch', app_uuid: parts.appUuid, adset_uuids: [adsetUuid] };
  const uuid = await make(company, '/campaign', input);
  await approveApp(app, parts.appUuid);
  await credit(company);
  return { uuid, adsetUuid, body, ...parts };
}

async function credit(company: TestCompany): Promise<void> {
  await creditCompany(app.ctx, TOKEN_HOLDER, {
    companyId: company.companyId,
    micros: 100_000_000,
    reason: 'Test',
  });
}

test('a campaign is created Paused, listed and read with its app and ad sets', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const adset = await make(company, '/adset', body);
  const input = { name: 'Launch', app_uuid: appUuid, start_date: '2026-01-01', end_date: null };
  const made = await company.call('POST', '/campaign', { ...input, adset_uuids: [adset] });
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({
    ...input,
    description: '',
    status: 'Paused',
    app: { uuid: appUuid, name: 'Puzzle Quest' },
    adsets: [{ uuid: adset, name: 'First ad set', status: 'Active' }],
  });
  expect((await company.call('GET', '/campaign')).data.campaigns).toEqual([made.data]);
  const { campaigns } = (await company.call('GET', '/campaign?start_date=2000-01-01&end_date=2000-12-31'))
    .data;
  expect(campaigns).toEqual([]);
  expect((await company.call('GET', `/campaign/${made.data.uuid}`)).data).toEqual(made.data);
  expect((await company.call('GET', `/adset/${adset}`)).data.campaign).toEqual({
    uuid: made.data.uuid,
    name: 'Launch',
  });
});

test('an update leaves absent fields unchanged; adset_uuids replaces the list', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const [first, second] = [await make(company, '/adset', body), await make(company, '/adset', body)];
  const uuid = await make(company, '/campaign', {
    name: 'Launch',
    description: 'Unchanged',
    app_uuid: appUuid,
    end_date: '2030-01-31',
    adset_uuids: [first],
  });
  const renamed = await company.call('PUT', `/campaign/${uuid}`, { name: 'Relaunch' });
  expect(renamed.data).toMatchObject({
    name: 'Relaunch',
    description: 'Unchanged',
    end_date: '2030-01-31',
    adsets: [{ uuid: first }],
  });
  const moved = await company.call('PUT', `/campaign/${uuid}`, { adset_uuids: [second], end_date: null });
  expect(moved.data).toMatchObject({ name: 'Relaunch', end_date: null });
  expect(moved.data.adsets.map((adset: { uuid: string }) => adset.uuid)).toEqual([second]);
  expect((await company.call('GET', `/adset/${first}`)).data.campaign).toBeNull();
  const [, , update] = await changesOf(app, company, uuid);
  expect(update?.fields.map((change) => change.field).sort()).toEqual(['adsets', 'end_date']);
});

test('the first and the last day may have times, which go with their days', async () => {
  const company = await app.freshCompany();
  const app_uuid = await make(company, '/app', appBody());
  const flight = { start_date: '2030-01-01', start_time: '18:30', end_date: '2030-01-31', end_time: '06:00' };
  const made = await company.call('POST', '/campaign', { name: 'Launch', app_uuid, ...flight });
  expect(made).toMatchObject({ status: 201, data: flight });
  const path = `/campaign/${made.data.uuid}`;
  expect((await company.call('POST', `${path}/duplicate`)).data).toMatchObject(flight);
  const cleared = { ...flight, end_date: null, end_time: null };
  expect((await company.call('PUT', path, { end_date: null })).data).toMatchObject(cleared);
  const error = async (body: object) => (await company.call('PUT', path, body)).errors;
  expect(await error({ end_time: '06:00' })).toEqual([
    { field: 'end_time', message: 'Choose the day of this time first' },
  ]);
  expect(await error({ end_date: '2030-01-01', end_time: '18:30' })).toEqual([
    { field: 'end_time', message: 'The end time is not after the start time' },
  ]);
  expect(await error({ start_time: '24:00' })).toEqual([
    { field: 'start_time', message: 'Times are written HH:MM' },
  ]);
});

test('a flight within the hour that the clocks skip is rejected, and one that ends after it is not', async () => {
  const company = await app.freshCompany();
  await setTimeZone(app.ctx, company, 'Europe/Berlin');
  const app_uuid = await make(company, '/app', appBody());
  const flight = { start_date: '2030-03-31', start_time: '02:10', end_date: '2030-03-31', end_time: '02:50' };
  const campaign = { name: 'Launch', app_uuid };
  const message =
    'The clocks of Europe/Berlin are put forward over these times, so that no time is left between them: choose a later end';
  expect(await company.call('POST', '/campaign', { ...campaign, ...flight })).toMatchObject({
    status: 422,
    errors: [{ field: 'end_time', message }],
  });
  const later = { ...flight, end_time: '03:01' };
  const made = await company.call('POST', '/campaign', { ...campaign, ...later });
  expect(made).toMatchObject({ status: 201, data: later });
  const path = `/campaign/${made.data.uuid}`;
  expect((await company.call('PUT', path, { end_time: '03:00' })).errors).toEqual([
    { field: 'end_time', message },
  ]);
  // One from before is saved, as long as its times stay.
  await app.ctx.db
    .updateTable('campaigns')
    .set({ end_time: '02:50' })
    .where('uuid', '=', made.data.uuid)
    .execute();
  expect((await company.call('PUT', path, { name: 'Later' })).status).toBe(200);
});

test('invalid fields are named', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const empty = await company.call('POST', '/campaign', {});
  expect(empty.status).toBe(422);
  expect(empty.errors).toEqual([
    { field: 'name', message: 'Required' },
    { field: 'app_uuid', message: 'Required' },
  ]);
  const unknownApp = await company.call('POST', '/campaign', { name: 'Launch', app_uuid: unknown });
  expect(unknownApp.errors).toEqual([{ field: 'app_uuid', message: 'App not found' }]);
  const error = { field: 'end_date', message: 'The end date is before the start date' };
  const dates = { start_date: '2026-02-01', end_date: '2026-01-01' };
  const upsideDown = await company.call('POST', '/campaign', { name: 'Launch', app_uuid: appUuid, ...dates });
  expect(upsideDown.errors).toEqual([error]);
  const start = { name: 'Launch', app_uuid: appUuid, start_date: '2026-02-01' };
  const uuid = await make(company, '/campaign', start);
  expect((await company.call('PUT', `/campaign/${uuid}`, { end_date: '2026-01-01' })).errors).toEqual([
    error,
  ]);
});

describe('an ad set that cannot be added is named', () => {
  test('because it is of another app, another campaign, or unknown', async () => {
    const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
    const { body, appUuid } = await makeAdsetParts(app, company);
    const taken = await make(company, '/adset', { ...body, name: 'Taken' });
    await make(company, '/campaign', { name: 'First', app_uuid: appUuid, adset_uuids: [taken] });
    const other = await makeAdsetParts(app, company);
    const ofOther = await make(company, '/adset', { ...other.body, name: 'Elsewhere' });
    const foreign = await make(stranger, '/adset', (await makeAdsetParts(app, stranger)).body);
    const response = await company.call('POST', '/campaign', {
      name: 'Second',
      app_uuid: appUuid,
      adset_uuids: [taken, ofOther, foreign],
    });
    expect(response.status).toBe(422);
    expect(response.errors).toEqual([
      { field: 'adset_uuids', message: 'The ad set "Taken" is part of the campaign "First"' },
      { field: 'adset_uuids', message: 'The ad set "Elsewhere" is for another app' },
      { field: 'adset_uuids', message: 'Ad set not found' },
    ]);
    expect((await company.call('GET', '/campaign')).data.campaigns).toHaveLength(1);
  });

  test('if the campaign would move to another app', async () => {
    const company = await app.freshCompany();
    const { uuid } = await readyCampaign(company);
    const other = await make(company, '/app', appBody());
    expect((await company.call('PUT', `/campaign/${uuid}`, { app_uuid: other })).errors).toEqual([
      { field: 'app_uuid', message: 'The ad set "First ad set" is for another app' },
    ]);
    const emptied = await company.call('PUT', `/campaign/${uuid}`, { app_uuid: other, adset_uuids: [] });
    expect(emptied.data).toMatchObject({ app_uuid: other, adsets: [] });
  });
});

describe('starting', () => {
  test('and pausing are logged once, however often they are requested', async () => {
    const company = await app.freshCompany();
    const { uuid } = await readyCampaign(company);
    const started = await company.call('POST', `/campaign/${uuid}/start`);
    expect(started).toMatchObject({ status: 200, data: { uuid, status: 'Active' } });
    expect((await company.call('POST', `/campaign/${uuid}/start`)).data.status).toBe('Active');
    expect((await company.call('POST', `/campaign/${uuid}/pause`)).data.status).toBe('Paused');
    expect((await company.call('POST', `/campaign/${uuid}/pause`)).data.status).toBe('Paused');
    expect((await changesOf(app, company, uuid)).slice(1)).toMatchObject([
      { action: 'start', fields: [{ field: 'status', before: 'Paused', after: 'Active' }] },
      { action: 'pause', fields: [{ field: 'status', before: 'Active', after: 'Paused' }] },
    ]);
  });

  test('names everything that is missing', async () => {
    const company = await app.freshCompany();
    const appUuid = await make(company, '/app', appBody({ advertiser_domain: null }));
    const input = { name: 'Bare', app_uuid: appUuid, end_date: '2020-01-01' };
    const uuid = await make(company, '/campaign', input);
    const response = await company.call('POST', `/campaign/${uuid}/start`);
    expect(response).toMatchObject({
      status: 409,
      data:
        'The app is not approved yet. ' +
        'Enter the advertiser domain of the app “Puzzle Quest” first: the developer’s own website. ' +
        'Add at least one active ad set whose creative group has an approved creative. ' +
        'The balance is empty: top up first. ' +
        'The end date has passed.',
    });
    expect((await company.call('GET', `/campaign/${uuid}`)).data.status).toBe('Paused');
  });

  test('requires a target CPI where an ad set bids by it', async () => {
    const company = await app.freshCompany();
    const { uuid, adsetUuid } = await readyCampaign(company);
    await company.call('PUT', `/adset/${adsetUuid}`, { algo: 'Target CPI' });
    const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
    expect(await company.call('POST', `/campaign/${uuid}/start`)).toMatchObject({
      status: 409,
      data: `Enter the target cost per install (CPI) of the ad set “${adset.name}”.`,
    });
    await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpi: 2 });
    expect((await company.call('POST', `/campaign/${uuid}/start`)).status).toBe(200);
  });

  test.each([
    [
      'Target CPA',
      { cpa: 30 },
      { goal_event: 'purchase' },
      'Enter the in-app event that the ad set “NAME” buys',
    ],
    [
      'Target CPA',
      { goal_event: 'purchase' },
      { cpa: 30 },
      'Enter the target cost per person with the event (CPA) of the ad set “NAME”',
    ],
    ['Target ROAS', {}, { roas: 80 }, 'Enter the target ROAS of the ad set “NAME”'],
  ])('requires the goal of %s', async (algo, given, missing, message) => {
    const company = await app.freshCompany();
    const { uuid, adsetUuid } = await readyCampaign(company);
    await company.call('PUT', `/adset/${adsetUuid}`, { algo, ...given });
    const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
    expect(await company.call('POST', `/campaign/${uuid}/start`)).toMatchObject({
      status: 409,
      data: `${message.replace('NAME', adset.name)}.`,
    });
    await company.call('PUT', `/adset/${adsetUuid}`, missing);
    expect((await company.call('POST', `/campaign/${uuid}/start`)).status).toBe(200);
    const [field] = Object.keys(missing);
    expect(await company.call('PUT', `/adset/${adsetUuid}`, { [field!]: null })).toMatchObject({
      status: 422,
      errors: [{ field }],
    });
  });

  test('keeps the target CPI that an ad set bids by, as long as it runs', async () => {
    const company = await app.freshCompany();
    const { uuid, adsetUuid } = await readyCampaign(company);
    await company.call('PUT', `/adset/${adsetUuid}`, { algo: 'Target CPI', bet_cpi: 2 });
    await company.call('POST', `/campaign/${uuid}/start`);
    const rejected = {
      status: 422,
      errors: [{ field: 'bet_cpi', message: 'Enter the target cost per install (CPI)' }],
    };
    for (const bet_cpi of [null, 0])
      expect(await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpi })).toMatchObject(rejected);
    const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
    expect(adset.bet_cpi).toBe(2);
    const other = {
      name: 'Second',
      target_id: adset.target.uuid,
      tracking_link_id: adset.tracking_link.uuid,
      creative_group_ids: adset.creative_groups.map((group: { uuid: string }) => group.uuid),
      algo: 'Target CPI',
      bet_cpm: 2,
    };
    const otherUuid = await make(company, '/adset', other);
    const adset_uuids = [adsetUuid, otherUuid];
    expect(await company.call('PUT', `/campaign/${uuid}`, { adset_uuids })).toMatchObject({
      status: 422,
      errors: [
        {
          field: 'adset_uuids',
          message: 'Enter the target cost per install (CPI) of the ad set “Second”',
        },
      ],
    });
    const paused = await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpi: null, status: 'Paused' });
    expect(paused.status).toBe(200);
    expect(await company.call('PUT', `/adset/${adsetUuid}`, { status: 'Active' })).toMatchObject(rejected);
  });

  test('requires an ad set with an approved creative', async () => {
    const company = await app.freshCompany();
    const { uuid, adsetUuid, appUuid, groupUuid } = await readyCampaign(company);
    const rejection = {
      status: 409,
      data: 'Add at least one active ad set whose creative group has an approved creative.',
    };
    const start = () => company.call('POST', `/campaign/${uuid}/start`);
    await company.call('PUT', `/adset/${adsetUuid}`, { status: 'Paused' });
    expect(await start()).toMatchObject(rejection);
    const waiting = await makeGroup(app, company, appUuid, 'Moderation');
    await company.call('PUT', `/adset/${adsetUuid}`, { status: 'Active', creative_group_ids: [waiting] });
    expect(await start()).toMatchObject(rejection);
    await company.call('PUT', `/adset/${adsetUuid}`, { creative_group_ids: [waiting, groupUuid] });
    expect((await start()).status).toBe(200);
  });

  test('is possible on the last day in the time zone of the company, and not after it', async () => {
    const company = await app.freshCompany();
    const { uuid } = await readyCampaign(company);
    await app.ctx.db
      .updateTable('companies')
      .set({ time_zone: 'America/New_York' })
      .where('uuid', '=', company.companyId)
      .execute();
    const start = () => company.call('POST', `/campaign/${uuid}/start`);
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(app.clock.now);
    await company.call('PUT', `/campaign/${uuid}`, { end_date: today });
    expect((await start()).status).toBe(200);
    await company.call('POST', `/campaign/${uuid}/pause`);
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    await company.call('PUT', `/campaign/${uuid}`, { end_date: yesterday });
    expect(await start()).toMatchObject({ status: 409, data: 'The end date has passed.' });
  });
});

test('a campaign names what of it is in review until it is decided', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const group = await makeGroup(app, company, appUuid, 'Moderation');
  // A creative in several ad sets counts once.
  const adsets = [body, { ...body, name: 'Second' }].map((adset) =>
    make(company, '/adset', { ...adset, creative_group_ids: [...body.creative_group_ids, group] }),
  );
  const uuid = await make(company, '/campaign', {
    name: 'Launch',
    app_uuid: appUuid,
    adset_uuids: await Promise.all(adsets),
  });
  const { data: before } = await company.call('GET', `/campaign/${uuid}`);
  expect(before.in_review).toEqual({ app: true, creatives: 1, tracking_links: 0 });
  expect((await company.call('GET', '/campaign')).data.campaigns).toEqual([before]);
  await approveApp(app, appUuid);
  const { data: after } = await company.call('GET', `/campaign/${uuid}`);
  expect(after.in_review).toEqual({ app: false, creatives: 1, tracking_links: 0 });
});

test('the campaign of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const { uuid } = await readyCampaign(company);
  const notFound = { status: 404, data: 'Campaign not found' };
  expect(await stranger.call('GET', `/campaign/${uuid}`)).toMatchObject(notFound);
  expect(await stranger.call('PUT', `/campaign/${uuid}`, { name: 'Mine' })).toMatchObject(notFound);
  expect(await stranger.call('POST', `/campaign/${uuid}/start`)).toMatchObject(notFound);
  expect(await stranger.call('POST', `/campaign/${uuid}/pause`)).toMatchObject(notFound);
});

describe('a campaign that is to start by itself', () => {
  /** Waits for the review of its app, and has all else. */
  async function waitingCampaign(company: TestCompany) {
    const { body, appUuid, groupUuid } = await makeAdsetParts(app, company);
    const adsetUuid = await make(company, '/adset', body);
    const input = { name: 'Launch', app_uuid: appUuid, adset_uuids: [adsetUuid], start_when_approved: true };
    const { data } = await company.call('POST', '/campaign', input);
    expect(data).toMatchObject({ status: 'Paused', start_when_approved: true, in_review: { app: true } });
    return { uuid: data.uuid as string, appUuid, groupUuid };
  }
  const read = async (company: TestCompany, uuid: string) =>
    (await company.call('GET', `/campaign/${uuid}`)).data;

  test('starts once everything is approved, and its company is notified', async () => {
    const company = await app.freshCompany();
    await credit(company);
    const { uuid, appUuid } = await waitingCampaign(company);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused', start_when_approved: true });
    await approveApp(app, appUuid);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Active', start_when_approved: false });
    expect((await company.call('GET', '/notifications')).data[0]).toMatchObject({
      title: 'Campaign started',
      entity_uuid: uuid,
    });
    // Paused again, it stays so.
    await company.call('POST', `/campaign/${uuid}/pause`);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused' });
  });

  test('that lacks something else says so once, and does not start', async () => {
    const company = await app.freshCompany();
    const { uuid, appUuid } = await waitingCampaign(company);
    await approveApp(app, appUuid);
    await startApprovedCampaigns(app.ctx);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused', start_when_approved: false });
    const { data } = await company.call('GET', '/notifications');
    const told = data.filter(({ title }: { title: string }) => title.startsWith('Campaign not started'));
    expect(told).toMatchObject([{ severity: 'warning', text: expect.stringContaining('balance') }]);
  });

  test('starts in the name of Bidwell, in the change log', async () => {
    const company = await app.freshCompany();
    await credit(company);
    const { uuid, appUuid } = await waitingCampaign(company);
    await approveApp(app, appUuid);
    await startApprovedCampaigns(app.ctx);
    expect((await changesOf(app, company, uuid)).at(-1)).toMatchObject({
      action: 'start',
      author: 'Bidwell',
    });
  });

  test('waits for the texts of its creative groups too', async () => {
    const company = await app.freshCompany();
    await credit(company);
    const { uuid, appUuid, groupUuid } = await waitingCampaign(company);
    await approveApp(app, appUuid);
    const setTexts = async (status: 'Moderation' | 'Approved') =>
      app.ctx.db
        .updateTable('creative_groups')
        .set({ texts_status: status })
        .where('uuid', '=', groupUuid)
        .execute();
    await setTexts('Moderation');
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused', start_when_approved: true });
    await setTexts('Approved');
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Active' });
  });

  test.each([
    [
      'pausing it',
      async (company: TestCompany, uuid: string) => company.call('POST', `/campaign/${uuid}/pause`),
    ],
    [
      'an edit',
      async (company: TestCompany, uuid: string) =>
        company.call('PUT', `/campaign/${uuid}`, { start_when_approved: false }),
    ],
    [
      'archiving it',
      async (company: TestCompany, uuid: string) => company.call('POST', `/campaign/${uuid}/archive`),
    ],
    [
      'archiving and restoring it',
      async (company: TestCompany, uuid: string) => {
        await company.call('POST', `/campaign/${uuid}/archive`);
        return company.call('POST', `/campaign/${uuid}/restore`);
      },
    ],
  ])('stays paused after %s', async (_what, cancel) => {
    const company = await app.freshCompany();
    await credit(company);
    const { uuid, appUuid } = await waitingCampaign(company);
    expect((await cancel(company, uuid)).status).toBeLessThan(300);
    await approveApp(app, appUuid);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused' });
  });

  test('starts and is notified of once by two runs at the same time', async () => {
    const company = await app.freshCompany();
    await credit(company);
    const { uuid, appUuid } = await waitingCampaign(company);
    await approveApp(app, appUuid);
    await Promise.all([startApprovedCampaigns(app.ctx), startApprovedCampaigns(app.ctx)]);
    expect((await changesOf(app, company, uuid)).map(({ action }) => action)).toEqual(['create', 'start']);
    expect((await company.call('GET', '/notifications')).data).toHaveLength(1);
  });

  test('stays as it is if no user chose that', async () => {
    const company = await app.freshCompany();
    const { uuid } = await readyCampaign(company);
    await startApprovedCampaigns(app.ctx);
    expect(await read(company, uuid)).toMatchObject({ status: 'Paused', start_when_approved: false });
  });
});
