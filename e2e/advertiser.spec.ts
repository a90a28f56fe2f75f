import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { bidFor, click, win } from './support/exchange.ts';
import { launchCampaign } from './support/launch.ts';
import { errorsOf } from './support/page-errors.ts';
import { test } from './support/test.ts';

/** Formats an amount as the console does. */
const dollars = (amount: number) => `$${amount.toFixed(2)}`;

test('an advertiser registers, launches a campaign, buys installs and sees exactly what they cost @journey', async ({
  page,
  ownServer: { server },
}) => {
  const errors = errorsOf(page);

  const { postback_secret: secret, exchange } = await launchCampaign(page, server);

  await test.step('the exchange holds auctions, shows the ad, reports clicks and an install', async () => {
    for (let number = 0; number < 20; number += 1) {
      const bid = await bidFor(server.url, exchange.path, `auction-${number}`);
      expect(bid).toMatchObject({ price: 4 });
      // Twelve bids win at $2.50 CPM; three of them are clicked, and one click leads to an install.
      if (number >= 12) continue;
      await win(bid, 2.5);
      if (number >= 3) continue;
      const location = await click(bid);
      expect(location.origin).toBe('https://app.appsflyer.com');
      expect(location.searchParams.get('c')).toBe('Spring launch');
      expect(location.searchParams.get('af_siteid')).toBe('com.publisher.runner');
      if (number >= 1) continue;
      const clickId = location.searchParams.get('clickid')!;
      const postback = `${server.url}/postback/appsflyer/${secret}?clickid=${encodeURIComponent(clickId)}`;
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
    for (const figure of [dollars(spent), '12', '25.00%']) {
      await expect(row.getByRole('cell', { name: figure, exact: true }).first()).toBeVisible();
    }
    const chart = page.getByRole('table', { name: 'Spend and Installs over time' });
    await expect(chart.getByRole('cell', { name: dollars(spent) })).toHaveCount(1);
  });

  await test.step('a report is filtered, kept as a view and exported', async () => {
    await page.goto(`${server.url}/reports`);
    const dialog = page.getByRole('dialog', { name: 'Add filter' });
    // The screen may be drawn again once its report has arrived.
    await expect(async () => {
      if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add filter' }).click();
      await expect(dialog).toBeVisible({ timeout: 2000 });
    }).toPass();
    await dialog.getByLabel('Search filters').fill('country');
    await dialog.getByRole('button', { name: 'Country' }).click();
    await dialog.getByRole('checkbox', { name: /Germany/ }).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('row', { name: /^Total/ })).toContainText(dollars(spent));
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: /Save this view/ }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Germany');
    await page.getByRole('button', { name: 'Save view' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV of this view' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toContain('Ad set,Creative type,');
    expect(lines.at(-1)).toMatch(/^Total,,0\.03,3,1,12,/);
    await page.getByRole('button', { name: 'Reset all filters' }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Germany', exact: true }).click();
    await expect(page.getByRole('button', { name: /Remove the filter Country/ })).toBeVisible();
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
    const day = page
      .getByRole('table', { name: 'Transactions' })
      .getByRole('row')
      .filter({ hasText: `-${dollars(spent)}` });
    await day.getByRole('button', { name: /^Expand the spend of/ }).click();
    const campaigns = page.getByRole('list', { name: 'Spend by campaign' }).getByRole('listitem');
    await expect(campaigns).toHaveText([/Spring launch/]);
    await expect(campaigns).toContainText(dollars(spent));
  });

  expect(errors.filter((text) => !/status of 409/.test(text))).toEqual([]);
});
