import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { appStore, freshCompany, makeAdsetParts } from '../support/company.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const upload = {
  uuid: '01900000-0000-7000-8000-000000000001',
  app: { uuid: '01900000-0000-7000-8000-000000000002', name: 'Pocket Farm' },
  day: '2026-03-06',
  time_zone: 'Asia/Kolkata',
  status: 'accepted',
  rows: 214,
  spend: 318.204417,
  sent: 318.20441,
  matched_percent: 97.5,
  error: null,
  created_at: '2026-03-07T12:00:03.000Z',
  finished_at: '2026-03-07T12:02:05.000Z',
};

test('costs for AppsFlyer are set up at a tracking link, and the log has each upload with its amount and outcome', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  const { link } = await makeAdsetParts(company);
  await signIn(page, server, company);
  const refused = {
    ...upload,
    uuid: upload.app.uuid,
    day: '2026-03-05',
    status: 'refused',
    error: 'Not found (ic213)',
  };
  await page.route('**/partner-costs/appsflyer/uploads', (route) =>
    route.fulfill({ json: { data: { uploads: [upload, refused] } } }),
  );
  await page.goto(`${server.url}/tracking-links/edit?uuid=${link.uuid}`);
  const section = page.getByRole('region', { name: 'Costs at AppsFlyer' });
  await expect(section).toContainText('Costs are not sent. Not accepted yet.');
  await expect(section).toContainText('0 of 1 tracking links pass the ids by which costs are matched.');

  await section.getByRole('button', { name: 'Set up costs' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Media source')).toHaveValue('bidwell_int');
  await dialog.getByLabel('Send costs every four hours').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Enter the token of the partner');
  await dialog.getByLabel('Send costs every four hours').uncheck();
  await dialog.getByLabel('API token').fill('a-token');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  await section.getByRole('button', { name: 'Log of costs' }).click();
  const row = page.getByRole('table', { name: 'Uploads of costs' }).getByRole('row', { name: /Accepted/ });
  await expect(row).toContainText('Pocket Farm, Asia/Kolkata');
  await expect(row).toContainText('318.204410');
  await expect(row).toContainText('of $318.204417');
  await expect(row).toContainText('97.5% matched');
  await expect(page.getByRole('row', { name: /Refused/ })).toContainText('Not found (ic213)');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await seriousViolations(page)).toEqual([]);
  // The browser names the response to the form that was not complete.
  expect(errors).toEqual([expect.stringContaining('422')]);
});

test('the page of an iOS app chooses the partners that get copies of its postbacks', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company, { store: appStore('1234567893') });
  await signIn(page, server, company);
  await page.goto(`${server.url}/edit-app?uuid=${app.uuid}`);
  const section = page.getByRole('region', { name: 'Copies of postbacks' });
  await expect(section).toContainText('No copies have been sent yet.');
  await section.getByRole('button', { name: 'Set up Singular' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Send copies to Singular').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Singular has no public address for these postbacks');
  await dialog.getByLabel('Address for SKAdNetwork').fill('https://skan.example/postbacks');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(section.getByRole('row', { name: /Singular/ })).toContainText(
    'https://skan.example/postbacks',
  );
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await seriousViolations(page)).toEqual([]);
  // The browser names the response to the form that was not complete.
  expect(errors).toEqual([expect.stringContaining('422')]);
});
