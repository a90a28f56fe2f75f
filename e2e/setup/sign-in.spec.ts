import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { companyOf, freshCompany } from '../support/company.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

test('a person sees where they are logged in and ends sessions, after the password if the login is old', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const phone = await companyOf(server, company.user);
  await signIn(page, server, company);
  await page.goto(`${server.url}/profile?tab=sign-in`);
  const sessions = page.getByRole('region', { name: 'Where you are logged in' });
  await expect(sessions.getByText('This session')).toHaveCount(1);
  await expect(sessions.getByRole('row', { name: /Chrome on Linux/ })).toContainText('This session');
  expect(await seriousViolations(page)).toEqual([]);
  const ends = sessions.getByRole('button', { name: /^End the session/ });
  const before = await ends.count();
  await ends.first().click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(ends).toHaveCount(before - 1);

  // As if the login was long ago.
  await page.route('**/api/internal/account/sessions', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.data.confirmed_until = '2020-01-01T00:00:00.000Z';
    await route.fulfill({ response, json: body });
  });
  await companyOf(server, company.user);
  await page.reload();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill('a guess');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('The current password is wrong')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.unroute('**/api/internal/account/sessions');
  await dialog.getByRole('textbox', { name: 'Password' }).fill(company.user.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(ends).toHaveCount(0);
  await expect(sessions.getByText('This session')).toBeVisible();
  await expect(phone.api.get('/app', z.unknown())).rejects.toThrow();
});
