import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { fill } from '../support/fields.ts';
import { freshLogin, logInAsOperator } from '../support/operator.ts';
import { test } from '../support/test.ts';

test('an operator logs in with an authenticator app, adds another, and both actions are in the log', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/operator/log`);
  await expect(page).toHaveURL(/\/operator\/login$/);
  expect(await seriousViolations(page)).toEqual([]);

  const login = await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Operators' }).click();
  await page.getByRole('button', { name: 'Add operator' }).click();
  const added = freshLogin();
  await page.getByRole('textbox', { name: 'Login' }).fill(added);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ned New');
  await page.getByRole('textbox', { name: 'First password' }).fill('another passphrase');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await fill(page, 'Search Operators', added);
  await expect(page.getByRole('row').nth(1)).toContainText('Ned New');
  await expect(page.getByRole('cell', { name: added, exact: true })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await expect(page.getByText(`${login} added operator ${added}`).first()).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Olivia Operator' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/operator\/login$/);
});

test('a wrong code is refused in words, and a viewer does not see the accounts', async ({ page, server }) => {
  const login = await logInAsOperator(page, server, 'viewer');
  await expect(page.getByRole('link', { name: 'Log', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Operators' })).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto(`${server.url}/operator/login`);
  await page.getByLabel('Login').fill(login);
  await page.getByRole('textbox', { name: 'Password' }).fill('a long passphrase');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await expect(page.getByRole('alert')).toContainText('Login, password or code is wrong.');
});
