import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { solveCaptcha } from '../support/fields.ts';
import { confirmationLink, startMailServer } from '../support/mail-server.ts';
import { startServer } from '../support/server.ts';
import { logInOnPage, signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

test('an address is confirmed by the link that is mailed to it, and a forgotten password replaced by another one @journey', async ({
  page,
}) => {
  const mail = await startMailServer();
  const own = await startServer('serve', { SMTP_URL: mail.url }, emptyFolder());
  try {
    const { url } = own.server;
    const company = await freshCompany(own.server);
    const { user } = company;
    const confirmation = await confirmationLink(mail);
    await signIn(page, own.server, company);
    const notice = page.getByRole('region', { name: 'Mail address' });
    await test.step('screens say that the address is not confirmed, with a button that sends the link again', async () => {
      await page.goto(`${url}/profile`);
      await expect(notice).toContainText('Confirm your mail address with the link that was sent to');
      expect(await seriousViolations(page)).toEqual([]);
      await notice.getByRole('button', { name: 'Send again' }).click();
      await expect(notice).toContainText('Another link is on its way');
      expect(await confirmationLink(mail)).toBe(confirmation);
    });
    await page.goto(confirmation);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('is confirmed, and gets mails from now on')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto(`${url}/profile`);
    await expect(page.getByLabel('First name')).toBeVisible();
    await expect(notice).toBeHidden();
    await page.context().clearCookies();

    await page.goto(`${url}/login`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel('Login').fill(user.login);
    await solveCaptcha(page);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
    await expect.poll(() => mail.mails.length).toBe(1);
    const link = /http:\/\/localhost:\d+\/password-reset#[\w-]+/.exec(mail.mails[0]!)![0];

    await page.goto(link);
    await page.getByLabel('New password').fill('battery staple');
    await page.getByLabel('Confirm password').fill('another one');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(
      page.getByText('Passwords don’t match').or(page.getByText("Passwords don't match")),
    ).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel('Confirm password').fill('battery staple');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.waitForURL(/\/login/);
    await logInOnPage(page, own.server, { login: user.login, password: 'battery staple' });
  } finally {
    await own.stop();
    mail.close();
  }
});

test('without a mail server the login does not offer a link', async ({ page, server }) => {
  const offered = page.waitForResponse('**/api/internal/password-reset');
  await page.goto(`${server.url}/login`);
  expect(await (await offered).json()).toEqual({ data: { is_offered: false } });
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveCount(0);
});
