import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('revenue by day has the media cost and the margin, and its CSV file the same columns', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/money?days=7`);
  const table = page.getByRole('table', { name: 'Revenue by day' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Day (UTC)',
    'Spend',
    'Media cost',
    'Margin',
    'Funds added',
  ]);
  await expect(table.getByRole('row')).toHaveCount(8);
  const download = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Revenue by day' }).getByRole('button', { name: 'CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).replace('\ufeff', '').split('\r\n');
  expect(lines[0]).toBe('Date,Spend,Media cost,Margin,Funds added');
  expect(lines).toHaveLength(8);
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('the time zone of a company is changed in a dialog that says what changes', async ({ page, server }) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/companies?q=${company.user.login}`);
  await page.getByRole('main').getByRole('link').first().click();
  await page.getByRole('button', { name: 'Change the time zone' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Keep statements that you have handed over', { exact: false })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('Europe/Berlin');
  const log = page.getByRole('region', { name: 'Log of operators' });
  await expect(log.getByText('UTC → Europe/Berlin')).toBeVisible();
  expect(errors).toEqual([]);
});

test('the storage of a company is changed in a dialog, and the company sees it where it uploads', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/companies?q=${company.user.login}`);
  await page.getByRole('main').getByRole('link').first().click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText('0 bytes of 2 GiB, by the settings');
  await details.getByRole('button', { name: 'Change the storage' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('uses 0 bytes of 2 GiB');
  await dialog.getByRole('textbox', { name: 'Storage' }).fill('0');
  await expect(dialog).toContainText('With 0 the company cannot upload any file.');
  await dialog.getByRole('textbox', { name: 'Storage' }).fill('1.5');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(details).toContainText('0 bytes of 1.5 GiB');
  await server.operator('POST', `/companies/${company.companyUuid}/credit`, {
    amount: 50,
    reason: 'Welcome',
  });
  await page.reload();
  const log = page.getByRole('region', { name: 'Log of operators' });
  await expect(log).toContainText('Storage quotaby the settings → 1.5 GiB');
  await expect(log).toContainText('Operator token credited company');
  // The values of all entries are in one column.
  const starts = await log
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
  expect(starts.length).toBeGreaterThan(2);
  expect(new Set(starts).size).toBe(1);
  await signIn(page, server, company);
  await page.goto(`${server.url}/creatives/add-creative`);
  await expect(page.getByText('0 bytes of 1.5 GiB of storage used.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('amounts of five digits have room in their cards on a phone', async ({ page, server }) => {
  await logInAsOperator(page, server, 'viewer');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route('**/api/operator/revenue*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { days: object[] } };
    body.data.days = body.data.days.map((day, index) => ({
      ...day,
      ...(index === 0 ? { spend: 98_765.43, media: 87_654.32, margin: 11_111.11, funds: 99_000 } : {}),
    }));
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(`${server.url}/operator/money?days=7`);
  const card = page.getByRole('group', { name: 'Media cost' });
  await expect(card).toContainText('$87 654.32');
  const room = await card.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.querySelector('[data-figure]')!);
    return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
  });
  expect(room).toBeGreaterThan(8);
});

test('the placeholder of top-ups has the size of their table', async ({ page, server }) => {
  const company = await freshCompany(server);
  await company.api.send('POST', '/finance/top_up', { amount: 40 }, z.object({}));
  await logInAsOperator(page, server, 'finance');
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/operator\/(top-ups|ledger\/check\/last)$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${server.url}/operator/money`);
  const table = page.getByRole('region', { name: 'Top-up requests' }).locator('table');
  await expect(table.locator('tbody tr[data-skeleton]')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Ledger check' }).locator('[data-skeleton]')).toHaveCount(2);
  await page.evaluate(async () => void (await document.fonts.ready));
  const heightOf = async () => (await table.locator('tbody tr').first().boundingBox())!.height;
  const loading = await heightOf();
  answer();
  await expect(table.getByRole('button', { name: /^Confirm/ }).first()).toBeVisible();
  expect(Math.abs((await heightOf()) - loading)).toBeLessThanOrEqual(2);
});
