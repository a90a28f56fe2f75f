import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

test('the form of a creative of an app without a tracking link leads to its first, and keeps the input', async ({
  page,
  server,
}) => {
  const { company, parts } = await signInToNewCompany(page, server);
  await company.api.send('POST', `/tracking_link/${parts.link.uuid}/archive`, undefined, z.object({}));
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const drawer = page.getByRole('dialog', { name: 'New tracking link' });
  const openDrawer = async () => {
    await expect(page.getByText('The app has no tracking link yet.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'New tracking link' }).click();
    await expect(drawer.getByRole('textbox', { name: 'Click URL' })).toHaveValue(/app\.appsflyer\.com/);
  };

  await test.step('Escape closes the drawer, and not the dialog beneath it', async () => {
    await page.goto(`${server.url}/creatives?type=Banner`);
    await page.getByRole('row', { name: /Harvest/ }).click();
    await page.getByRole('button', { name: 'Edit creative' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Harvest' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Harvest in autumn');
    await openDrawer();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('Harvest in autumn');
  });

  await test.step('the first link fills in both URLs', async () => {
    await page.goto(`${server.url}/creatives/add-creative?type=Banner&app=${parts.app.uuid}`);
    await text('Description').fill('For autumn');
    await openDrawer();
    expect(await seriousViolations(page)).toEqual([]);
    await drawer.getByRole('textbox', { name: 'Title', exact: true }).fill('First link');
    await drawer.getByRole('button', { name: 'Save tracking link' }).click();
    await expect(drawer).toBeHidden();
    await expect(text('Click URL')).toHaveValue(/app\.appsflyer\.com/);
    await expect(text('Click URL')).toBeFocused();
    await expect(text('View URL')).toHaveValue(/impression\.appsflyer\.com/);
    await expect(text('Description')).toHaveValue('For autumn');
    await expect(page.getByRole('button', { name: 'Fill in from a tracking link' })).toBeVisible();
  });
});
