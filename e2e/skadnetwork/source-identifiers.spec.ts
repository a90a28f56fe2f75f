import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { appStore, freshCompany, makeAdsetParts } from '../support/company.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('the page of an iOS app says which source identifier is which ad set, and which ad sets have none', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { app } = await makeAdsetParts(company, { store: appStore('1234567891') });
  await signIn(page, server, company);
  await page.goto(`${server.url}/edit-app?uuid=${app.uuid}`);
  const section = page.getByRole('region', { name: 'Source identifiers', exact: true });
  await expect(section).toContainText('Signing is not switched on for this app.');
  await expect(section).toContainText('No ad set has a source identifier yet.');

  const identifier = {
    item_id: 525463029,
    digits: 34,
    adset_uuid: app.uuid,
    allocated_at: '2026-06-02T12:00:00.000Z',
    last_bid_at: null,
    released_at: null,
  };
  const list = {
    enabled: true,
    has_network: true,
    item_id: null,
    source_identifiers: [
      { ...identifier, number: 1234, adset: 'Germany, videos' },
      { ...identifier, number: 5634, adset: null, released_at: '2026-06-12T12:00:00.000Z' },
    ],
    without_number: [
      { uuid: app.uuid, name: 'Austria' },
      { uuid: app.uuid, name: 'France' },
    ],
  };
  await page.route('**/source_identifiers', (route) => route.fulfill({ json: { data: list } }));
  await page.reload();
  const table = page.getByRole('table', { name: 'Source identifiers' });
  await expect(table.getByRole('row', { name: /^1234 Germany, videos/ })).toContainText('None yet');
  await expect(
    table.getByRole('row', { name: /^5634 Deleted Until .*, then of another ad set/ }),
  ).toBeVisible();
  await expect(section).toContainText('Signing is switched on for this app.');
  await expect(section).toContainText('The store link of this app has no App Store ID');
  await expect(section).toContainText('Without a source identifier: Austria, France.');
  await expect(table.getByRole('row', { name: /^1234/ })).toContainText(
    'For the App Store ID 525463029, which the app had before',
  );
  expect(await seriousViolations(page)).toEqual([]);

  // On a phone the keyboard scrolls the table, which has a name, and a shadow where it continues.
  await page.setViewportSize({ width: 390, height: 844 });
  const frame = section.getByRole('group', { name: 'Source identifiers' });
  await expect(frame).toHaveAttribute('tabindex', '0');
  await expect(frame.locator('..')).toHaveAttribute('data-more-after');
  expect(await seriousViolations(page)).toEqual([]);
});
