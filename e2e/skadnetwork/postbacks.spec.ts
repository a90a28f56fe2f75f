import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { appStore, freshCompany, makeAdsetParts } from '../support/company.ts';
import { seriousViolations } from '../support/accessibility.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const ADSET = '0198c0de-0000-7000-8000-000000000001';
const apps = { ios: 1, signed: 1 };

test('postbacks are shown by their keys, with the installs of partners, and downloaded @journey', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/reports`);
  await page.getByRole('link', { name: 'SKAdNetwork' }).click();
  await expect(page.getByText('No app of the App Store')).toBeVisible();
  await expect(page.getByText('the two must not be added')).toBeVisible();

  const counts = { postbacks: 12, won: 9, lost: 3, downloads: 8, redownloads: 1, re_engagements: 0 };
  await page.route('**/analytics/skadnetwork', async (route) => {
    const { by } = route.request().postDataJSON() as { by: string[] };
    const names: Record<string, string> = {
      adset: 'Germany, videos',
      window: 'Window 0, days 0–2',
      value: '5: purchase',
    };
    const rows = [{ groups: by.map((key) => ({ key, name: names[key] ?? key })), ...counts }];
    const problems = [{ reason: 'bad_signature', count: 4, last_at: '2026-06-02T12:00:00.000Z' }];
    await route.fulfill({ json: { data: { rows, total: counts, apps, problems } } });
  });
  await page.route('**/analytics/skadnetwork/comparison?*', async (route) => {
    const row = { day: '2026-06-02', adset: { uuid: ADSET, name: 'Germany, videos' } };
    const installs = { partner_installs: 7, postback_installs: 9 };
    await route.fulfill({ json: { data: { rows: [{ ...row, ...installs }], total: installs } } });
  });
  await page.reload();
  const table = page.getByRole('table', { name: 'Postbacks', exact: true });
  await expect(
    table.getByRole('row', { name: /Germany, videos Window 0, days 0–2 12 9 3 8 1 0/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'Rejected and unmatched postbacks' })).toContainText(
    'bad signature',
  );
  const comparison = page.getByRole('table', { name: 'Installs by partner and by postbacks' });
  await expect(comparison.getByRole('row', { name: /Germany, videos .*7 9$/ })).toBeVisible();
  await expect(comparison.getByRole('row', { name: /^Total 7 9$/ })).toBeVisible();

  await page.goto(`${page.url()}${page.url().includes('?') ? '&' : '?'}by=value`);
  await expect(table.getByRole('row', { name: /5: purchase/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/^bidwell-skadnetwork-.*\.csv$/);
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('postbacks are grouped by chosen keys and of a chosen app, and the CSV file has the shown rows', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company, { store: appStore('1234567891') });
  await signIn(page, server, company);
  const asked: { by: string[]; app_uuid?: string }[] = [];
  const counts = { postbacks: 12, won: 9, lost: 3, downloads: 8, redownloads: 1, re_engagements: 0 };
  await page.route('**/analytics/skadnetwork', async (route) => {
    const query = route.request().postDataJSON() as { by: string[]; app_uuid?: string };
    asked.push(query);
    const rows = [{ groups: query.by.map((key) => ({ key, name: `The ${key}` })), ...counts }];
    await route.fulfill({ json: { data: { rows, total: counts, apps, problems: [] } } });
  });
  await page.goto(`${server.url}/reports/skadnetwork`);
  const table = page.getByRole('table', { name: 'Postbacks', exact: true });
  await expect(table.getByRole('row', { name: /The adset The window/ })).toBeVisible();
  await page.getByRole('button', { name: /^App: / }).click();
  await page.getByRole('option', { name: 'Pocket Farm' }).click();
  await expect.poll(() => asked.at(-1)).toMatchObject({ by: ['adset', 'window'], app_uuid: app.uuid });
  await page.getByRole('combobox', { name: 'Group by' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Country' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => asked.at(-1)?.by).toEqual(['adset', 'window', 'country']);
  await expect(table.getByRole('columnheader', { name: 'Country' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`app=${app.uuid}`));

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual([
    'Ad set,Window,Country,Postbacks,Won,Lost,Downloads,Redownloads,Re-engagements',
    'The adset,The window,The country,12,9,3,8,1,0',
    'Total,,,12,9,3,8,1,0',
  ]);
});

test('installs are compared by week in long ranges and by day in short ones, with their total', async ({
  page,
  server,
}) => {
  await signIn(page, server, await freshCompany(server));
  const adset = { uuid: ADSET, name: 'Germany, videos' };
  const row = (day: string, partner: number | null, postbacks: number) => ({
    day,
    adset: partner === null ? null : adset,
    partner_installs: partner,
    postback_installs: postbacks,
  });
  const rows = [
    row('2026-06-10', 2, 1),
    row('2026-06-09', 5, 0),
    row('2026-06-09', null, 3),
    row('2026-06-05', 1, 4),
  ];
  const total = { partner_installs: 8, postback_installs: 8 };
  await page.route('**/analytics/skadnetwork/comparison?*', (route) =>
    route.fulfill({ json: { data: { rows, total } } }),
  );
  await page.goto(`${server.url}/reports/skadnetwork?from=2026-06-02&to=2026-06-30`);
  const table = page.getByRole('table', { name: 'Installs by partner and by postbacks' });
  await expect(table.getByRole('columnheader', { name: 'Week of arrival' })).toBeVisible();
  await expect(table.getByRole('row', { name: /^Germany, videos W24 2026 7 1$/ })).toBeVisible();
  await expect(table.getByRole('row', { name: /^Germany, videos W23 2026, from Jun 02 1 4$/ })).toBeVisible();
  // No partner knows whose these are: their installs are unknown, not 0.
  await expect(table.getByRole('row', { name: /^Unknown source identifier W24 2026 - 3$/ })).toBeVisible();
  await expect(table.getByRole('row', { name: /^Total 8 8$/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV of the comparison' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual([
    'Ad set,Week of arrival,Partner installs,Installs by postbacks',
    '"Germany, videos",W24 2026,7,1',
    'Unknown source identifier,W24 2026,,3',
    '"Germany, videos","W23 2026, from Jun 02",1,4',
    'Total,,8,8',
  ]);
  await page.getByRole('radiogroup', { name: 'Compare by' }).getByText('Day').click();
  await expect(page).toHaveURL(/group=day/);
  await expect(table.getByRole('row', { name: /^Germany, videos Jun 10 \/ 2026 2 1$/ })).toBeVisible();
  await page.goto(`${server.url}/reports/skadnetwork?from=2026-06-01&to=2026-06-14`);
  await expect(table.getByRole('columnheader', { name: 'Day of arrival' })).toBeVisible();
});

test('a report without postbacks says that signing is off, or that postbacks are still to come', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company, { store: appStore('1234567891') });
  await signIn(page, server, company);
  await page.goto(`${server.url}/reports/skadnetwork`);
  await expect(page.getByText('Signing is switched off')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Apps', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^App: / }).click();
  await page.getByRole('option', { name: 'Pocket Farm' }).click();
  await expect(page.getByRole('link', { name: 'Open the app' })).toHaveAttribute(
    'href',
    `/edit-app?uuid=${app.uuid}`,
  );
  const counts = { postbacks: 0, won: 0, lost: 0, downloads: 0, redownloads: 0, re_engagements: 0 };
  await page.route('**/analytics/skadnetwork', (route) =>
    route.fulfill({ json: { data: { rows: [], total: counts, apps, problems: [] } } }),
  );
  await page.reload();
  await expect(page.getByText('No postbacks arrived in this range')).toBeVisible();
});

test('rejected postbacks of the previous range are marked while another range loads', async ({
  page,
  server,
}) => {
  await signIn(page, server, await freshCompany(server));
  const counts = { postbacks: 0, won: 0, lost: 0, downloads: 0, redownloads: 0, re_engagements: 0 };
  const problems = [{ reason: 'bad_signature', count: 4, last_at: '2026-06-02T12:00:00.000Z' }];
  let isHeld = false;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/analytics/skadnetwork', async (route) => {
    if (isHeld) await answered;
    await route.fulfill({
      json: { data: { rows: [], total: counts, apps, problems: isHeld ? [] : problems } },
    });
  });
  await page.goto(`${server.url}/reports/skadnetwork`);
  const section = page.getByRole('region', { name: 'Rejected and unmatched postbacks' });
  await expect(section).toContainText('bad signature');
  await expect(section.locator('[data-stale]')).toHaveCount(0);
  isHeld = true;
  await page.getByRole('button', { name: /Last 30 Days/ }).click();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await expect(section.locator('[data-stale="all"]')).toBeVisible();
  answer();
  await expect(section).toBeHidden();
});
