import { expect } from '@playwright/test';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { seriousViolations } from '../support/accessibility.ts';
import { appStore, freshCompany, makeApp } from '../support/company.ts';
import { logInAsOperator } from '../support/operator.ts';
import { test } from '../support/test.ts';

const freshId = (): string => `${randomUUID().slice(0, 8)}.skadnetwork`;

test('an admin adds an ad network with its key, changes it, switches an exchange on, and removes the network @journey', async ({
  page,
  server,
}) => {
  const slug = `exchange-${randomUUID().slice(0, 8)}`;
  await server.operator('PUT', `/ssps/${slug}`, { name: `Name of ${slug}` });
  await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'SKAdNetwork' }).click();
  await page.getByRole('button', { name: 'Add ad network' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add ad network' });
  await dialog.getByRole('textbox', { name: 'Id' }).fill('no id');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(
    dialog.getByText('An id of Apple, such as abcd1234ef.skadnetwork', { exact: true }),
  ).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  const id = freshId();
  await dialog.getByRole('textbox', { name: 'Id' }).fill(id);
  const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey;
  await dialog
    .getByRole('textbox', { name: 'Private key' })
    .fill(other.export({ type: 'pkcs8', format: 'pem' }).toString());
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Apple takes P-256 (prime256v1) only')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Private key' }).fill('');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const row = page.getByRole('table', { name: 'Ad networks' }).getByRole('row', { name: id });
  const key = row.getByRole('button', { name: `Copy the public key of ${id}` });
  await expect(key).toHaveText(/^…[A-Za-z0-9+/]{10}$/);

  await row.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('textbox', { name: 'Number in the IAB’s list' }).fill('512');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row.getByRole('cell', { name: '512' })).toBeVisible();

  const exchange = page.getByRole('table', { name: 'Exchanges' }).getByRole('row', { name: slug });
  await expect(exchange.getByText('Counted once signing is on')).toBeVisible();
  await page.getByRole('switch', { name: `Signing for Name of ${slug}` }).press('Space');
  await expect(exchange.getByText('None counted yet')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await test.step('the address for postbacks is above the outcomes of the last seven days', async () => {
    const postbacks = page.getByRole('region', { name: 'Postbacks, last 7 days' });
    await expect(postbacks.getByRole('button', { name: /^Copy the address for postbacks/ })).toHaveText(
      /\/skadnetwork\/postback$/,
    );
  });

  await row.getByRole('button', { name: 'Remove' }).click();
  const removal = page.getByRole('dialog');
  await expect(removal).toContainText('rejected and lost for good');
  await expect(removal).toContainText('up to 140 days after the last bid');
  await expect(removal).toContainText(new RegExp(`Signing is still on with .*Name of ${slug}`));
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
});

test('an admin switches an app on, which needs an App Store ID in its store link', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const word = `game${randomUUID().slice(0, 8)}`;
  const inStore = appStore('1234567891');
  await makeApp(company, `${word} with id`, inStore);
  const withoutId = { ...inStore, store_link: 'https://apps.apple.com/us/app/pocket-farm' };
  await makeApp(company, `${word} without`, withoutId);
  await logInAsOperator(page, server);
  await page.goto(`${server.url}/operator/skadnetwork?q=${word}`);
  const table = page.getByRole('table', { name: 'Apps' });
  const withId = page.getByRole('switch', { name: `Signing for ${word} with id` });
  await expect(withId).not.toBeChecked();
  await expect(table.getByRole('row', { name: `${word} with id` })).toContainText('1234567891');
  const without = table.getByRole('row', { name: `${word} without` });
  await expect(without).toContainText('Its store link has no App Store ID');
  await expect(without.getByRole('switch')).toBeDisabled();
  await withId.press('Space');
  await expect(withId).toBeChecked();
  await page.reload();
  await expect(withId).toBeChecked();
  await expect(without.getByRole('switch')).not.toBeChecked();
  expect(await seriousViolations(page)).toEqual([]);

  // While another search loads, it is not known whether apps match.
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const apps = (url: URL) => url.pathname.endsWith('/skadnetwork/apps');
  const search = page.getByRole('combobox', { name: 'Search iOS apps' });
  await search.fill(randomUUID());
  await expect(page.getByText('No iOS app matches.')).toBeVisible();
  await page.route(apps, async (route) => {
    await answered;
    await route.continue();
  });
  await search.fill(`${word} without`);
  await expect(page.getByText('No iOS app matches.')).toBeHidden();
  await expect(table.locator('[data-skeleton]').first()).toBeVisible();
  answer();
  await expect(without).toBeVisible();
});

test('a viewer sees the ad networks and changes nothing', async ({ page, server }) => {
  const id = freshId();
  await server.operator('PUT', `/skadnetwork/networks/${id}`, {});
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/skadnetwork`);
  await expect(page.getByRole('row', { name: id })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add ad network' })).toHaveCount(0);
  await expect(page.getByRole('switch')).toHaveCount(0);
  expect(await seriousViolations(page)).toEqual([]);
});
