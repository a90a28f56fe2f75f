import { accountMessages } from '@bidwell/contract/accounts/messages';
import type { DemoUser } from '@bidwell/exchange/demo/api';
import { type Page, expect } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { companyOf, freshCompany } from '../support/company.ts';
import { fillPerson } from '../support/fields.ts';
import { logInAsOperator } from '../support/operator.ts';
import type { Server } from '../support/server.ts';
import { virtualAuthenticator } from '../support/passkeys.ts';
import { enterLogin, signIn } from '../support/session.ts';
import { settled, watchRequests } from '../support/settled.ts';
import { test } from '../support/test.ts';

const Started = z.object({ secret: z.string() });
const Invited = z.object({ link: z.string() });

test('a person sees where they are logged in and ends sessions, after the password if the login is old', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const phone = await companyOf(server, company.user);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await expect(sessions.getByText('This session')).toHaveCount(1);
  await expect(sessions.getByRole('row', { name: /Chrome on Linux/ })).toContainText('This session');
  expect(await seriousViolations(page)).toEqual([]);
  const ends = sessions.getByRole('button', { name: /^End the session/ });
  const before = await ends.count();
  await ends.first().click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(ends).toHaveCount(before - 1);

  // As if the login was long ago.
  await page.route('**/api/internal/account/second-factors', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.confirmed_until = '2020-01-01T00:00:00.000Z';
    await route.fulfill({ response, json: body });
  });
  await companyOf(server, company.user);
  await page.reload();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  const question = page.getByRole('dialog', { name: 'End all other sessions?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(sessions.getByRole('button', { name: 'End all others' })).toBeEnabled();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await question.getByRole('button', { name: 'End them' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill('a guess');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The current password is wrong')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.unroute('**/api/internal/account/second-factors');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(company.user.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(ends).toHaveCount(0);
  await expect(sessions.getByText('This session')).toBeVisible();
  await expect(phone.api.get('/app', z.unknown())).rejects.toThrow();
});

test('a person sets up an authenticator app, logs in with its code or a recovery code, and an operator removes it if both are lost @journey', async ({
  page,
  server,
  browser,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
  const secret = Secret.fromBase32(await dialog.getByTestId('authenticator-key').innerText());
  expect(await seriousViolations(page)).toEqual([]);
  const code = dialog.getByRole('textbox', { name: 'Code' });
  await code.fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText(/This code is wrong or was used/)).toBeVisible();
  await code.fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const recovery = (await dialog.getByTestId('recovery-codes').innerText()).split('\n');
  expect(recovery).toHaveLength(10);
  // They are shown only here: a key does not close them.
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('bidwell-recovery-codes.txt');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(section.getByText('10 recovery codes are left.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  const context = await browser.newContext();
  const guest = await context.newPage();
  await enterPassword(guest, server, company.user);
  await guest.getByRole('textbox', { name: 'Code' }).fill('000000');
  await guest.getByRole('button', { name: 'Log in' }).click();
  await expect(guest.getByText(/This code is wrong or was used/)).toBeVisible();
  expect(await seriousViolations(guest)).toEqual([]);
  await guest.getByRole('textbox', { name: 'Code' }).fill(recovery[0]!);
  await guest.getByRole('button', { name: 'Log in' }).click();
  await guest.waitForURL(/\/campaigns/);

  const desk = await context.newPage();
  await logInAsOperator(desk, server);
  await desk.goto(`${server.url}/operator/companies/${company.companyUuid}`);
  await desk.getByRole('button', { name: `Reset second factor of ${company.user.login}` }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
  await expect(desk.getByText(`The second factor of ${company.user.login} is removed`)).toBeVisible();
  await context.clearCookies();
  await enterPassword(guest, server, company.user);
  await guest.waitForURL(/\/campaigns/);
  await context.close();
});

/** Enters login and password on the login page. */
async function enterPassword(page: Page, server: Server, user: DemoUser): Promise<void> {
  await page.goto(`${server.url}/login`);
  await enterLogin(page, user);
}

test('an owner requires a second factor of everyone, and a new person sets one up before anything else', async ({
  page,
  server,
  browser,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=company`);
  const form = page.getByRole('region', { name: 'Company' });
  const requirement = form.getByRole('switch', { name: 'Require a second factor for everyone' });
  await expect(form.getByText('Set up a second factor of your own first.')).toBeVisible();
  await expect(requirement).toBeDisabled();
  expect(await seriousViolations(page)).toEqual([]);
  const { secret: own } = await company.api.send('POST', '/account/authenticator', undefined, Started);
  const code = new TOTP({ secret: Secret.fromBase32(own) }).generate();
  await company.api.send('PUT', '/account/authenticator', { code }, z.object({}));
  await page.reload();
  await requirement.click();
  await form.getByRole('button', { name: 'Save company' }).click();
  await expect(page.getByText(/^Company saved/)).toBeVisible();

  const invitation = { email: 'bo@example.com', role: 'editor' };
  const { link } = await company.api.send('POST', '/people/invitations', invitation, Invited);
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${server.url}/invitation${new URL(link).hash}`);
  const login = company.user.login.replace('test.', 'guest.');
  await fillPerson(guest, { login, password: 'battery staple', name: 'Bo' });
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await expect(guest.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await guest.goto(`${server.url}/reports`);
  await guest.getByRole('button', { name: 'Leave the company' }).click();
  const leaving = guest.getByRole('dialog', { name: /^Leave .+\?$/ });
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await expect(leaving).toBeHidden();
  await guest.getByRole('button', { name: 'Set up an authenticator app' }).click();
  expect(await seriousViolations(guest)).toEqual([]);
  const secret = Secret.fromBase32(await guest.getByTestId('authenticator-key').innerText());
  await guest.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
  await guest.getByRole('button', { name: 'Continue' }).click();
  await guest.getByRole('button', { name: 'Done' }).click();
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await context.close();
});

test('a person adds a passkey, logs in with it alone and after the password, renames and removes it @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { cdp, authenticatorId } = await virtualAuthenticator(page);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'New passkey' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My laptop');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const recovery = (await dialog.getByTestId('recovery-codes').innerText()).split('\n');
  expect(recovery).toHaveLength(10);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = section.getByRole('row', { name: /My laptop/ });
  await expect(row).toContainText('Never');
  expect(await seriousViolations(page)).toEqual([]);

  await page.context().clearCookies();
  await page.goto(`${server.url}/login`);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page.waitForURL(/\/campaigns/);

  await page.context().clearCookies();
  await enterPassword(page, server, company.user);
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  // As a person who closes the question of the browser.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(
    page.getByText('The browser’s prompt for a passkey was closed, or took too long. Try again.'),
  ).toBeVisible();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(/\/campaigns/);

  await page.goto(`${server.url}/profile?tab=sign-in`);
  await expect(row).not.toContainText('Never');
  await section.getByRole('button', { name: 'Rename My laptop' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename the passkey' });
  await rename.getByRole('textbox', { name: 'Name' }).fill('Key ring');
  await rename.getByRole('button', { name: 'Rename' }).click();
  await section.getByRole('button', { name: 'Remove Key ring' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Passkey “Key ring” removed')).toBeVisible();
  await expect(section.getByText('No second factor: the password is enough to log in.')).toBeVisible();
});

test('a cancelled setup reloads nothing, and passkeys that cannot be read are not an empty list', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  await virtualAuthenticator(page);
  await signIn(page, server, company);
  watchRequests(page);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  await settled(page);
  const read: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') read.push(new URL(request.url()).pathname);
  });
  const section = page.getByRole('region', { name: 'Second factor' });
  for (const [open, title] of [
    ['Set up an authenticator app', 'Authenticator app'],
    ['Add a passkey', 'New passkey'],
  ] as const) {
    await section.getByRole('button', { name: open }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByRole('textbox').first()).toBeVisible();
    await settled(page);
    read.length = 0;
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await settled(page);
    expect(read).toEqual([]);
  }

  const message = 'Too many requests: wait a moment.';
  await page.route('**/api/internal/account/passkeys', (route) =>
    route.fulfill({ status: 429, json: { data: message } }),
  );
  await page.reload();
  await expect(section.getByRole('alert')).toContainText(`The passkeys could not be loaded. ${message}`);
  await expect(section.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
});

test('a passkey proves who changes how they sign in when the login is old', async ({ page, server }) => {
  const company = await freshCompany(server);
  await virtualAuthenticator(page);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  const section = page.getByRole('region', { name: 'Second factor' });
  await section.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'New passkey' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Phone');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  // As if the login was long ago.
  await page.route('**/api/internal/account/second-factors', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.confirmed_until = '2020-01-01T00:00:00.000Z';
    await route.fulfill({ response, json: body });
  });
  await section.getByRole('button', { name: 'New recovery codes' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Recovery codes' }).getByTestId('recovery-codes'),
  ).toBeVisible();
});

test('a new mail address is saved after a proof, where the server asks for one', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  const past = '2020-01-01T00:00:00.000Z';
  // As if the login was long ago: until the password was given again.
  let isOld = true;
  await page.route('**/api/internal/users/*', async (route) => {
    if (route.request().method() !== 'PUT' || !isOld) return route.fallback();
    return route.fulfill({ status: 403, json: { data: accountMessages.confirmFirst } });
  });
  await page.route('**/api/internal/account/second-factors', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, confirmed_until: past } } });
  });
  await page.goto(`${server.url}/profile`);
  await page.getByLabel('Email').fill('moved@example.com');
  await page.getByRole('button', { name: 'Save profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(accountMessages.confirmFirst)).toBeVisible();
  await page.getByRole('button', { name: 'Save profile' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(company.user.password);
  isOld = false;
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue('moved@example.com');
});
