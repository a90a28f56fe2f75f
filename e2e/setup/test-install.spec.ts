import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { errorsOf } from '../support/page-errors.ts';
import { signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

test('a test install passes every step, and names the check that is missing @journey', async ({
  page,
  server,
}) => {
  const errors = errorsOf(page);
  const {
    parts: { link },
  } = await signInToNewCompany(page, server);
  await page.goto(`${server.url}/tracking-links/edit?uuid=${link.uuid}`);
  const postbacks = page.getByRole('region', { name: 'Postbacks' });
  await expect(postbacks).toContainText(/\/postback\/appsflyer\/[\w-]+\/push/);
  await expect(postbacks).toContainText('What both it and postbacks report counts once.');
  await postbacks.getByRole('button', { name: 'Test install' }).click();
  const dialog = page.getByRole('dialog', { name: /^Test install as from/ });
  await expect(dialog.getByText('A real install would be counted.')).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'Passed' })).toHaveCount(4);
  await expect(dialog.getByRole('img', { name: 'Skipped' })).toHaveCount(2);
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await postbacks.getByRole('button', { name: 'Checks' }).click();
  const checks = page.getByRole('dialog', { name: /^Checks of/ });
  await checks.getByLabel('IP addresses and networks').fill('198.51.100.7');
  await checks.getByLabel(/^(S2S token|Signing secret|Token)$/).fill('a token of the partner');
  await checks.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Postback checks saved')).toBeVisible();
  await postbacks.getByRole('button', { name: 'Test install' }).click();
  await expect(dialog.getByText('and accepted.')).toBeVisible();
  await expect(dialog.getByText('Postbacks count only from the configured network.')).toBeVisible();
  await expect(dialog.getByRole('img', { name: 'Passed' })).toHaveCount(5);
  await expect(postbacks).toContainText('No postbacks came from');
  expect(errors).toEqual([]);
});
