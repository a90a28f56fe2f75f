import { expect } from '@playwright/test';
import { z } from 'zod';
import { choose, dropdown } from './support/fields.ts';
import { signInToNewCompany } from './support/session.ts';
import { test } from './support/test.ts';

const Apps = z.object({ apps: z.array(z.object({ name: z.string() })) });

test('the draft of a tracking link has its app again after a reload', async ({ page, server }) => {
  const { company } = await signInToNewCompany(page, server);
  const { apps } = await company.api.get('/app', Apps);
  const [app] = apps;
  await page.goto(`${server.url}/tracking-links/edit`);
  await choose(page, 'App', app!.name);
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Half a link');
  await page.reload();
  await expect(page.getByText('Your draft was restored.')).toBeVisible();
  await expect(dropdown(page, 'App')).toHaveValue(app!.name);
  await expect(page.getByText(/^Measured by/)).toBeVisible();
});
