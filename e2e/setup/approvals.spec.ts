import { expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { runningCampaign } from '../support/company.ts';
import { colleagueOf } from '../support/colleague.ts';
import { fill } from '../support/fields.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';

const Adsets = z.object({
  adsets: z.array(z.object({ uuid: z.uuid(), daily_budget_const: z.number().nullable() })),
});

test('a budget above the limit is asked for, approved by a colleague, and one that is rejected has a reason @journey', async ({
  page,
  server,
  browser,
}) => {
  const { company } = await runningCampaign(server);
  const daily = async () => (await company.api.get('/adset', Adsets)).adsets[0]!.daily_budget_const;
  const { uuid } = (await company.api.get('/adset', Adsets)).adsets[0]!;
  await company.api.send('PUT', `/adset/${uuid}`, { daily_budget_const: 50 }, z.object({}));
  await signIn(page, server, company);
  const colleague = await colleagueOf(browser, server, company, 'editor');

  await page.goto(`${server.url}/profile?tab=company`);
  const rule = page.getByRole('region', { name: 'Approval of budgets' });
  await rule.getByRole('checkbox', { name: 'Daily budget above: no approval' }).uncheck();
  await rule.getByRole('textbox', { name: 'Daily budget above' }).fill('100');
  await rule.getByRole('button', { name: 'Save rule' }).click();
  await expect(page.getByText('Rule saved')).toBeVisible();
  expect(await seriousViolations(page)).toEqual([]);

  const ask = async (amount: string, note: string) => {
    await colleague.goto(`${server.url}/campaigns?depth=adset`);
    await colleague.getByRole('button', { name: 'Edit daily budget of Broad reach' }).click();
    const edit = colleague.getByRole('dialog', { name: 'Daily budget of Broad reach' });
    await edit.getByLabel('Daily budget', { exact: true }).fill(amount);
    await edit.getByRole('button', { name: 'Save' }).click();
    const request = colleague.getByRole('dialog', { name: 'Request an approval?' });
    await expect(request).toContainText('above $100.00 a day');
    await request.getByLabel('Note').fill(note);
    expect(await seriousViolations(colleague)).toEqual([]);
    await request.getByRole('button', { name: 'Request approval' }).click();
    await expect(colleague.getByText('The approval was requested')).toBeVisible();
    await expect(request).toBeHidden();
    await expect(edit).toBeHidden();
  };

  await ask('500', 'Black Friday');
  expect(await daily()).toBe(50);
  await colleague.goto(`${server.url}/campaigns/approvals`);
  await expect(colleague.getByText('Someone else has to decide on it.')).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  await page.goto(`${server.url}/campaigns`);
  await test.step('approvers are notified at the bell, not above screens', async () => {
    await page.getByRole('button', { name: /Notifications, \d+ unread, warning/ }).click();
    await expect(page.getByRole('link', { name: 'Approval requested' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Approval requested' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
  await page.getByRole('link', { name: 'Approvals (1)' }).click();
  const request = page.getByRole('region', { name: 'Request for Spring launch' }).first();
  await expect(request).toContainText('$500.00 a day');
  await expect(request).toContainText('now $50.00 a day');
  await expect(request).toContainText('“Black Friday”');
  expect(await seriousViolations(page)).toEqual([]);
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(request).toContainText('Approved by');
  expect(await daily()).toBe(500);

  await ask('900', 'More');
  await page.reload();
  await request.getByRole('button', { name: 'Reject' }).click();
  const reject = page.getByRole('dialog', { name: 'Reject the budgets of Spring launch?' });
  await reject.getByLabel('Reason').fill('Not this week');
  await reject.getByRole('button', { name: 'Reject' }).click();
  await expect(request).toContainText('Not this week');
  expect(await daily()).toBe(500);
  await colleague.goto(`${server.url}/campaigns`);
  await colleague.getByRole('button', { name: /Notifications, \d+ unread, warning/ }).click();
  await colleague.getByRole('link', { name: 'Budget rejected' }).click();
  await expect(colleague).toHaveURL(/\/campaigns\/approvals$/);
  await colleague.context().close();
});

test('a form that raises a budget above the limit asks for it, and the campaign gets it once it is approved', async ({
  page,
  server,
  browser,
}) => {
  const { company } = await runningCampaign(server);
  const { uuid } = (await company.api.get('/adset', Adsets)).adsets[0]!;
  await company.api.send('PUT', `/adset/${uuid}`, { daily_budget_const: 50 }, z.object({}));
  const colleague = await colleagueOf(browser, server, company, 'editor');
  const rule = { daily_budget_above: 100, total_budget_above: null };
  await company.api.send('PUT', '/approval/limits', rule, z.object({}));

  // The form of the ad set.
  await colleague.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await fill(colleague, 'Daily budget', '300');
  await colleague.getByRole('button', { name: 'Save ad set' }).click();
  const dialog = colleague.getByRole('dialog', { name: 'Request an approval?' });
  await expect(dialog).toContainText('above $100.00 a day');
  // The dialog says it, so no message covers it.
  await expect(colleague.getByRole('alert').filter({ hasText: 'above $100.00 a day' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);

  // The form of the campaign.
  await colleague.goto(`${server.url}/campaigns`);
  await colleague.getByRole('link', { name: 'Spring launch', exact: true }).click();
  await colleague.getByRole('button', { name: /^Broad reach/ }).click();
  await fill(colleague, 'Daily budget', '400');
  await colleague.getByRole('button', { name: 'Save campaign' }).click();
  await expect(dialog).toContainText('above $100.00 a day');
  await dialog.getByRole('button', { name: 'Request approval' }).click();
  await expect(colleague.getByText('The approval was requested')).toBeVisible();
  expect(await seriousViolations(colleague)).toEqual([]);

  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns/approvals`);
  const request = page.getByRole('region', { name: 'Request for Spring launch' });
  await expect(request).toContainText('$400.00 a day');
  await request.getByRole('button', { name: 'Approve' }).click();
  await expect(request).toContainText('Approved by');
  expect((await company.api.get('/adset', Adsets)).adsets[0]!.daily_budget_const).toBe(400);
  await colleague.context().close();
});
