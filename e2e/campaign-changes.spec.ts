import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from './support/accessibility.ts';
import { errorsOf } from './support/page-errors.ts';
import { signInWithCampaign } from './support/session.ts';
import { test } from './support/test.ts';

test('a changed bid is marked on the chart and listed, and undone by a change of its own @journey', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const { company, uuid } = await signInWithCampaign(page, server);
  const Bids = z.object({ adsets: z.array(z.object({ uuid: z.uuid(), bet_cpm: z.number() })) });
  const adset = async () => (await company.api.get('/adset', Bids)).adsets[0]!;
  await company.api.send('PUT', `/adset/${(await adset()).uuid}`, { bet_cpm: 6.5 }, z.object({}));
  await page.goto(`${server.url}/campaigns/delivery?uuid=${uuid}`);
  await page.getByRole('tab', { name: 'Changes' }).click();

  const entries = page.getByRole('list', { name: 'Changes', exact: true }).getByRole('listitem');
  const bid = entries.filter({ hasText: 'CPM bid' });
  await expect(bid).toHaveCount(1);
  await expect(bid).toContainText('changed ad set Broad reach');
  await expect(bid).toContainText('$4.00 → $6.50');
  await expect(bid).toContainText('Not compared: the ad set was new.');
  // What creates an entity cannot be undone.
  const created = entries.filter({ hasText: 'created campaign Spring launch' });
  await expect(created).toContainText('Not compared: the campaign was new.');
  await expect(created.getByRole('button')).toHaveCount(0);
  const marks = page.getByRole('list', { name: 'Changes on the chart' }).getByRole('button');
  await expect(marks).toHaveCount(1);
  await marks.focus();
  await expect(page.getByRole('tooltip')).toContainText('changed ad set Broad reach');
  await page.keyboard.press('Enter');
  await expect(entries.first()).toBeFocused();
  await expect(page.getByRole('tooltip')).toBeHidden();
  expect(await seriousViolations(page)).toEqual([]);

  await bid.getByRole('button', { name: /^Undo/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
  await expect(dialog).toContainText('Sets this field of the ad set “Broad reach” back:');
  await expect(dialog).toContainText('$6.50 → $4.00');
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Undo the change' }).click();
  await expect(page.getByText('The change is undone')).toBeVisible();
  await expect(bid).toHaveCount(2);
  await expect(bid.first()).toContainText('$6.50 → $4.00');
  expect((await adset()).bet_cpm).toBe(4);

  await page.getByText('Impressions and CPI').click();
  await expect(page).toHaveURL(/metric=impressions/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Changes', selected: true })).toBeVisible();
  await expect(bid).toHaveCount(2);
  // The bid is no longer what the first change made it: there is nothing to undo.
  await expect(bid.first().getByRole('button', { name: /^Undo/ })).toBeVisible();
  await expect(bid.last().getByRole('button', { name: /^Undo/ })).toBeHidden();
  expect(errors).toEqual([]);
});

test('a change is undone in the change log of the company', async ({ page, server }) => {
  const errors = errorsOf(page);
  const { company } = await signInWithCampaign(page, server);
  const Bids = z.object({ adsets: z.array(z.object({ uuid: z.uuid(), bet_cpm: z.number() })) });
  const adset = async () => (await company.api.get('/adset', Bids)).adsets[0]!;
  await company.api.send('PUT', `/adset/${(await adset()).uuid}`, { bet_cpm: 6.5 }, z.object({}));
  await page.goto(`${server.url}/changes`);
  const entries = page.getByRole('main').getByRole('listitem');
  const bid = entries.filter({ hasText: '$4.00 → $6.50' });
  await expect(entries.filter({ hasText: 'created' }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(1);
  expect(await seriousViolations(page)).toEqual([]);

  await bid.getByRole('button', { name: 'Undo: Broad reach, CPM bid' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' });
  await dialog.getByRole('button', { name: 'Undo the change' }).click();
  const undone = entries.filter({ hasText: '$6.50 → $4.00' });
  await expect(undone.getByRole('button', { name: /^Undo/ })).toBeVisible();
  await expect(undone).toContainText('undid a change of ad set Broad reach');
  await expect(undone).toContainText(/Undid\s*the change by /);
  await expect(bid.getByRole('button', { name: /^Undo/ })).toBeHidden();
  expect((await adset()).bet_cpm).toBe(4);
  expect(errors).toEqual([]);
});
