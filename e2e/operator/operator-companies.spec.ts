import { type Page, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { type Company, freshCompany } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

/** Finds a company by its login and opens it. */
async function openCompany(page: Page, { user }: Company): Promise<void> {
  await page.getByRole('link', { name: 'Companies', exact: true }).click();
  await page.getByRole('textbox', { name: 'Search companies' }).fill(user.login);
  const row = page.getByRole('table', { name: 'Companies' }).getByRole('row').filter({ hasText: user.login });
  await expect(page.getByRole('table', { name: 'Companies' }).getByRole('row')).toHaveCount(2);
  await row.getByRole('link').click();
  await expect(page.getByRole('region', { name: 'People' })).toBeVisible();
}

const balance = (page: Page) => page.getByRole('group', { name: 'Balance', exact: true });

test('a company is found, credited, given credit, a margin and notes, and all of it is in its log @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const login = await logInAsOperator(page, server, 'finance');
  const errors = errorsOf(page);
  await openCompany(page, company);
  await expect(page.getByRole('button', { name: 'Suspend' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Reset password/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(dialog.getByText('Enter an amount')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('120.50');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Bank transfer 4711');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Credit', exact: true }).click();
  await expect(balance(page)).toContainText('$120.50');

  const terms = page.getByRole('region', { name: 'Credit, margin and notes' });
  await terms.getByLabel('Credit limit').fill('75');
  await terms.getByLabel('Notes').fill('Pays at the end of the month');
  await terms.getByLabel('Margin').fill('120');
  await terms.getByRole('button', { name: 'Save' }).click();
  await expect(terms.getByText('At most 100%')).toBeVisible();
  await terms.getByLabel('Margin').fill('12.5');
  await terms.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Credit, margin and notes saved')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Credit limit' })).toContainText('$75.00');

  await page.getByRole('button', { name: 'Debit', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('150');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Correction');
  await dialog.getByRole('button', { name: 'Debit', exact: true }).click();
  await expect(balance(page)).toContainText('-$29.50');

  const log = page.getByRole('region', { name: 'Log of operators' });
  await expect(log.getByText('Bank transfer 4711')).toBeVisible();
  await expect(log.getByText(`${login} changed company`)).toBeVisible();
  await expect(log.getByText('12.5')).toBeVisible();
  await page.reload();
  await expect(terms.getByLabel('Margin')).toHaveValue('12.5%');
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('an admin suspends a company with a reason, resumes it, and hands over a one-time password', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await logInAsOperator(page, server);
  const errors = errorsOf(page);
  await openCompany(page, company);
  await page.getByRole('button', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Unpaid invoice 7');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Unpaid invoice 7' })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('link', { name: 'Companies', exact: true }).first().click();
  await page.getByRole('textbox', { name: 'Search companies' }).fill(company.user.login);
  await page.getByText('Suspended', { exact: true }).first().click();
  await expect(page).toHaveURL(/status=suspended/);
  await expect(page.getByRole('table', { name: 'Companies' }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Balance' }).click();
  await expect(page).toHaveURL(/sort=balance/);
  expect(await seriousViolations(page)).toEqual([]);
  await page.reload();
  await page.getByRole('table', { name: 'Companies' }).getByRole('link').click();

  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Suspend' })).toBeVisible();

  await page.getByRole('button', { name: `Reset password of ${company.user.login}` }).click();
  await dialog.getByRole('button', { name: 'Reset password' }).click();
  await expect(dialog.getByText('It is shown only now')).toBeVisible();
  await expect(dialog.getByTestId('one-time-password')).toHaveText(/^[a-z\d-]{23}$/);
  await expect(dialog.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  // It is shown only here: a key does not close it.
  await page.keyboard.press('Escape');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(errors).toEqual([]);
});

test('a company is shown how to pay where it asks for funds', async ({ page, server }) => {
  const company = await freshCompany(server);
  await logInAsOperator(page, server, 'finance');
  const errors = errorsOf(page);
  await page.getByRole('link', { name: 'Money', exact: true }).click();
  const section = page.getByRole('region', { name: 'Payment instructions' });
  const account = `DE00 ${Date.now()}`;
  await section.getByRole('textbox', { name: 'How companies pay' }).fill(`By bank transfer\nto ${account}`);
  expect(await seriousViolations(page)).toEqual([]);
  await section.getByRole('button', { name: 'Save instructions' }).click();
  await expect(page.getByText('Payment instructions saved')).toBeVisible();

  await signIn(page, server, company);
  await page.goto(`${server.url}/finances`);
  await page.getByRole('button', { name: 'Top up' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(`By bank transfer to ${account}`)).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('top-ups are decided, the ledger is checked, and a statement is read and downloaded', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  for (const amount of [40, 60]) await company.api.send('POST', '/finance/top_up', { amount }, z.object({}));
  await logInAsOperator(page, server, 'finance');
  const errors = errorsOf(page);
  await page.getByRole('link', { name: 'Money', exact: true }).click();
  const requests = page.getByRole('table', { name: 'Top-up requests' });
  const dialog = page.getByRole('dialog');
  await requests
    .getByRole('button', { name: /^Confirm \$60\.00/ })
    .last()
    .click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('$60.00 added to the balance')).toBeVisible();
  await requests
    .getByRole('button', { name: /^Decline \$40\.00/ })
    .last()
    .click();
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('$40.00 declined')).toBeVisible();

  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText(/^Consistent, /)).toBeVisible();
  await page.getByText('7 days', { exact: true }).click();
  await expect(page).toHaveURL(/days=7/);
  expect(await seriousViolations(page)).toEqual([]);

  const select = page.getByRole('combobox', { name: 'Company' });
  await select.fill(company.user.login);
  await page.getByRole('option', { name: company.user.login }).click();
  await page.getByRole('button', { name: 'Open statement' }).click();
  await expect(page.getByRole('heading', { name: /^Statement, / })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Closing balance' })).toContainText('$60.00');
  await expect(page.getByRole('table', { name: 'Movements' }).getByRole('row')).toHaveCount(4);
  expect(await seriousViolations(page)).toEqual([]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toContain('Date,Kind,Description,Amount,Balance');
  expect(lines[2]).toMatch(/,top_up,Top-up request,60,60$/);
  expect(lines.at(-1)).toMatch(/,closing,Closing balance,,60$/);
  expect(errors).toEqual([]);
});
