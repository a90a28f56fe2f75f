import { type Page, expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from '../support/accessibility.ts';
import { type Company, runningCampaign } from '../support/company.ts';
import { bidFor, click, lose, win } from '../support/exchange.ts';
import type { Server } from '../support/server.ts';
import { signIn } from '../support/session.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

const WINS = 4;
const PRICE = 2;

/** A running campaign "Spring launch" that has won impressions in the app "Endless Runner", and lost one to a higher bid. */
async function bought(server: Server): Promise<Company> {
  const { company, path } = await runningCampaign(server);
  const app = {
    bundle: 'com.publisher.endless',
    name: 'Endless Runner',
    publisher: { name: 'Runner Studio' },
  };
  for (let won = 0; won < WINS; won += 1) {
    const bid = await bidFor(server.url, path, `bought-${won}`, app);
    await win(bid, PRICE);
    await click(bid);
  }
  await lose(await bidFor(server.url, path, 'lost'), 102);
  return company;
}

/** Opens a tab of the campaign from the list of campaigns, with two clicks. */
async function openTab(page: Page, server: Server, name: string): Promise<void> {
  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('link', { name: 'Delivery of Spring launch' }).click();
  await page.getByRole('tab', { name }).click();
}

test('the bundles of a campaign have their publisher, and are blocked and priced in the row @journey', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  const company = await bought(server);
  await signIn(page, server, company);
  await openTab(page, server, 'Bundles');
  const row = page
    .getByRole('table', { name: 'Bundles' })
    .getByRole('row', { name: /com\.publisher\.endless/ });
  // Bidders store what they know of an app seconds after its events.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('Runner Studio', { timeout: 5000 });
  }).toPass({ timeout: 120_000 });
  await expect(row.getByRole('link', { name: 'Endless Runner' })).toHaveAttribute(
    'href',
    'https://play.google.com/store/apps/details?id=com.publisher.endless',
  );
  await expect(row).toContainText('100.0');
  expect(await seriousViolations(page)).toEqual([]);

  await row.getByRole('button', { name: 'Block Endless Runner' }).click();
  const block = page.getByRole('dialog', { name: 'Block Endless Runner' });
  await expect(
    block.getByText(/^Adds com\.publisher\.endless to the blocklist of these ad sets/),
  ).toBeVisible();
  await expect(block.getByRole('checkbox', { name: 'Broad reach' })).toBeChecked();
  expect(await seriousViolations(page)).toEqual([]);
  await block.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(page.getByText('Blocked in Broad reach')).toBeVisible();
  await row.getByRole('button', { name: 'Unblock Endless Runner' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unblock', exact: true }).click();
  await expect(row).toContainText('No rule');

  await row.getByRole('button', { name: 'Set bid on Endless Runner' }).click();
  const bid = page.getByRole('dialog', { name: 'Set bid on Endless Runner' });
  await bid.getByRole('textbox', { name: 'CPM there' }).fill('0');
  await bid.getByRole('button', { name: 'Save bid' }).click();
  await expect(bid.getByText(/\$0\.01/)).toBeVisible();
  await bid.getByRole('textbox', { name: 'CPM there' }).fill('3.5');
  await bid.getByRole('button', { name: 'Save bid' }).click();
  await expect(row).toContainText('Bid $3.50');
  await page.goto(`${server.url}/changes`);
  await expect(page.getByText('Broad reach').first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('prices show what was bid and paid by exchange and country', async ({ page, market: server }) => {
  const errors = errorsOf(page);
  await signIn(page, server, await bought(server));
  await openTab(page, server, 'Prices');
  const table = page.getByRole('table', { name: 'Prices' });
  const shop = table.getByRole('row', { name: /Shop/ });
  // Four impressions were won with bids of $4.00 and cleared at $2.00.
  await expect(shop).toContainText('$4.00');
  await expect(shop).toContainText('$2.00');
  await table.getByRole('button', { name: 'Expand Shop' }).click();
  await expect(table.getByRole('row', { name: /Germany/ })).toContainText('$0.01');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Prices', selected: true })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('bids are listed one by one, by outcome, and exported', async ({ page, market: server }) => {
  const errors = errorsOf(page);
  await signIn(page, server, await bought(server));
  await openTab(page, server, 'Bids');
  const rows = page.getByRole('table', { name: 'Bids' }).getByRole('row');
  const won = rows.filter({ hasText: 'Won' });
  // The screen refetches: notices are counted within seconds.
  await expect(won).toHaveCount(WINS, { timeout: 60_000 });
  await expect(won.first()).toContainText('com.publisher.endless');
  await expect(won.first()).toContainText('Shop · DE');
  // A bid of $4.00 that cleared at $2.00 per thousand.
  await expect(won.first()).toContainText('$4.00');
  await expect(won.first()).toContainText('$2.00');
  await expect(won.first()).toContainText('Shown, Click');
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Lost').click();
  await expect(page).toHaveURL(/status=lost/);
  await expect(rows.filter({ hasText: 'Lost to a higher bid (102)' })).toHaveCount(1);
  await expect(won).toHaveCount(0);

  await page.getByRole('radiogroup', { name: 'Outcome' }).getByText('Won').click();
  for (const format of ['CSV', 'Parquet']) {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: format }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^bidwell-bids-[-\\d]{21}\\.${format.toLowerCase()}$`),
    );
    if (format === 'CSV') {
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(WINS + 1);
      expect(lines[1]).toContain('"Spring launch"');
    }
  }
  expect(errors).toEqual([]);
});

test('creatives are compared with intervals, and say how much data is missing', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  await signIn(page, server, await bought(server));
  await openTab(page, server, 'Creatives');
  const banners = page.getByRole('region', { name: 'Banners 320×50' });
  await expect(
    banners.getByText('There is no other creative of this format to compare it with.'),
  ).toBeVisible();
  const row = banners.getByRole('row', { name: /Harvest/ });
  // Four clicks of four impressions: the true rate may be as low as half of that.
  await expect(row).toContainText('100.00');
  await expect(row).toContainText('51.01–100.00');
  await page.getByRole('radiogroup', { name: 'Compare by' }).getByText('Clicks').click();
  await expect(page).toHaveURL(/metric=ctr/);
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});
