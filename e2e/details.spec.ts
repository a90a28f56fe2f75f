import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { bannerPicture, freshCompany, makeAdset, makeAdsetParts, makeApp } from './support/company.ts';
import { choose, fill } from './support/fields.ts';
import { test } from './support/test.ts';
import { signIn, signInToNewCompany, signInWithCampaign } from './support/session.ts';

const Highlight = z.looseObject({
  total: z.number(),
  previous: z.number(),
  change_percent: z.number().nullable(),
});
const Highlighted = z.object({ data: z.looseObject({ impressions: Highlight, spend: Highlight }) });
const Asset = z.looseObject({
  name: z.string(),
  banner_extension: z.string().nullable(),
  banner: z.looseObject({ url: z.string() }).nullable(),
});
const Creatives = z.object({
  data: z.object({ internal_creatives: z.array(z.looseObject({ internal_creative: Asset })) }),
});

test('/ redirects to the login or to the campaigns; no screen opens without a session @journey', async ({
  browser,
  page,
  server,
}) => {
  const { url } = server;
  const visitor = await browser.newPage();
  await visitor.goto(url);
  await expect(visitor).toHaveURL(/\/login$/);
  for (const path of ['/campaigns', '/assets?tab=targets', '/reports', '/finances', '/profile', '/adset']) {
    await visitor.goto(url + path);
    await expect(visitor).toHaveURL(/\/login/);
  }
  await visitor.close();
  await signIn(page, server, await freshCompany(server));
  await page.goto(url);
  await expect(page).toHaveURL(/\/campaigns/);
});

test('large numbers are grouped by spaces, money has two decimals, changes show their direction @journey', async ({
  page,
  server,
}) => {
  await page.route('**/analytics/highlight*', async (route) => {
    const response = await route.fetch();
    const { data } = Highlighted.parse(await response.json());
    data.impressions.total = 1_234_567;
    data.impressions.previous = 1_000_000;
    data.impressions.change_percent = 23.4567;
    data.spend.total = 98_765.4;
    data.spend.change_percent = null;
    await route.fulfill({ response, json: { data } });
  });
  await signInWithCampaign(page, server);
  await page.goto(`${server.url}/campaigns`);
  await expect(page.getByTestId('highlight-impressions')).toHaveText('1 234 567');
  await expect(page.getByRole('group', { name: 'Impressions' })).toContainText('+23.5%');
  await expect(page.getByTestId('highlight-spend')).toHaveText('$98 765.40');
  await expect(page.getByRole('group', { name: 'Spend' })).toContainText('∞');
});

test('size coverage counts banners by group and videos by orientation', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/creatives`);
  const coverage = page.getByRole('region', { name: 'Size coverage' });
  for (const group of ['Small', 'Medium', 'Tablet', 'Full screen'])
    await expect(coverage).toContainText(group);
  await expect(coverage).toContainText('4 of 6');
  await page.getByRole('radiogroup', { name: 'Type of creative' }).getByText('Videos').click();
  await expect(coverage).toContainText(/Landscape\s*1 of 20/);
  await expect(coverage).toContainText(/Portrait\s*2 of 20/);
});

test('a missing file and an old creative show a message', async ({ page, server, demo }) => {
  await page.route('**/api/internal/internal_creative', async (route) => {
    const response = await route.fetch();
    const { data } = Creatives.parse(await response.json());
    const [first, second] = data.internal_creatives.filter(
      ({ internal_creative: asset }) => asset['type'] === 'Banner',
    );
    first!.internal_creative = { ...first!.internal_creative, name: 'From before', banner_extension: null };
    second!.internal_creative = { ...second!.internal_creative, name: 'Gone' };
    second!.internal_creative.banner!.url = '/api/internal/file/00000000-0000-7000-8000-000000000000.png';
    await route.fulfill({ response, json: { data } });
  });
  await signIn(page, server, demo);
  await page.goto(`${server.url}/creatives`);
  await page.getByRole('button', { name: 'Preview From before' }).click();
  await expect(page.getByText('Old creative').first()).toBeVisible();
  await page.getByRole('button', { name: 'Preview Gone' }).click();
  await expect(page.getByText('File not found').first()).toBeVisible();
});

test('campaign search ignores case; country search matches the name and both codes', async ({
  page,
  server,
  demo,
}) => {
  const { url } = server;
  await signIn(page, server, demo);
  await page.goto(`${url}/reports`);
  await page.getByRole('button', { name: /^Campaign:/ }).click();
  await page.getByRole('textbox', { name: 'Search Campaign' }).fill('  LUMEN drift east ');
  const found = page.getByRole('listbox').getByRole('option');
  await expect(found).toHaveText([/Lumen Drift East Asia/]);
  await found.click();
  await expect(page).toHaveURL(/campaign_uuid=/);

  await page.goto(`${url}/targets/edit`);
  await page.getByRole('button', { name: 'Choose countries to include' }).click();
  const dialog = page.getByRole('dialog', { name: 'Countries to include' });
  for (const typed of ['germ', 'DE', 'deu']) {
    await dialog.getByRole('textbox').fill(typed);
    await expect(dialog.getByRole('checkbox', { name: /Germany/ })).toBeVisible();
  }
  await dialog.getByRole('textbox').fill('');
  await test.step('countries that the company targets, and common ones, come before all countries', async () => {
    const groups = dialog.getByRole('group').filter({ has: page.getByRole('checkbox') });
    await expect(groups.nth(0)).toHaveAccessibleName('In your targets');
    await expect(groups.nth(0)).toContainText('United States');
    await expect(groups.nth(1)).toHaveAccessibleName('Common');
    await expect(groups.nth(1)).toContainText('Brazil');
  });
  const europe = dialog.getByRole('group', { name: 'Western Europe' });
  await europe.getByRole('checkbox', { name: /Western Europe/ }).check();
  await expect(europe.getByRole('checkbox', { name: /Germany/ })).toBeChecked();
  await europe.getByRole('checkbox', { name: /Germany/ }).uncheck();
  await expect(dialog.getByRole('checkbox', { name: /Western Europe/ })).toBeChecked({ indeterminate: true });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('group', { name: 'Countries to include' })).toContainText('France (FR)');
});

test('ad set search matches the name and the id', async ({ page, server }) => {
  const { company, parts } = await signInToNewCompany(page, server);
  await makeAdset(company, parts);
  const { uuid } = await makeAdset(company, parts, { name: 'Narrow reach' });
  await page.goto(`${server.url}/campaigns/create`);
  await choose(page, 'App', 'Pocket Farm');
  await page.getByRole('button', { name: /Add an existing ad set/ }).click();
  const search = page.getByRole('textbox', { name: /Search Add an existing/ });
  await search.fill('BROAD');
  await expect(page.getByRole('option')).toHaveText([/Broad reach/]);
  await search.fill(uuid);
  await expect(page.getByRole('option')).toHaveText([/Narrow reach/]);
});

test('inline editing counts characters and stops at the limit', async ({ page, server, demo }) => {
  await signIn(page, server, demo);
  await page.goto(`${server.url}/assets?tab=targets`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Edit title US and Canada' }).first().click();
  await dialog.getByRole('textbox').fill('T'.repeat(60));
  await expect(dialog.getByText('60/50')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: /US and Canada/ })
    .first()
    .getByRole('button', { name: 'Edit description' })
    .click();
  await dialog.getByRole('textbox').fill('D'.repeat(70));
  await expect(dialog.getByText('70/70')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'Expand Lumen Drift launch' }).click();
  await page
    .getByRole('button', { name: /^Edit daily budget/i })
    .first()
    .click();
  await dialog.getByRole('textbox').fill('12.3456');
  await expect(dialog.getByRole('textbox')).toHaveValue('$12.34');
});

test('the form of a creative is filled with the URLs of the tracking link, and own ones are used', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/creatives/add-creative`);
  const urls = page.getByRole('group', { name: 'URLs' });
  await expect(urls).toHaveAccessibleDescription(creativeMessages.creativeUrls);
  await choose(page, 'App', 'Pocket Farm');
  // Filled from the tracking link of the app.
  const clickUrl = page.getByRole('textbox', { name: 'Click URL' });
  await expect(clickUrl).toHaveValue(/app\.appsflyer\.com/);
  await expect(page.getByRole('textbox', { name: 'View URL' })).toHaveValue(/impression\.appsflyer\.com/);
  const filled = await clickUrl.inputValue();
  await fill(page, 'Click URL', 'pocketfarm');
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'Sowing.png', mimeType: 'image/png', buffer: await bannerPicture() });
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText(messages.httpUrl)).toBeVisible();
  await fill(page, 'Click URL', '');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText(messages.required, { exact: true })).toBeVisible();
  await fill(page, 'Click URL', filled);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('row', { name: /Sowing/ })).toBeVisible();

  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByRole('button', { name: 'Preview Sowing' }).click();
  await expect(preview).toContainText(creativeMessages.creativeUsesLink);
  await expect(preview).not.toContainText('Click URL');
  const edit = async (url: string) => {
    await preview.getByRole('button', { name: 'Edit creative' }).click();
    await expect(urls).toHaveAccessibleDescription(creativeMessages.creativeUrls);
    await page.getByRole('textbox', { name: 'Click URL' }).fill(url);
    await page.getByRole('button', { name: 'Save creative' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await edit('https://own.example/click?id={click_id}');
  await expect(preview).toContainText('Click URL: https://own.example/click?id={click_id}');
  await expect(preview).toContainText(creativeMessages.creativeUsesOwn);
  await edit(filled);
  await expect(preview).not.toContainText('Click URL');
});

test('screens mention a review only if moderation is on', async ({ page, server }) => {
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company);
  const shows = async (manual: boolean) => {
    const path = async (to: string) => page.goto(`${server.url}${to}`);
    const says = async (sentence: string) => {
      await expect(page.getByText(sentence)).toBeVisible();
      await expect(page.getByText(/\breviewed\b/)).toHaveCount(manual ? 1 : 0);
    };
    await path('/creatives/add-creative');
    await says(manual ? 'Creatives are reviewed before they run.' : 'Creatives are approved at once.');
    await path(`/edit-app?uuid=${app.uuid}`);
    await says(manual ? 'A new title, link or bundle is reviewed again.' : 'Changes are approved at once.');
    await path('/creatives');
    await page.getByRole('button', { name: 'Import creatives' }).click();
    await says(manual ? 'The copies are reviewed before they run.' : 'The copies are approved at once.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit creative' }).click();
    await says(manual ? 'A new URL is reviewed again.' : 'Changes are approved at once.');
  };
  await signIn(page, server, company);
  await shows(true);
  await page.route('**/api/internal/users/*', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...data, moderation: 'auto' } } });
  });
  await shows(false);
});

test('a group requires videos while no creative of any type is chosen', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/creative-groups/edit`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Harvest of all');
  const creatives = page.getByRole('region', { name: 'Creatives of the group' });
  const required = creatives.getByRole('alert').filter({ hasText: messages.required });
  const harvest = creatives.getByRole('checkbox', { name: /Harvest/ });
  await expect(harvest).toBeVisible();
  await expect(required).toHaveCount(0);
  const saves: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && saves.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Save creative group' }).click();
  await expect(required).toBeVisible();
  await expect(creatives).toBeFocused();
  await expect(creatives).toHaveAccessibleDescription(messages.required);
  expect(saves.filter((path) => path.includes('creative_group'))).toEqual([]);
  await harvest.check();
  await expect(required).toHaveCount(0);
  await harvest.uncheck();
  await expect(required).toBeVisible();
  await harvest.check();
  await page.getByRole('button', { name: 'Save creative group' }).click();
  await expect(page).toHaveURL(/\/assets/);
  await expect(page.getByRole('row', { name: /Harvest of all/ })).toContainText('Image 1');
});

test('a long description, even a single word, does not widen a table', async ({ page, server }) => {
  const company = await freshCompany(server);
  const { app, group, target, link } = await makeAdsetParts(company);
  const description = 'D'.repeat(200);
  for (const path of [
    `/app/${app.uuid}`,
    `/creative_group/${group.uuid}`,
    `/target/${target.uuid}`,
    `/tracking_link/${link.uuid}`,
  ])
    await company.api.send('PUT', path, { description }, z.object({ description: z.literal(description) }));
  await signIn(page, server, company);
  for (const [tab, name] of [
    ['apps', 'Pocket Farm'],
    ['creative-groups', 'Spring banners'],
    ['targets', 'Everyone'],
    ['tracking-links', 'Partner'],
  ]) {
    await page.goto(`${server.url}/assets?tab=${tab}`);
    const row = page.getByRole('row', { name: new RegExp(name!) });
    await expect(row).toContainText(description);
    const actions = row.getByRole('button', { name: `More actions for ${name}` });
    await expect(actions).toBeInViewport({ ratio: 1 });
    expect((await row.boundingBox())!.height).toBeLessThan(100);
  }
});

test('the reason of a rejection is shown next to the status', async ({ page, server }) => {
  const company = await freshCompany(server);
  const { uuid } = await makeApp(company, 'Unwanted');
  await server.operator('POST', `/apps/${uuid}/decision`, { status: 'Rejected', reason: 'Not in the store' });
  await signIn(page, server, company);
  await page.goto(`${server.url}/assets?tab=apps`);
  await page.getByText('Rejected', { exact: true }).hover();
  await expect(page.getByRole('tooltip', { name: 'Not in the store' })).toBeVisible();
});
