import { type Page, expect } from '@playwright/test';
import { dropdown } from '../support/fields.ts';
import { test } from '../support/test.ts';
import { freshCompany, makeAdsetParts, makeCampaign } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { screensOf, visit } from '../support/screens.ts';
import { signIn, signInToNewCompany } from '../support/session.ts';

const CRASH = /Oh no!/;
const script = (name: string) => new RegExp(`/assets/${name}-[^/]+\\.js$`);
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** From now on the server has another release: without the page's files, and with a page that loads others. */
async function deployNewRelease(page: Page, gone: string): Promise<void> {
  await page.route(script(gone), (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.route(
    () => true,
    async (route) => {
      const request = route.request();
      const isPage = request.resourceType() === 'fetch' && request.headers()['accept'] === 'text/html';
      if (!isPage) return route.fallback();
      return route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" crossorigin src="/assets/index-of-the-next-release.js"></script>',
      });
    },
  );
  // The next page is of that release.
  page.once('framenavigated', () => void page.unrouteAll({ behavior: 'ignoreErrors' }));
}

test('a click on a screen whose script is not loaded says so, and opens the screen when the connection is back @journey', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns`);
  await expect(heading(page, 'Campaigns')).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByRole('link', { name: 'Finances', exact: true }).click();
  await expect(
    page.getByText('You are offline. The screen opens when the connection is back.'),
  ).toBeVisible();
  await expect(heading(page, 'Campaigns')).toBeVisible();
  await expect(page).toHaveURL(/\/campaigns/);
  await expect(page.getByText(CRASH)).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(heading(page, 'Finances')).toBeVisible();
  await expect(page.getByText('You are offline.')).toHaveCount(0);
});

test('every screen says that it is offline, and dims the figures that may be out of date', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const notice = page.getByText('You are offline. What is shown may be out of date.');
  const check = async () => {
    await page.context().setOffline(true);
    await expect(notice).toBeVisible();
    await page.context().setOffline(false);
    await expect(notice).toHaveCount(0);
  };
  await page.goto(`${server.url}/login`);
  await expect(page.getByLabel('Login')).toBeVisible();
  await check();
  await signIn(page, server, company);
  const { api } = company;
  await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  const screens = await screensOf(api);
  for (const screen of screens.filter(({ name }) =>
    /^(campaigns|finances|reports-bundle|profile|alerts|changes)$/.test(name),
  ))
    await test.step(screen.name, async () => {
      await visit(page, server, screen);
      await check();
    });
  await visit(page, server, { name: 'finances', path: '/finances' });
  const figure = page.getByRole('group', { name: 'Balance' }).locator('[data-figure]');
  const colour = () => figure.evaluate((element) => getComputedStyle(element).color);
  const before = await colour();
  await page.context().setOffline(true);
  await expect.poll(colour).not.toBe(before);
  await page.context().setOffline(false);
  await expect.poll(colour).toBe(before);
  await logInAsOperator(page, server);
  await check();
});

test('a screen whose script fails waits for it', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns`);
  await page.route(script('finances-screen'), (route) => route.abort('connectionreset'));
  await page.getByRole('link', { name: 'Finances', exact: true }).click();
  await expect(
    page.getByText('The server cannot be reached. The screen opens when it is back.'),
  ).toBeVisible();
  await expect(page.getByText(CRASH)).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(heading(page, 'Finances')).toBeVisible();
});

test('a drawer and a dialog whose scripts fail leave the form as it is, and can be tried again', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/adset`);
  const title = page.getByRole('textbox', { name: 'Title', exact: true });
  await title.fill('Half an ad set');
  for (const [name, opens, field] of [
    ['target-form', 'New target', 'Title'],
    ['bundle-form', /blocklist/i, null],
  ] as const)
    await test.step(name, async () => {
      await page.route(script(name), (route) => route.abort('connectionreset'));
      await page.getByRole('button', { name: opens }).first().click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('This part could not be loaded.')).toBeVisible();
      await expect(page.getByText(CRASH)).toHaveCount(0);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await expect(
        dialog.getByRole('textbox', field ? { name: field, exact: true } : {}).first(),
      ).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(title).toHaveValue('Half an ad set');
    });
});

test('a new release reloads the page, and what was typed is there again', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/tracking-links/edit`);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Half a link');
  await dropdown(page, 'App').click();
  await page.keyboard.press('Escape');
  await deployNewRelease(page, 'finances-screen');
  await page.getByRole('link', { name: 'Finances', exact: true }).click();
  await page.getByRole('button', { name: 'Keep draft and leave' }).click();
  await expect(heading(page, 'Finances')).toBeVisible();

  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${server.url}/campaigns/create`);
  await page.getByLabel('Campaign name').fill('Spring launch');
  await deployNewRelease(page, 'app-drawer');
  await page.getByRole('button', { name: 'Add an app' }).click();
  await expect(page.getByText('Your draft was restored.', { exact: false })).toBeVisible();
  await expect(page.getByLabel('Campaign name')).toHaveValue('Spring launch');
});

test('the scripts of other screens are loaded ahead, but not where data is saved', async ({
  page,
  server,
}) => {
  await signInToNewCompany(page, server);
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const hasFinances = () => loaded.some((path) => script('finances-screen').test(path));
  await page.clock.install();
  await page.goto(`${server.url}/campaigns`);
  await expect(heading(page, 'Campaigns')).toBeVisible();
  await expect(async () => {
    await page.clock.runFor(10_500);
    expect(hasFinances()).toBe(true);
  }).toPass();

  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  );
  await page.reload();
  await expect(heading(page, 'Campaigns')).toBeVisible();
  loaded.length = 0;
  await page.clock.runFor(60_000);
  expect(hasFinances()).toBe(false);
});
