import { pushMessage } from '@bidwell/testing/partners/appsflyer-push';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { runningCampaign } from './support/company.ts';
import { bidFor, click, win } from './support/exchange.ts';
import { errorsOf } from './support/page-errors.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

const Postbacks = z.object({ secret: z.string() });
const Apps = z.object({ apps: z.array(z.object({ uuid: z.uuid() })) });

test('measurement shows clicks, installs and why postbacks were not counted, of a campaign and of its link @journey', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  const { company, path } = await runningCampaign(server);
  const { secret } = await company.api.get('/postbacks', Postbacks);
  const clickIds: string[] = [];
  for (const id of ['first', 'second', 'third']) {
    const bid = await bidFor(server.url, path, id);
    await win(bid, 2);
    clickIds.push((await click(bid)).searchParams.get('clickid')!);
  }
  const postback = async (query: string) => {
    const response = await fetch(`${server.url}/postback/appsflyer/${secret}?${query}`, {
      headers: { prefer: 'wait=3' },
    });
    return ((await response.json()) as { data: { outcome: string } }).data.outcome;
  };
  // The click is stored before its redirect, and looked up once it is in the event database. A repetition of a decided event is
  // a duplicate.
  const decided = (query: string, outcome: RegExp) =>
    expect.poll(() => postback(query), query).toMatch(outcome);
  await decided(`clickid=${clickIds[0]}`, /^(stored|duplicate)$/);
  const purchase = `clickid=${clickIds[0]}&event_name=af_purchase&revenue=4.99&currency=USD`;
  await decided(purchase, /^(stored|duplicate)$/);
  await decided(purchase, /^duplicate$/);
  await decided(`clickid=${clickIds[1]}&blocked_reason=install_hijacking`, /^(rejected|duplicate)$/);
  await decided(`${purchase.replace('4.99', '1E0')}&event_time=soon`, /^(stored|duplicate)$/);
  await decided('clickid=(clickid)', /^unknown_click$/);
  await decided('clickid=of-another-network&event_name=af_purchase', /^event$/);

  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Delivery of Spring launch' }).click();
  await page.getByRole('tab', { name: 'Measurement' }).click();
  const row = page
    .getByRole('table', { name: 'Measurement' })
    .getByRole('row', { name: /Partner/ })
    .last();
  await expect(row).toContainText('AppsFlyer');
  await expect(row).toContainText('33.33');
  await expect(page.getByRole('group', { name: 'Clicks sent' })).toContainText('3');
  const events = page.getByRole('table', { name: 'In-app events' });
  await expect(events.getByRole('row', { name: 'af_purchase' })).toContainText('$5.99');
  const uncounted = page.getByRole('region', { name: 'Events that do not count' });
  await expect(uncounted).toContainText('The click ID is not one of Bidwell’s.');
  await expect(uncounted).toContainText(/af_purchase.*of-another-network/);
  await expect(page.getByRole('region', { name: 'Event times that could not be read' })).toContainText(
    '1 event of AppsFlyer with a time that could not be read: soon',
  );
  const reasons = page.getByRole('region', { name: 'Postbacks that were not counted' });
  await expect(reasons).toContainText('AppsFlyer rejected the install: “install_hijacking”.');
  const without = page.getByRole('region', { name: 'Postbacks of AppsFlyer without a tracking link' });
  await expect(without).toContainText('The postback had no click ID.');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Measurement', selected: true })).toBeVisible();
  await expect(row).toContainText('AppsFlyer');
  expect(await seriousViolations(page)).toEqual([]);

  await row.getByRole('link', { name: 'Partner' }).click();
  const figures = page.getByRole('region', { name: 'Last 30 days' });
  await expect(figures.getByRole('group', { name: 'Installs counted' })).toContainText('1');
  await expect(figures).toContainText('install_hijacking');
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('measurement subtracts installs that the partner took back, and shows their number', async ({
  page,
  market: server,
}) => {
  const { company, path } = await runningCampaign(server);
  const bid = await bidFor(server.url, path, 'bought');
  await win(bid, 2);
  await click(bid);
  const counts = { postbacks: 13, installs: 12, revoked: 1, rejected: 1 };
  await page.route(/\/measurement\?/, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { rows: object[]; total: object } };
    const rows = data.rows.map((row) => ({ ...row, ...counts }));
    await route.fulfill({ response, json: { data: { ...data, rows, total: { ...data.total, ...counts } } } });
  });
  await signIn(page, server, company);
  const { campaigns } = await company.api.get(
    '/campaign',
    z.object({ campaigns: z.array(z.object({ uuid: z.uuid() })) }),
  );
  await page.goto(`${server.url}/campaigns/delivery?uuid=${campaigns[0]!.uuid}&tab=measurement`);
  await expect(page.getByRole('group', { name: 'Installs counted' })).toContainText(/11$/);
  await expect(page.getByRole('group', { name: 'Installs taken back' })).toContainText(/1$/);
  const row = page.getByRole('table', { name: 'Measurement' }).getByRole('row', { name: /Partner/ });
  await expect(row.last().locator('[data-label="Installs"]')).toHaveText('11');
  await expect(row.last().locator('[data-label="Taken back"]')).toHaveText('1');
});

test('an install and a purchase that AppsFlyer reports by postback and by its Push API count once', async ({
  page,
  market: server,
}) => {
  const { company, path } = await runningCampaign(server);
  const { secret } = await company.api.get('/postbacks', Postbacks);
  const bid = await bidFor(server.url, path, 'first');
  await win(bid, 2);
  const link = await click(bid);
  const address = `${server.url}/postback/appsflyer/${secret}`;
  const at = new Date();
  const outcomeOf = async (sent: Promise<Response>) =>
    ((await (await sent).json()) as { data: { outcome: string } }).data.outcome;
  const postback = async (query: string) =>
    outcomeOf(
      fetch(`${address}?clickid=${link.searchParams.get('clickid')!}&${query}`, {
        headers: { prefer: 'wait=3' },
      }),
    );
  const push = async (eventName: string, dollars?: number) =>
    outcomeOf(
      fetch(`${address}/push`, {
        method: 'POST',
        headers: { prefer: 'wait=3', 'content-type': 'application/json' },
        body: JSON.stringify(
          pushMessage({
            link: link.href,
            appId: 'com.example.pocketfarm',
            eventName,
            at,
            ...(dollars !== undefined && { revenue: { amount: dollars, currency: 'USD', usd: dollars } }),
          }),
        ),
      }),
    );
  await expect.poll(() => push('install')).toMatch(/^(stored|duplicate)$/);
  await expect.poll(() => postback('event_name=install')).toBe('duplicate');
  const time = at.toISOString().slice(0, 19).replace('T', ' ');
  const purchase = `event_name=af_purchase&revenue=4.99&currency=USD&event_time=${encodeURIComponent(time)}`;
  await expect.poll(() => postback(purchase)).toMatch(/^(stored|duplicate)$/);
  await expect.poll(() => push('af_purchase', 4.99)).toBe('duplicate');

  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Delivery of Spring launch' }).click();
  await page.getByRole('tab', { name: 'Measurement' }).click();
  await expect(page.getByRole('group', { name: 'Installs counted' })).toContainText(/1$/);
  const events = page.getByRole('table', { name: 'In-app events' });
  await expect(events.getByRole('row', { name: 'af_purchase' })).toContainText('$4.99');
});

test('in-app events of an app are listed, named, and how they count is changed', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  const { company, path } = await runningCampaign(server);
  const { apps } = await company.api.get('/app', Apps);
  await signIn(page, server, company);
  await page.goto(`${server.url}/edit-app?uuid=${apps[0]!.uuid}`);
  const section = page.getByRole('region', { name: 'In-app events' });
  await expect(section).toContainText('Events appear here by themselves');

  const { secret } = await company.api.get('/postbacks', Postbacks);
  const bid = await bidFor(server.url, path, 'first');
  await win(bid, 2);
  const clickId = (await click(bid)).searchParams.get('clickid')!;
  const url = `${server.url}/postback/appsflyer/${secret}?clickid=${clickId}&event_name=af_purchase`;
  const outcome = async () =>
    ((await (await fetch(url, { headers: { prefer: 'wait=3' } })).json()) as { data: { outcome: string } })
      .data.outcome;
  await expect.poll(outcome, 'the event').toMatch(/^(stored|duplicate)$/);
  await page.reload();
  await expect(section.getByRole('row', { name: /af_purchase/ })).toBeVisible();

  const days = section.getByLabel('Count events after a click, days');
  await expect(days).toHaveValue('180');
  await days.fill('181');
  await section.getByRole('button', { name: 'Save event settings' }).click();
  await expect(section).toContainText('Enter 1 to 180 days');
  await days.fill('30');
  await section.getByRole('checkbox', { name: 'Ad revenue' }).uncheck();
  // Saving the form of the app does not leave the screen while these changes would be lost.
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(
    page.getByText('App saved. The changes of its in-app events are not saved yet.'),
  ).toBeVisible();
  await expect(days).toHaveValue('30');
  await section.getByRole('button', { name: 'Save event settings' }).click();
  await expect(page.getByText('Event settings saved')).toBeVisible();

  await section.getByRole('button', { name: 'Edit af_purchase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit af_purchase' });
  await dialog.getByLabel('Name on screen').fill('Purchase');
  await dialog.getByRole('combobox', { name: 'Makes a person a payer' }).click();
  await page.getByRole('option', { name: 'Always' }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save event' }).click();
  await expect(section.getByRole('row', { name: /^Purchase af_purchase .*Yes Always/ })).toBeVisible();
  await page.reload();
  await expect(days).toHaveValue('30');
  await expect(section.getByRole('checkbox', { name: 'Ad revenue' })).not.toBeChecked();
  await expect(section.getByRole('row', { name: /^Purchase af_purchase .*Yes Always/ })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save app' }).click();
  await expect(page).toHaveURL(/\/assets/);

  await page.goto(`${server.url}/reports?metrics=spends,payers`);
  await page.getByRole('button', { name: 'App events: none' }).click();
  await page
    .getByRole('combobox', { name: 'App events' })
    .or(page.getByRole('textbox', { name: 'App events' }))
    .fill('Purch');
  await page.getByRole('option', { name: 'Purchase af_purchase' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Purchase: people' })).toBeVisible();
  expect(errors).toEqual([]);
});
