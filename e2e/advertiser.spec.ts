import { expect } from '@playwright/test';
import type { Ssp } from '@bidwell/contract/operator';
import sharp from 'sharp';
import { click, offer, win } from './support/exchange.ts';
import { choose, solveCaptcha } from './support/fields.ts';
import { test } from './support/test.ts';

interface Company {
  uuid: string;
  postback_secret: string;
}

/** Formats an amount as the console does. */
const dollars = (amount: number) => `$${amount.toFixed(2)}`;

test('an advertiser registers, launches a campaign, buys installs and sees exactly what they cost', async ({
  page,
  ownServer: { server },
}) => {
  const consoleErrors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  page.on('pageerror', (error) => consoleErrors.push(error.message));

  await test.step('register and log in', async () => {
    await page.goto(server.url);
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
    await page.getByLabel('Login').fill('grace.hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').first().fill('compiler');
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Contact').fill('@grace');
    await solveCaptcha(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await page.getByLabel('Login').fill('grace.hopper');
    await page.getByLabel('Password').first().fill('compiler');
    await solveCaptcha(page);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(/\/campaigns/);
    await expect(page.getByText('There are no campaigns')).toBeVisible();
  });

  await test.step('add an app by its store link', async () => {
    await page.goto(`${server.url}/add-app`);
    await page
      .getByLabel('App store link')
      .fill('https://play.google.com/store/apps/details?id=com.example.pocketfarm&hl=en');
    await page.getByLabel('App store link').blur();
    await expect(page.getByLabel('Bundle ID')).toHaveValue('com.example.pocketfarm');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Pocket Farm');
    await choose(page, 'Category', 'Video & Computer Games');
    await page.getByLabel('AppsFlyer').check();
    await page.getByLabel('Advertiser domain').fill('pocketfarm.example');
    await page.getByRole('button', { name: 'Save app' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Pocket Farm').first()).toBeVisible();
  });

  await test.step('upload a banner', async () => {
    const banner = await sharp({ create: { width: 320, height: 50, channels: 3, background: '#2a6f4e' } })
      .png()
      .toBuffer();
    await page.goto(`${server.url}/creatives/add-creative`);
    await choose(page, 'App', 'Pocket Farm');
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'Harvest.png', mimeType: 'image/png', buffer: banner });
    // A creative's URLs are optional; its ads use those of the tracking link.
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(page).toHaveURL(/\/creatives\?/);
    await expect(page.getByRole('row', { name: /Harvest/ })).toBeVisible();
  });

  await test.step('put it into a creative group', async () => {
    await page.goto(`${server.url}/creative-groups/edit`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Spring banners');
    await page.getByRole('checkbox', { name: /Harvest/ }).check();
    await page.getByRole('button', { name: 'Save creative group' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Spring banners').first()).toBeVisible();
  });

  await test.step('describe the target', async () => {
    await page.goto(`${server.url}/targets/edit`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Everyone on Android');
    await choose(page, 'App', 'Pocket Farm');
    await page.getByRole('button', { name: 'Save target' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Everyone on Android').first()).toBeVisible();
  });

  await test.step('add the tracking link', async () => {
    await page.goto(`${server.url}/tracking-links/edit`);
    await choose(page, 'App', 'Pocket Farm');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('AppsFlyer');
    await page
      .getByLabel('Click URL')
      .fill(
        'https://app.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}&c={campaign_name}&af_siteid={bundle}',
      );
    await page
      .getByLabel('View URL')
      .fill('https://impression.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}');
    await page.getByRole('button', { name: 'Save tracking link' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('AppsFlyer').first()).toBeVisible();
  });

  await test.step('create the ad set', async () => {
    await page.goto(`${server.url}/adset`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Broad reach');
    await choose(page, 'Target', 'Everyone on Android');
    await choose(page, 'Tracking link', 'AppsFlyer');
    await choose(page, 'Creative groups', 'Spring banners');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: /Manual CPM/ }).check();
    await page.getByLabel('CPM bid').fill('4');
    await page.getByRole('button', { name: 'Save ad set' }).click();
    await expect(page).toHaveURL(/\/campaigns/);
  });

  await test.step('create the campaign', async () => {
    await page.goto(`${server.url}/campaigns/create`);
    await page.getByLabel('Campaign name').fill('Spring launch');
    await choose(page, 'App', 'Pocket Farm');
    await page.getByRole('button', { name: /Add an existing ad set/ }).click();
    await page.getByRole('option', { name: /Broad reach/ }).click();
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByText('Campaign created successfully')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Spring launch', exact: true })).toBeVisible();
  });

  const company = await test.step('the operator approves, credits and connects an exchange', async () => {
    await page.getByRole('button', { name: 'Start Spring launch' }).click();
    await expect(page.getByText('The app is not approved yet', { exact: false })).toBeVisible();
    const { items } = await server.operator<{ items: { entity: string; uuid: string }[] }>(
      'GET',
      '/moderation',
    );
    for (const { entity, uuid } of items)
      await server.operator('POST', `/${entity}s/${uuid}/decision`, { status: 'Approved' });
    const { companies } = await server.operator<{ companies: Company[] }>('GET', '/companies');
    await server.operator('POST', `/companies/${companies[0]!.uuid}/credit`, {
      amount: 50,
      reason: 'Welcome credit',
    });
    const { path } = await server.operator<Ssp>('PUT', '/ssps/browser-test', {
      name: 'Browser test',
      charge_on: 'billing',
      active: true,
    });
    return { ...companies[0]!, path };
  });

  await test.step('start the campaign', async () => {
    await page.getByRole('button', { name: 'Start Spring launch' }).click();
    await expect(page.getByRole('button', { name: 'Pause Spring launch' })).toBeVisible();
  });

  await test.step('the exchange holds auctions, shows the ad, reports clicks and an install', async () => {
    await expect.poll(() => offer(server.url, company.path, 'warm-up').then(Boolean)).toBe(true);
    for (let number = 0; number < 20; number += 1) {
      const bid = await offer(server.url, company.path, `auction-${number}`);
      expect(bid).toMatchObject({ price: 4 });
      // Twelve bids win at $2.50 CPM; three of them are clicked, and one click leads to an install.
      if (number >= 12) continue;
      await win(bid!, 2.5);
      if (number >= 3) continue;
      const location = await click(bid!);
      expect(location.origin).toBe('https://app.appsflyer.com');
      expect(location.searchParams.get('c')).toBe('Spring launch');
      expect(location.searchParams.get('af_siteid')).toBe('com.publisher.runner');
      if (number >= 1) continue;
      const clickId = location.searchParams.get('clickid')!;
      const postback = `${server.url}/postback/appsflyer/${company.postback_secret}?clickid=${encodeURIComponent(clickId)}`;
      for (const _twice of [1, 2]) expect((await fetch(postback)).status).toBe(200);
    }
  });

  const spent = (12 * 2.5) / 1000;
  await test.step('the dashboard shows exactly these events', async () => {
    await expect(page.getByTestId('highlight-impressions')).toHaveText('12');
    await expect(page.getByTestId('highlight-installs')).toHaveText('1');
    await expect(page.getByTestId('highlight-spend')).toHaveText(dollars(spent));
    await expect(page.getByTestId('highlight-cpi')).toHaveText(dollars(spent));
    const row = page.getByRole('row', { name: /Spring launch/ });
    for (const figure of [dollars(spent), '12', '3', '25.00%', '$2.50']) {
      await expect(row.getByRole('cell', { name: figure, exact: true }).first()).toBeVisible();
    }
    const chart = page.getByRole('table', { name: 'Spend and Installs over time' });
    await expect(chart.getByRole('cell', { name: dollars(spent) })).toHaveCount(1);
  });

  await test.step('the level report shows them', async () => {
    await page.goto(`${server.url}/reports`);
    const row = page.getByRole('row', { name: /Broad reach/ });
    for (const figure of [dollars(spent), '12', '3', '25.00%', '$2.50']) {
      await expect(row.getByRole('cell', { name: figure, exact: true }).first()).toBeVisible();
    }
    await page.getByRole('button', { name: 'Expand Broad reach' }).click();
    await expect(page.getByRole('row', { name: /^Banner/ })).toBeVisible();
    await page.getByRole('radiogroup', { name: 'Report mode' }).getByText('Bundle').click();
    await expect(page.getByRole('row', { name: /com.publisher.runner/ })).toContainText('12');
  });

  await test.step('the balance decreased by the spend', async () => {
    await page.goto(`${server.url}/finances`);
    await expect(page.getByRole('group', { name: 'Balance' })).toContainText(dollars(50 - spent));
    await expect(page.getByRole('group', { name: 'Spent today' })).toContainText(dollars(spent));
    await expect(page.getByRole('row', { name: /Spring launch/ })).toContainText(`-${dollars(spent)}`);
  });

  expect(consoleErrors.filter((text) => !/status of 409/.test(text))).toEqual([]);
});
