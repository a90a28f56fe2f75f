import { type Page, type Route, expect } from '@playwright/test';
import { type Company, approveAndFund, bannerPicture, listed } from '../support/company.ts';
import { choose, fillAdset, fillApp, fillPerson, solveCaptcha } from '../support/fields.ts';
import { retryAtOnce } from '../support/quick-retries.ts';
import { screensOf } from '../support/screens.ts';
import { test } from '../support/test.ts';
import type { Server } from '../support/server.ts';
import { enterLogin, signInToNewCompany, signInWithCampaign } from '../support/session.ts';

const TRY_AGAIN = 'Something went wrong on our side. Please try again.';
const UNREACHABLE = 'The server cannot be reached. Please check your connection.';

const failures = {
  /** The server answers with an internal error. */
  'answers 500': (route: Route) => route.fulfill({ status: 500, json: { data: TRY_AGAIN } }),
  /** The request does not reach the server. */
  'is offline': (route: Route) => route.abort('internetdisconnected'),
  /** The server performs the request, but its response is lost. */
  'is cut off': async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  },
} as const;

/** Lets the first call of each API method and path fail, and later ones succeed. Returns a function that starts over. */
async function failEachOnce(page: Page, failure: keyof typeof failures): Promise<() => void> {
  await retryAtOnce(page);
  const failed = new Set<string>();
  await page.route('**/api/internal/**', async (route) => {
    const call = `${route.request().method()} ${new URL(route.request().url()).pathname}`;
    // Failing to refresh a session is covered by a test of its own.
    if (failed.has(call) || call.endsWith('/refresh-token')) return route.continue();
    failed.add(call);
    return failures[failure](route);
  });
  return () => failed.clear();
}

/** Returns a function that says whether a button with this text was pressed since the page was opened. */
async function clicksOn(page: Page, text: string): Promise<() => Promise<boolean>> {
  await page.addInitScript((wanted) => {
    const note = ({ target }: Event) => {
      const pressed = target instanceof Element ? target.closest('button') : null;
      if (pressed?.textContent === wanted) document.documentElement.dataset['pressed'] = 'true';
    };
    document.addEventListener('click', note, { capture: true });
  }, text);
  return () => page.evaluate(() => document.documentElement.dataset['pressed'] === 'true');
}

const title = (page: Page) => page.getByRole('textbox', { name: 'Title', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Says that something could not be loaded, above the page or in a table. */
const missing = (page: Page) => page.getByText(/Some of this page is missing|could not be loaded/);
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

/** Saves twice: the first attempt fails with the message `says`, and `checkForm` checks the form; the second succeeds. */
async function saveTwice(
  page: Page,
  save: string,
  { says, checkForm, after }: { says: string; checkForm: () => Promise<void>; after: string },
): Promise<void> {
  await button(page, save).click();
  await expect(page.getByText(says, { exact: true })).toBeVisible();
  await checkForm();
  await button(page, save).click();
  await expect(page.getByText(after, { exact: false })).toBeVisible();
}

/** Creates a campaign with an ad set on its form, where each attempt to save fails once with the message `says`. */
async function createCampaign(page: Page, { url }: Server, company: Company, says: string): Promise<void> {
  await page.goto(`${url}/campaigns/create`);
  await page.getByLabel('Campaign name').fill('Spring launch');
  await choose(page, 'App', 'Pocket Farm');
  await button(page, 'New ad set').click();
  await fillAdset(page, 'Broad reach');
  await button(page, 'Create campaign').click();
  await expect(page.getByText('The ad set “Broad reach” is not saved.', { exact: false })).toBeVisible();
  await saveTwice(page, 'Create campaign', {
    says,
    checkForm: () => expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch'),
    after: 'Campaign created successfully',
  });
  expect(await listed(company, 'adset')).toEqual(['Broad reach']);
  expect(await listed(company, 'campaign')).toEqual(['Spring launch']);
}

test('every screen loads although each of its calls fails once', async ({ page, server }) => {
  const { company } = await signInWithCampaign(page, server);
  const screens = await screensOf(company.api);
  const failAgain = await failEachOnce(page, 'answers 500');
  // The tabs of the assets show entities that have screens of their own.
  for (const { name, path } of screens.filter((screen) => !/^assets-(?!apps)|^not-found/.test(screen.name))) {
    await test.step(name, async () => {
      failAgain();
      await page.goto(server.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await expect(page.getByText('Page not found')).toHaveCount(0);
      await expect(page.getByText(/could not be (read|reached)|File not found/)).toHaveCount(0);
    });
  }
});

test('a screen without its data offers to try again, and loads without a reload @journey', async ({
  page,
  server,
}) => {
  const { parts } = await signInToNewCompany(page, server);
  await retryAtOnce(page);
  const hasTriedAgain = await clicksOn(page, 'Try again');
  for (const [path, there] of [
    [`/targets/edit?uuid=${parts.target.uuid}`, page.getByRole('heading', { name: 'Everyone' })],
    ['/assets?tab=apps', page.getByRole('row', { name: /Pocket Farm/ })],
    ['/profile', page.getByRole('button', { name: 'Save profile' })],
  ] as const) {
    await test.step(path, async () => {
      const calls = '**/api/internal/{target,app,users}{,/**}';
      // Until the button is pressed: the page may repeat its calls by itself, and then needs no button.
      await page.route(calls, async (route) =>
        // A page that has been left, or a route that was removed meanwhile, has nothing to continue.
        (await hasTriedAgain()) ? route.continue().catch(() => {}) : failures['answers 500'](route),
      );
      await page.goto(server.url + path);
      await expect(missing(page).first()).toBeVisible();
      await expect(page.getByText('Page not found')).toHaveCount(0);
      // A call that was under way at the first press may fail after it.
      await expect(async () => {
        const again = button(page, 'Try again').first();
        if (await again.isVisible()) await again.click({ timeout: 1000 });
        await expect(there).toBeVisible({ timeout: 1000 });
        await expect(missing(page)).toHaveCount(0, { timeout: 1000 });
      }).toPass();
      await page.unroute(calls);
    });
  }
});

test('a person registers and logs in although each call fails once', async ({ page, server }) => {
  await failEachOnce(page, 'answers 500');
  await page.goto(`${server.url}/registration`);
  const person = { login: 'patient.person', password: 'a-long-password' };
  await fillPerson(page, { ...person, email: 'patient@example.com', name: 'Patience' });
  await page.getByLabel('I am not a robot').click();
  await expect(page.getByText('That did not work. Please try again.')).toBeVisible();
  await solveCaptcha(page);
  await button(page, 'Create account').click();
  await expect(page.getByText(TRY_AGAIN)).toBeVisible();
  await expect(page.getByLabel('Login')).toHaveValue('patient.person');
  await solveCaptcha(page);
  await button(page, 'Create account').click();

  await expect(page).toHaveURL(/\/campaigns/);
  await page.context().clearCookies();
  await page.goto(`${server.url}/login`);
  await enterLogin(page, person);
  await expect(toast(page, TRY_AGAIN).first()).toBeVisible();
  await solveCaptcha(page);
  await button(page, 'Log in').click();
  await expect(page.getByText('There are no campaigns')).toBeVisible();
});

test('everything is created once although each call fails once, and what was typed stays', async ({
  page,
  server,
}) => {
  const { company } = await signInToNewCompany(page, server);
  await failEachOnce(page, 'answers 500');

  await test.step('an app', async () => {
    await page.goto(`${server.url}/add-app`);
    await fillApp(page, 'Night Runner', 'com.example.nightrunner');
    await saveTwice(page, 'Save app', {
      says: TRY_AGAIN,
      checkForm: () => expect(title(page)).toHaveValue('Night Runner'),
      after: 'App added.',
    });
    expect(await listed(company, 'app')).toEqual(['Night Runner', 'Pocket Farm']);
  });

  await test.step('a creative', async () => {
    await page.goto(`${server.url}/creatives/add-creative`);
    await choose(page, 'App', 'Pocket Farm');
    const file = { name: 'Sunset.png', mimeType: 'image/png', buffer: await bannerPicture() };
    await page.locator('input[type="file"]').first().setInputFiles(file);
    await page.getByLabel('Click URL').fill('https://pocketfarm.example/click?id={click_id}');
    await page.getByLabel('View URL').fill('https://pocketfarm.example/view');
    // Creating it takes two calls, for the upload and the URLs; each fails once.
    for (const _call of ['upload', 'addresses']) {
      await button(page, 'Upload').click();
      await expect(page.getByText(TRY_AGAIN)).toBeVisible();
      await expect(page.getByLabel('Click URL')).toHaveValue(
        'https://pocketfarm.example/click?id={click_id}',
      );
    }
    await button(page, 'Upload').click();
    await expect(page).toHaveURL(/\/creatives\?/);
    await expect(page.getByRole('row', { name: /Sunset/ })).toHaveCount(1);
  });

  await test.step('a creative group', async () => {
    await page.goto(`${server.url}/creative-groups/edit`);
    await title(page).fill('Summer banners');
    await page.getByRole('checkbox', { name: /Sunset/ }).check();
    await saveTwice(page, 'Save creative group', {
      says: TRY_AGAIN,
      checkForm: () => expect(page.getByRole('checkbox', { name: /Sunset/ })).toBeChecked(),
      after: 'Creative group saved',
    });
    expect(await listed(company, 'internal_creative_group')).toEqual(['Spring banners', 'Summer banners']);
  });

  await test.step('a target', async () => {
    await page.goto(`${server.url}/targets/edit`);
    await title(page).fill('Players at night');
    await choose(page, 'App', 'Pocket Farm');
    await saveTwice(page, 'Save target', {
      says: TRY_AGAIN,
      checkForm: () => expect(title(page)).toHaveValue('Players at night'),
      after: 'Target saved',
    });
    expect(await listed(company, 'target')).toEqual(['Everyone', 'Players at night']);
  });

  await test.step('a tracking link', async () => {
    await page.goto(`${server.url}/tracking-links/edit`);
    await choose(page, 'App', 'Pocket Farm');
    await title(page).fill('Second partner');
    await page
      .getByLabel('Click URL')
      .fill('https://app.appsflyer.com/com.example.pocketfarm?clickid={click_id}');
    await page.getByLabel('View URL').fill('https://impression.appsflyer.com/com.example.pocketfarm');
    await saveTwice(page, 'Save tracking link', {
      says: TRY_AGAIN,
      checkForm: () => expect(title(page)).toHaveValue('Second partner'),
      after: 'Tracking link saved',
    });
    expect(await listed(company, 'tracking_link')).toEqual(['Partner', 'Second partner']);
  });

  await test.step('a campaign with its ad set', async () => {
    await createCampaign(page, server, company, TRY_AGAIN);
  });

  await test.step('a request for funds', async () => {
    await page.goto(`${server.url}/finances`);
    await button(page, 'Top up').click();
    await page.getByLabel('Amount').fill('75');
    await saveTwice(page, 'Send request', {
      says: TRY_AGAIN,
      checkForm: () => expect(page.getByLabel('Amount')).toHaveValue('$75.00'),
      after: 'Your request was sent.',
    });
    await expect(page.getByRole('row', { name: /75\.00/ })).toHaveCount(1);
  });
});

test('everything is changed although each call fails once @journey', async ({ page, server }) => {
  const { company, parts, uuid } = await signInWithCampaign(page, server);
  await approveAndFund(server, company);
  await page.goto(`${server.url}/campaigns`);
  await expect(button(page, 'Edit title Spring launch')).toBeVisible();
  await failEachOnce(page, 'answers 500');

  await test.step('a name in the table', async () => {
    await button(page, 'Edit title Spring launch').click();
    await page.getByRole('dialog').getByLabel('Title').fill('Summer launch');
    await button(page, 'Save').click();
    await expect(page.getByRole('dialog').getByText(TRY_AGAIN)).toBeVisible();
    await expect(page.getByRole('dialog').getByLabel('Title')).toHaveValue('Summer launch');
    await button(page, 'Save').click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('link', { name: 'Summer launch', exact: true })).toBeVisible();
  });

  await test.step('a failed start is undone', async () => {
    await button(page, 'Start Summer launch').click();
    await expect(page.getByText('“Summer launch” could not be started.', { exact: false })).toBeVisible();
    await button(page, 'Start Summer launch').click();
    await expect(page.getByText('“Summer launch” is running')).toBeVisible();
    await expect(button(page, 'Pause Summer launch')).toBeVisible();
  });

  await test.step('a target', async () => {
    await page.goto(`${server.url}/targets/edit?uuid=${parts.target.uuid}`);
    await title(page).fill('Nearly everyone');
    await saveTwice(page, 'Save target', {
      says: TRY_AGAIN,
      checkForm: () => expect(title(page)).toHaveValue('Nearly everyone'),
      after: 'Target saved',
    });
    expect(await listed(company, 'target')).toEqual(['Nearly everyone']);
  });

  await test.step('a campaign, whose form leads back to the campaigns', async () => {
    await page.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
    await page.getByLabel('Campaign name').fill('Autumn launch');
    await page.getByLabel('Campaign name').blur();
    await button(page, 'Save campaign').click();
    await expect(page.getByRole('row', { name: /Autumn launch/ })).toHaveCount(1);
    expect(await listed(company, 'campaign')).toEqual(['Autumn launch']);
  });

  await test.step('the profile', async () => {
    await page.goto(`${server.url}/profile`);
    await page.getByLabel('First name').fill('Ada');
    await saveTwice(page, 'Save profile', {
      says: TRY_AGAIN,
      checkForm: () => expect(page.getByLabel('First name')).toHaveValue('Ada'),
      after: 'Profile updated successfully!',
    });
  });

  await test.step('an app that is deleted', async () => {
    await page.goto(`${server.url}/campaigns`);
    await button(page, 'Pause Autumn launch').click();
    await expect(page.getByText('could not be paused', { exact: false })).toBeVisible();
    await button(page, 'Pause Autumn launch').click();
    await expect(page.getByText('“Autumn launch” is paused')).toBeVisible();
    await page.goto(`${server.url}/assets?tab=apps`);
    await page.getByRole('checkbox', { name: 'Select Pocket Farm' }).check();
    await button(page, 'Delete 1').click();
    await button(page, 'Delete app').click();
    await expect(page.getByRole('dialog').getByText(TRY_AGAIN)).toBeVisible();
    await button(page, 'Delete app').click();
    await expect(page.getByText('App deleted')).toBeVisible();
    expect(await listed(company, 'app')).toEqual([]);
  });
});

for (const [failure, tag] of [
  ['is cut off', ' @journey'],
  ['is offline', ''],
] as const) {
  test(`an entity is created once although the connection ${failure}${tag}`, async ({ page, server }) => {
    const { company } = await signInToNewCompany(page, server);
    await page.goto(`${server.url}/targets/edit`);
    await title(page).fill('Players at night');
    await choose(page, 'App', 'Pocket Farm');
    await failEachOnce(page, failure);
    await saveTwice(page, 'Save target', {
      says: UNREACHABLE,
      checkForm: () => expect(title(page)).toHaveValue('Players at night'),
      after: 'Target saved',
    });
    expect(await listed(company, 'target')).toEqual(['Everyone', 'Players at night']);

    await createCampaign(page, server, company, UNREACHABLE);
  });
}
