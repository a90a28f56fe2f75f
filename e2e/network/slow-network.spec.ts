import { type Page, type Request, expect } from '@playwright/test';
import { setTimeout as pass } from 'node:timers/promises';
import { z } from 'zod';
import { type AdsetParts, type Company, listed, makeAdset } from '../support/company.ts';
import { choose, dropdown, fillAdset, fillApp } from '../support/fields.ts';
import type { Server } from '../support/server.ts';
import { test } from '../support/test.ts';
import { signInToNewCompany, signInWithCampaign } from '../support/session.ts';

/** Least time that a call takes. */
const DELAY_MS = 200;

interface SlowNetwork {
  company: Company;
  parts: AdsetParts;
  /** Holds back the API calls that the page sends during `act`, and lets them through afterwards. */
  duringCalls(act: () => Promise<void>): Promise<void>;
}

/** Signs in to a new company on a network that delays every API call of the page. */
async function signInOnSlowNetwork(page: Page, server: Server): Promise<SlowNetwork> {
  const { company, parts } = await signInToNewCompany(page, server);
  let held: Promise<void> | undefined;
  await page.route('**/api/**', async (route) => {
    await Promise.all([held, pass(DELAY_MS)]);
    // The page may have been closed in the meantime.
    await route.continue().catch(() => {});
  });
  return {
    company,
    parts,
    async duringCalls(act) {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      await act();
      held = undefined;
      release();
    },
  };
}

const saves = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a screen; expects the loading indicator first, then the screen. */
async function open(
  page: Page,
  { duringCalls }: SlowNetwork,
  address: string,
  heading: string,
): Promise<void> {
  await test.step('three dots while the screen loads', async () => {
    await duringCalls(async () => {
      await page.goto(address);
      await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    });
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden();
  });
}

/** Clicks a save button twice; the call is sent once, and the button is disabled until its answer. */
async function saveTwice(page: Page, { duringCalls }: SlowNetwork, name: string): Promise<void> {
  await duringCalls(async () => {
    await saves(page, name).dblclick();
    await expect(saves(page, name)).toBeDisabled();
  });
}

test('an app and a target are created once, however often Save is clicked', async ({ page, server }) => {
  const network = await signInOnSlowNetwork(page, server);

  await open(page, network, `${server.url}/add-app`, 'Add app');
  await fillApp(page, 'Night Runner', 'com.example.nightrunner');
  await saveTwice(page, network, 'Save app');
  await expect(page.getByText('App added.', { exact: false })).toBeVisible();
  await expect(page.getByRole('row', { name: /Night Runner/ })).toHaveCount(1);

  await page.getByRole('tab', { name: 'Targets' }).click();
  await page.getByRole('link', { name: 'Add target' }).click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Players at night');
  await choose(page, 'App', 'Night Runner');
  await saveTwice(page, network, 'Save target');
  await expect(page.getByText('Target saved')).toBeVisible();
  await expect(page.getByRole('row', { name: /Players at night/ })).toHaveCount(1);

  expect(await listed(network.company, 'app')).toEqual(['Night Runner', 'Pocket Farm']);
  expect(await listed(network.company, 'target')).toEqual(['Everyone', 'Players at night']);
});

test('a campaign and its ad set are created once, from a draft that survives a reload @journey', async ({
  page,
  server,
}) => {
  const network = await signInOnSlowNetwork(page, server);

  await open(page, network, `${server.url}/campaigns/create`, 'New campaign');
  await page.getByLabel('Campaign name').fill('Spring launch');
  await choose(page, 'App', 'Pocket Farm');
  await page.getByRole('button', { name: 'New ad set' }).click();
  await fillAdset(page, 'Broad reach');

  await test.step('leaving a form asks first, and staying keeps the input', async () => {
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
    await page.getByRole('button', { name: 'Stay' }).click();
    await expect(page.getByLabel('CPM bid')).toHaveValue('$4.00');
  });

  await test.step('a reload restores the input', async () => {
    page.once('dialog', (dialog) => void dialog.accept());
    await network.duringCalls(async () => {
      await page.reload();
      await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    });
    await expect(page.getByText('Your draft was restored.', { exact: false })).toBeVisible();
    await expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch');
    await page.getByRole('button', { name: /^Broad reach/ }).click();
    await expect(page.getByLabel('CPM bid')).toHaveValue('$4.00');
    await expect(dropdown(page, 'Target')).toHaveValue('Everyone');
  });

  await test.step('leaving it as a draft and coming back restores it too', async () => {
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    await page.getByRole('button', { name: 'Keep draft and leave' }).click();
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch');
    await expect(dropdown(page, 'App')).toHaveValue('Pocket Farm (Android)');
  });

  await saveTwice(page, network, 'Create campaign');
  await expect(page.getByText('Campaign created successfully')).toBeVisible();
  await expect(page.getByRole('row', { name: /Spring launch/ })).toHaveCount(1);
  expect(await listed(network.company, 'campaign')).toEqual(['Spring launch']);
  expect(await listed(network.company, 'adset')).toEqual(['Broad reach']);

  await open(page, network, `${server.url}/campaigns/create`, 'New campaign');
  await expect(page.getByLabel('Campaign name')).toHaveValue('');
});

test('a campaign is not created before the ad set that was added to it has loaded', async ({
  page,
  server,
}) => {
  const network = await signInOnSlowNetwork(page, server);
  await makeAdset(network.company, network.parts);

  await open(page, network, `${server.url}/campaigns/create`, 'New campaign');
  await page.getByLabel('Campaign name').fill('Spring launch');
  await choose(page, 'App', 'Pocket Farm');
  await page.getByRole('button', { name: 'Add an existing ad set' }).click();
  const adset = page.getByRole('option', { name: /Broad reach/ });
  await expect(adset).toBeVisible();
  await network.duringCalls(async () => {
    await adset.click();
    await expect(page.getByText('Adding Broad reach …')).toBeVisible();
    await expect(saves(page, 'Create campaign')).toBeDisabled();
  });
  await saves(page, 'Create campaign').click();
  await expect(page.getByText('Campaign created successfully')).toBeVisible();
  const Created = z.object({
    campaigns: z.array(z.object({ adsets: z.array(z.object({ name: z.string() })) })),
  });
  const { campaigns } = await network.company.api.get('/campaign', Created);
  expect(campaigns).toEqual([{ adsets: [{ name: 'Broad reach' }] }]);
});

test('a user who leaves while the form is being saved is not redirected, and it is saved', async ({
  page,
  server,
}) => {
  const network = await signInOnSlowNetwork(page, server);
  await open(page, network, `${server.url}/targets/edit`, 'New target');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Players at night');
  await choose(page, 'App', 'Pocket Farm');
  await network.duringCalls(async () => {
    await saves(page, 'Save target').click();
    await expect(saves(page, 'Save target')).toBeDisabled();
    await page.getByRole('link', { name: 'Finances', exact: true }).click();
    await expect(page).toHaveURL(/\/finances/);
  });
  await expect(page.getByText('Target saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Finances' })).toBeVisible();
  await expect(page).toHaveURL(/\/finances/);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'New target' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('');
  expect(await listed(network.company, 'target')).toEqual(['Everyone', 'Players at night']);
});

/**
 * Compressed kilobytes of script that the browser loads until a screen shows what matters, without the websocket client,
 * which it loads after the screen.
 */
async function scriptKbUntil(page: Page, address: string, shown: string): Promise<number> {
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script' && !request.url().includes('/live-updates-'))
      scripts.push(request);
  });
  await page.goto(address);
  await page.locator(shown).first().waitFor();
  const sizes = await Promise.all(scripts.map(async (script) => (await script.sizes()).responseBodySize));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

test('first visits load at most 180 kB of script at the login and 335 kB at the campaigns @journey', async ({
  browser,
  page,
  server,
}) => {
  await signInWithCampaign(page, server);
  expect(await scriptKbUntil(page, `${server.url}/campaigns`, 'figure canvas')).toBeLessThan(335);
  // Another context has no cache of the first.
  const stranger = await browser.newPage();
  expect(await scriptKbUntil(stranger, `${server.url}/login`, 'form')).toBeLessThan(180);
  await stranger.close();
});
