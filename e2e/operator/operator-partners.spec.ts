import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { seriousViolations } from '../support/accessibility.ts';
import { choose } from '../support/fields.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

test('an operator downloads what to send to a measurement partner @journey', async ({ page, server }) => {
  const errors = errorsOf(page);
  await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Partners' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Measurement partners');
  const kit = page.getByRole('region', { name: 'Kit' });
  await expect(kit).toContainText('as an ad network at AppsFlyer');
  await expect(kit).toContainText('/postback/appsflyer/ADVERTISER_SECRET/push');
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('textbox', { name: 'Integration' }).fill('Ines Roth, ines@orchard.example');
  await expect(kit).toContainText('Integration: Ines Roth, ines@orchard.example');
  await expect(page.getByRole('region', { name: 'Links' })).toContainText(
    'As documented, AppsFlyer leads the click to the store, and reads the click id.',
  );
  await expect(page.getByRole('region', { name: 'Postbacks' })).toContainText('Push API');

  await choose(page, 'Partner', 'Kochava');
  await expect(page).toHaveURL(/mmp=kochava/);
  await expect(page.getByRole('region', { name: 'How Kochava lists a network' })).toContainText(
    'Not documented publicly: Where to apply.',
  );
  const downloading = page.waitForEvent('download');
  await kit.getByRole('button', { name: 'Download the kit' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/-kochava\.md$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain('as an ad network at Kochava');
  expect(text).toContain('Integration: Ines Roth, ines@orchard.example');
  expect(text).toContain('Billing: [name, mail address]');
  await expect(kit.getByRole('link', { name: 'Download the logo' })).toHaveAttribute('href', /^http/);
  expect(errors).toEqual([]);
});
