import { expect } from '@playwright/test';
import { approveAndFund } from './support/company.ts';
import { settled, watchRequests } from './support/settled.ts';
import { test } from './support/test.ts';
import { signInWithCampaign } from './support/session.ts';

const paths = [
  '/campaigns',
  '/campaigns/create',
  '/adset',
  '/assets?tab=creatives',
  '/assets?tab=targets',
  '/creatives/add-creative?type=Banner',
  '/reports',
  '/reports/cohorts',
  '/reports/skadnetwork',
  '/finances',
  '/changes',
  '/profile',
];

test('no screen of the console violates its content security policy', async ({ page, server }) => {
  const violations: string[] = [];
  watchRequests(page);
  await page.exposeFunction('onViolation', (text: string) => violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      const { onViolation } = globalThis as unknown as { onViolation(text: string): void };
      onViolation(`${location.pathname}: ${effectiveDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  const { company } = await signInWithCampaign(page, server);
  await approveAndFund(server, company);
  await page.goto(`${server.url}/campaigns`);

  await test.step('styles, dialogs and menus work', async () => {
    await page.getByRole('button', { name: 'Edit title Spring launch' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Title')).toBeVisible();
    // The page behind a dialog does not scroll: the dialog library adds a style element for that.
    expect(await page.evaluate(() => getComputedStyle(document.body).overflow)).toContain('hidden');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: /Your account/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
    await page.keyboard.press('Escape');
    // The theme's variables are defined in a style element.
    const primary = await page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-body'),
    );
    expect(primary).not.toBe('');
  });
  for (const path of paths) {
    await page.goto(server.url + path);
    await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
    await settled(page);
  }
  await page.goto(`${server.url}/api/docs`);
  await expect(page.locator('nav')).toHaveCSS('position', 'sticky');
  expect(violations).toEqual([]);
});
