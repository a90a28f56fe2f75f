import type { ModerationItem } from '@bidwell/contract/moderation/schema';
import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { type Company, bannerForm, bannerPicture, freshCompany, makeAdsetParts } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import type { Server } from '../support/server.ts';
import { test } from '../support/test.ts';

const Made = z.object({ uuid: z.uuid() });
const COLORS = ['#7a1f3d', '#1f4d7a', '#7a5a1f', '#3d1f7a'];

/** A company with an app, the banner "Harvest" and further banners of these names. */
async function companyWithBanners(server: Server, names: readonly string[]): Promise<Company> {
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company);
  for (const [index, name] of names.entries()) {
    const picture = await bannerPicture(300, 250, COLORS[index % COLORS.length]);
    await company.api.send('POST', '/v2/internal_creative', bannerForm(app, name, picture), Made);
  }
  return company;
}

async function waitingNames(server: Server, { companyUuid }: Company): Promise<string[]> {
  const path = `/moderation?company_uuid=${companyUuid}`;
  const { items } = await server.operator<{ items: ModerationItem[] }>('GET', path);
  return items.map(({ name }) => name);
}

const current = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('a moderator approves, rejects and undoes by keyboard @journey', async ({ page, server }) => {
  const company = await companyWithBanners(server, ['Sunny', 'Windy', 'Rainy']);
  await logInAsOperator(page, server, 'moderator');
  await expect(page).toHaveURL(/\/operator\/review/);
  const errors = errorsOf(page);
  await page.goto(`${server.url}/operator/review?kind=Banner&company=${company.companyUuid}`);
  await expect(current(page, 'Harvest')).toContainText('320 × 50 px');
  await expect(page.getByRole('img', { name: 'Harvest' })).toBeVisible();
  await expect(current(page, 'Harvest')).toContainText('app.appsflyer.com');
  expect(await seriousViolations(page)).toEqual([]);

  await page.keyboard.press('j');
  await expect(current(page, 'Sunny')).toBeVisible();
  await page.keyboard.press('k');
  // A decision is about what is shown.
  await expect(current(page, 'Harvest')).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('status').filter({ hasText: 'Approved “Harvest”' })).toBeVisible();
  await expect(current(page, 'Sunny')).toBeVisible();

  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Reject “Sunny”' });
  await expect(dialog).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('3');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Rejected “Sunny”' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('status').filter({ hasText: 'Approved “Windy”' })).toBeVisible();
  await page.keyboard.press('u');
  await expect(current(page, 'Windy')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Rejected “Sunny”' })).toBeVisible();

  // Leaving the screen sends what was decided and not undone.
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await expect.poll(() => waitingNames(server, company)).toEqual(['Pocket Farm', 'Windy', 'Rainy']);
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.reload();
  await expect(page.getByRole('article')).toBeVisible();
  expect(errors).toEqual([]);
});

test('a rejection with an own reason is shown to the next review of the creative', async ({
  page,
  server,
}) => {
  const company = await companyWithBanners(server, ['Blurry']);
  await logInAsOperator(page, server, 'moderator');
  await page.goto(`${server.url}/operator/review?kind=Banner&company=${company.companyUuid}`);
  await page.getByRole('button', { name: /^Blurry/ }).click();
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await page.getByRole('textbox', { name: 'Another reason' }).fill('The third word is missing.');
  await page.getByRole('button', { name: 'Reject with this reason' }).click();
  await expect(current(page, 'Harvest')).toBeVisible();
  // Closing the page sends it too.
  await page.goto('about:blank');
  await expect.poll(() => waitingNames(server, company)).toEqual(['Pocket Farm', 'Harvest']);

  const { internal_creatives: creatives } = await company.api.get(
    '/internal_creative',
    z.object({
      internal_creatives: z.array(
        Made.extend({ status: z.string(), internal_creative: z.object({ name: z.string() }) }),
      ),
    }),
  );
  const { uuid } = creatives.find(({ status }) => status === 'Rejected')!;
  await company.api.send(
    'PUT',
    `/creative/${uuid}`,
    { name: 'Sharper', click_url: 'https://sharper.example/?id={click_id}' },
    Made,
  );
  await page.goto(`${server.url}/operator/review?kind=Banner&company=${company.companyUuid}&item=${uuid}`);
  await expect(current(page, 'Sharper')).toContainText('“Blurry”: The third word is missing.');
});

test('several are selected and approved at once, and filters narrow the queue', async ({ page, server }) => {
  const company = await companyWithBanners(server, ['North', 'East', 'South']);
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/review?company=${company.companyUuid}`);
  await expect(page.getByRole('region', { name: 'Queue' }).getByRole('button')).toHaveCount(5);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Banners (4)' }).click();
  await expect(page.getByRole('region', { name: 'Queue' }).getByRole('button')).toHaveCount(4);
  await expect(page).toHaveURL(/kind=Banner/);

  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('checkbox', { name: 'Select South' }).uncheck();
  await page.getByRole('button', { name: 'Approve 3 selected' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Approved 3 items' })).toBeVisible();
  await expect(current(page, 'South')).toBeVisible();
  // Ten seconds later it is sent by itself.
  await expect.poll(() => waitingNames(server, company)).toEqual(['Pocket Farm', 'South']);
  await page.keyboard.press('a');
  await expect(page.getByText('Nothing matches the filters')).toBeVisible();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect(current(page, 'South')).toBeVisible();
});

test('a viewer reads the queue and decides nothing', async ({ page, server }) => {
  const company = await companyWithBanners(server, []);
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/review?company=${company.companyUuid}`);
  await expect(current(page, 'Pocket Farm')).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Queue' }).getByRole('button')).toHaveCount(2);
});

test('the queue shows the waiting time next to a long name, and URLs have the whole width', async ({
  page,
  server,
}) => {
  const company = await companyWithBanners(server, []);
  const long = { name: 'A company with quite a long name, as some have it', time_zone: 'UTC' };
  await company.api.send('PUT', `/company/${company.companyUuid}`, long, z.object({}));
  await logInAsOperator(page, server, 'moderator');
  await page.goto(`${server.url}/operator/review?kind=Banner&company=${company.companyUuid}`);
  const queue = page.getByRole('region', { name: 'Queue' });
  const age = queue.getByText(/^\s*· (?:< )?\d+ min$/);
  await expect(age).toBeVisible();
  const [row, waits] = [await queue.getByRole('button').boundingBox(), await age.boundingBox()];
  expect(waits!.x + waits!.width).toBeLessThanOrEqual(row!.x + row!.width);
  const harvest = current(page, 'Harvest');
  const [facts, url] = [
    await harvest.getByRole('term').filter({ hasText: 'Click URL' }).boundingBox(),
    await harvest.getByRole('definition').filter({ hasText: 'clickid' }).first().boundingBox(),
  ];
  expect(url!.x).toBe(facts!.x);
});

test('on a phone the reviewed item is above the queue', async ({ page, server }) => {
  const company = await companyWithBanners(server, ['Sunny']);
  await page.setViewportSize({ width: 390, height: 844 });
  await logInAsOperator(page, server, 'moderator');
  await page.goto(`${server.url}/operator/review?kind=Banner&company=${company.companyUuid}`);
  await expect(current(page, 'Harvest')).toContainText('320 × 50 px');
  await expect(page.getByRole('img', { name: 'Harvest' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
