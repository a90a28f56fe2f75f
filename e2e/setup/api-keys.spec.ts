import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { freshCompany } from '../support/company.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('an API key is created with scopes and an end, shown once, works within its scopes, and is revoked @journey', async ({
  page,
  server,
}) => {
  await signIn(page, server, await freshCompany(server));
  await page.goto(`${server.url}/profile?tab=api`);
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Read everything').uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByText('Required')).toBeVisible();
  await expect(dialog.getByText('Choose what the key may do')).toBeVisible();
  await dialog.getByLabel('Name').fill('Campaign program');
  await dialog.getByLabel('Campaigns').check();
  await dialog.getByRole('combobox', { name: 'Expires' }).click();
  await expect(page.getByRole('option', { name: 'Never' })).toHaveAttribute('data-combobox-disabled', 'true');
  await page.getByRole('option', { name: 'In 30 days' }).click();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByTestId('api-key').innerText()).trim();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /Campaign program/ });
  await expect(row).toContainText(`…${secret.slice(-4)}`);
  await expect(row).toContainText('Campaigns');
  await expect(row).toContainText('Never');
  await expect(page.getByText(secret)).toHaveCount(0);
  const status = async (path: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${server.url}/api/internal${path}`, { headers })).status;
  };
  expect(await status('/campaign')).toBe(200);
  expect(await status('/finance/balance')).toBe(403);
  await page.reload();
  await expect(row).toContainText('from 127.0.0.1');
  expect(await seriousViolations(page)).toEqual([]);
  await row.getByRole('button', { name: 'Revoke Campaign program' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('There are no keys yet.')).toBeVisible();
  expect(await status('/campaign')).toBe(401);
});
