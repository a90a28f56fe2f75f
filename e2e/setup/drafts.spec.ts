import { type Page, expect } from '@playwright/test';
import { z } from 'zod';
import { seriousViolations } from '../support/accessibility.ts';
import { colleagueOf } from '../support/colleague.ts';
import { freshCompany } from '../support/company.ts';
import { choose } from '../support/fields.ts';
import { signIn, signInToNewCompany } from '../support/session.ts';
import { test } from '../support/test.ts';

const Drafts = z.object({ drafts: z.array(z.object({ name: z.string(), version: z.number() })) });
const field = (page: Page) => page.getByRole('textbox', { name: 'Campaign name', exact: true });
const stored = (page: Page) => page.getByText(/^Draft saved/);

test('a draft is on the server while it is typed; a colleague opens its link, and both lose nothing @journey', async ({
  page,
  server,
  browser,
}) => {
  const { company } = await signInToNewCompany(page, server);
  const colleague = await colleagueOf(browser, server, company, 'editor');

  await page.goto(`${server.url}/campaigns/create`);
  await field(page).fill('Autumn');
  await expect(stored(page)).toBeVisible();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);

  await colleague.goto(`${server.url}/campaigns`);
  await colleague.getByRole('link', { name: 'Drafts (1)' }).click();
  await expect(colleague.getByRole('row', { name: /Autumn/ })).toBeVisible();
  expect(await seriousViolations(colleague)).toEqual([]);
  await colleague.getByRole('link', { name: 'Autumn' }).click();
  await expect(field(colleague)).toHaveValue('Autumn');
  await field(colleague).fill('Autumn sale');
  await expect(stored(colleague)).toBeVisible();
  await expect
    .poll(async () => (await company.api.get('/campaign_draft', Drafts)).drafts)
    .toMatchObject([{ name: 'Autumn sale', version: 2 }]);

  await field(page).fill('Winter');
  const conflict = page.getByRole('alert').filter({ hasText: 'Ada changed this draft meanwhile.' });
  await expect(conflict).toBeVisible();
  await expect(field(page)).toHaveValue('Winter');
  expect(await seriousViolations(page)).toEqual([]);
  await conflict.getByRole('button', { name: 'Save mine as another draft' }).click();
  await expect(stored(page)).toBeVisible();
  const names = async () =>
    (await company.api.get('/campaign_draft', Drafts)).drafts.map(({ name }) => name).toSorted();
  await expect.poll(names).toEqual(['Autumn sale', 'Winter']);

  await choose(colleague, 'App', 'Pocket Farm');
  await colleague.getByRole('button', { name: 'Create campaign' }).click();
  await expect(colleague.getByRole('row', { name: /Autumn sale/ })).toBeVisible();
  await expect.poll(names).toEqual(['Winter']);

  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible();
  expect(await names()).toEqual([]);
  await page.goto(`${server.url}/campaigns/create`);
  await expect(field(page)).toHaveValue('');
  await colleague.context().close();
});

test('someone with a conflict may open the other version; analysts read drafts', async ({
  page,
  server,
  browser,
}) => {
  const company = await freshCompany(server);
  await signIn(page, server, company);
  const { uuid } = await company.api.send(
    'POST',
    '/campaign_draft',
    { values: { name: 'Spring' } },
    z.object({ uuid: z.uuid() }),
  );
  await page.goto(`${server.url}/campaigns/create?draft=${uuid}`);
  await expect(field(page)).toHaveValue('Spring');
  const body = { values: { name: 'Early spring' }, version: 1 };
  await company.api.send('PUT', `/campaign_draft/${uuid}`, body, z.object({}));
  await field(page).fill('Late spring');
  await page.getByRole('button', { name: 'Discard mine and open theirs' }).click();
  await expect(field(page)).toHaveValue('Early spring');
  await field(page).fill('Early spring sale');
  await expect(stored(page)).toBeVisible();

  const analyst = await colleagueOf(browser, server, company, 'analyst');
  await analyst.goto(`${server.url}/campaigns/drafts`);
  await analyst.getByRole('link', { name: 'Early spring sale' }).click();
  await expect(field(analyst)).toHaveValue('Early spring sale');
  await expect(analyst.getByRole('button', { name: 'Discard draft' })).toHaveCount(0);
  await analyst.context().close();
});
