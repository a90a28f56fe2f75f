import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { colleagueOf } from '../support/colleague.ts';
import { choose } from '../support/fields.ts';
import { signInWithCampaign } from '../support/session.ts';
import { test } from '../support/test.ts';

test('people comment on a campaign and mention each other; one changes and deletes one’s own comments @journey', async ({
  page,
  server,
  browser,
}) => {
  const { company, uuid } = await signInWithCampaign(page, server);
  const analyst = await colleagueOf(browser, server, company, 'analyst');

  await page.goto(`${server.url}/campaigns/edit?uuid=${uuid}`);
  const comments = page.getByRole('region', { name: 'Comments' });
  await comments.getByLabel('New comment').fill('Is this bid\nenough?');
  await choose(page, 'Mention', 'Ada');
  await page.keyboard.press('Escape');
  await comments.getByRole('button', { name: 'Comment', exact: true }).click();
  const own = comments.getByRole('article');
  await expect(own).toContainText('Is this bid');
  await expect(own).toContainText('@Ada');
  await expect(comments.getByLabel('New comment')).toHaveValue('');
  expect(await seriousViolations(page)).toEqual([]);
  await own.getByRole('button', { name: 'Edit comment' }).click();
  await own.getByRole('textbox', { name: 'Comment' }).fill('Is this bid high enough?');
  await own.getByRole('button', { name: 'Save comment' }).click();
  await expect(own).toContainText('high enough?');
  await expect(own).toContainText('changed');

  // The notification leads an analyst to the campaign, who answers and cannot change what others wrote.
  await analyst.goto(`${server.url}/campaigns`);
  await analyst.getByRole('button', { name: /^Notifications/ }).click();
  await expect(analyst.getByText(/mentions you in a comment on “Spring launch”/)).toBeVisible();
  await analyst.getByRole('link', { name: 'You are mentioned' }).click();
  await analyst.waitForURL(/\/campaigns\/edit/);
  const seen = analyst.getByRole('region', { name: 'Comments' });
  await expect(seen.getByRole('article')).toContainText('high enough?');
  await expect(seen.getByRole('button', { name: 'Edit comment' })).toHaveCount(0);
  await seen.getByLabel('New comment').fill('No.');
  await seen.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(seen.getByRole('article', { name: 'Comment by Ada' })).toContainText('No.');
  expect(await seriousViolations(analyst)).toEqual([]);

  await own.first().getByRole('button', { name: 'Delete comment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The comment was deleted')).toBeVisible();
  await expect(own).toHaveText([/No\./]);
  await analyst.context().close();
});
