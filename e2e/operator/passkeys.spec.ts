import { type Page, expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { OPERATOR_PASSWORD, logInAsOperator } from '../support/operator.ts';
import { virtualAuthenticator } from '../support/passkeys.ts';
import type { Server } from '../support/server.ts';
import { test } from '../support/test.ts';

const inside = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Opens the login without cookies. */
async function openLogin(page: Page, server: Server): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${server.url}/operator/login`);
}

test('an operator adds a passkey, logs in with it alone and after the password, renames and removes it', async ({
  page,
  server,
}) => {
  const { cdp, authenticatorId } = await virtualAuthenticator(page);
  const login = await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/account`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'New passkey' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My laptop');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Passkey “My laptop” added')).toBeVisible();
  await expect(dialog).toBeHidden();
  const row = section.getByRole('row', { name: /My laptop/ });
  await expect(row).toContainText('Never');
  expect(await seriousViolations(page)).toEqual([]);

  await openLogin(page, server);
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(inside(page)).toBeVisible();

  await openLogin(page, server);
  await page.getByLabel('Login').fill(login);
  await page.getByRole('textbox', { name: 'Password' }).fill(OPERATOR_PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  const use = page.getByRole('button', { name: 'Use a passkey' });
  await expect(use).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  // As an operator who closes the question of the browser.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await use.click();
  await expect(page.getByRole('alert')).toHaveText(/^The browser’s prompt for a passkey was closed/);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await use.click();
  await expect(inside(page)).toBeVisible();

  await page.goto(`${server.url}/operator/account`);
  await expect(row).not.toContainText('Never');
  await section.getByRole('button', { name: 'Rename My laptop' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename the passkey' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('Key ring');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await section.getByRole('button', { name: 'Remove Key ring' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Passkey “Key ring” removed')).toBeVisible();
  await expect(section.getByRole('row', { name: /Key ring/ })).toHaveCount(0);

  await page.goto(`${server.url}/operator/log`);
  for (const did of ['added', 'renamed', 'removed'])
    await expect(page.getByText(`${login} ${did} a passkey of operator ${login}`)).toBeVisible();
  await openLogin(page, server);
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText(/^This passkey was not accepted/);
});

test('a passkey proves who changes how an operator signs in when the login is old', async ({
  page,
  server,
}) => {
  await virtualAuthenticator(page);
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/account`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'New passkey' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Phone');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  // As if the login was long ago.
  await page.route('**/api/operator/session/second-factors', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.confirmed_until = '2020-01-01T00:00:00.000Z';
    await route.fulfill({ response, json: body });
  });
  await page.getByRole('button', { name: 'Remove Phone' }).click();
  await page.getByRole('dialog', { name: 'Remove “Phone”?' }).getByRole('button', { name: 'Remove' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('Passkey “Phone” removed')).toBeVisible();
});
