import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { expect } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { confirmedCompany, startMailServer } from '../support/mail-server.ts';
import { startServer } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { emptyFolder } from '../support/shared-server.ts';
import { test } from '../support/test.ts';

test('the report on the screen is scheduled, sent at once, changed and removed @journey', async ({
  page,
  browser,
}) => {
  const mail = await startMailServer();
  const own = await startServer('serve', { SMTP_URL: mail.url }, emptyFolder());
  try {
    const company = await confirmedCompany(own.server, mail);
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

    await test.step('the link of a mail ends the mails without a login, and the list says so', async () => {
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
    });

    await page.getByRole('button', { name: 'More about Countries' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change “Countries”' });
    await change.getByLabel('How often').click();
    await page.getByRole('option', { name: 'Daily, for the day before' }).click();
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

test('the form of a schedule says why it cannot be filled in', async ({ page, server }) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  const message = 'Too many requests: wait a moment.';
  await page.route('**/api/internal/report-destinations', (route) =>
    route.fulfill({ status: 429, json: { data: message } }),
  );
  await page.goto(`${server.url}/reports`);
  await page.getByRole('button', { name: 'Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule this report' });
  await expect(dialog.getByRole('alert')).toContainText(message);
  expect(await seriousViolations(page)).toEqual([]);
});

/** A server that receives webhooks. */
async function receiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, bodies, close: () => server.close() };
}

test('a report goes to a webhook and a bucket, which are tested first', async ({ page }) => {
  const [hook, s3] = [await receiver(), await startS3Server()];
  const hosts = `${hook.host},127.0.0.1:${s3.port}`;
  const own = await startServer('serve', { ALERT_INTERNAL_HOSTS: hosts }, emptyFolder());
  try {
    const company = await freshCompany(own.server);
    await signIn(page, own.server, company);
    // Without a mail server and a destination there is nothing to fill in.
    await page.goto(`${own.server.url}/reports`);
    await page.getByRole('button', { name: 'Schedule' }).click();
    const nowhere = page.getByRole('dialog', { name: 'Schedule this report' });
    await expect(nowhere.getByText(/This server sends no mails/)).toBeVisible();
    await expect(nowhere.getByRole('textbox')).toHaveCount(0);
    await nowhere.getByRole('link', { name: 'Add a destination' }).click();
    await expect(page.getByText('There are no destinations yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Add destination' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a destination' });
    await dialog.getByLabel('Name').fill('Our server');
    await dialog.getByLabel('Address').fill(`http://${hook.host}/reports`);
    await dialog.getByRole('button', { name: 'Add destination' }).click();
    await expect(dialog.getByTestId('signing-secret')).toContainText('whsec_');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();

    await page.getByRole('button', { name: 'Add destination' }).click();
    await dialog.getByText('S3 bucket', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add destination' }).click();
    await expect(dialog.getByLabel('Name')).toBeFocused();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Our bucket');
    await dialog.getByLabel('Address').fill(s3.settings.endpoint);
    await dialog.getByLabel('Region').fill(s3.settings.region);
    await dialog.getByRole('textbox', { name: 'Bucket', exact: true }).fill(s3.settings.bucket);
    await dialog.getByLabel('Folder').fill('reports');
    await dialog.getByLabel('Access key').fill(s3.settings.accessKeyId);
    await dialog.getByLabel(/^Secret key/).fill(s3.settings.secretAccessKey);
    await dialog.getByRole('button', { name: 'Add destination' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'More about Our bucket' }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await expect(page.getByText('The test arrived.')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);

    await page.goto(`${own.server.url}/reports?levels=country`);
    await page.getByRole('button', { name: 'Schedule' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule this report' });
    await form.getByLabel('Name').fill('Countries');
    await test.step('without a mail server people cannot be chosen, and all the rest works', async () => {
      const people = form.getByRole('combobox', { name: 'To', exact: true });
      await expect(people).toBeDisabled();
      await expect(people).toHaveAccessibleDescription(/This server sends no mails/);
      await expect(form.getByText('Table and chart')).toHaveCount(0);
    });
    await form.getByRole('button', { name: 'Schedule' }).click();
    const destinations = form.getByRole('combobox', { name: 'To destinations' });
    await expect(destinations).toHaveAccessibleDescription('Required');
    expect(await seriousViolations(page)).toEqual([]);
    await destinations.click();
    await page.getByRole('option', { name: 'Our server' }).click();
    await page.getByRole('option', { name: 'Our bucket' }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Scheduled' }).click();
    await expect(page.getByRole('row', { name: /Countries/ })).toContainText('To 2 destinations');
    await expect(page.getByText('this server sends no mails')).toHaveCount(0);
    await page.getByRole('button', { name: 'More about Countries' }).click();
    await page.getByRole('menuitem', { name: 'Send now' }).click();
    const log = page.getByRole('dialog', { name: 'Reports of “Countries”' });
    await expect(log.getByText('Delivered', { exact: true })).toHaveCount(2);
    expect(await seriousViolations(page)).toEqual([]);
    expect(hook.bodies.map((body) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'report.scheduled',
    ]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More about Our server' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('“Countries” is sent to it: change that report first.')).toBeVisible();
  } finally {
    await own.stop();
    hook.close();
    await s3.stop();
  }
});
