import { type Locator, type Page, expect } from '@playwright/test';
import { freshCompany } from '../support/company.ts';
import { choose, solveCaptcha } from '../support/fields.ts';
import { logInAsOperator, OPERATOR_PASSWORD } from '../support/operator.ts';
import { signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

const RESTORED = 'What you typed before is back in the form. It is not saved yet.';

/** Ends the session as time does: the next call is refused, and there is nothing to renew it with. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.route(
    '**/api/internal/**',
    (route) => route.fulfill({ status: 401, json: { data: 'Please log in.' } }),
    {
      times: 1,
    },
  );
}

/** Logs in on the page that is open. */
async function logIn(page: Page, { login, password }: { login: string; password: string }): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(
    page.getByText('Your session is over. Log in to go on where you were: what you typed is kept.'),
  ).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').first().fill(password);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const title = (page: Page | Locator) => page.getByRole('textbox', { name: 'Title', exact: true });

test('after a session that ended in a form, the same person is back in it with what they typed', async ({
  page,
  server,
}) => {
  const {
    company: { user },
  } = await signInToNewCompany(page, server);

  await test.step('a form with a draft', async () => {
    await page.goto(`${server.url}/targets/edit`);
    await title(page).fill('Players at night');
    await choose(page, 'App', 'Pocket Farm');
    await endSession(page);
    await page.getByRole('button', { name: 'Save target' }).click();
    await logIn(page, user);
    await expect(page).toHaveURL(/\/targets\/edit$/);
    await expect(page.getByText('Your draft was restored.', { exact: false })).toBeVisible();
    await expect(title(page)).toHaveValue('Players at night');
    await page.getByRole('button', { name: 'Start over' }).click();
  });

  await test.step('a form without one', async () => {
    await page.goto(`${server.url}/profile`);
    await page.getByLabel('First name').fill('Ada');
    await endSession(page);
    await page.getByRole('button', { name: 'Save profile' }).click();
    await logIn(page, user);
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByText(RESTORED)).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  });

  await test.step('a drawer', async () => {
    await page.goto(`${server.url}/adset`);
    await title(page).fill('Half an ad set');
    await page.getByRole('button', { name: 'New target' }).click();
    const drawer = page.getByRole('dialog');
    await title(drawer).fill('Half a target');
    await drawer
      .getByRole('textbox', { name: 'App', exact: true })
      .or(drawer.getByRole('combobox', { name: 'App', exact: true }))
      .first()
      .click();
    await page.getByRole('option', { name: 'Pocket Farm' }).first().click();
    await endSession(page);
    await drawer.getByRole('button', { name: 'Save target' }).click();
    await logIn(page, user);
    await expect(page).toHaveURL(/\/adset$/);
    await expect(title(page)).toHaveValue('Half an ad set');
    await page.getByRole('button', { name: 'New target' }).click();
    await expect(title(drawer)).toHaveValue('Half a target');
  });

  await test.step('a dialog', async () => {
    await page.goto(`${server.url}/profile?tab=api`);
    await page.getByRole('button', { name: /new key/i }).click();
    const name = page.getByRole('dialog').getByRole('textbox').first();
    await name.fill('For the weekly sheet');
    await endSession(page);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /create/i })
      .click();
    await logIn(page, user);
    await expect(page).toHaveURL(/\/profile\?tab=api$/);
    await page.getByRole('button', { name: /new key/i }).click();
    await expect(page.getByText(RESTORED)).toBeVisible();
    await expect(name).toHaveValue('For the weekly sheet');
  });
});

test('another person who logs in after it is not there, and finds nothing of it', async ({
  page,
  server,
}) => {
  const other = await freshCompany(server);
  for (const [path, name, save] of [
    ['/targets/edit', 'Title', 'Save target'],
    ['/profile', 'First name', 'Save profile'],
  ] as const) {
    const field = page.getByRole('textbox', { name, exact: true });
    await signInToNewCompany(page, server);
    await page.goto(server.url + path);
    await field.fill('A secret plan');
    if (path === '/targets/edit') await choose(page, 'App', 'Pocket Farm');
    await endSession(page);
    await page.getByRole('button', { name: save }).click();
    await logIn(page, other.user);
    await expect(page).toHaveURL(/\/campaigns/);
    await page.goto(server.url + path);
    await expect(page.getByRole('button', { name: save })).toBeVisible();
    await expect(field).not.toHaveValue('A secret plan');
    const stored = await page.evaluate(() =>
      JSON.stringify([Object.values(localStorage), Object.values(sessionStorage)]),
    );
    expect(stored).not.toContain('A secret plan');
  }
});

test('an operator whose session ended finds what they typed in the dialog, except for secrets', async ({
  page,
  server,
}) => {
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/operators`);
  const dialog = page.getByRole('dialog');
  const open = () => page.getByRole('button', { name: 'Add operator' }).click();
  await open();
  await dialog.getByLabel('Login').fill('half.an.operator');
  await dialog.getByLabel('Name').fill('Half an operator');
  await dialog.getByLabel('First password').fill(OPERATOR_PASSWORD);
  await page.route('**/api/operator/**', (route) =>
    route.fulfill({ status: 401, json: { data: 'Please log in.' } }),
  );
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(page).toHaveURL(/\/operator\/login$/);
  await expect(page.getByText('Your session is over.', { exact: false })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(Object.values(localStorage)))).not.toContain(
    OPERATOR_PASSWORD,
  );
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${server.url}/operator/operators`);
  await open();
  await expect(page.getByText(RESTORED)).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Half an operator');
  await expect(dialog.getByLabel('First password')).toHaveValue('');
});
