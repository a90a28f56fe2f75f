import { expect } from '@playwright/test';
import { z } from 'zod';
import { freshCompany, makeAdset, makeAdsetParts } from './support/company.ts';
import { test } from './support/test.ts';
import { signIn } from './support/session.ts';

const Goal = z.object({
  algo: z.string(),
  goal_event: z.string().nullable(),
  cpa: z.number().nullable(),
  roas: z.number().nullable(),
  goal_window: z.number(),
  goals_by_country: z.array(z.object({ country: z.string(), value: z.number() })),
});

test('an ad set is given a goal of events, then one of revenue, with another in one country @journey', async ({
  page,
  server,
}) => {
  const company = await freshCompany(server);
  const { uuid } = await makeAdset(company, await makeAdsetParts(company));
  const goal = async () => company.api.get(`/adset/${uuid}`, Goal);
  await signIn(page, server, company);
  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await page.getByRole('radio', { name: /^Target CPA/ }).check();
  const fields = page.getByRole('group', { name: 'Goal' });
  await fields.getByLabel('Goal event').fill('purchase');
  await page.keyboard.press('Escape');
  await fields.getByRole('textbox', { name: 'Target CPA' }).fill('12.5');
  await expect(fields.getByRole('status')).toContainText('No event “purchase” has arrived for');
  await expect(fields.getByRole('status')).toContainText('by an assumed value of $0.63 per install');
  await expect(fields.getByRole('link', { name: 'Measurement of the tracking link' })).toBeVisible();
  await fields.getByRole('button', { name: 'Add a goal for a country' }).click();
  await fields.getByRole('combobox', { name: 'Country' }).fill('germ');
  await page.getByRole('option', { name: 'Germany (DE)' }).click();
  await fields.getByRole('textbox', { name: 'Goal there' }).fill('20');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(goal).toMatchObject({
    algo: 'Target CPA',
    goal_event: 'purchase',
    cpa: 12.5,
    goal_window: 7,
    goals_by_country: [{ country: 'DE', value: 20 }],
  });

  await page.goto(`${server.url}/adset/edit?uuid=${uuid}`);
  await expect(fields.getByLabel('Goal event')).toHaveValue('purchase');
  await page.getByRole('radio', { name: /^Target ROAS/ }).check();
  await expect(fields.getByLabel('Goal event')).toHaveCount(0);
  await fields.getByLabel('Target ROAS').fill('140');
  await fields.getByRole('button', { name: 'Remove the goal of DE' }).click();
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect
    .poll(goal)
    .toMatchObject({ algo: 'Target ROAS', roas: 140, goal_window: 7, goals_by_country: [] });
});

test('the table of campaigns says which ad sets with a goal are still learning', async ({ page, server }) => {
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company);
  const adsets = [await makeAdset(company, parts), await makeAdset(company, parts)];
  const campaign = await company.api.send(
    'POST',
    '/campaign',
    { name: 'Spring launch', app_uuid: parts.app.uuid, adset_uuids: adsets.map(({ uuid }) => uuid) },
    z.object({ uuid: z.uuid() }),
  );
  // Ten of about fifty; the other one, with fifty, has learned.
  const learning = adsets.map(({ uuid }, index) => ({
    uuid,
    campaign_uuid: campaign.uuid,
    conversions: index === 0 ? 10 : 50,
    needed: 50,
    expected_error_percent: 18,
    text: index === 0 ? 'Learning: 10 of about 50 conversions.' : 'Learned from 50 conversions.',
  }));
  await page.route(/\/findings\?/, (route) => route.fulfill({ json: { data: { campaigns: [], learning } } }));
  await signIn(page, server, company);
  await page.goto(`${server.url}/campaigns`);
  const table = page.getByRole('table', { name: 'campaigns' });
  await expect(table.getByRole('row', { name: /Spring launch/ })).toContainText(
    'Learning: 1 of 2 ad sets with a goal.',
  );
  await table.getByText('Learning', { exact: true }).hover();
  await expect(page.getByRole('tooltip')).toHaveText('Learning: 1 of 2 ad sets with a goal.');
  await page.goto(`${server.url}/campaigns?depth=adset`);
  await expect(page.getByText('Learning', { exact: true })).toHaveCount(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('Learning: 10 of about 50 conversions.')).toHaveCount(1);
  await expect(page.getByText('Learned from 50 conversions.')).toHaveCount(0);
});
