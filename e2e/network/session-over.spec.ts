import type { DemoUser } from '@bidwell/exchange/demo/api';
import { type Locator, type Page, expect } from '@playwright/test';
import { bannerPicture, freshCompany, makeCampaign } from '../support/company.ts';
import { choose } from '../support/fields.ts';
import { logInAsOperator, OPERATOR_PASSWORD } from '../support/operator.ts';
import { enterLogin, signInToNewCompany } from '../support/session.ts';
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
async function logIn(page: Page, user: DemoUser): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect(
    page.getByText('Your session is over. Log in to go on where you were: what you typed is kept.'),
  ).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await enterLogin(page, user);
}

const title = (page: Page | Locator) => page.getByRole('textbox', { name: 'Title', exact: true });

test('after a session that ended in a form, the same person is back in it with what they typed @journey', async ({
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
});

test('comments and dialogs are restored too, and a message says that files are not', async ({
  page,
  server,
}) => {
  const { company, parts } = await signInToNewCompany(page, server);
  const { user } = company;
  const { uuid } = await makeCampaign(company, parts, 'Spring launch');
  const dialog = page.getByRole('dialog');
  const inDialog = (name: string) => async () => page.getByRole('button', { name }).first().click();
  for (const { path, open, field, typed, send } of [
    {
      path: `/campaigns/edit?uuid=${uuid}`,
      open: async () => undefined,
      field: page.getByLabel('New comment'),
      typed: 'Is this bid high enough?',
      send: page.getByRole('button', { name: 'Comment', exact: true }),
    },
    {
      path: '/profile?tab=api',
      open: inDialog('New key'),
      field: dialog.getByRole('textbox').first(),
      typed: 'For the weekly sheet',
      send: dialog.getByRole('button', { name: 'Create key' }),
    },
    {
      path: '/finances',
      open: inDialog('Top up'),
      field: dialog.getByLabel('Amount'),
      typed: '$250.00',
      send: dialog.getByRole('button', { name: 'Send request' }),
    },
    {
      path: `/tracking-links/edit?uuid=${parts.link.uuid}`,
      open: inDialog('Checks'),
      field: dialog.getByLabel('IP addresses and networks'),
      typed: '198.51.100.7',
      send: dialog.getByRole('button', { name: 'Save' }),
    },
  ]) {
    await test.step(path, async () => {
      await page.goto(server.url + path);
      await open();
      await field.fill(typed);
      await endSession(page);
      await send.click();
      await logIn(page, user);
      await expect(page).toHaveURL(server.url + path);
      await open();
      await expect(page.getByText(RESTORED)).toBeVisible();
      await expect(field).toHaveValue(typed);
    });
  }

  await test.step('files', async () => {
    await page.goto(`${server.url}/creatives/add-creative`);
    await choose(page, 'App', 'Pocket Farm');
    await page.getByLabel('View URL').fill('https://pocketfarm.example/view');
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'Sunset.png', mimeType: 'image/png', buffer: await bannerPicture() });
    await expect(page.getByText('Sunset')).toBeVisible();
    await endSession(page);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await logIn(page, user);
    await expect(
      page.getByText('The files that you chose could not be kept. Choose them again.'),
    ).toBeVisible();
    await expect(page.getByLabel('View URL')).toHaveValue('https://pocketfarm.example/view');
  });
});

test('another person who logs in afterwards starts elsewhere, without the input', async ({
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

test('an operator who was adding an exchange finds everything except the keys', async ({ page, server }) => {
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/exchanges`);
  const dialog = page.getByRole('dialog', { name: 'Add exchange' });
  const open = async () => page.getByRole('button', { name: 'Add exchange' }).first().click();
  const profile = dialog.getByRole('combobox', { name: 'Profile' });
  const key = Buffer.alloc(32, 7).toString('base64');
  await open();
  await profile.click();
  await page.getByRole('option', { name: 'Google Authorized Buyers' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Google of the north');
  await dialog.getByLabel('Encryption key').fill(key);
  await dialog.getByLabel('Integrity key').fill(key);
  await page.route('**/api/operator/**', (route) =>
    route.fulfill({ status: 401, json: { data: 'Please log in.' } }),
  );
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/operator\/login$/);
  expect(await page.evaluate(() => JSON.stringify(Object.values(localStorage)))).not.toContain(key);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${server.url}/operator/exchanges`);
  await open();
  await expect(page.getByText(RESTORED)).toBeVisible();
  await expect(profile).toHaveValue('Google Authorized Buyers');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Google of the north');
  await expect(dialog.getByLabel('Encryption key')).toHaveValue('');
});
