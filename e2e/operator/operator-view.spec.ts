import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

test('an operator views a company: reads it, changes nothing, gets its live updates, and ends the view @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const login = await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Companies', exact: true }).click();
  await page.getByRole('textbox', { name: 'Search companies' }).fill(company.user.login);
  await expect(page.getByRole('table', { name: 'Companies' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('table', { name: 'Companies' }).getByRole('link').click();
  await expect(page.getByRole('region', { name: 'People' })).toBeVisible();
  const companyPage = page.url();
  await page.getByRole('button', { name: 'Log in as' }).click();
  const dialog = page.getByRole('dialog');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Log in as, read only' }).click();

  const banner = page.getByRole('region', { name: 'Read-only view' });
  await expect(banner).toContainText('You are viewing as');
  await expect(banner).toContainText('(read only)');
  await expect(page).toHaveURL(/\/campaigns$/);
  const errors = errorsOf(page);

  await test.step('it reads the company, also after a reload, and its live updates', async () => {
    await page.reload();
    await expect(banner).toBeVisible();
    await expect(page.getByRole('heading', { name: 'There are no campaigns' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'New Campaign' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Finances' }).click();
    await expect(page.getByText('$0.00').first()).toBeVisible();
    await server.operator('POST', `/companies/${companyPage.split('/').at(-1)}/credit`, {
      amount: 321,
      reason: 'Bank transfer',
    });
    await expect(page.getByText('$321.00').first()).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  await test.step('a change is refused with a sentence', async () => {
    await page.goto(`${server.url}/profile`);
    await expect(banner).toBeVisible();
    await page.getByLabel('First name').fill('Mallory');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(page.getByText('but not change anything', { exact: false })).toBeVisible();
  });

  await test.step('the change log of the company names the operator', async () => {
    await page.goto(`${server.url}/changes`);
    await expect(page.getByText('viewed the console of', { exact: false })).toBeVisible();
    await expect(page.getByText(login)).toBeVisible();
  });

  await banner.getByRole('button', { name: 'End' }).click();
  await expect(page).toHaveURL(companyPage);
  await page.goto(`${server.url}/campaigns`);
  await expect(page).toHaveURL(/\/login$/);
});

test('a link that was used before says what to do', async ({ page, server }) => {
  await page.goto(`${server.url}/view#used`);
  await expect(
    page.getByText('This link was used, or it is older than a minute.', { exact: false }),
  ).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.goto(`${server.url}/view`);
  await expect(page.getByText('It has ended: a view lasts an hour at most.')).toBeVisible();
});
