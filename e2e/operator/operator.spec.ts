import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { fill } from '../support/fields.ts';
import { OPERATOR_PASSWORD, freshLogin, logInAsOperator, logInOnOperatorPage } from '../support/operator.ts';
import { test } from '../support/test.ts';

test('an operator logs in with an authenticator app, adds another, and both actions are in the log @journey', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/operator/log`);
  await expect(page).toHaveURL(/\/operator\/login$/);
  expect(await seriousViolations(page)).toEqual([]);

  const login = await logInOnOperatorPage(page, server);
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

test('an operator makes recovery codes, logs in with one, and ends the other session', async ({
  page,
  server,
  browser,
}) => {
  const login = await logInAsOperator(page, server, 'viewer');
  await page.getByRole('button', { name: 'Olivia Operator' }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  const section = page.getByRole('region', { name: 'Recovery codes' });
  await expect(section.getByText('There are no recovery codes.')).toBeVisible();
  await section.getByRole('button', { name: 'New recovery codes' }).click();
  const made = page.getByRole('dialog', { name: 'Recovery codes' });
  const codes = (await made.getByTestId('recovery-codes').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  expect(await seriousViolations(page)).toEqual([]);
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText('10 recovery codes are left.')).toBeVisible();

  const context = await browser.newContext();
  const desk = await context.newPage();
  await desk.goto(`${server.url}/operator/login`);
  await desk.getByLabel('Login').fill(login);
  await desk.getByRole('textbox', { name: 'Password' }).fill(OPERATOR_PASSWORD);
  await desk.getByRole('button', { name: 'Continue' }).click();
  await desk.getByRole('button', { name: 'Use a recovery code' }).click();
  expect(await seriousViolations(desk)).toEqual([]);
  const typed = desk.getByRole('textbox', { name: 'Recovery code' });
  await expect(typed).toBeFocused();
  await typed.fill(codes[0]!.slice(0, 11));
  await desk.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(desk.getByRole('alert')).toContainText('Six digits, or a recovery code');
  await typed.fill(codes[0]!);
  await desk.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(desk.getByRole('navigation', { name: 'Main' })).toBeVisible();

  await page.reload();
  await expect(section.getByText('9 recovery codes are left.')).toBeVisible();
  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await expect(sessions.getByText('This session')).toHaveCount(1);
  expect(await seriousViolations(page)).toEqual([]);
  await sessions.getByRole('button', { name: /^End the session/ }).click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(sessions.getByRole('button', { name: /^End the session/ })).toHaveCount(0);
  await desk.goto(`${server.url}/operator/log`);
  await expect(desk).toHaveURL(/\/operator\/login$/);
  await context.close();
});
