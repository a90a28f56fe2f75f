import type { Ssp } from '@bidwell/contract/operator/schema';
import { type Page, expect, test } from '@playwright/test';
import { bannerPicture } from './company.ts';
import { choose, fillPerson, solveCaptcha } from './fields.ts';
import type { Server } from './server.ts';

/** A company with a campaign that runs, and the exchange that it buys from. */
export interface LaunchedCampaign {
  postback_secret: string;
  exchange: Ssp;
}

/**
 * Goes the way of a new advertiser on an empty server, on the console's screens: registers, creates everything up to the
 * campaign "Spring launch" with the ad set "Broad reach", is approved and credited with $50, and starts the campaign.
 */
export async function launchCampaign(page: Page, server: Server): Promise<LaunchedCampaign> {
  await register(page, server);
  await addApp(page, server);
  await addTargetAndLink(page, server);
  await addCreatives(page, server);
  await createCampaign(page, server);
  const launched = await approve(page, server);
  await test.step('start the campaign', async () => {
    // The button changes before the answer of the server.
    const started = page.waitForResponse(/\/start$/);
    await page.getByRole('button', { name: 'Start Spring launch' }).click();
    expect((await started).status()).toBe(200);
    await expect(page.getByRole('button', { name: 'Pause Spring launch' })).toBeVisible();
  });
  return launched;
}

/** Registers a user, who is logged in then. */
async function register(page: Page, { url }: Server): Promise<void> {
  await test.step('register', async () => {
    await page.goto(url);
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
    const person = { login: 'grace.hopper', email: 'grace@example.com', password: 'compiler', name: 'Grace' };
    await fillPerson(page, person);
    await solveCaptcha(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/campaigns/);
    await expect(page.getByText('There are no campaigns')).toBeVisible();
  });
}

/** Adds the app "Pocket Farm". */
async function addApp(page: Page, { url }: Server): Promise<void> {
  await test.step('add an app by its store link', async () => {
    await page.goto(`${url}/add-app`);
    await page
      .getByLabel('App store link')
      .fill('https://play.google.com/store/apps/details?id=com.example.pocketfarm&hl=en');
    await page.getByLabel('App store link').blur();
    await expect(page.getByLabel('Bundle ID')).toHaveValue('com.example.pocketfarm');
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Pocket Farm');
    await choose(page, 'Category', 'Video & Computer Games');
    await choose(page, 'Measurement partner (MMP)', 'AppsFlyer');
    await page.getByLabel('Advertiser domain').fill('pocketfarm.example');
    await page.getByRole('button', { name: 'Save app' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Pocket Farm').first()).toBeVisible();
  });
}

/** Uploads a banner and puts it into a group. */
async function addCreatives(page: Page, { url }: Server): Promise<void> {
  await test.step('upload a banner', async () => {
    await page.goto(`${url}/creatives/add-creative`);
    await choose(page, 'App', 'Pocket Farm');
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'Harvest.png', mimeType: 'image/png', buffer: await bannerPicture() });
    // The URLs are filled from the tracking link of the app.
    await expect(page.getByRole('textbox', { name: 'Click URL' })).toHaveValue(/clickid=/);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(page).toHaveURL(/\/creatives\?/);
    await expect(page.getByRole('row', { name: /Harvest/ })).toBeVisible();
  });

  await test.step('put it into a creative group', async () => {
    await page.goto(`${url}/creative-groups/edit`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Spring banners');
    await page.getByRole('checkbox', { name: /Harvest/ }).check();
    await page.getByRole('button', { name: 'Save creative group' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Spring banners').first()).toBeVisible();
  });
}

/** Adds a target and a tracking link. */
async function addTargetAndLink(page: Page, { url }: Server): Promise<void> {
  await test.step('describe the target', async () => {
    await page.goto(`${url}/targets/edit`);
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Everyone on Android');
    await choose(page, 'App', 'Pocket Farm');
    await page.getByRole('button', { name: 'Save target' }).click();
    await expect(page).toHaveURL(/\/assets/);
    await expect(page.getByText('Everyone on Android').first()).toBeVisible();
  });

  await test.step('add the tracking link', async () => {
    await page.goto(`${url}/tracking-links/edit`);
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
}

/** Creates the ad set and the campaign. */
async function createCampaign(page: Page, { url }: Server): Promise<void> {
  await test.step('create the ad set', async () => {
    await page.goto(`${url}/adset`);
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
    await page.goto(`${url}/campaigns/create`);
    await page.getByLabel('Campaign name').fill('Spring launch');
    await choose(page, 'App', 'Pocket Farm');
    await page.getByRole('button', { name: /Add an existing ad set/ }).click();
    await page.getByRole('option', { name: /Broad reach/ }).click();
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await expect(page.getByText('Campaign created successfully')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Spring launch', exact: true })).toBeVisible();
  });
}

/** Does what the operator does before a campaign can start. */
async function approve(page: Page, server: Server): Promise<LaunchedCampaign> {
  return test.step('the operator approves, credits and connects an exchange', async () => {
    await test.step('a start that is refused says why', async () => {
      await page.getByRole('button', { name: 'Start Spring launch' }).click();
      await expect(page.getByText('The app is not approved yet', { exact: false })).toBeVisible();
    });
    const { items } = await server.operator<{ items: { entity: string; uuid: string }[] }>(
      'GET',
      '/moderation',
    );
    for (const { entity, uuid } of items)
      await server.operator('POST', `/${entity}s/${uuid}/decision`, { status: 'Approved' });
    const { companies } = await server.operator<{ companies: { uuid: string; postback_secret: string }[] }>(
      'GET',
      '/companies',
    );
    await server.operator('POST', `/companies/${companies[0]!.uuid}/credit`, {
      amount: 50,
      reason: 'Welcome credit',
    });
    const exchange = await server.operator<Ssp>('PUT', '/ssps/browser-test', {
      name: 'Browser test',
      charge_on: 'billing',
      active: true,
    });
    return { postback_secret: companies[0]!.postback_secret, exchange };
  });
}
