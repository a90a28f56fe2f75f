import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

test('the state of the server is shown, and an admin stops and resumes all bidding', async ({
  page,
  ownServer: { server },
}) => {
  const errors = errorsOf(page);
  const login = await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Health' }).click();
  const processes = page.getByRole('table', { name: 'Processes' });
  await expect(processes.getByRole('cell', { name: /api, bidder/ })).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Stop all bidding' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Stop all bidding' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Prices are wrong');
  await dialog.getByRole('button', { name: 'Stop all bidding' }).click();
  await expect(page.getByText(new RegExp(`^${login} stopped it on .*: Prices are wrong$`))).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Resume bidding' }).click();
  await expect(page.getByText(/^Bidding is running\./)).toBeVisible();
  expect(errors).toEqual([]);
});
