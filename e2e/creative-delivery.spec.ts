import { expect } from '@playwright/test';
import { seriousViolations } from './support/accessibility.ts';
import {
  approveAndFund,
  freshCompany,
  freshExchange,
  makeAdsetParts,
  makeCampaign,
  startCampaign,
} from './support/company.ts';
import { bidFor, offer, win } from './support/exchange.ts';
import { errorsOf } from './support/page-errors.ts';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

test('a creative says what keeps it from being shown, in its row and under its preview @journey', async ({
  page,
  market: server,
}) => {
  const errors = errorsOf(page);
  const { slug, path } = await freshExchange(server, 'Sizes');
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company, { exchanges: [slug] });
  const { uuid } = await makeCampaign(company, parts, 'Spring launch');
  await signIn(page, server, company);
  await page.goto(`${server.url}/creatives`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('It is in moderation, and not shown until it is approved.')).toBeVisible();

  await approveAndFund(server, company);
  await page.reload();
  const sign = page.getByRole('button', { name: 'Why Harvest is not shown' });
  await sign.click();
  const hint = page.getByRole('dialog');
  await expect(hint).toContainText('It cannot be shown');
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press('Escape');
  await expect(hint).toBeHidden();
  await sign.click();
  await expect(hint).toContainText('It cannot be shown');
  await expect(hint).toContainText(
    'The ad set “Broad reach”, which uses it, or its campaign “Spring launch” is paused',
  );
  expect(await seriousViolations(page)).toEqual([]);

  await startCampaign(company, uuid);
  const noPlacement = preview.getByText(
    /^None of the newest bid requests that “Broad reach” targets has a place/,
  );
  await expect(async () => {
    await offer(server.url, path, `size-${Math.random()}`, {}, { w: 728, h: 90 });
    await page.reload();
    await expect(noPlacement).toBeVisible({ timeout: 5000 });
  }).toPass();
  await expect(noPlacement).toContainText('100% ask for another size (most often 728×90).');
  await expect(preview.getByText('With a placement for it')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.goto(`${server.url}/campaigns`);
  await page.getByRole('button', { name: 'Expand Spring launch' }).click();
  await page.getByRole('button', { name: 'Expand Broad reach' }).click();
  await sign.click();
  await expect(hint).toContainText('No impressions in this period');
  await expect(hint).toContainText('ask for another size (most often 728×90)');
  expect(await seriousViolations(page)).toEqual([]);

  await win(await bidFor(server.url, path, 'shown'), 1);
  await page.goto(`${server.url}/creatives`);
  await expect(async () => {
    await page.reload();
    await expect(preview.getByText('It has 100% of the impressions of “Broad reach”.')).toBeVisible({
      timeout: 5000,
    });
  }).toPass();
  await expect(sign).toBeHidden();
  expect(errors).toEqual([]);
});
