import { type Locator, type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { freshCompany, makeAdsetParts, makeApp, makeCampaign } from './support/company.ts';
import { fill } from './support/fields.ts';
import { signIn, signInToNewCompany } from './support/session.ts';
import { test } from './support/test.ts';

const Made = z.object({ uuid: z.uuid() });

/** Names of the rows of the list, from the top. */
const names = async (page: Page) =>
  page
    .locator('tr[data-row]')
    .evaluateAll((rows) => rows.map((row) => row.querySelector('a, strong')?.textContent.trim() ?? ''));

test('ad sets and creatives are listed flat and sorted across campaigns', async ({ page, server }) => {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  await makeCampaign(company, parts, 'Spring', [{ name: 'Coasts', bet_cpm: 3 }]);
  await makeCampaign(company, parts, 'Autumn', [{ name: 'Alps', bet_cpm: 5 }]);
  await makeCampaign(company, parts, 'Autumn again', [{ name: 'Bays', bet_cpm: 1 }]);
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  const list = page.getByRole('radiogroup', { name: 'List' });
  const sortBy = (name: string) => page.getByRole('columnheader', { name }).getByRole('button').click();

  await list.getByText('Ad sets').click();
  await expect(page.getByRole('table', { name: 'ad sets' }).getByRole('row')).toHaveCount(5);
  await sortBy('Ad set');
  await expect.poll(() => names(page)).toEqual(['Alps', 'Bays', 'Coasts']);
  await sortBy('CPM bid');
  await expect.poll(() => names(page)).toEqual(['Bays', 'Coasts', 'Alps']);
  await expect(page.getByRole('row', { name: /Alps/ }).getByRole('link', { name: 'Autumn' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause Alps' }).click();
  await expect(page.getByRole('button', { name: 'Start Alps' })).toBeVisible();
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Bays', 'Coasts', 'Alps']);

  await list.getByText('Creatives').click();
  await expect(
    page.getByRole('table', { name: 'creatives' }).getByRole('row', { name: /Harvest/ }),
  ).toHaveCount(1);
  await page.getByRole('link', { name: 'Harvest' }).click();
  await expect(page).toHaveURL(/\/creatives\?.*creative=/);
});

test('lists are filtered by status, app and text, and the address keeps the filters @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  await makeCampaign(company, parts, 'Spring launch');
  const second = await makeApp(company, 'Night Runner', { mobile_measurement_partner: 'adjust' });
  await company.api.send('POST', '/target', { app_id: second.uuid, name: 'Runners' }, Made);
  await company.api.send('POST', '/campaign', { name: 'Night launch', app_uuid: second.uuid }, Made);
  await server.operator('POST', `/apps/${second.uuid}/decision`, { status: 'Approved' });
  await signIn(page, server, company);
  const status = page.getByRole('combobox', { name: 'Status' });
  const app = page.getByRole('combobox', { name: 'App', exact: true });

  await page.goto(`${server.url}/assets?tab=apps`);
  await expect(page.getByRole('row')).toHaveCount(3);
  await status.selectOption('Approved');
  await expect.poll(() => names(page)).toEqual(['Night Runner']);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Night Runner']);
  await fill(page, 'Search apps', 'farm');
  await expect(page.getByText('Nothing matches “farm”.')).toBeVisible();

  await page.goto(`${server.url}/assets?tab=targets`);
  await app.selectOption('Night Runner');
  await expect(page.getByRole('row', { name: /Runners/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Everyone/ })).toHaveCount(0);

  await page.goto(`${server.url}/campaigns`);
  await app.selectOption('Night Runner');
  await expect.poll(() => names(page)).toEqual(['Night launch']);
  await expect(page).toHaveURL(new RegExp(`app=${second.uuid}`));
  await app.selectOption('All apps');
  await page.getByRole('link', { name: 'In moderation: app, 1 creative' }).click();
  await expect(page).toHaveURL(/\/assets\?.*status=Moderation/);
  await expect(page.getByRole('row', { name: /Harvest/ })).toContainText('Moderation');
});

test('the chart is hidden for good, and ten campaigns fit on the screen', async ({ page, server }) => {
  const { company, parts } = await signInToNewCompany(page, server);
  for (let number = 1; number <= 12; number += 1)
    await company.api.send('POST', '/campaign', { name: `Wave ${number}`, app_uuid: parts.app.uuid }, Made);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'Hide chart' }).click();
  await expect(page.locator('canvas')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Show chart' })).toBeVisible();
  const tenth = page.locator('tr[data-row]').nth(9);
  await expect(tenth).toBeVisible();
  await expect
    .poll(async () => await tenth.boundingBox().then((box) => box!.y + box!.height))
    .toBeLessThanOrEqual(900);
  await page.getByRole('button', { name: 'Show chart' }).click();
  await expect(page.locator('canvas').first()).toBeVisible();
});

/** The lines of a card, each with its columns. */
function linesOf(card: Locator): Promise<string[][]> {
  return card.locator('td').evaluateAll((cells) => {
    const found = new Map<number, string[]>();
    for (const cell of cells) {
      const { y, height } = cell.getBoundingClientRect();
      const middle = Math.round((y + height / 2) / 4);
      const name = cell.dataset['label'] ?? '';
      if (height > 0) found.set(middle, [...(found.get(middle) ?? []), ...(name ? [name] : [])]);
    }
    return [...found.values()];
  });
}

test('on a phone the rows of a table are cards', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/campaigns`);
  const card = page.locator('tr[data-row]').first();
  await expect(card).toBeVisible();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  const labels = await card
    .locator('td[data-label]')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
  expect(labels).toContain('"Spend"');
  const box = (await card.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  // Name and status, budget and spend, and the key figures: a line each.
  expect(await linesOf(card)).toEqual([['Status'], ['Daily budget', 'Spend'], ['Installs', 'CPI', 'CTR']]);
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Campaign, descending');
  await expect.poll(async () => (await names(page))[0]).toBe('Lumen Drift players who pay');
});

test('on a phone the card of an ad set takes three lines and names its campaign', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/campaigns?depth=adset`);
  const card = page.locator('tr[data-row]').first();
  await expect(card.getByText(/^(Basket Bloom|Lumen Drift)/).locator('visible=true')).toBeVisible();
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  expect(await linesOf(card)).toEqual([
    ['Status'],
    ['CPM bid', 'Daily budget'],
    ['Spend', 'Installs', 'CPI'],
  ]);
});

interface Figures {
  children?: Figures[];
  [metric: string]: unknown;
}

/** Gives every row of the reports revenue, and figures as wide as a large advertiser has. */
async function giveRevenue(page: Page): Promise<void> {
  const wide = { spends: 11_090.28, installs: 1741, cpi: 16.27, revenue: 12_807.16, roas: 115.34, ctr: 13.5 };
  const enrich = (row: Figures): Figures => ({ ...row, ...wide, children: row.children?.map(enrich) });
  await page.route('**/api/internal/analytics/level', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: { rows: Figures[]; total: Figures } };
    await route.fulfill({
      response,
      json: { data: { ...data, rows: data.rows.map(enrich), total: enrich(data.total) } },
    });
  });
}

test('with revenue, the lists fit a laptop and their cards still take three lines', async ({
  page,
  server,
  demo,
}) => {
  await signIn(page, server, demo);
  await giveRevenue(page);
  const lists = {
    campaigns: ['/campaigns', ['Daily budget', 'Spend'], ['Installs', 'CPI', 'ROAS']],
    'ad sets': ['/campaigns?depth=adset', ['CPM bid', 'Daily budget'], ['Spend', 'Installs', 'ROAS']],
    creatives: ['/campaigns?depth=creative', ['App', 'Spend'], ['Installs', 'CPI', 'ROAS']],
  } as const;
  for (const [name, [path, second, third]] of Object.entries(lists)) {
    await test.step(name, async () => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(server.url + path);
      const table = page.getByRole('table', { name, exact: true });
      await expect(table.getByRole('columnheader', { name: 'ROAS' })).toBeVisible();
      await expect(page.locator('[data-skeleton]')).toHaveCount(0);
      const excess = table.evaluate(
        ({ scrollWidth, parentElement: place }) => scrollWidth - place!.clientWidth,
      );
      expect(await excess).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect
        .poll(() => linesOf(page.locator('tr[data-row]').first()))
        .toEqual([['Status'], second, third]);
    });
  }
});

test('the first column of a table begins below the search field', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/assets?tab=tracking-links`);
  const field = page.getByRole('combobox', { name: 'Search tracking links' });
  await expect(page.locator('tr[data-row]').first()).toBeVisible();
  const [search, heading] = [
    await field.boundingBox(),
    await page.getByRole('columnheader').first().getByRole('button').boundingBox(),
  ];
  expect(Math.abs(search!.x - heading!.x)).toBeLessThanOrEqual(1);
});
