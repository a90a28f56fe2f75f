import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { colleagueOf } from '../support/colleague.ts';
import {
  approveAndFund,
  freshCompany,
  makeAdsetParts,
  makeCampaign,
  startCampaign,
} from '../support/company.ts';
import { fillPerson } from '../support/fields.ts';
import type { Server } from '../support/server.ts';
import { retryAtOnce } from '../support/quick-retries.ts';
import { signIn } from '../support/session.ts';
import { settled, watchRequests } from '../support/settled.ts';
import { test } from '../support/test.ts';

const People = z.object({ people: z.array(z.object({ uuid: z.uuid() })) });

/** Invites an address as the page's owner; returns the path of the link, which the dialog shows once. */
async function invite(page: Page, { url }: Server, email: string, role: string): Promise<string> {
  await page.goto(`${url}/profile?tab=people`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role }).click();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByTestId('invitation-link').innerText();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

test('an owner invites a new person, who joins by the link, and removes them again @journey', async ({
  page,
  server,
  browser,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  const link = await invite(page, server, 'ada@example.com', 'Analyst');
  const people = page.getByRole('region', { name: 'People' });
  await expect(people).toContainText('ada@example.com');

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(server.url + link);
  await expect(guest.getByText('ada@example.com is invited with the role analyst.')).toBeVisible();
  expect(await seriousViolations(guest)).toEqual([]);
  const login = company.user.login.replace('test.', 'guest.');
  await fillPerson(guest, { login, password: 'battery staple', name: 'Ada' });
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.waitForURL(/\/campaigns/);
  await guest.goto(`${server.url}/profile?tab=people`);
  await expect(guest.getByText('Your role is Analyst.')).toBeVisible();
  await expect(guest.getByRole('region', { name: 'Company' })).toHaveCount(0);
  await expect(guest.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  // Who may not manage people may leave.
  await expect(guest.getByRole('button', { name: 'Leave the company' })).toHaveCount(1);
  await expect(guest.getByRole('button', { name: /^Remove / })).toHaveCount(0);
  expect(await seriousViolations(guest)).toEqual([]);

  await page.reload();
  await people.getByRole('combobox', { name: 'Role of Ada' }).click();
  await page.getByRole('option', { name: 'Finance' }).click();
  await expect(page.getByText('Ada has the role Finance now')).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(['Finances']);
  watchRequests(guest);
  const refused: string[] = [];
  guest.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await test.step('a screen that the role does not include is a sentence, and makes no call that is refused', async () => {
    await guest.goto(`${server.url}/campaigns`);
    await expect(
      guest.getByRole('heading', { name: 'Your role, Finance, does not include campaigns.' }),
    ).toBeVisible();
    expect(refused).toEqual([]);
    expect(await seriousViolations(guest)).toEqual([]);
  });
  await test.step('the search offers only screens, and reads only lists, that the role includes', async () => {
    await guest.getByRole('button', { name: 'Search or create' }).click();
    await expect(guest.getByRole('option')).toHaveText([
      'Finances',
      'Invoices',
      'Spend by day',
      'Spend by campaign',
      'Reconcile',
      'Profile',
      'Sign-in',
      'Alerts',
      'All companies',
      'Theme: light',
      'Theme: dark',
      'Theme: system',
      'Log out',
    ]);
    await settled(guest);
    expect(refused).toEqual([]);
    await guest.keyboard.press('Escape');
  });
  await guest.getByRole('link', { name: 'Open finances' }).click();
  await expect(guest).toHaveURL(/\/finances/);
  await people.getByRole('button', { name: 'Remove Ada' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(people.getByText('ada@example.com')).toHaveCount(0);
  await guest.goto(`${server.url}/finances`);
  await guest.waitForURL(/\/login/);
  await context.close();
});

test('someone with an account joins a second company and switches between both', async ({
  page,
  server,
  browser,
}) => {
  const [first, second] = [await freshCompany(server), await freshCompany(server)];
  const email = `${second.user.login}@example.com`;
  const profile = { email, first_name: 'Sam', last_name: 'Two', contact: '@sam' };
  const { people } = await second.api.get('/people', People);
  await second.api.send('PUT', `/users/${people[0]!.uuid}`, profile, z.object({}));
  await first.api.send('PUT', `/company/${first.companyUuid}`, { name: 'First Games' }, z.object({}));
  await second.api.send('PUT', `/company/${second.companyUuid}`, { name: 'Second Games' }, z.object({}));
  await signIn(page, server, first);
  const link = await invite(page, server, email, 'Editor');

  const context = await browser.newContext();
  const guest = await context.newPage();
  await signIn(guest, server, second);
  await guest.goto(server.url + link);
  await guest.getByRole('button', { name: 'Join' }).click();
  await guest.waitForURL(/\/campaigns/);
  await guest.goto(`${server.url}/profile?tab=people`);
  await expect(guest.getByText('The people of First Games. Your role is Editor.')).toBeVisible();
  await guest.getByRole('button', { name: /Your account/ }).click();
  await guest.getByRole('menuitem', { name: 'Second Games' }).click();
  await guest.waitForURL(/\/campaigns/);
  await guest.goto(`${server.url}/profile?tab=people`);
  await expect(guest.getByText('The people of Second Games. Your role is Owner.')).toBeVisible();
  await context.close();
});

test('a person with several companies sees the figures of all at once, and acts for one by a click', async ({
  page,
  server,
}) => {
  const [first, second] = [await freshCompany(server), await freshCompany(server)];
  await first.api.send('PUT', `/company/${first.companyUuid}`, { name: 'First Games' }, z.object({}));
  await second.api.send('PUT', `/company/${second.companyUuid}`, { name: 'Second Games' }, z.object({}));
  await server.operator('POST', `/companies/${second.companyUuid}/credit`, { amount: 250, reason: 'Test' });
  const email = `${first.user.login}@example.com`;
  const profile = { email, first_name: 'Sam', last_name: 'Two', contact: '@sam' };
  const { people } = await first.api.get('/people', People);
  await first.api.send('PUT', `/users/${people[0]!.uuid}`, profile, z.object({}));
  const Link = z.object({ link: z.string() });
  const { link } = await second.api.send('POST', '/people/invitations', { email, role: 'finance' }, Link);
  const token = new URL(link).hash.slice(1);
  await first.api.send('POST', '/companies/invitation', { token }, z.object({}));

  await signIn(page, server, first);
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'All companies' }).click();
  const table = page.getByRole('table', { name: 'All companies' });
  const own = table.getByRole('row', { name: /First Games/ });
  const other = table.getByRole('row', { name: /Second Games/ });
  await expect(own).toContainText('Current');
  await expect(own.getByRole('cell')).toHaveText([
    /First Games/,
    'Owner',
    '$0.00',
    '$0.00',
    '$0.00',
    '0',
    '0',
  ]);
  // Finance sees no campaigns, which is no zero.
  await expect(other.getByRole('cell')).toHaveText([
    'Second Games',
    'Finance',
    '$0.00',
    '$0.00',
    '$250.00',
    '–',
    /^\d+$/,
  ]);
  const totals = table.getByRole('row', { name: /^All companies/ });
  await expect(totals).toContainText('$250.00');
  await expect(totals).toContainText('Without the figures that you cannot see');
  expect(await seriousViolations(page)).toEqual([]);

  // Figures that cannot be read are missing, and are tried again.
  await retryAtOnce(page);
  await page.route('**/companies/summary', (route) => route.fulfill({ status: 500, json: { data: 'No' } }));
  await page.reload();
  await expect(page.getByText(/The companies could not be loaded/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'All companies' })).toBeVisible();
  await expect(own).toHaveCount(0);
  await page.unroute('**/companies/summary');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(own).toContainText('Current');
  await other.getByRole('button', { name: 'Second Games' }).click();
  await test.step('the first screen is one that the role may read, as finance may not read campaigns', async () => {
    await page.waitForURL(/\/finances/);
    await expect(page.getByText('$250.00').first()).toBeVisible();
    await page.getByRole('link', { name: 'Bidwell, home' }).click();
    await expect(page).toHaveURL(/\/finances/);
  });
});

test('an analyst sees no button of a change, and a form that they cannot send says so @journey', async ({
  server,
  browser,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  await approveAndFund(server, company);
  await startCampaign(company, uuid);
  const page = await colleagueOf(browser, server, company, 'analyst');
  watchRequests(page);
  // Before the role is known there are no buttons either.
  await page.goto(`${server.url}/campaigns`);
  await settled(page);
  await expect(page.getByRole('link', { name: 'Spring launch', exact: true })).toBeVisible();
  for (const name of [/^Pause /, /^Start /, /^Edit /, /^Select /])
    await expect(page.getByRole('button', { name }).or(page.getByRole('checkbox', { name }))).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'New Campaign' })).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions for Spring launch' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Copy campaign id']);
  await page.goto(`${server.url}/assets?tab=apps`);
  for (const [tab, add] of [
    ['Apps', 'Add app'],
    ['Creative groups', 'Add creative group'],
    ['Creatives', 'Upload'],
    ['Tracking links', 'Add tracking link'],
    ['Targets', 'Add target'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await settled(page);
    await expect(page.getByRole('tab', { name: tab, exact: true, selected: true })).toBeVisible();
    await expect(page.getByRole('table').first()).toBeVisible();
    await expect(page.getByRole('link', { name: add })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Edit title/ })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Edit Everyone' }).click();
  await expect(page.getByRole('button', { name: 'Save target' })).toBeDisabled();
  await expect(page.getByText('Your role in this company does not allow this.')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.goto(`${server.url}/finances`);
  await settled(page);
  await expect(page.getByText('Balance', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Top up' })).toHaveCount(0);
  await page.context().close();
});
