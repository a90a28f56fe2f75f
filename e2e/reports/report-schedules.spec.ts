import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

test('the report on the screen is scheduled, sent at once, changed and removed', async ({
  page,
  browser,
}) => {
  const mail = await startMailServer();
  const own = await startServer('serve', { SMTP_URL: mail.url }, emptyFolder());
  try {
    const company = await freshCompany(own.server);
    await signIn(page, own.server, company);
    await page.goto(`${own.server.url}/reports?levels=country,day`);
    await page.getByRole('button', { name: 'Schedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule this report' });
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByLabel('Name').fill('Countries');
    await dialog.getByText('CSV', { exact: true }).click();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await expect(page.getByText('“Countries” is scheduled')).toBeVisible();

    await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Scheduled' }).click();
    const row = page.getByRole('row', { name: /Countries/ });
    await expect(row).toContainText('Country, Day, as CSV');
    await expect(row).toContainText('Every Monday at 08:00');
    await expect(row).toContainText('None yet');
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'More about Countries' }).click();
    await page.getByRole('menuitem', { name: 'Send now' }).click();
    const log = page.getByRole('dialog', { name: 'Reports of “Countries”' });
    await expect(log.getByText('Sent', { exact: true })).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toMatch(/filename=report-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv/);
    await page.keyboard.press('Escape');
    await expect(log).toBeHidden();

    const link = /http:\/\/localhost:\d+\/unsubscribe-report#[\w-]+/.exec(mail.mails[0]!)![0];
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'End these mails?' })).toBeVisible();
    expect(await seriousViolations(guest)).toEqual([]);
    await guest.getByRole('button', { name: 'End mails' }).click();
    await expect(guest.getByText('You get no more mails of “Countries”.')).toBeVisible();
    await guest.context().close();
    await page.reload();
    await expect(row).toContainText('To 1 person, of whom 1 has ended its mails');

    await page.getByRole('button', { name: 'More about Countries' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change “Countries”' });
    await change.getByLabel('How often').click();
    await page.getByRole('option', { name: 'Daily, of the day before' }).click();
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('Every day at 08:00');
    await page.getByRole('switch', { name: 'Countries is on' }).click({ force: true });
    await expect(page.getByRole('switch', { name: 'Countries is on' })).not.toBeChecked();
    await expect(row).not.toContainText('next');

    await page.getByRole('button', { name: 'More about Countries' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('No report is scheduled yet.')).toBeVisible();
  } finally {
    await own.stop();
    mail.close();
  }
});
