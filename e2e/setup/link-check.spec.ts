import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

const PARTNER = 'https://app.appsflyer.com/com.example.pocketfarm?clickid=bidwell-test-click';
const STORE = 'https://play.google.com/store/apps/details?id=com.example.pocketfarm';

test('the redirects of a click URL are checked, and an address that devices cannot reach is refused', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const {
    parts: { link },
  } = await signInToNewCompany(page, server);
  await page.goto(`${server.url}/tracking-links/edit?uuid=${link.uuid}`);
  await page
    .getByRole('textbox', { name: 'Click URL' })
    .fill('https://127.0.0.1/inner?clickid={click_id}&advertising_id={gaid}');
  await page.getByRole('button', { name: 'Test click' }).click();
  const redirects = page
    .getByRole('dialog', { name: 'Test click' })
    .getByRole('region', { name: 'Redirects' });
  await expect(redirects).toContainText('AppsFlyer has no parameter for test clicks');
  await redirects.getByRole('button', { name: 'Check at AppsFlyer' }).click();
  await expect(redirects).toContainText('127.0.0.1 is not a public address');
  await expect(redirects).toContainText('The link does not pass AppsFlyer');
  await expect(redirects.getByRole('listitem')).toContainText('no response');
  expect(await seriousViolations(page)).toEqual([]);

  // The partner's hosts are not reached from here: a response of the server in its place.
  await page.route('**/api/internal/tracking_link/check', async (route) =>
    route.fulfill({
      json: {
        data: {
          hops: [
            {
              url: PARTNER,
              host: 'app.appsflyer.com',
              status: 302,
              ms: 84,
              has_click_id: true,
              kind: 'partner',
            },
            {
              url: STORE,
              host: 'play.google.com',
              status: null,
              ms: null,
              has_click_id: null,
              kind: 'store',
            },
          ],
          findings: [],
        },
      },
    }),
  );
  await redirects.getByRole('button', { name: 'Check at AppsFlyer' }).click();
  await expect(redirects.getByRole('status')).toHaveText(
    'The link leads to the app’s page in the store, with the click ID.',
  );
  await expect(redirects.getByRole('listitem').first()).toContainText(
    'measurement partner · status 302 · 84 ms · with click ID',
  );
  expect(await seriousViolations(page)).toEqual([]);

  const view = page.getByRole('dialog', { name: 'Test click' }).getByRole('region', { name: 'View' });
  await expect(view).toContainText('AppsFlyer has no parameter for test views, so it records one view.');
  await view.getByRole('button', { name: 'Check without AppsFlyer' }).click();
  await expect(view.getByRole('status')).toHaveText(
    'As AppsFlyer documents it, the measurement partner takes the view, with the click ID.',
  );
  await expect(view.getByRole('listitem')).toContainText('measurement partner · status 200');
  await page.route('**/api/internal/tracking_link/check_view', async (route) =>
    route.fulfill({
      json: {
        data: {
          hops: [
            {
              url: 'https://impression.appsflyer.com/com.example.pocketfarm?clickid=bidwell-test-click',
              host: 'impression.appsflyer.com',
              status: 200,
              ms: 41,
              has_click_id: true,
              kind: 'partner',
            },
          ],
          findings: [],
        },
      },
    }),
  );
  await view.getByRole('button', { name: 'Check at AppsFlyer' }).click();
  await expect(view.getByRole('status')).toHaveText(
    'The measurement partner takes the view, with the click ID.',
  );
  await expect(view.getByRole('listitem')).toContainText('status 200 · 41 ms');
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});
