import { expect } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { fill } from '../support/fields.ts';
import { logInAsOperator } from '../support/operator.ts';
import { test } from '../support/test.ts';

const freshSlug = (): string => `exchange-${randomUUID().slice(0, 8)}`;

test('an admin adds an exchange from a profile, hands over its address, and changes it @journey', async ({
  page,
  server,
}) => {
  await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Exchanges' }).click();
  await page.getByRole('button', { name: 'Add exchange' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add exchange' });
  await dialog.getByRole('combobox', { name: 'Profile' }).click();
  await page.getByRole('option', { name: 'Unity / ironSource' }).click();
  await expect(dialog.getByText('within 200 milliseconds')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  const slug = freshSlug();
  await dialog.getByRole('textbox', { name: 'Id' }).fill('Not An Id');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Lower-case letters, digits and dashes')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Id' }).fill(slug);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  await expect(page).toHaveURL(new RegExp(`/operator/exchanges/${slug}\\?tab=settings$`));
  await expect(page.getByRole('heading', { name: 'Unity / ironSource' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Timeout, ms' })).toHaveValue('200');
  const address = page.locator('code', { hasText: `/openrtb/${slug}/` });
  const before = await address.textContent();
  await expect(page.getByText('PUBLIC_URL is not set')).toBeVisible();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await expect(page.getByText('The previous address is accepted until')).toBeVisible();
  await expect(address).not.toHaveText(before!);

  await page.getByRole('textbox', { name: 'Requests per second' }).fill('500');
  await page.getByRole('textbox', { name: 'Name' }).fill('');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Name' }).fill('Unity');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByRole('heading', { name: 'Unity', exact: true })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('switch', { name: 'Unity receives bids' }).press('Space');
  await expect(page.getByText('Unity gets no more bids')).toBeVisible();
  await page.getByRole('tab', { name: 'Unreadable prices' }).click();
  await expect(page.getByText('could be read')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Exchanges' }).click();
  await fill(page, 'Search Exchanges', slug);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row', { name: /Unity/ }).getByText('500')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
});

test('an exchange of an earlier profile keeps its setting and shows what its documentation says now', async ({
  page,
  server,
}) => {
  const slug = `unity-${randomUUID().slice(0, 8)}`;
  await server.operator('PUT', `/ssps/${slug}`, { name: 'Unity US', charge_on: 'win' });
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/exchanges/${slug}`);
  const notice = page.getByRole('alert', { name: 'The documentation of Unity US now says otherwise' });
  await expect(notice).toContainText('it is set to “Win notice (nurl)”');
  await expect(notice).toContainText('the documentation says “Billing notice (burl)”');
  expect(await seriousViolations(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Show the settings' }).click();
  await notice.getByRole('button', { name: 'Fill in what the documentation says' }).click();
  await expect(page.getByRole('combobox', { name: 'Charge on' })).toHaveValue('Billing notice (burl)');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(notice).toBeHidden();
});

test('an admin sets the billing ids of a company at an exchange that bills each buyer', async ({
  page,
  server,
}) => {
  const [slug, { user }] = [freshSlug(), await freshCompany(server)];
  await server.operator('PUT', `/ssps/${slug}`, { name: 'Google', profile: 'google' });
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/exchanges/${slug}?tab=settings`);
  const section = page.getByRole('region', { name: 'Billing ids of companies' });
  await expect(section.getByText('No company has billing ids here')).toBeVisible();
  await fill(page, 'Search companies', user.login);
  const ids = section.getByRole('combobox', { name: /^Billing ids of / });
  await expect(ids).toHaveCount(1);
  await ids.fill('one');
  await ids.press('Enter');
  await expect(section.getByText('one is no number of at most 20 digits')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Save' })).toBeDisabled();
  await ids.press('Backspace');
  await ids.fill('41048190734');
  await ids.press('Enter');
  expect(await seriousViolations(page)).toEqual([]);
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('are saved. Bidders apply them at once.')).toBeVisible();
  await section.getByRole('button', { name: 'Clear search' }).click();
  await expect(section.getByText('41048190734')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 900 });
  await expect(page.locator('html')).toHaveJSProperty('scrollWidth', 390);
});

test('a viewer reads the settings without the secret and changes nothing', async ({ page, server }) => {
  const slug = freshSlug();
  await server.operator('PUT', `/ssps/${slug}`, { name: 'Alpha' });
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/exchanges/${slug}?tab=settings`);
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
  await expect(page.getByText('/openrtb/')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save settings' })).toHaveCount(0);
  await expect(page.getByRole('switch')).toHaveCount(0);
  expect(await seriousViolations(page)).toEqual([]);
});

test('the test console says why there is no bid, and what deviates from OpenRTB', async ({
  page,
  server,
}) => {
  const slug = freshSlug();
  await server.operator('PUT', `/ssps/${slug}`, { name: 'Alpha' });
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/exchanges/${slug}?tab=test`);
  const box = page.getByRole('textbox', { name: 'Bid request' });
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByRole('table', { name: 'What was read' }).getByText('Puzzle Game')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await box.fill('{"id":"1","imp":[{"id":"1","video":{}}],"site":{}}');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('No bid: Not in an app')).toBeVisible();
  await expect(page.getByText('imp[0].video.mimes')).toBeVisible();
  await box.fill('');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('Paste a bid request', { exact: true })).toBeVisible();
});

test('an exchange is certified: a server without https fails, and the report says why', async ({
  page,
  server,
}) => {
  const slug = freshSlug();
  await server.operator('PUT', `/ssps/${slug}`, { name: 'Vungle', profile: 'vungle' });
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/exchanges/${slug}?tab=test`);
  await page.getByRole('button', { name: 'Run the cases' }).click();
  await expect(page.getByText(/^\d of 5 cases failed\.$/)).toBeVisible();
  await expect(page.getByText(/^PUBLIC_URL is http:/).first()).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  const passed = page.getByRole('button', { name: 'Show the checks of “A request that blocks' });
  await passed.click();
  await expect(page.getByRole('region', { name: /^Request of “A request that blocks/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe(`certification-${slug}.md`);
});
