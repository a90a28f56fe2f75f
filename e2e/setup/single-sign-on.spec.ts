import { oidcServer } from '@bidwell/testing/engines/oidc-server';
import { type Page, expect } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { solveCaptcha } from '../support/fields.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

// The provider's certificate is its own authority.
test.use({ ignoreHTTPSErrors: true });

/** Signs in on the provider's pages, the second of which asks for consent. */
async function onPages(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Asks for the provider of an address, on the login page. */
async function askFor(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await expect(page.getByRole('heading', { name: 'Single sign-on' })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByLabel('Work email').fill(email);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('an owner sets single sign-on up, links their account, and a colleague joins by it', async ({
  page,
  browser,
}, testInfo) => {
  const provider = await oidcServer();
  const authority = testInfo.outputPath('authority.pem');
  await writeFile(authority, provider.certificate);
  const env = { SSO_PRIVATE_HOSTS: provider.host, NODE_EXTRA_CA_CERTS: authority };
  const own = await startServer('serve', env, emptyFolder());
  try {
    const { server } = own;
    const company = await freshCompany(server);
    provider.sendBackTo([`${server.url}/sso/callback/${company.companyUuid}`]);
    await signIn(page, server, company);
    await page.goto(`${server.url}/profile?tab=company`);
    const settings = page.getByRole('region', { name: 'Single sign-on of the company' });
    await expect(settings.getByText(`/sso/callback/${company.companyUuid}`)).toBeVisible();
    await settings.getByLabel('Issuer').fill('https://nobody.invalid');
    await settings.getByLabel('Client ID').fill(provider.clientId);
    await settings.getByRole('textbox', { name: 'Client secret' }).fill(provider.clientSecret);
    await settings.getByRole('button', { name: 'Save single sign-on' }).click();
    await expect(settings.getByText('No provider of OpenID Connect answers')).toBeVisible();
    await settings.getByLabel('Issuer').fill(provider.issuer);
    await settings.getByLabel('People of the mail domains may join').check();
    await settings.getByRole('button', { name: 'Save single sign-on' }).click();
    await expect(settings.getByText('One is stored. Enter another to replace it.')).toBeVisible();
    await settings.getByRole('textbox', { name: 'Mail domain' }).fill('games.example');
    await settings.getByRole('button', { name: 'Add domain' }).click();
    await expect(settings.getByText('Not proven yet')).toBeVisible();
    await expect(settings.getByText('bidwell-verification=')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    const path = `/companies/${company.companyUuid}/sso-domain`;
    await server.operator('PUT', path, { domain: 'games.example' });
    await page.reload();
    await expect(settings.getByText('Proven on')).toBeVisible();

    await page.goto(`${server.url}/profile?tab=sign-in`);
    const linking = page
      .getByRole('region', { name: 'Single sign-on' })
      .getByRole('button', { name: 'Link' });
    // On a busy machine the provider may answer too late; a person tries again then.
    await expect(async () => {
      await linking.click({ timeout: 5000 });
      await expect(page.getByPlaceholder('Enter any login')).toBeVisible({ timeout: 20_000 });
    }).toPass();
    await onPages(page, 'owner@games.example');
    await page.waitForURL(/tab=sign-in/);
    await expect(page.getByText('Your account is linked')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);

    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const guest = await context.newPage();
    await askFor(guest, server.url, 'ada@nowhere.example');
    await expect(guest.getByText('Single sign-on is not set up for this address')).toBeVisible();
    await askFor(guest, server.url, 'ada@games.example');
    await onPages(guest, 'unverified@games.example');
    await expect(guest.getByText('does not say that your mail address is verified')).toBeVisible();
    expect(await seriousViolations(guest)).toEqual([]);
    await context.clearCookies({ domain: 'localhost' });
    await askFor(guest, server.url, 'ada@games.example');
    await onPages(guest, 'ada@games.example');
    await guest.waitForURL(/\/campaigns/);
    await guest.goto(`${server.url}/profile?tab=people`);
    await expect(guest.getByText('Your role is Analyst.')).toBeVisible();
    // What the server refuses to a session by single sign-on is not offered.
    await guest.getByRole('tab', { name: 'Profile' }).click();
    await expect(guest.getByText('You signed in by single sign-on.')).toBeVisible();
    await expect(guest.getByText('ada@games.example').first()).toBeVisible();
    await expect(guest.getByRole('button', { name: 'Save profile' })).toHaveCount(0);
    await guest.getByRole('tab', { name: 'Sign-in' }).click();
    const factor = guest.getByRole('region', { name: 'Second factor' });
    await expect(factor.getByText(/the provider of your company decides/)).toBeVisible();
    await expect(factor.getByRole('button')).toHaveCount(0);
    expect(await seriousViolations(guest)).toEqual([]);
    // The answer of the provider is of no use a second time.
    await guest.goto(`${server.url}/sso/callback/${company.companyUuid}?code=used&state=used`);
    await expect(guest.getByText('This sign-in has expired, was used')).toBeVisible();
    await context.close();

    // Where it is required, an invitation leads to the provider.
    await page.goto(`${server.url}/profile?tab=company`);
    await settings.getByLabel('Required for people of the mail domains').check();
    await settings.getByRole('button', { name: 'Save single sign-on' }).click();
    await expect(page.getByText('Single sign-on saved')).toBeVisible();
    const invitation = { email: 'grace@games.example', role: 'editor' };
    const { link } = await company.api.send(
      'POST',
      '/people/invitations',
      invitation,
      z.object({ link: z.url() }),
    );
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    const newcomer = await other.newPage();
    await newcomer.goto(server.url + new URL(link).pathname + new URL(link).hash);
    await expect(newcomer.getByText('requires single sign-on: sign in at its provider')).toBeVisible();
    expect(await seriousViolations(newcomer)).toEqual([]);
    await newcomer.screenshot({ path: testInfo.outputPath('invitation.png') });
    await newcomer.getByRole('link', { name: 'Continue with single sign-on' }).click();
    await expect(newcomer.getByLabel('Work email')).toHaveValue('grace@games.example');
    await solveCaptcha(newcomer);
    await newcomer.getByRole('button', { name: 'Continue' }).click();
    await onPages(newcomer, 'grace@games.example');
    await newcomer.waitForURL(/\/campaigns/);
    await newcomer.goto(`${server.url}/profile?tab=people`);
    await expect(newcomer.getByText('Your role is Editor.')).toBeVisible();
    await other.close();
  } finally {
    await own.stop();
    provider.close();
  }
});
